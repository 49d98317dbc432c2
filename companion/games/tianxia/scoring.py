"""Final scoring: figurines, palace, objective cards, left-overs, and who wins (rules TX-SCORE)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from companion.engine.things.tracks import printed_at
from companion.rules import (
    Breach,
    Choice,
    Ending,
    Flag,
    Ledger,
    Line,
    Options,
    PieceName,
    Reported,
    Seat,
    TieBreak,
    ranked,
)
from components.phrasing import count, plural

from .battle import undone
from .catalogue import At, cat
from .objectives import impossible, shown
from .state import State

# --- objective cards -------------------------------------------------------------------------------------------------


def _governed(at: At, who: str, wanted: Callable[[Any], bool] = lambda building: True) -> list[str]:
    """The regions of a player's governors in buildings of a kind, one for each governor."""
    return [
        building.region
        for id, building in cat(at).buildings.items()
        if wanted(building)
        for owner in at.state.buildings[id].governors
        if owner == who
    ]


COUNTED: dict[str, Callable[[At, str], int]] = {
    "walls": lambda at, who: at.state.pieces("walls", who),
    "towers": lambda at, who: at.state.pieces("towers", who),
    "soldiers": lambda at, who: at.state.pieces("soldiers", who),
    "sections": lambda at, who: sum(
        who in (*one.walls, *one.towers, *one.soldiers) for one in at.state.sections.values()
    ),
    "governors": lambda at, who: len(_governed(at, who)),
    "governors_income": lambda at, who: len(_governed(at, who, lambda building: building.pays)),
    "governors_passive": lambda at, who: len(_governed(at, who, lambda building: not building.pays)),
    "regions_governed": lambda at, who: len(set(_governed(at, who))),
    "ports_shipped": lambda at, who: sum(who in port.markers for port in at.state.ports.values()),
    "deliveries": lambda at, who: at.state.player[who].delivered,
    "figurines": lambda at, who: len(set(at.state.player[who].figurines)),
    "used_tiles": lambda at, who: at.state.player[who].used_tiles,
    "barge_workers": lambda at, who: at.state.on_barges(who),
}
"""The counts for the conditions of objective cards."""


def reached(at: At, who: str, requirement: str, wanted: Any) -> int:
    """A player's count of the things that a condition asks for."""
    if requirement == "tracks":
        return sum(step >= wanted["at_least"] for step in at.state.player[who].tracks.values())
    if requirement in COUNTED:
        return COUNTED[requirement](at, who)
    banner = requirement.removeprefix("governors_")
    return sum(cat(at).regions[region].banner == banner for region in _governed(at, who))


def fulfilled(at: At, who: str, card: str) -> bool:
    """True if every condition of a card is reached (TX-SCORE-4)."""
    return all(
        reached(at, who, key, wanted) >= (wanted["count"] if key == "tracks" else wanted)
        for key, wanted in cat(at).objectives[card].requires.items()
    )


def scoring_cards(at: At, who: str, cards: Iterable[str]) -> list[str]:
    """The cards that score: fulfilled, at most so many, the best of them (TX-SCORE-5, -11)."""
    good = [card for card in dict.fromkeys(cards) if fulfilled(at, who, card)]
    good.sort(key=lambda card: -cat(at).objectives[card].vp)
    return good[: at["objectives.scored_max"]]


# --- the sum ---------------------------------------------------------------------------------------------------------


def leftovers(at: At, who: str) -> int:
    """Money, resources and goods of a player together."""
    return sum(at.state.player[who].of(kind) for kind in cat(at).stock)


