"""The windows of tactics, what they leave to be chosen, and what each needs (rules GW-CARD-3, GW-CARD-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from companion.engine.play.moves import Breach

from .catalogue import At, cat, name_of
from .defeat import complete
from .icons import STEP, in_step
from .locations import moment
from .soldiers import find_horde, has_soldier, shooters_on_wall
from .year import is_open, to_act

if TYPE_CHECKING:
    from .tactics import PlayTactic

Window = Callable[[At, "PlayTactic"], Iterator[Breach]]


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

__all__ = ["CHECKS", "CHOICES", "WINDOWS", "Window"]
