"""Tactics: the window of each card, one in each resolution unit, what is chosen when it is played (rules GW-CARD)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from companion.engine.things.effects import BUILT_IN
from companion.engine.things.figures import in_force
from companion.rules import Breach, Brings, Count, Move, OneOf, PieceName, Source, Unspoken
from components.model import ResolvedPiece

from .assault import due
from .catalogue import At, cat, name_of
from .defeat import complete
from .effects import ALLOWANCES, CHOSEN, SAVED
from .fall import coming
from .hand import Answers, Hand, Wounds, as_move
from .icons import STEP, begun, in_step, leading
from .locations import ends_use, moment
from .reports import Report, step_over
from .shame import shamed
from .soldiers import has_soldier
from .state import GOODS, SECTIONS
from .targets import Sections
from .wounds import sections_of, woundable
from .year import is_open, to_act


class PlayTactic(Report, frozen=True):
    """Play a tactic card in its window."""

    words = ("play",)
    sampled = True
    card: Annotated[str, PieceName("tactic", secret=True, loose=True)] = ""
    """The tactic; with `tactic`, the horde card it is played on."""
    section: Annotated[str, Sections()] = ""
    horde: Annotated[str, PieceName("horde")] = ""
    spot: Annotated[int, Count(1, lead=("spot",))] = 0
    carrier: Annotated[str, PieceName("unit", loose=True)] = ""
    goods: Annotated[tuple[str, ...], OneOf(*GOODS, many=True, lead=("less",))] = ()
    to: Annotated[Any, Brings()] = None
    unit: Annotated[str, Brings()] = ""
    origin: Annotated[Any, Brings()] = msgspec.field(default=None, name="from")
    spots: Annotated[tuple[str, ...], Brings()] = ()
    soldiers: Annotated[tuple[dict[str, Any], ...], Brings()] = ()
    """Several attacks, marches or recruits."""
    attacks: Annotated[tuple[dict[str, Any], ...], Brings()] = ()
    marches: Annotated[tuple[dict[str, Any], ...], Brings()] = ()
    orders: Annotated[tuple[dict[str, Any], ...], Brings()] = ()
    extra_wound: Wounds = None
    tactic: Annotated[str, Unspoken()] = ""

    def alone(self) -> Self | None:
        bare = super().alone()
        if bare is None or bare == self or not self.spots:
            return bare
        return replace(bare, card=self.played, tactic="", horde="")

    @property
    def played(self) -> str:
        """The tactic."""
        return self.tactic or self.card

    @property
    def on(self) -> str:
        """The horde card that is named."""
        return self.horde or (self.card if self.tactic else "")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """Every card that may be played, with each thing that may be chosen for it. What goes without saying is left out."""
        for clan in filter(lambda clan: holds(at, clan), at.state.players):
            for card, piece in cat(at).of("tactic").items():
                move = cls(by=clan, card=card)
                if not at.refuses(move):
                    choice = CHOICES.get(_asks(piece))
                    able = choice.able(at, clan) if choice else ()
                    yield from (replace(move, **{choice.field: one}) for one in able) if choice else (move,)

    def piece(self, at: At) -> ResolvedPiece | None:
        """The card as printed."""
        return cat(at).of("tactic").get(self.played)

    def presumes(self, at: At) -> Move | None:
        s, piece = at.state, self.piece(at)
        begins = not s.active and not s.agenda and piece is not None and piece.fields["window"] == "own_card"
        if begins and s.step == "fall.2":
            return step_over(at)
        return coming(at, self) if begins and in_step(at) else None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "by":
            return [clan for clan in at.state.players if holds(at, clan)]
        if field == "card":
            free = [card for card in cat(at).of("tactic") if card not in at.state.tactic_discard]
            return None if self.tactic else free
        piece = self.piece(at) if field in ("section", "horde", "spot", "carrier") else None
        if piece and (known := may_say(at, self).get(field)):
            return ("", *known)
        choice = CHOICES.get(_asks(piece))
        if choice is None or choice.field != field:
            return None
        return [self.on] if field == "horde" and self.on else choice.able(at, self.by)

    def forbidden(self, at: At) -> Iterator[Breach]:
        piece = self.piece(at)
        if self.played and piece is None:
            yield at.breach("GW-CARD-3.unknown", card=self.played)
        if piece is None:
            return
        if reasons := at.allowed(closed(at, self)):
            yield from reasons
            return
        if self.played in at.state.tactic_discard:
            yield at.breach("GW-CARD-3.gone", card=piece.name)
        elif not holds(at, self.by):
            yield at.breach("GW-CARD-3.hand", player=self.by)
        played = at.state.played_this_unit.get(self.by, [])
        early = piece.fields["window"] == "own_card" and not begun(at)
        if len(played) > (leading(at) if early else 0):
            yield at.breach("GW-CARD-4", player=self.by, card=name_of(at, "tactic", played[-1]))
        yield from bad_choice(at, self, _asks(piece))

    def apply(self, at: At) -> None:
        s, piece = at.state, cat(at).of("tactic")[self.played]
        p = s.own(self.by)
        p.tactics = max(0, p.tactics - 1)
        s.tactic_discard.append(piece.id)
        s.played_this_unit.setdefault(self.by, []).append(piece.id)
        if piece.fields["window"] == "assault" and self.section:
            s.section = self.section  # a position that leaves open which section is compared next is told
        if self.on:
            s.effects_now[f"{CHOSEN}{piece.id}"] = [self.on]
        if self.goods:
            s.effects_now[SAVED] = list(self.goods)
        at.note("GW-CARD-3.played", player=self.by, card=piece.name, text=piece.text)
        if piece.effect[0].args.get("when") == piece.fields["window"]:
            self._at_once(at, piece)
        about = {"section": self.section, "card": self.on, "spot": self.spot, "carrier": self.carrier}
        at.run(piece.effect, self.by, Source(piece, self.by, self.on, about=about))
        if piece.fields["window"] == f"resolve:{s.resolving}":
            ends_use(at, self.by)

    def _at_once(self, at: At, piece: ResolvedPiece) -> None:
        """Carry out at once, if possible, the effect that would wait for the end of its window."""
        candidates = tuple((piece, effect, piece.id) for effect in piece.effect)
        for effect, source in in_force(at, candidates, self.by, {"location": at.state.resolving}):
            at.run(effect.body, self.by, source)
            at.state.own(self.by).used_this_unit.append(piece.id)

    def _verb(self, at: At) -> str:
        piece = self.piece(at)
        return piece.effect[0].verb if piece else ""

    def otherwise(self, at: At) -> Answers:
        if not self.spots or self._verb(at) != "wound":
            return {}
        return {("wound",): {"": [{"card": self.on or self._hit(at), "spot": spot} for spot in self.spots]}}

    def further(self, at: At, hand: Hand) -> Iterator[Move] | None:
        forms = list(self._forms(self._verb(at)))
        return (as_move(at, self.by, form) for form in forms) if forms else None

    def _hit(self, at: At) -> str:
        """The horde card to which the spots can belong, where there is one only."""
        owed = next((task for task in at.state.agenda if task.move == "wound"), None)
        able = woundable(at, self.by, owed.args) if owed else {}
        sections = [self.section] if self.section else SECTIONS
        here = [horde.card for section in sections for horde in at.state.hordes[section]]
        found = [card for card, free in able.items() if card in here and set(self.spots) <= set(free)]
        return found[0] if len(found) == 1 else ""

    def _forms(self, verb: str) -> Iterator[dict[str, Any]]:
        """The actions stated with the tactic, as reports."""
        yield from self.orders
        if verb not in ALLOWANCES:
            return
        yield from ({verb: one.get("unit"), **one} for one in (*self.soldiers, *self.attacks, *self.marches))
        if verb == "place_clerks" and self.to:
            yield {verb: self.to}
        elif self.unit:
            said = {"from": self.origin, "to": self.to, "card": self.on, "spots": list(self.spots)}
            yield {verb: self.unit, **{key: value for key, value in said.items() if value}}


def holds(at: At, clan: str) -> bool:
    """True if a player may hold a tactic; nobody knows which."""
    return at.state.own(clan).tactics > 0 or is_open(at, f"tactics:{clan}")


def _asks(piece: ResolvedPiece | None) -> str:
    """The choice that a card leaves: its verb, or the figure or permission it changes."""
    if piece is None:
        return ""
    effect = piece.effect[0]
    return str(effect.args.get("param", effect.verb)) if effect.verb in BUILT_IN else effect.verb


# --- windows --------------------------------------------------------------------------------------------------------


def closed(at: At, move: PlayTactic) -> Iterator[Breach]:
    """The reasons why this is not the card's window, or not the player's (GW-CARD-3)."""
    piece = cat(at).of("tactic")[move.played]
    name, windows = piece.fields["window"], piece.fields["windows"]
    window = name.partition(":")[0]
    if not OPEN_FOR[window](at, move):
        yield at.breach("GW-CARD-3.window", player=move.by, card=piece.name, window=windows[name])
    elif window == "summer_shame" and move.by not in to_act(at):
        yield at.breach("GW-SUM-3.turn", player=move.by, seats=to_act(at))
    elif window == "assault" and move.section and due(at) not in ("", move.section):
        yield at.breach("GW-ASLT-1.first", section=move.section, due=due(at))
    elif window == "defeat" and not has_soldier(complete(at)[0], move.by):
        yield at.breach("GW-CARD-3.soldier", player=move.by, horde=name_of(at, "horde", complete(at)[0].card))


def _order(at: At, move: PlayTactic) -> bool:
    """After all cards are on the track, before the first resolves."""
    s = at.state
    begun = bool(s.active) or any(card.resolved for card in s.command_track.values())
    return not begun and (s.step == STEP or (s.step == "fall.2" and len(s.command_track) >= len(s.players)))


def _own_card(at: At, move: PlayTactic) -> bool:
    s = at.state
    return in_step(at) and not s.resolving and (s.active == move.by or (not s.active and is_open(at, "icon")))


def _in_location(at: At, move: PlayTactic) -> bool:
    location = cat(at).of("tactic")[move.played].fields["window"].partition(":")[2]
    return in_step(at) and not at.allowed(moment(at, move.by, location))


def _defeat(at: At, move: PlayTactic) -> bool:
    """A horde with one of the player's soldiers on it is being defeated: the first whose spots are all covered."""
    checked = owed(at, "defeat") or is_open(at, "icon") or is_open(at, "done")
    return checked and bool(complete(at))


