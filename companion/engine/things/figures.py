"""Figures that cards in play may change: a value, its base, and what changed it (`4: 5, less 1 by Foreman`).

Nothing in force is stored: it follows from what lies on the table (`Rules.bearers`). Effects are indexed by the names
they touch, so a figure that no piece touches costs one look-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from components.model import Effect, ResolvedPiece

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Source(msgspec.Struct, frozen=True):
    """The source of an effect: the piece, its owner, its place, and the effects inside a scope."""

    piece: ResolvedPiece
    owner: str = ""
    where: Any = ""
    body: tuple[Effect, ...] = ()
    limit: str = ""
    key: str = ""
    """Under which a used limit is counted."""
    about: dict[str, Any] = {}
    """The circumstances in which it was asked or triggered: which section, which card."""

    @property
    def name(self) -> str:
        return self.piece.name


class Change(msgspec.Struct, frozen=True):
    """One change of a figure: by which piece, in which words, by how much."""

    source: Source
    said: str
    by: int


class Figure(msgspec.Struct, frozen=True):
    """A value with its base and its changes. It counts, compares and is written as its value."""

    value: Any
    base: Any
    changes: tuple[Change, ...] = ()
    limited: tuple[Source, ...] = ()
    """Effects that work once in a span and had their occasion here, even where there was nothing left to change."""

    def __int__(self) -> int:
        return int(self.value)

    def __str__(self) -> str:
        return str(self.value)

    @property
    def rules(self) -> list[str]:
        """The rules of the pieces that changed it."""
        return [change.source.piece.rule for change in self.changes if change.source.piece.rule]

    @property
    def why(self) -> str:
        """The explanation in brackets, to follow the value; empty if nothing changed it."""
        return f" ({self.sum})" if self.changes else ""

    @property
    def sum(self) -> str:
        """The derivation: `5, less 1 by Foreman`; only the value if nothing changed it."""
        return (
            ", ".join([str(self.base), *(change.said for change in self.changes)]) if self.changes else str(self.value)
        )


ORDER = ("set", "times", "by")
"""Changes are made in this order, whatever the order of the cards: setting first, then multiplying, then adding. What
raises a figure comes before what lowers it, so that a floor never keeps more than their sum."""


def value(at: Position[Any], name: str, who: str = "", *, base: Any = None, where: dict[str, Any]) -> Figure:
    """The figure `name` for `who` now. `base`: its value before changes, where it is worked out at the table."""
    start = at.params[name] if base is None else base
    touching = at.rules.effects(at.state).modifiers.get(name)
    if not touching:
        return Figure(start, start)
    forces = in_force(at, touching, who, where)
    if not forces:
        return Figure(start, start)
    found = [
        (change, effect, source) for effect, source in forces for change in ORDER if effect.args.get(change) is not None
    ]
    found.sort(key=lambda one: (ORDER.index(one[0]), one[0] == "by" and one[1].args["by"] < 0))
    now, changes = start, []
    for change, effect, source in found:
        after = changed(now, change, effect.args)
        if after != now or change == "set":
            changes.append(Change(source, _said(now, change, effect.args, source), after - now))
            now = after
    limited = tuple(source for _, source in forces if source.limit)
    return Figure(now, start, tuple(changes), limited)


def changed(number: Any, change: str, args: dict[str, Any]) -> Any:
    """A number after one change, within the effect's own limits."""
    amount = args[change]
    result = amount if change == "set" else number * amount if change == "times" else number + amount
    if args.get("min") is not None:
        result = max(result, min(args["min"], number))
    if args.get("max") is not None:
        result = min(result, max(args["max"], number))
    return result


def in_force(
    at: Position[Any], candidates: tuple[tuple[ResolvedPiece, Effect, str], ...], who: str, where: dict[str, Any]
) -> list[tuple[Effect, Source]]:
    """The effects of `candidates` that concern `who` here and now: their piece is in force for somebody, their scope
    and conditions hold, their limit is not used up."""
    if not candidates:
        return []
    rules = at.rules
    found = []
    for piece, effect, key in candidates:
        for owner, place in rules.bearers(at.state, piece):
            source = Source(piece, owner, place, effect.body, effect.args.get("limit") or "", key, where)
            if (
                rules.concerns(at, effect.args.get("scope") or effect.args.get("for") or "", source, who, where)
                and all(_holds(at, word, arg, source, where) for word, arg in (effect.args.get("if") or {}).items())
                and not (source.limit and is_used(at, source))
            ):
                found.append((effect, source))
    return found


def is_used(at: Position[Any], source: Source) -> bool:
    """True if an effect that works once in a span has already worked in it."""
    return at.rules.limit_key(source) in at.rules.counted(at.state, span_of(source.limit), source.owner)


def use(at: Position[Any], source: Source) -> None:
    """Count one use of an effect that works once in a span."""
    if source.limit:
        at.rules.counted(at.state, span_of(source.limit), source.owner).append(at.rules.limit_key(source))


def span_of(limit: str) -> str:
    """The span in which an effect with this limit works once: `turn` for `first_each_turn` and `once_per_turn`."""
    return limit.rsplit("_", 1)[-1]


def _holds(at: Position[Any], word: str, arg: Any, source: Source, where: dict[str, Any]) -> bool:
    return at.rules.conditions[word](at, source.owner, arg, {**where, "source": source})


def _said(number: Any, change: str, args: dict[str, Any], source: Source) -> str:
    amount = args[change]
    if change == "set":
        return f"set to {amount} by {source.name}"
    if change == "times":
        return f"times {amount} by {source.name}"
    return f"{'less' if amount < 0 else 'plus'} {abs(amount)} by {source.name}"


__all__ = ["Change", "Figure", "Source", "in_force", "is_used", "use", "value"]
