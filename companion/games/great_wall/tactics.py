"""Tactics: the window of each card, one in each resolution unit, what is chosen when it is played (rules GW-CARD)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Count, Move, OneOf, PieceName
from companion.engine.things.effects import BUILT_IN
from companion.engine.things.figures import Source, in_force
from components.model import ResolvedPiece

from .activation import as_move
from .answers import Answers
from .catalogue import At, cat, name_of
from .defeat import complete
from .effects import CHOSEN
from .fall import coming
from .icons import STEP, begun, in_step, leading
from .locations import moment
from .reports import Report
from .soldiers import find_horde, has_soldier, shooters_on_wall
from .state import GOODS
from .targets import Sections
from .year import is_open, to_act

Window = Callable[[At, "PlayTactic"], Iterator[Breach]]
ALLOWANCES = ("attack", "march", "recruit", "place_clerks")
"""What tactics let their player do; the choices said with the card are these reports."""


class PlayTactic(Report, frozen=True):
    """Play a tactic card in its window."""

    name = "play_tactic"
    bundles = None
    words = ("play", "plays", "tactic")
    example = "pine play T06 section L"
    asks: ClassVar[dict[str, str]] = {
        "card": "GW-CARD-3.card",
        "section": "GW-CARD-3.section",
        "horde": "GW-CARD-3.horde",
        "spot": "GW-CARD-3.spot",
        "carrier": "GW-CARD-3.carrier",
    }
    card: Annotated[str, PieceName("tactic", secret=True, loose=True)] = ""
    """The tactic; with `tactic`, the horde card it is played on."""
    section: Annotated[str, Sections()] = ""
    horde: Annotated[str, PieceName("horde")] = ""
    spot: Annotated[int, Count(1, lead=("spot",))] = 0
    carrier: Annotated[str, PieceName("unit", loose=True)] = ""
    goods: Annotated[tuple[str, ...], OneOf(*GOODS, many=True, lead=("less",))] = ()
    to: Any = None
    unit: str = ""
    origin: Any = msgspec.field(default=None, name="from")
    spots: tuple[str, ...] = ()
    soldiers: tuple[dict[str, Any], ...] = ()
    """Several attacks, marches or recruits."""
    attacks: tuple[dict[str, Any], ...] = ()
    orders: tuple[dict[str, Any], ...] = ()
    extra_wound: Any = None
    tactic: str = ""

    @property
    def played(self) -> str:
        """The tactic."""
        return self.tactic or self.card

    @property
    def on(self) -> str:
        """The horde card that is named."""
        return self.horde or (self.card if self.tactic else "")

    def piece(self, at: At) -> ResolvedPiece | None:
        """The card as printed."""
        return cat(at).of("tactic").get(self.played)

    def presumes(self, at: At) -> Move | None:
        s, piece = at.state, self.piece(at)
        begins = in_step(at) and not s.active and piece is not None and piece.fields["window"] == "own_card"
        return coming(at, self) if begins and not s.agenda else None

    # --- choices --------------------------------------------------------------------------------------------------

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "by":
            return [clan for clan in at.state.players if holds(at, clan)]
        if field == "card":
            return (
                None if self.tactic else [card for card in cat(at).of("tactic") if card not in at.state.tactic_discard]
            )
        piece = self.piece(at)
        choose = CHOICES.get((field, _asks(piece))) if piece and self.by else None
        return choose(at, self) if choose else None

    # --- whether it may be played -----------------------------------------------------------------------------------

    def forbidden(self, at: At) -> Iterator[Breach]:
        piece = self.piece(at)
        if piece is None or not self.by:
            if self.played and piece is None:
                yield at.breach("GW-CARD-3.unknown", card=self.played)
            return
        if closed := at.allowed(WINDOWS[piece.fields["window"].partition(":")[0]](at, self)):
            yield from closed
            return
        if self.played in at.state.tactic_discard:
            yield at.breach("GW-CARD-3.gone", card=piece.name)
        elif not holds(at, self.by):
            yield at.breach("GW-CARD-3.hand", player=self.by)
        played = at.state.played_this_unit.get(self.by, [])
        early = piece.fields["window"] == "own_card" and not begun(at)
        if len(played) > (leading(at) if early else 0):
            yield at.breach("GW-CARD-4", player=self.by, card=name_of(at, "tactic", played[-1]))
        check = CHECKS.get(_asks(piece))
        if check:
            yield from check(at, self)
        said = [field for field in ("spot", "carrier") if getattr(self, field)]
        if loose := [field for field in said if (field, _asks(piece)) not in CHOICES]:
            yield at.loose_choice(dict.fromkeys(loose))

    def apply(self, at: At) -> None:
        s, piece = at.state, self.piece(at)
        assert piece is not None
        p = s.own(self.by)
        p.tactics = max(0, p.tactics - 1)
        s.tactic_discard.append(piece.id)
        s.played_this_unit.setdefault(self.by, []).append(piece.id)
        if self.on:
            s.effects_now[f"{CHOSEN}{piece.id}"] = [self.on]
        if self.goods:
            s.effects_now[f"{CHOSEN}{piece.id}:goods"] = list(self.goods)
        at.note("GW-CARD-3.played", player=self.by, card=piece.name, text=piece.text)
        if piece.effect[0].args.get("when") == piece.fields["window"]:
            self._at_once(at, piece)
        about = {"section": self.section, "card": self.on, "spot": self.spot, "carrier": self.carrier}
        at.run(piece.effect, self.by, Source(piece, self.by, self.on, about=about))

    def _at_once(self, at: At, piece: ResolvedPiece) -> None:
        """What waits for the end of its window happens now if it can; then it does not wait any longer."""
        candidates = tuple((piece, effect, piece.id) for effect in piece.effect)
        for effect, source in in_force(at, candidates, self.by, {"location": at.state.resolving}):
            at.run(effect.body, self.by, source)
            at.state.own(self.by).used_this_unit.append(piece.id)

    def follow_ups(self, at: At) -> Iterator[Move]:
        answers, piece = Answers(self), self.piece(at)
        verb = piece.effect[0].verb if piece else ""
        if verb == "wound" and self.on and self.spots:
            answers.wounds = [{"card": self.on, "spot": spot} for spot in self.spots]
        answers.goods = {}
        yield from answers.given(at)
        for form in self._forms(verb):
            yield as_move(at, self.by, form)
            yield from answers.given(at)
        yield from answers.left(at)

    def _forms(self, verb: str) -> Iterator[dict[str, Any]]:
        """What was said to be done with the tactic, as reports."""
        yield from self.orders
        if verb not in ALLOWANCES:
            return
        yield from ({verb: one.get("unit"), **one} for one in (*self.soldiers, *self.attacks))
        if verb == "place_clerks" and self.to:
            yield {verb: self.to}
        elif self.unit:
            said = {"from": self.origin, "to": self.to, "card": self.on, "spots": list(self.spots)}
            yield {verb: self.unit, **{key: value for key, value in said.items() if value}}


def holds(at: At, clan: str) -> bool:
    """Whether a player may hold a tactic; nobody knows which."""
    return at.state.own(clan).tactics > 0 or is_open(at, f"tactics:{clan}")


def _asks(piece: ResolvedPiece | None) -> str:
    """What a card leaves to be chosen: its verb, or the figure or permission it changes."""
    if piece is None:
        return ""
    effect = piece.effect[0]
    return str(effect.args.get("param", effect.verb)) if effect.verb in BUILT_IN else effect.verb


# --- windows --------------------------------------------------------------------------------------------------------


def _closed(at: At, move: PlayTactic) -> Breach:
    """This is not the card's window (GW-CARD-3)."""
    piece = cat(at).of("tactic")[move.played]
    window = piece.fields["windows"][piece.fields["window"]]
    return at.breach("GW-CARD-3.window", player=move.by, card=piece.name, window=window)


