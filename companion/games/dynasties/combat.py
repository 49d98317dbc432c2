"""Combat: which of two cards wins and by how much, what the winner does, and what a Plague does (rules DY-COMBAT,
DY-PLAGUE)."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from .armies import send_home
from .catalogue import At, Card, Facts, cat, name
from .state import COLOURS, Battle, rival
from .warlords import counts_as


class Clash(NamedTuple):
    """Outcome of a comparison: `winner` is 0 or 1 (first or second card) or None, `by` the difference; the rule and the
    sentence that say so, with its facts."""

    winner: int | None
    by: int
    key: str
    facts: dict[str, Any]


def fight(at: At, b: Battle, cards: list[Card]) -> None:
    """Compare the cards; the winner removes armies, and what is left of the difference is to be placed."""
    first, second = (_value(at, b, c, card) for c, card in zip(COLOURS, cards, strict=True))
    outcome = compare(first, second)
    at.note(outcome.key, **outcome.facts, d=outcome.by)
    if outcome.winner is None:
        return
    winner = COLOURS[outcome.winner]
    loser = rival(winner)
    removed = min(outcome.by, at.state.provinces[b.province].of(loser))
    facts: Facts = {"player": name(winner), "d": outcome.by, "rival": name(loser), "removed": removed, "winner": winner}
    at.note("DY-COMBAT-3.removes" if removed else "DY-COMBAT-3.nobody", **facts)
    send_home(at, loser, b.province, removed)
    net = outcome.by - removed
    at.note("DY-COMBAT-4" if net else "DY-COMBAT-4.nothing", d=outcome.by, removed=removed, net=net)
    available = at.state.players[winner].reserve
    available += sum(p.of(winner) for q, p in at.state.provinces.items() if q != b.province)
    if net > available:
        at.note(f"DY-PLACE-6.{'few' if available else 'none'}", player=name(winner), available=available, net=net)
    b.winner, b.to_place = winner, min(net, available)


def wins(at: At, b: Battle) -> str | None:
    """The winner by the open cards; None: nobody, or a Plague keeps them from being compared."""
    shown = [cat(at).cards[at.state.players[c].shown[b.province]] for c in COLOURS]
    if any(card.kind == "plague" for card in shown):
        return None
    first, second = (_value(at, b, c, card) for c, card in zip(COLOURS, shown, strict=True))
    winner = compare(first, second).winner
    return None if winner is None else COLOURS[winner]


def _value(at: At, b: Battle, player: str, card: Card) -> Card:
    """The card as it is compared."""
    if player in b.idle_six:
        return replace(card, kind="number", value=at["six.illegal_value"])
    feigned = counts_as(at, player, b.province)
    return card if feigned is None else replace(card, kind="number", value=feigned["value"])


def compare(a: Card, b: Card) -> Clash:
    """Compare two cards of which neither is a Plague."""
    if a.kind == b.kind:
        return _numbers(a.value, b.value) if a.kind == "number" else _modifiers(a, b)
    i, modifier = (0, a) if a.kind == "modifier" else (1, b)
    by = min(abs(modifier.offset), modifier.max_difference)
    winner = None if not by else i if modifier.offset > 0 else 1 - i
    return Clash(winner, by, modifier.rule if by else f"{modifier.rule}.nothing", {"card": modifier.label})


def _numbers(a: int, b: int) -> Clash:
    if a == b:
        return Clash(None, 0, "DY-COMBAT-2", {"a": a, "b": b})
    return Clash(0 if a > b else 1, abs(a - b), "DY-COMBAT-1", {"a": a, "b": b})


def _modifiers(a: Card, b: Card) -> Clash:
    by = min(abs(a.offset - b.offset), a.max_difference, b.max_difference)
    lower, higher = sorted((a, b), key=lambda card: card.offset)
    facts = {"card": higher.label, "other": lower.label}
    if not by:
        return Clash(None, 0, "DY-COMBAT-8", facts)
    rule = "DY-COMBAT-7" if a.offset == -b.offset else "DY-COMBAT-10"
    return Clash(0 if higher is a else 1, by, rule, facts)


# --- Plague ------------------------------------------------------------------------------------------------------


def plague(at: At, b: Battle, cards: list[Card]) -> None:
    """No card is compared; the armies in the province are divided, once even if both cards are Plagues."""
    at.note("DY-PLAGUE-1", province=b.province)
    if all(card.kind == "plague" for card in cards):
        at.note("DY-PLAGUE-4")
    province = at.state.provinces[b.province]
    if not province.white and not province.black:
        at.note("DY-PLAGUE-6", province=b.province)
    for colour in COLOURS:
        if there := province.of(colour):
            left, rule = remaining(at, b, there)
            at.note(rule if left < there else f"{rule}.all", there=there, left=left, lost=there - left)
            send_home(at, colour, b.province, there - left)


def remaining(at: At, b: Battle, armies: int) -> tuple[int, str]:
    """Armies that stay in the province, and the rule that says so."""
    divide, least = at["plague.divide"], min(armies, at["plague.minimum"])
    divided = -(-armies // divide) if at["plague.round"] == "up" else armies // divide
    left = at.value("plague.left", base=max(divided, least), province=b.province)
    if left.changes:
        return min(armies, left.value), left.rules[0]
    return left.value, "DY-PLAGUE-2" if divided >= least else "DY-PLAGUE-3"
