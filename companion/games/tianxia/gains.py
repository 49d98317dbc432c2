"""What benefits, incomes, tiles and cards do: an operation for each verb of `effects.yaml`.

A benefit is a mapping from verbs to numbers, carried out from left to right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.things.effects import Op, Source

from . import objectives, soldiers, tiles
from .catalogue import At, Gain, kinds_of_stock


def gain(at: At, who: str, gains: Gain, rule: str, source: str = "") -> None:
    """`who` gains all of it. Stock of several kinds is told in one line, under `rule`, with its source."""
    stock: dict[str, int] = {}
    for verb, n in gains.items():
        if verb in kinds_of_stock(at):
            at.state.player[who].add(verb, n)
            stock[verb] = n
            continue
        _tell(at, who, stock, rule, source)
        stock = {}
        AT_ONCE[verb](at, who, n, rule)
    _tell(at, who, stock, rule, source)


def _tell(at: At, who: str, stock: Mapping[str, int], rule: str, source: str) -> None:
    if stock and source:
        at.note(rule, at.rules.words("TX-INC-5", "says", "line"), player=who, gains=dict(stock), source=source)
    elif stock:
        at.note(rule, at.rules.words("TX-GAME-5", "says", "gain"), player=who, gains=dict(stock))


def _vp(at: At, who: str, n: int, rule: str) -> None:
    score(at, who, n, rule)


def score(at: At, who: str, n: int, rule: str) -> None:
    """Points scored (or lost) at once; there may be a least number that nobody falls below (TX-RAID-9)."""
    p, floor = at.state.player[who], at["vp.floor"]
    p.vp = p.vp + n if floor is None or n > 0 else max(p.vp + n, min(floor, p.vp))
    if n > 0:
        at.note(rule, at.rules.words("TX-GAME-5", "says", "score"), player=who, n=n)


def _any(at: At, who: str, n: int, rule: str, kind: str, among: str) -> None:
    for _ in range(n):
        gain(at, who, {at.choose(kind, who, at[among], f"TX-GAME-5.{kind}"): 1}, rule)


def _any_resource(at: At, who: str, n: int, rule: str) -> None:
    _any(at, who, n, rule, "any_resource", "resources")


def _any_good(at: At, who: str, n: int, rule: str) -> None:
    _any(at, who, n, rule, "any_good", "goods")


def _step_any(at: At, who: str, n: int, rule: str) -> None:
    from .palace import step_any

    for _ in range(n):
        step_any(at, who)


def _soldier(at: At, who: str, n: int, rule: str) -> None:
    for _ in range(n):
        soldiers.free_soldier(at, who)


def _objective(at: At, who: str, n: int, rule: str) -> None:
    objectives.draw(at, who, n)


def _bonus_tile(at: At, who: str, n: int, rule: str) -> None:
    for _ in range(n):
        tiles.draw_tile(at, who)


def _this_turn(at: At, who: str, what: Any, rule: str) -> None:
    at.state.this_turn.append(what)
    at.note("TX-TILE-4.begins", player=who, what=what.replace("_", " "))


AT_ONCE: dict[str, Callable[[At, str, Any, str], None]] = {
    "vp": _vp,
    "any_resource": _any_resource,
    "any_good": _any_good,
    "step_any": _step_any,
    "soldier": _soldier,
    "objective": _objective,
    "bonus_tile": _bonus_tile,
    "this_turn": _this_turn,
}


def _op(verb: str) -> Op:
    def op(at: At, who: str, args: dict[str, Any], source: Source) -> None:
        gain(at, who, {verb: next(iter(args.values()))}, source.piece.rule or "TX-GOV-6")

    return op


VERBS = ("coin", "rice", "wood", "stone", "salt", "silk", "lacquer", *AT_ONCE)
OPS: dict[str, Op] = {verb: _op(verb) for verb in VERBS}