def _in_step(*steps: str) -> Window:
    def window(at: At, move: PlayTactic) -> Iterator[Breach]:
        if at.state.step not in steps:
            yield _closed(at, move)

    return window


def _summer_shame(at: At, move: PlayTactic) -> Iterator[Breach]:
    if at.state.step != "summer.2":
        yield _closed(at, move)
    elif move.by not in to_act(at):
        yield at.breach("GW-SUM-3.turn", player=move.by, seats=to_act(at))


def _order(at: At, move: PlayTactic) -> Iterator[Breach]:
    """After all cards are on the track, before the first resolves."""
    s = at.state
    resolving = bool(s.active) or any(card.resolved for card in s.command_track.values())
    placed = len(s.command_track) >= len(s.players)
    if s.step not in ("fall.2", STEP) or resolving or (s.step == "fall.2" and not placed):
        yield _closed(at, move)


def _own_card(at: At, move: PlayTactic) -> Iterator[Breach]:
    s = at.state
    known = bool(s.active) or not is_open(at, "icon")
    if not in_step(at) or s.resolving or (known and s.active != move.by):
        yield _closed(at, move)


def _in_location(at: At, move: PlayTactic) -> Iterator[Breach]:
    if not in_step(at):
        yield _closed(at, move)
        return
    piece = cat(at).of("tactic")[move.played]
    if at.allowed(moment(at, move.by, piece.fields["window"].partition(":")[2])):
        yield _closed(at, move)


def _defeat(at: At, move: PlayTactic) -> Iterator[Breach]:
    """A horde with an own soldier on it is being defeated: the first whose spots are all covered."""
    s, found = at.state, complete(at)
    checked = any(task.move == "defeat" for task in s.agenda) or is_open(at, "icon") or is_open(at, "done")
    if not found or not checked:
        yield _closed(at, move)
    elif not has_soldier(found[0], move.by):
        yield at.breach("GW-CARD-3.soldier", player=move.by, horde=name_of(at, "horde", found[0].card))


