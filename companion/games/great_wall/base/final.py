"""The end check and final scoring: shame, claimed cards, artifacts, what else gives honor, who wins (GW-END, GW-SCORE)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.engine.things import effects
from companion.engine.things.figures import in_force
from companion.rules import Answer, Breach, Ending, Ledger, Line, TieBreak
from components.model import Effect

from .brought import in_play
from .catalogue import ARCHER, At, Horde, cat
from .defeat import follow
from .reports import TableReport
from .shame import tokens
from .soldiers import in_section, soldiers_on
from .state import GOODS, SECTIONS
from .year import ENDED, end_if_triggered, in_tea_order, look_at_pool, look_at_walls, new_year

HORSEMAN = "horseman"
NO_KEYWORD = "none"

# --- what is counted ----------------------------------------------------------------------------------------------


def clean_cards(at: At, clan: str) -> list[str]:
    """The claimed horde cards of a clan that carry no token (GW-SCORE-2)."""
    return [claimed.card for claimed in at.state.own(clan).claimed if not claimed.shame]


def honor_of(at: At, card: str) -> int:
    """The honor printed on a claimed card."""
    return _card(at, card).honor


def _card(at: At, card: str) -> Horde:
    """A claimed card; the Khan's has the face of this game."""
    return cat(at).hordes.get(card) or cat(at).khan[at.state.side]


def _with_keyword(at: At, clan: str) -> int:
    hordes = cat(at).hordes
    return sum(card in hordes and hordes[card].keyword != NO_KEYWORD for card in clean_cards(at, clan))


def _sets_of_marks(at: At, clan: str) -> int:
    hordes = cat(at).hordes
    marks = [hordes[card].mark for card in clean_cards(at, clan) if card in hordes]
    return min(marks.count(section) for section in SECTIONS)


def _horsemen(at: At, clan: str) -> int:
    resting = sum(units.get(HORSEMAN, 0) for units in at.state.own(clan).rest.values())
    cards = (horde for section in SECTIONS for horde in at.state.hordes[section])
    return resting + sum(one.unit == HORSEMAN for horde in cards for one in soldiers_on(horde).get(clan, ()))


COUNTED: dict[str, Callable[[At, str], int]] = {
    "claimed_clean": lambda at, clan: len(clean_cards(at, clan)),
    "claimed_keyword": _with_keyword,
    "claimed_set_LCR": _sets_of_marks,
    "goods": lambda at, clan: sum(at.state.own(clan).res[kind] for kind in GOODS),
    "chi": lambda at, clan: at.state.own(clan).res["chi"],
    "archers_on_wall": lambda at, clan: sum(units.get(ARCHER, 0) for units in at.state.own(clan).wall.values()),
    "horsemen_on_board": _horsemen,
    "sections_present": lambda at, clan: sum(in_section(at, clan, section) > 0 for section in SECTIONS),
    "shame_tokens": tokens,
    "clerks_bought": lambda at, clan: at.state.own(clan).clerks_bought,
    "advisors_total": lambda at, clan: len(at.state.own(clan).active) + len(at.state.own(clan).support),
    "walls_built": lambda at, clan: at.state.own(clan).walls_built,
    "overseer_levels_total": lambda at, clan: sum(at.state.own(clan).overseers.values()),
}
"""The counts for the goals of artifacts."""


# --- artifacts ----------------------------------------------------------------------------------------------------


def _score(at: At, clan: str, args: dict[str, Any]) -> tuple[str, int]:
    """So much honor for each (or for every so many, or for each above a number), up to a limit."""
    n = max(0, COUNTED[args["per"]](at, clan) - (args.get("above") or 0)) // (args.get("each") or 1)
    honor = n * args["honor"]
    most = args.get("max")
    return f"{n} x {args['honor']}", honor if most is None else min(most, honor)


def _score_rank(at: At, clan: str, args: dict[str, Any]) -> tuple[str, int]:
    """Honor for a place in tea order."""
    place = in_tea_order(at).index(clan) + 1
    return f"place {place}", args["ranks"].get(place, 0)


def _score_table(at: At, clan: str, args: dict[str, Any]) -> tuple[str, int]:
    """Honor by a number: for none, one and so on; more give nothing."""
    n, honor = COUNTED[args["of"]](at, clan), args["honor"]
    return f"{n}", honor[n] if n < len(honor) else 0


GOALS: dict[str, Callable[[At, str, dict[str, Any]], tuple[str, int]]] = {
    "score": _score,
    "score_rank": _score_rank,
    "score_table": _score_table,
}
"""The verbs of artifacts: how much honor they give, and the sum as it would be written down."""


def goal(at: At, clan: str, effect: Effect) -> tuple[str, int]:
    """The honor that a goal gives a clan, and its explanation."""
    return GOALS[effect.verb](at, clan, effect.args)


# --- the sum ------------------------------------------------------------------------------------------------------


def lines(at: At, clan: str) -> Iterator[Line]:
    """Every line of a clan's score in the order of the rules (GW-SCORE-1 to -5)."""
    others, honor = list(_others(at, clan)), at.state.own(clan).honor
    track = honor - sum(line.points for line in others) if at.state.scored else honor
    yield Line(clan, "GW-SCORE-6", "honor track", str(track), track)
    yield from others