def _firing(at: At, move: PlayTactic) -> bool:
    """Before the shots of one section."""
    s = at.state
    shot = s.section and any(p.shots_done.get(s.section) for p in s.player.values())
    return s.step == "winter.1" and not shot


def owed(at: At, move: str, *seats: str) -> bool:
    """True if one of these seats (no seats: anybody) has a debt of this kind."""
    return any(task.move == move and (not seats or task.who in seats) for task in at.state.agenda)


OPEN_FOR: dict[str, Callable[[At, PlayTactic], bool]] = {
    "summer_income": lambda at, move: at.state.step == "summer.1",
    "summer_shame": lambda at, move: at.state.step == "summer.2",
    "order": _order,
    "own_card": _own_card,
    "resolve": _in_location,
    "defeat": _defeat,
    "firing": _firing,
    "assault": lambda at, move: at.state.step == "winter.2" and at.state.part in ("", "assault"),
    "loss": lambda at, move: (
        owed(at, "choose_losses", "", move.by) or (at.state.season in ("fall", "winter") and is_open(at, "done"))
    ),
    "shame": lambda at, move: owed(at, "take_shame", move.by),
}
"""Window -> whether it is open for whoever plays the tactic."""


# --- choices --------------------------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """A choice that a card leaves: the field for it, the possible values, and the reason against any other."""

    field: str
    able: Callable[[At, str], Iterable[Any]]
    wrong: str