def lines(at: At, who: str, cards: Iterable[str]) -> list[tuple[str, Line]]:
    """Every line of a player's score, with the part of the score it belongs to."""
    p = at.state.player[who]
    found = [("vp", Line(who, "TX-SCORE-7", "score track", str(p.vp), p.vp))]
    kinds = len(set(p.figurines))
    points = printed_at(at["figurine.vp"], kinds)
    found.append(("figurines", Line(who, "TX-SCORE-9", "figurines", count(kinds, "kind"), points)))
    for banner, track in cat(at).tracks.items():
        worth = track.worth_of(p.tracks[banner])
        found.append(("palace", Line(who, "TX-SCORE-10", f"{banner} track", f"step {p.tracks[banner]}", worth)))
    for card in scoring_cards(at, who, cards):
        one = cat(at).objectives[card]
        found.append(("objectives", Line(who, "TX-SCORE-4", f"{card} {one.name}", "fulfilled", one.vp)))
    stock, divisor = leftovers(at, who), at["leftovers.divisor"]
    many = at.rules.game.plurals
    words = " + ".join(f"{n} {plural(n, kind, many.get(kind, kind))}" for kind in cat(at).stock if (n := p.of(kind)))
    arithmetic = f"({words}) ÷ {divisor}" if stock else f"0 ÷ {divisor}"
    found.append(("leftovers", Line(who, "TX-SCORE-6", "left-overs", arithmetic, stock // divisor)))
    return found


PARTS = ("vp", "figurines", "palace", "objectives", "leftovers")


def score_of(at: At, who: str, cards: Iterable[str]) -> dict[str, int]:
    """The parts of a player's score, and the total."""
    found = dict.fromkeys(PARTS, 0)
    for part, line in lines(at, who, cards):
        found[part] += line.points
    return {**found, "total": sum(found.values())}


def ranking(at: At, shown: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of players who show these cards, best first."""
    totals = {who: score_of(at, who, shown.get(who, ()))["total"] for who in at.state.players}
    groups, _ = ranked(totals, _tie_break(at))
    return [list(group) for group in groups]


def _tie_break(at: At) -> TieBreak:
    """Equal totals are told apart by what is left over (TX-SCORE-7)."""
    return TieBreak("TX-SCORE-7", "left-over stock", {who: leftovers(at, who) for who in at.state.players})


def ledger(at: At) -> Ledger:
    """The score line by line; once all have shown their cards, with its end."""
    s = at.state
    found = [line for who in s.players for _, line in lines(at, who, s.scored.get(who, ()))]
    totals = {who: sum(line.points for line in found if line.seat == who) for who in s.players}
    groups, ties = ranked(totals, _tie_break(at))
    ending = None
    if over(s) and groups:
        words = f"{at['rounds']} rounds are played, and the most points are {totals[groups[0][0]]}"
        ending = Ending("TX-SCORE-7", words, groups[0], {"totals": totals})
    return Ledger("points", tuple(found), groups, ties, ending)


def over(state: State) -> bool:
    """True if the game is over: everybody has shown the objective cards they score."""
    return state.phase == "end" and all(seat in state.scored for seat in state.players)


def to_show(at: At) -> list[str]:
    """The players who have not shown their objective cards yet."""
    return [seat for seat in at.state.players if seat not in at.state.scored]


NONE = "none"
"""The word of a player who shows no card."""


class Score(Reported, frozen=True):
    """A player shows the objective cards that shall score, or none."""

    name = "score"
    words = ("shows",)
    asks: ClassVar[dict[str, str]] = {"player": "TX-SCORE-4.player"}
    player: Annotated[str, Seat()] = ""
    objectives: Annotated[
        tuple[str, ...], PieceName("objective", many=True, after=("with",), of=("objective", "card"), secret=True)
    ] = ()
    none: Annotated[bool, Flag(NONE, "nothing", "no card", "no objective")] = False
    """Said by who shows no card. A JSON report without cards says so, too."""

    def shows(self) -> dict[str, Any]:
        return {f"objectives of {self.player}": list(self.objectives)}

    def player_options(self, at: At) -> Options:
        return to_show(at)

    def objectives_options(self, at: At) -> Options:
        return None

    def unsaid(self, at: At) -> Iterator[Choice]:
        """Ask a player who holds objective cards which of them score (TX-SCORE-11)."""
        if at.state.player[self.player].objectives and not self.objectives and not self.none:
            left = [card for card in cat(at).objectives if card not in shown(at)]
            yield at.ask("TX-SCORE-11.objectives", "objectives", self.player, [*left, NONE])

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase == "attack" and s.round < at["rounds"]:
            yield at.breach("TX-SCORE-1.early", round=s.round, rounds=at["rounds"])
        else:
            yield from undone(at)
        if not self.player:
            return
        if self.player in s.scored:
            yield at.breach("TX-SCORE-4.shown", player=self.player)
        if self.objectives and self.none:
            yield at.breach("TX-SCORE-11.both", player=self.player, cards=list(self.objectives))
        held = s.player[self.player].objectives
        if len(set(self.objectives)) > held and self.player not in s.untold_hands:
            yield at.breach("TX-OBJ-1.hand", player=self.player, held=held, n=len(set(self.objectives)))
        if repeated := [card for card in set(self.objectives) if self.objectives.count(card) > 1]:
            yield at.breach("TX-GAME-5.card", card=repeated[0])
        yield from impossible(at, self.player, self.objectives)

    def apply(self, at: At) -> None:
        s = at.state
        if s.phase == "attack":
            at.enter("end")
            at.note("TX-SCORE-1.over", rounds=at["rounds"])
        s.scored[self.player] = list(self.objectives)
        parts = score_of(at, self.player, self.objectives)
        at.note("TX-SCORE-4.shows", player=self.player, cards=list(self.objectives), n=parts["objectives"])
        at.kept(
            "TX-SCORE-2",
            "TX-SCORE-3",
            "TX-SCORE-5",
            "TX-SCORE-6",
            "TX-SCORE-8",
            "TX-SCORE-9",
            "TX-SCORE-10",
            "TX-SCORE-11",
            "TX-SCORE-12",
        )
        at.note("TX-SCORE-7.total", player=self.player, n=parts["total"])