def _others(at: At, clan: str) -> Iterator[Line]:
    p = at.state.own(clan)
    shamed, loss = sum(p.shamed.values()), at["shame.final_loss"]
    if shamed:
        yield Line(clan, "GW-SCORE-1", "shamed soldiers", f"{shamed} x -{loss}", -shamed * loss)
    for claimed in p.claimed:
        name = _card(at, claimed.card).name
        if claimed.shame:
            yield Line(clan, "GW-SCORE-3", name, "shamed", 0)
        else:
            yield Line(clan, "GW-SCORE-2", name, str(honor_of(at, claimed.card)), honor_of(at, claimed.card))
    for artifact in at.state.artifacts:
        piece = cat(at).of("artifact")[artifact]
        for effect in piece.effect:
            words, honor = goal(at, clan, effect)
            yield Line(clan, "GW-SCORE-4", piece.name, words, honor)
    yield from _final_effects(at, clan)
    for module in in_play(at):
        yield from module.scores(at, clan)


def _final_effects(at: At, clan: str) -> Iterator[Line]:
    """The gains from cards at the end, each in a copy (GW-SCORE-5)."""
    for effect, source in in_force(at, at.rules.effects(at.state).triggers.get("final", ()), clan, {}):
        here = at.copy()
        here.quiet = True
        before = here.state.own(clan).honor
        effects.run(here, effect.body, clan, source)
        gained = here.state.own(clan).honor - before
        yield Line(clan, "GW-SCORE-5", source.name, str(gained), gained)


def reckoned(at: At) -> tuple[list[Line], dict[str, int], list[str]]:
    """Every line of the score, clan -> honor after final scoring, and the clans, best first; of equal ones the highest
    in tea order (GW-SCORE-6, GW-SCORE-7)."""
    found = [line for clan in at.state.players for line in lines(at, clan)]
    total = {clan: sum(line.points for line in found if line.seat == clan) for clan in at.state.players}
    return found, total, sorted(in_tea_order(at), key=lambda clan: -total[clan])


def ledger(at: At) -> Ledger:
    """The score line by line; after final scoring with the winner."""
    found, total, order = reckoned(at)
    level = [clan for clan in order if total[clan] == total[order[0]]]
    ties: tuple[TieBreak, ...] = ()
    if len(level) > 1:
        places = {clan: in_tea_order(at).index(clan) + 1 for clan in level}
        ties = (TieBreak("GW-SCORE-7", "place in tea order", places, lowest=True),)
    ending = None
    if at.state.scored and order:
        words = f"{at.rules.called(order[0])} has the most honor"
        ending = Ending("GW-SCORE-6", words, (order[0],), {"totals": total})
    return Ledger("honor", tuple(found), tuple((clan,) for clan in order), ties, ending)


def ask_final_score(at: At) -> Answer:
    """The scores as they would be now, and the winner."""
    found, total, order = reckoned(at)
    plain = [{"player": one.seat, "what": one.source, "sum": one.sum, "honor": one.points} for one in found]
    rules = list(dict.fromkeys(line.rule for line in found))
    if sum(n == total[order[0]] for n in total.values()) > 1:
        rules.append("GW-SCORE-7")
    return Answer({"scores": total, "winner": order[0]}, rules, plain)


# --- reports ------------------------------------------------------------------------------------------------------

YEAR_OVER = ("award_moves", "year_over")


class EndCheck(TableReport, frozen=True):
    """The last check of the year: does the game end, or does the next year begin?"""

    elsewhere = "GW-END-7"

    def apply(self, at: At) -> None:
        look_at_walls(at)
        look_at_pool(at)
        at.kept("GW-END-7")
        if not end_if_triggered(at):
            follow(at, YEAR_OVER)


def year_over(at: At) -> None:
    """The breaches of this Winter are forgotten, and the next year begins (GW-END-7)."""
    s = at.state
    s.year += 1
    s.breached = dict.fromkeys(SECTIONS, False)
    s.unit_finished = None
    new_year(at)
    at.note("GW-END-7.next", year=s.year)
    at.enter("spring.1")


class FinalScore(TableReport, frozen=True):
    """Final scoring: everybody's honor, and the winner."""

    elsewhere = "GW-SCORE-1"

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at.state.players:
            yield at.breach("GW-GEN-1.number", n=0, min=at["players.min"], max=at["players.max"])

    def apply(self, at: At) -> None:
        s = at.state
        found, total, order = reckoned(at)
        for line in found:
            if line.points and line.rule != "GW-SCORE-6":
                at.note(f"{line.rule}.scores", player=line.seat, source=line.source, n=line.points)
        for clan, n in total.items():
            s.own(clan).honor = n
        s.scored = True
        if len(set(total.values())) < len(total):
            at.kept("GW-SCORE-7")
        at.note("GW-SCORE-6.wins", player=order[0], n=total[order[0]])
        at.kept("GW-SCORE-8")


MOVES = {"winter.3": (EndCheck,), ENDED: (FinalScore,)}
STEPS = {"year_over": year_over}
QUERIES = {"final_score": ask_final_score}
VERBS = tuple(GOALS)
