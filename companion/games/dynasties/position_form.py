"""Partial positions: what a position file may leave out, and what cannot be (brief of the fields: `state.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine.play.faults import PositionError
from companion.engine.play.phases import advance
from companion.rules import Default, Fault, Form, Reading
from components.phrasing import did_you_mean, join_and

from .cards import deck_size
from .catalogue import At, Catalogue, cat
from .payments import due_for
from .scoring import decide, red_space
from .setup import start_hand, stock
from .state import COLOURS, Battle, Phase, Player, State

LAID = ("deploy", "order", "battles")
"""Phases in which cards lie on the board."""


def laid(s: State, colour: str) -> int:
    """Cards of a player that lie on the board, shown or not."""
    return len(s.provinces) if colour in s.ready and s.phase in LAID else 0


def phase(at: Reading[State]) -> Phase:
    if at.state.order or any(p.shown for p in at.state.players.values()):
        return "battles"
    return "deploy" if at.form.keys() - {"options"} else "setup"


def order(at: Reading[State]) -> list[str]:
    first = at.said("dynasty") and at.state.dynasty == 1 and at.state.phase in ("battles", "clean", "score")
    return list(cat(at).provinces) if first else []


def status(at: Reading[State], who: str) -> str:
    s, named = at.state, at.said("players", who, "warlord", "card") or at.said("players", who, "warlord", "armed")
    held = s.options.warlords and at["warlord.kept"] and s.phase != "setup"
    return "used" if named else "held" if held else "none"


def reserve(at: At, who: str) -> int:
    p = at.state.players[who]
    return int(max(0, at["armies.total"] - at.state.on_board(who) - p.set_aside - p.out))


def hand(at: Reading[State], who: str) -> int:
    told = at.said("players", who, "hand_at_deploy")
    start: int = at.state.players[who].hand_at_deploy if told else start_hand(at)
    return start - laid(at.state, who)


def hand_at_deploy(at: Reading[State], who: str) -> int:
    s, p = at.state, at.state.players[who]
    if at.said("players", who, "hand") and s.phase in LAID:
        return p.hand + laid(s, who)
    return deck_size(at) - len(p.removed) if s.dynasty > 1 else start_hand(at)


def deck(at: At, who: str) -> int:
    p = at.state.players[who]
    return max(0, deck_size(at) - p.hand - laid(at.state, who) - len(p.removed))


def battle(at: At) -> Battle | None:
    """Of the provinces whose two cards lie open and that are not resolved, the last: its battle has just begun."""
    white, black = (at.state.players[c].shown for c in COLOURS)
    fought = [p for p in at.state.to_come() if p in white and p in black]
    if not fought or at.state.phase != "battles":
        return None
    for province in fought[:-1]:
        at.state.provinces[province].resolved = True
    begun = Battle(fought[-1])
    for colour in COLOURS:
        due_for(at, begun, colour)
    return begun


def lettered(form: dict[str, Any], found: Catalogue) -> dict[str, Any]:
    """Tiles may be named by their letters. Raises PositionError for a letter that no tile has."""
    said = form.get("provinces")
    for name, there in said.items() if isinstance(said, dict) else ():
        if isinstance(there, dict) and isinstance(letter := there.get("tile"), str):
            if letter not in found.tiles:
                hint = did_you_mean(letter, found.tiles, listing="there are")
                raise PositionError(("provinces", name, "tile"), f"there is no tile {letter}", hint)
            there["tile"] = found.tiles[letter]
    return form


def cannot_be(at: Reading[State]) -> Iterator[Fault]:
    """A pawn beside its track, an order without a province, tiles that do not exist, a battle without cards."""
    s, red = at.state, at["track.red_distance"]
    if abs(s.pawn) > red:
        yield Fault(("pawn",), f"{s.pawn} is not on the track, which ends at -{red} and +{red}")
    if s.order and {*s.order} != {*cat(at).provinces}:
        yield Fault(("order",), f"every province comes once: {', '.join(cat(at).provinces)}")
    if at.said("counted") and s.phase == "order" and {*s.counted} != {*COLOURS}:
        yield Fault(("counted",), f"the armies of both count: {join_and([*COLOURS])}")
    lying: list[list[int]] = []
    for name, there in s.provinces.items():
        if there.tile and there.tile not in cat(at).tiles.values():
            yield Fault(("provinces", name, "tile"), f"there is no tile {there.tile}")
        elif there.tile in lying:
            yield Fault(("provinces", name, "tile"), f"the tile {there.tile} lies at two provinces")
        lying += [there.tile] if there.tile else []
    for colour, p in s.players.items():
        if p.warlord.armed and not p.warlord.card:
            card = ("players", colour, "warlord", "card")
            yield Fault(card, "a Warlord declared for a province lies open; say which it is")
    b = s.fought
    if b.to_place and b.winner is None:
        yield Fault(("battle", "winner"), "armies are to be placed, but nobody has won")
    for colour in COLOURS if s.fighting else ():
        if b.province not in s.players.get(colour, Player()).shown:
            yield Fault(("players", colour, "shown"), f"a battle in {b.province}, but no card shown there")


def said_to_be_open(at: Reading[State]) -> bool:
    """True if the position itself shows that the battle has not been resolved."""
    b = at.state.fought
    told = at.said("battle", "resolved") or at.said("provinces", b.province, "resolved")
    return bool(told) and not b.resolved


def settle(at: Reading[State]) -> None:
    """A pawn on a red space has ended the game; a battle and the choice of the order go on as far as they can; in any
    other phase a battle is over."""
    s = at.state
    if s.phase == "setup" and not at.said("players"):
        s.players, s.provinces = {}, {}
    if s.winner is not None or red_space(at):
        s.phase = "over"
    elif s.phase == "over":
        decide(at)
    if s.phase in ("order", "battles"):
        if not said_to_be_open(at):
            at.step("fight_on")
        advance(at)
    elif s.battle is not None:
        s.battle.finished = True  # battles are over before any other phase


FORM = Form(
    defaults=(
        Default("options.deck", "that of the variant being played", "options.deck"),
        Default("options.warlords", "as in the variant being played", lambda at: bool(at["options.warlords"])),
        Default("phase", "`battles` if cards are shown or an order is given, else `deploy`; `setup` if there is nothing", phase),
        Default("order", "west to east if `dynasty` is said to be 1; else not known, and any province may be the next", order),
        Default("ready", "both, from phase `order` on", lambda at: list(COLOURS) if at.state.phase in ("order", "battles", "clean", "score") else []),
        Default("drew", "both in phase `score`, else nobody", lambda at: list(COLOURS) if at.state.phase == "score" else []),
        Default("counted", "in phase `order` the armies that stand there", lambda at: {c: at.state.board_total(c) for c in COLOURS} if at.state.phase == "order" else {}),
        Default("players.*.set_aside", "as after set-up", lambda at, who: stock(at, at.state.options.deck)[1]),
        Default("players.*.out", "what set-up leaves over", lambda at, who: max(0, at["armies.total"] - sum(stock(at, at.state.options.deck)))),
        Default("players.*.reserve", "all cubes that lie nowhere else", reserve),
        Default("players.*.hand", "the hand at deployment, else after set-up, less the cards laid", hand),
        Default("players.*.hand_at_deploy", "`hand` and the cards laid, if it is said and clean-up has not begun; else the hand after set-up in Dynasty 1, and later as many cards as there can be", hand_at_deploy),
        Default("players.*.deck", "what is left of the deck after hand, laid and removed cards", deck),
        Default("players.*.warlord.status", "`used` when a card is named; else `held` with Warlords in play", status),
        Default("battle", "a province whose two cards are shown and that is not resolved: just revealed", battle),
    ),
    faults=cannot_be,
    settle=settle,
)  # fmt: skip
"""Besides, `winner` in phase `over` is whoever has won by the pawn and the reserves."""
