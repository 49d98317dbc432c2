"""Partial positions: what a position file may leave out, and the conservation laws of a whole one.

| left out | taken as |
|---|---|
| `options` | those of the variant being played |
| `dynasty`, `phase`, `pawn` | 1, `deploy`, 0; `battles` if cards are shown or an order is given; `setup` if there is nothing |
| a player's `reserve` | all cubes that lie nowhere else; `set_aside`: 3 in the expert game, else 0; `out`: what set-up leaves over |
| `hand_at_deploy` | `hand` and the cards laid, if it is said and clean-up has not begun; else the hand after set-up in Dynasty 1, and later as many cards as there can be |
| `hand` | the hand after set-up, less the cards laid (from `order` on until clean-up) |
| `deck` | what is left of the deck after hand, laid and removed cards |
| `warlord.status` | `held` with Warlords in play, `used` when a card is named |
| a province | empty, unmarked, not resolved (resolved if both cards of it are shown and another battle follows) |
| `order` | west to east if `dynasty` is said to be 1; else not known, and any province may be the next |
| `ready` | both, from phase `order` on |
| `drew` | both in phase `score`, else nobody |
| `battle` | a province whose two cards are shown and that is not resolved: just revealed |
| `winner` | in phase `over`: whoever has won by the pawn and the reserves |

What happens by itself in a battle or in the choice of the order has happened; a pawn on a red space has ended the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec

from companion.engine.play.phases import advance
from companion.engine.play.position import Position, PositionError, Rules
from components.phrasing import suggest

from .cards import deck_size
from .catalogue import At, Catalogue
from .payments import due_for
from .scoring import decide, red_space
from .setup import new_player, start_hand
from .state import COLOURS, Battle, Options, Phase, Player, State

LAID = ("deploy", "order", "battles")
"""Phases in which cards lie on the board."""


def complete(rules: Rules, partial: dict[str, Any]) -> State:
    """A whole state from a partial position (plain data whose keys have been checked against `State`).

    Raises PositionError for names the game does not have and for pieces that do not exist.
    """
    params, found = rules.game.params, rules.catalogue  # type: ignore[attr-defined]
    data = _said(partial)
    said = {c: _said(players) for c, players in _said(data.pop("players", None)).items()}
    _known("players", said, COLOURS, "player")
    _known("provinces", _said(data.get("provinces")), found.provinces, "province")
    shown = any(p.get("shown") for p in said.values())
    begun = "battles" if shown or data.get("order") else "deploy" if said or data.keys() - {"options"} else "setup"
    phase = data.setdefault("phase", begun)
    _known("phase", [phase], get_args(Phase), "phase")
    data["options"] = {
        "deck": params["options.deck"],
        "warlords": bool(params["options.warlords"]),
        **_said(data.get("options")),
    }
    if phase == "setup" and not said:
        return State(options=msgspec.convert(data["options"], Options))
    data["provinces"] = {p: _province(p, _said(data.get("provinces")).get(p), found) for p in found.provinces}
    if phase in ("battles", "clean", "score") and data.get("dynasty") == 1:
        data.setdefault("order", list(found.provinces))
    if phase in ("order", "battles", "clean", "score"):
        data.setdefault("ready", list(COLOURS))
    if phase == "score":
        data.setdefault("drew", list(COLOURS))
    state = msgspec.convert(data, State)
    at: At = Position(rules, state, quiet=True)
    for colour in COLOURS:
        state.players[colour] = _player(at, colour, said.get(colour, {}))
    _check(state, found, params["track.red_distance"])
    if "battle" not in data and phase == "battles":
        _begin_battle(at)
    _settle(at)
    return state


def _said(given: Any) -> dict[str, Any]:
    """What was said; `null` says nothing."""
    if given is not None and not isinstance(given, dict):
        raise PositionError("", f"{given!r} stands where a mapping is expected")
    return {key: value for key, value in (given or {}).items() if value is not None}


def _province(name: str, given: Any, found: Catalogue) -> dict[str, Any]:
    said = _said(given)
    if isinstance(letter := said.get("tile"), str):
        _known(f"provinces.{name}.tile", [letter], found.tiles, "tile")
        said["tile"] = found.tiles[letter]
    return said


def _player(at: At, colour: str, given: dict[str, Any]) -> Player:
    """A player: what was said, and for the rest the figures after set-up."""
    s = at.state
    p = new_player(at)
    lord = _said(given.pop("warlord", None))
    if s.options.warlords and at["warlord.kept"] and s.phase != "setup":
        lord.setdefault("status", "used" if lord.get("card") or lord.get("armed") else "held")
    elif lord.get("card") or lord.get("armed"):
        lord.setdefault("status", "used")
    plain = {**msgspec.to_builtins(p), **given, "warlord": lord}
    for key, labels in (("removed", list), ("shown", dict)):
        if not isinstance(plain[key], labels):
            raise PositionError(f"players.{colour}.{key}", f"{plain[key]!r} stands where cards are expected")
    plain["removed"] = [str(label) for label in plain["removed"]]
    plain["shown"] = {place: str(label) for place, label in plain["shown"].items()}
    p = msgspec.convert(plain, Player)
    laid = len(s.provinces) if colour in s.ready and s.phase in LAID else 0
    if "reserve" not in given:
        marks = sum(q.marks.of(colour) for q in s.provinces.values())
        p.reserve = max(0, at["armies.total"] - s.board_total(colour) - marks - p.set_aside - p.out)
    if "hand" not in given:
        p.hand = given.get("hand_at_deploy", start_hand(at)) - laid
    if "hand_at_deploy" not in given and "hand" in given and s.phase in LAID:
        p.hand_at_deploy = p.hand + laid
    elif "hand_at_deploy" not in given and s.dynasty > 1:
        p.hand_at_deploy = deck_size(at) - len(p.removed)
    if "deck" not in given:
        p.deck = max(0, deck_size(at) - p.hand - laid - len(p.removed))
    return p


# --- what cannot be ----------------------------------------------------------------------------------------------


def _known(path: str, names: Iterable[str], allowed: Iterable[str], what: str) -> None:
    """Raises PositionError for a name that the game does not have."""
    for name in names:
        if name not in (known := list(allowed)):
            raise PositionError(path, f"there is no {what} {name}{suggest(name, known)}")


def _check(s: State, found: Catalogue, red: int) -> None:
    for path, n in _numbers(msgspec.to_builtins(s)):
        if n < 0 and not path.endswith(("pawn", "pawn_before")):
            raise PositionError(path, f"{n} is below 0")
    if abs(s.pawn) > red:
        raise PositionError("pawn", f"{s.pawn} is not on the track, which ends at -{red} and +{red}")
    if s.dynasty < 1:
        raise PositionError("dynasty", f"there is no Dynasty {s.dynasty}")
    for colour, p in s.players.items():
        at = f"players.{colour}"
        _known(f"{at}.removed", p.removed, found.cards, "card")
        _known(f"{at}.shown", p.shown.values(), found.cards, "card")
        _known(f"{at}.shown", p.shown, found.provinces, "province")
        _known(f"{at}.feigned", filter(None, [p.feigned]), found.provinces, "province")
        _known(f"{at}.warlord.card", filter(None, [p.warlord.card]), found.warlords, "Warlord")
        _known(f"{at}.warlord.armed", filter(None, [p.warlord.armed]), found.provinces, "province")
    _known("order", s.order, found.provinces, "province")
    if s.order and sorted(s.order) != sorted(found.provinces):
        raise PositionError("order", f"every province comes once: {', '.join(found.provinces)}")
    for path in ("ready", "exchanged", "drew", "counted"):
        _known(path, getattr(s, path), COLOURS, "player")
    _known("last_chooser", filter(None, [s.last_chooser]), COLOURS, "player")
    lying: list[list[int]] = []
    for name, there in s.provinces.items():
        if there.tile and there.tile not in found.tiles.values():
            raise PositionError(f"provinces.{name}.tile", f"there is no tile {there.tile}")
        if there.tile and there.tile in lying:
            raise PositionError(f"provinces.{name}.tile", f"the tile {there.tile} lies at two provinces")
        lying.append(there.tile)
    for paid in s.last_scoring.paid if s.last_scoring else ():
        _known("last_scoring.paid", [paid.colour], COLOURS, "player")
        _known("last_scoring.paid", [paid.province], found.provinces, "province")
    if s.battle is not None:
        _check_battle(s, s.battle, found)


def _check_battle(s: State, b: Battle, found: Catalogue) -> None:
    places = ("reserve", *found.provinces)
    _known("battle.province", [b.province], found.provinces, "province")
    for path in ("mark_due", "cost_due", "idle_six", "marks_paid", "costs_paid"):
        _known(f"battle.{path}", getattr(b, path), COLOURS, "player")
    _known("battle.winner", filter(None, [b.winner]), COLOURS, "player")
    _known("battle.placed", b.placed, places, "place")
    _known("battle.marks_paid", b.marks_paid.values(), places, "place")
    for paid in b.costs_paid.values():
        _known("battle.costs_paid", paid, places, "place")
    if b.to_place and b.winner is None:
        raise PositionError("battle.winner", "armies are to be placed, but nobody has won")
    unseen = [c for c, p in s.players.items() if b.province not in p.shown]
    if unseen and not b.finished:
        raise PositionError(f"players.{unseen[0]}.shown", f"a battle in {b.province}, but no card shown there")


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, int]]:
    """Every number of a position with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers(inner, path)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, value


