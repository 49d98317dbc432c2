"""Partial positions: what a position file may leave out, and the conservation laws of a whole one.

| left out | taken as |
|---|---|
| `options` | those of the variant being played |
| `dynasty`, `phase`, `pawn` | 1, `deploy`, 0; `battles` if cards are shown or an order is given; `setup` if there is nothing |
| a player's `reserve` | all cubes that lie nowhere else; `set_aside`: 3 in the expert game, else 0; `out`: what set-up leaves over |
| `hand_at_deploy` | `hand` and the cards laid, if it is said and clean-up has not begun; else the hand after set-up |
| `hand` | `hand_at_deploy`, less the cards laid (from `order` on until clean-up) |
| `deck` | what is left of the deck after hand, laid and removed cards |
| `warlord.status` | `held` with Warlords in play, `used` when a card is named |
| a province | empty, unmarked, not resolved (resolved if both cards of it are shown and another battle follows) |
| `order` | west to east if `dynasty` is said to be 1; else not known, and any province may be the next |
| `ready` | both, from phase `order` on |
| `drew` | both in phase `score`, else nobody |
| `battle` | a province whose two cards are shown and that is not resolved: just revealed |
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from companion.engine.play.position import Position, PositionError, Rules
from components.phrasing import suggest

from .catalogue import At, Catalogue, deck_size
from .dues import dues
from .setup import new_player, start_hand
from .state import COLOURS, Battle, Options, Phase, Player, Province, State, WarlordCard


def complete(rules: Rules, partial: dict[str, Any]) -> State:
    """A whole state from a partial position (plain data whose keys have been checked against `State`).

    Raises PositionError for names the game does not have and for cubes that do not exist.
    """
    game = rules.game
    found: Catalogue = rules.catalogue  # type: ignore[attr-defined]
    data = {k: v for k, v in partial.items() if v is not None}
    options = {
        "deck": game.params["options.deck"],
        "warlords": bool(game.params["options.warlords"]),
        **(data.get("options") or {}),
    }
    players: dict[str, dict[str, Any]] = {c: dict((data.get("players") or {}).get(c) or {}) for c in COLOURS}
    for stranger in set(data.get("players") or {}) - set(COLOURS):
        raise PositionError(f"players.{stranger}", f"there is no player {stranger}; players: white, black")
    provinces = _provinces(found, data.get("provinces") or {})
    shown = any(p.get("shown") for p in players.values())
    begun = "battles" if shown or data.get("order") else "deploy" if set(data) - {"options"} else "setup"
    phase: str = data.get("phase") or begun
    if phase not in get_args(Phase):
        raise PositionError("phase", f"there is no phase {phase}; phases: {', '.join(get_args(Phase))}")
    plain: dict[str, Any] = {
        **{k: v for k, v in data.items() if k not in ("players", "provinces", "options")},
        "options": options,
        "phase": phase,
        "provinces": provinces,
        "players": {},
    }
    if phase in ("battles", "clean", "score") and data.get("dynasty") == 1:
        plain.setdefault("order", list(found.provinces))
    if phase in ("order", "battles", "clean", "score"):
        plain.setdefault("ready", list(COLOURS))
    if phase == "score":
        plain.setdefault("drew", list(COLOURS))
    state = msgspec.convert(plain, State)
    at: At = Position(rules, state, quiet=True)
    if phase == "setup" and not data.get("players"):
        return State(options=state.options)
    for colour in COLOURS:
        state.players[colour] = _player(at, colour, players[colour], state.options)
    _check(state, found)
    red = rules.game.params["track.red_distance"]
    if abs(state.pawn) > red:
        raise PositionError("pawn", f"{state.pawn} is not on the track, which ends at -{red} and +{red}")
    if state.dynasty < 1:
        raise PositionError("dynasty", f"there is no Dynasty {state.dynasty}")
    _battle(at, data)
    return state


def _provinces(found: Catalogue, said: dict[str, Any]) -> dict[str, Any]:
    for name in said:
        if name not in found.provinces:
            raise PositionError(f"provinces.{name}", f"there is no province {name}{suggest(name, found.provinces)}")
    whole: dict[str, Any] = {}
    for name in found.provinces:
        p = {k: v for k, v in (said.get(name) or {}).items() if v is not None}
        if isinstance(p.get("tile"), str):
            if p["tile"] not in found.tiles:
                raise PositionError(
                    f"provinces.{name}.tile", f"there is no tile {p['tile']}; tiles: {', '.join(found.tiles)}"
                )
            p["tile"] = found.tiles[p["tile"]]
        whole[name] = p
    return whole


def _player(at: At, colour: str, said: dict[str, Any], options: Options) -> Player:
    s = at.state
    given = {k: v for k, v in said.items() if v is not None}
    warlord = {k: v for k, v in (given.pop("warlord", None) or {}).items() if v is not None}
    p = new_player(at, options)
    p.removed = [str(label) for label in given.get("removed") or []]
    p.shown = {place: str(label) for place, label in (given.get("shown") or {}).items()}
    p.out = given.get("out", p.out)
    p.set_aside = given.get("set_aside", p.set_aside)
    p.feigned = given.get("feigned")
    elsewhere = s.board_total(colour) + s.marks(colour) + p.set_aside + p.out
    p.reserve = given.get("reserve", max(0, at["armies.total"] - elsewhere))
    laid = len(s.provinces) if colour in s.ready and s.phase in ("deploy", "order", "battles") else 0
    p.hand_at_deploy = given.get(
        "hand_at_deploy",
        given["hand"] + laid if "hand" in given and s.phase in ("deploy", "order", "battles") else start_hand(at),
    )
    p.hand = given.get("hand", p.hand_at_deploy - laid)
    p.deck = given.get("deck", max(0, deck_size(at) - p.hand - laid - len(p.removed)))
    status: Any = warlord.get("status") or (
        "used"
        if warlord.get("card") or warlord.get("armed")
        else "held"
        if options.warlords and at["warlord.kept"] and s.phase != "setup"
        else "none"
    )
    p.warlord = WarlordCard(status, warlord.get("card"), warlord.get("armed"))
    for name in ("reserve", "set_aside", "out", "hand", "deck"):
        if getattr(p, name) < 0:
            raise PositionError(f"players.{colour}.{name}", f"{getattr(p, name)} is below 0")
    return p


def _check(state: State, found: Catalogue) -> None:
    for colour, p in state.players.items():
        for path, labels in (("removed", p.removed), ("shown", list(p.shown.values()))):
            for label in labels:
                if label not in found.cards:
                    hint = suggest(label, found.cards)
                    raise PositionError(f"players.{colour}.{path}", f"there is no card {label}{hint}")
        for province in p.shown:
            if province not in found.provinces:
                raise PositionError(f"players.{colour}.shown", f"there is no province {province}")
        if p.warlord.card is not None and p.warlord.card not in found.warlords:
            raise PositionError(
                f"players.{colour}.warlord.card",
                f"there is no Warlord {p.warlord.card}; there are {', '.join(found.warlords)}",
            )
    for province in state.order:
        if province not in found.provinces:
            raise PositionError("order", f"there is no province {province}")
    if state.order and sorted(state.order) != sorted(found.provinces):
        raise PositionError("order", f"every province comes once: {', '.join(found.provinces)}")
    for name, there in state.provinces.items():
        for path, n in (("white", there.white), ("black", there.black)):
            if n < 0:
                raise PositionError(f"provinces.{name}.{path}", f"{n} is below 0")
            if there.marks.of(path) < 0:
                raise PositionError(f"provinces.{name}.marks.{path}", f"{there.marks.of(path)} is below 0")
    b = state.battle
    if b is not None and b.province not in found.provinces:
        raise PositionError("battle.province", f"there is no province {b.province}")
    unseen = [c for c, p in state.players.items() if b is not None and b.province not in p.shown]
    if b is not None and unseen and not b.finished:
        raise PositionError(f"players.{unseen[0]}.shown", f"a battle in {b.province}, but no card shown there")


def _battle(at: At, data: dict[str, Any]) -> None:
    """Cards that lie open in a province that is not resolved: its battle has just begun."""
    s = at.state
    if "battle" in data or s.phase != "battles":
        return
    white, black = (s.players[c].shown for c in COLOURS)
    open_now = [p for p in s.order or s.provinces if p in white and p in black and not s.provinces[p].resolved]
    for province in open_now[:-1]:
        s.provinces[province].resolved = True
    if open_now:
        s.battle = Battle(open_now[-1])
        for colour in COLOURS:
            dues(at, s.battle, colour)


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Conservation laws a whole position breaks (empty: none)."""
    if not state.players:
        return []
    faults: list[str] = []
    whole_deck = deck_size(Position(rules, state))
    total = rules.game.params["armies.total"]
    red = rules.game.params["track.red_distance"]
    for colour, p in state.players.items():
        cubes = p.reserve + state.board_total(colour) + state.marks(colour) + p.set_aside + p.out
        if cubes != total:
            faults.append(f"{colour}: {cubes} cubes, not {total}")
        laid = len(state.provinces) if colour in state.ready and state.phase in ("deploy", "order", "battles") else 0
        cards = p.hand + laid + p.deck + len(p.removed)
        if cards != whole_deck:
            faults.append(f"{colour}: {cards} cards, not {whole_deck}")
        untold = [q for q, there in state.provinces.items() if there.resolved and q not in p.shown]
        if state.phase == "battles" and untold:
            faults.append(f"{colour}: the card shown in {untold[0]} is not told")
        if min(p.reserve, p.set_aside, p.out, p.hand, p.deck) < 0:
            faults.append(f"{colour}: a count is below 0")
    for name, province in state.provinces.items():
        if province.white and province.black:
            faults.append(f"armies of both colours stand in {name}")
    if abs(state.pawn) > red:
        faults.append(f"the pawn stands on {state.pawn}")
    return faults


__all__ = ["Province", "broken_laws", "complete"]