def _neighbours(at: At, clan: str) -> list[int]:
    """Occupied spots next to that of the player's command card."""
    track = at.state.command_track
    return [
        spot for spot in track for beside in (spot - 1, spot + 1) if beside in track and track[beside].player == clan
    ]


def _hordes(at: At, clan: str) -> list[str]:
    """The horde cards with own soldiers on them."""
    return [horde.card for cards in at.state.hordes.values() for horde in cards if has_soldier(horde, clan)]


def _crowded(at: At, clan: str) -> list[str]:
    return [section for section, cards in at.state.hordes.items() if len(cards) > 1]


CHOICES = {
    "swap_hordes": Chosen("section", _crowded, "GW-CARD-3.rows"),
    "swap_command_spots": Chosen("spot", _neighbours, "GW-CARD-3.neighbour"),
    "lethality": Chosen("horde", _hordes, "GW-CARD-3.soldier"),
    "remove_shame": Chosen("carrier", shamed, "GW-CARD-3.clean"),
}
"""The action of a card -> the choice it leaves."""
NOTHING = {"section": "any section", "horde": "any horde card", "carrier": "anything"}


def may_say(at: At, move: PlayTactic) -> dict[str, Sequence[str]]:
    """The values that may be named for a card that leaves no choice: the section of the shots or the assault, the horde
    that is defeated, or the one whose spots are named."""
    window = cat(at).of("tactic")[move.played].fields["window"]
    hordes = [move.horde] if move.spots else [one.card for one in complete(at)[:1]] if window == "defeat" else []
    compared = [section] if (section := due(at)) else SECTIONS
    return {"horde": hordes, "section": {"firing": SECTIONS, "assault": compared}.get(window, ())}


def bad_choice(at: At, move: PlayTactic, verb: str) -> Iterator[Breach]:
    """The reasons why the choice is not possible, or nothing is."""
    if verb == "wound" and not sections_of(
        at, move.by, {"kind": cat(at).of("tactic")[move.played].effect[0].args["section"]}
    ):
        yield at.breach("GW-CARD-3.nobody", player=move.by)
    asked, known = CHOICES[verb].field if verb in CHOICES else "", may_say(at, move)
    for field in ("section", "horde", "spot", "carrier"):
        said = getattr(move, field)
        if said and field != asked and said not in known.get(field, ()):
            yield at.loose_choice({field: None})
    if verb in CHOICES:
        field, find, wrong = CHOICES[verb]
        able, said = list(find(at, move.by)), move.on if field == "horde" else getattr(move, field)
        if not able or (said and said not in able):
            named = (
                {"spots": able or "none"} if field == "spot" else {field: name_of(at, "horde", said) or NOTHING[field]}
            )
            yield at.breach(wrong, player=move.by, **named)


ANYTIME = (PlayTactic,)