def _loss(at: At, move: PlayTactic) -> Iterator[Breach]:
    due = any(task.move == "choose_losses" and task.who in ("", move.by) for task in at.state.agenda)
    if not due and not (at.state.season in ("fall", "winter") and is_open(at, "done")):
        yield _closed(at, move)


def _shame(at: At, move: PlayTactic) -> Iterator[Breach]:
    if not any(task.move == "take_shame" and task.who == move.by for task in at.state.agenda):
        yield _closed(at, move)


def _firing(at: At, move: PlayTactic) -> Iterator[Breach]:
    """Before the shots of one section."""
    s = at.state
    shot = s.section and any(p.shots_done.get(s.section) for p in s.player.values())
    if s.step != "winter.1" or shot:
        yield _closed(at, move)


def _assault(at: At, move: PlayTactic) -> Iterator[Breach]:
    """Before a section is compared."""
    if at.state.step != "winter.2" or at.state.part not in ("", "assault"):
        yield _closed(at, move)


WINDOWS: dict[str, Window] = {
    "summer_income": _in_step("summer.1"),
    "summer_shame": _summer_shame,
    "order": _order,
    "own_card": _own_card,
    "resolve": _in_location,
    "defeat": _defeat,
    "firing": _firing,
    "assault": _assault,
    "loss": _loss,
    "shame": _shame,
}


# --- choices --------------------------------------------------------------------------------------------------------


def _own_spot(at: At, clan: str) -> int | None:
    return next((spot for spot, card in at.state.command_track.items() if card.player == clan), None)


def _neighbours(at: At, move: PlayTactic) -> list[int]:
    """Occupied spots next to that of the own command card."""
    mine = _own_spot(at, move.by)
    return [spot for spot in (mine - 1, mine + 1) if spot in at.state.command_track] if mine else []


def _hordes(at: At, move: PlayTactic) -> list[str]:
    """The horde cards with own soldiers on them; none to choose where the report names one otherwise."""
    if move.on:
        return [move.on]
    return [horde.card for cards in at.state.hordes.values() for horde in cards if has_soldier(horde, move.by)]


def _shamed(at: At, move: PlayTactic) -> list[str]:
    p = at.state.own(move.by)
    return [unit for unit, n in p.shamed.items() if n] + [one.card for one in p.claimed if one.shame]


def _crowded(at: At, move: PlayTactic) -> list[str]:
    return [section for section, cards in at.state.hordes.items() if len(cards) > 1]


CHOICES: dict[tuple[str, str], Callable[[At, PlayTactic], Iterable[Any]]] = {
    ("section", "swap_hordes"): _crowded,
    ("spot", "swap_command_spots"): _neighbours,
    ("horde", "lethality"): _hordes,
    ("carrier", "remove_shame"): _shamed,
}
"""(field, what the card does) -> what may be chosen."""


def _check_swap(at: At, move: PlayTactic) -> Iterator[Breach]:
    if not _neighbours(at, move) or (move.spot and move.spot not in _neighbours(at, move)):
        yield at.breach("GW-CARD-3.neighbour", player=move.by, spots=_neighbours(at, move) or "none")


def _check_hordes(at: At, move: PlayTactic) -> Iterator[Breach]:
    if not _crowded(at, move) or (move.section and move.section not in _crowded(at, move)):
        yield at.breach("GW-CARD-3.rows", section=move.section or "any section")


def _check_lethality(at: At, move: PlayTactic) -> Iterator[Breach]:
    found = find_horde(at, move.on) if move.on else None
    if move.on and (found is None or not has_soldier(found[2], move.by)):
        yield at.breach("GW-CARD-3.soldier", player=move.by, horde=name_of(at, "horde", move.on))


def _check_shamed(at: At, move: PlayTactic) -> Iterator[Breach]:
    if not _shamed(at, move) or (move.carrier and move.carrier not in _shamed(at, move)):
        yield at.breach("GW-CARD-3.clean", player=move.by, carrier=name_of(at, "horde", move.carrier) or "nothing")


def _check_wound(at: At, move: PlayTactic) -> Iterator[Breach]:
    """A wound needs a section with a shooter, or with a soldier behind or on the wall."""
    kind = cat(at).of("tactic")[move.played].effect[0].args["section"]
    p = at.state.own(move.by)
    for section in at.state.hordes:
        manned = any(p.rest[section].values()) or any(p.wall[section].values())
        if shooters_on_wall(at, move.by, section) if kind == "own_shooter" else manned:
            return
    yield at.breach("GW-CARD-3.nobody", player=move.by)


CHECKS: dict[str, Callable[[At, PlayTactic], Iterator[Breach]]] = {
    "swap_command_spots": _check_swap,
    "swap_hordes": _check_hordes,
    "lethality": _check_lethality,
    "remove_shame": _check_shamed,
    "wound": _check_wound,
}

ANYTIME = (PlayTactic,)

__all__ = ["ANYTIME", "PlayTactic", "holds"]
