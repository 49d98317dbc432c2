"""The effects of benefits, incomes, tiles and cards: an operation for each verb of `effects.yaml`.

A benefit is a mapping from verbs to numbers, carried out from left to right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from companion.rules import Op, Source

from . import objectives, soldiers, tiles
from .catalogue import At, Gain, cat


def gain(at: At, who: str, gains: Gain, rule: str, source: str = "") -> None:
    """`who` gains all of it. Stock of several kinds is told in one line, under `rule`, with its source."""
    stock: dict[str, int] = {}
    for verb, n in gains.items():
        if verb in cat(at).stock:
            at.state.player[who].add(verb, n)
            stock[verb] = n
        else:
            _tell(at, who, stock, rule, source)
            stock = {}
            if verb not in TELLS_ITS_RULE:
                at.kept(rule)
            AT_ONCE[verb](at, who, n, rule)
    _tell(at, who, stock, rule, source)


def _tell(at: At, who: str, stock: Mapping[str, int], rule: str, source: str) -> None:
    if stock and source:
        at.note(rule, at.rules.words("TX-INC-5", "says", "line"), player=who, gains=stock, source=source)
    elif stock:
        at.note(rule, at.rules.words("TX-GAME-5", "says", "gain"), player=who, gains=stock)


def score(at: At, who: str, n: int, rule: str) -> None:
    """Points scored (or lost) at once; there may be a least number that nobody falls below (TX-RAID-9)."""
    p, floor = at.state.player[who], at["vp.floor"]
    p.vp = p.vp + n if floor is None else max(p.vp + n, min(floor, p.vp))
    if n > 0:
        at.note(rule, at.rules.words("TX-GAME-5", "says", "score"), player=who, n=n)


def _any(kind: str, among: str, at: At, who: str, n: int, rule: str) -> None:
    """One at a time, each of a kind of the player's choice."""
    for _ in range(n):
        gain(at, who, {at.choose(kind, who, at[among], f"TX-GAME-5.{kind}"): 1}, rule)


def _step_any(at: At, who: str, n: int, rule: str) -> None:
    for _ in range(n):
        at.step("step_any", who=who)


def _this_turn(at: At, who: str, what: Any, rule: str) -> None:
    at.state.this_turn.append(what)
    at.note("TX-TILE-4.begins", player=who, what=what.replace("_", " "))


AT_ONCE: dict[str, Callable[[At, str, Any, str], None]] = {
    "vp": score,
    "any_resource": partial(_any, "any_resource", "resources"),
    "any_good": partial(_any, "any_good", "goods"),
    "step_any": _step_any,
    "soldier": soldiers.free_soldiers,
    "objective": objectives.draw,
    "bonus_tile": tiles.draw_tiles,
    "this_turn": _this_turn,
}
"""The operations of verbs that are not stocks: called with the position, the player, the argument, and the rule."""
TELLS_ITS_RULE = ("vp", "any_resource", "any_good")
"""Verbs whose lines stand under the rule that says so; those of the others stand under a rule of their own."""


def _op(verb: str, at: At, who: str, args: dict[str, Any], source: Source) -> None:
    gain(at, who, {verb: next(iter(args.values()))}, source.piece.rule or "TX-GOV-6")


VERBS = ("coin", "rice", "wood", "stone", "salt", "silk", "lacquer", *AT_ONCE)
OPS: dict[str, Op] = {verb: partial(_op, verb) for verb in VERBS}