# --- what has happened by itself ---------------------------------------------------------------------------------


def _begin_battle(at: At) -> None:
    """Cards that lie open in a province that is not resolved: its battle has just begun."""
    s = at.state
    white, black = (s.players[c].shown for c in COLOURS)
    open_now = [p for p in s.order or s.provinces if p in white and p in black and not s.provinces[p].resolved]
    for province in open_now[:-1]:
        s.provinces[province].resolved = True
    if open_now:
        s.battle = Battle(open_now[-1])
        for colour in COLOURS:
            due_for(at, s.battle, colour)


def _settle(at: At) -> None:
    s = at.state
    if s.winner is not None or red_space(at):
        s.phase = "over"
    elif s.phase == "over":
        decide(at)
    if s.phase == "order" and not s.counted:
        s.counted = {c: s.board_total(c) for c in COLOURS}
    if s.phase in ("order", "battles"):
        advance(at)


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Conservation laws a whole position breaks (empty: none)."""
    faults: list[str] = []
    whole_deck = deck_size(Position(rules, state))
    total = rules.game.params["armies.total"]
    for colour, p in state.players.items():
        marks = sum(q.marks.of(colour) for q in state.provinces.values())
        cubes = p.reserve + state.board_total(colour) + marks + p.set_aside + p.out
        if cubes != total:
            faults.append(f"{colour}: {cubes} cubes, not {total}")
        laid = len(state.provinces) if colour in state.ready and state.phase in LAID else 0
        cards = p.hand + laid + p.deck + len(p.removed)
        if cards != whole_deck:
            faults.append(f"{colour}: {cards} cards, not {whole_deck}")
        untold = [q for q, there in state.provinces.items() if there.resolved and q not in p.shown]
        if state.phase == "battles" and untold:
            faults.append(f"{colour}: nothing says which card was shown in {untold[0]}")
        if min(p.reserve, p.set_aside, p.out, p.hand, p.deck) < 0:
            faults.append(f"{colour}: a count is below 0")
    for name, province in state.provinces.items():
        if province.white and province.black:
            faults.append(f"armies of both colours stand in {name}")
    if abs(state.pawn) > rules.game.params["track.red_distance"]:
        faults.append(f"the pawn stands on {state.pawn}")
    return faults
