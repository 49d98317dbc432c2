"""Itemised sums: income, prices, battle totals. Every line says its rule, where it comes from and its amount, so that
everybody at the table sees at once where the 14 coins come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.engine.things.figures import Figure
from companion.engine.things.stores import Goods, together


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a sum: `3 Mines` for 3. `rules`: the rule it follows from, then the rules of cards that changed
    it."""

    what: str
    amount: int
    rules: tuple[str, ...] = ()


class Sum:
    """A sum that grows line by line. A line of 0 is left out."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def add(self, what: str, amount: int | Figure, *rules: str) -> None:
        """A line, with the rules it follows from. A figure that cards have changed says by which: `Mine (2, times 2 by
        Metal Coinage)`."""
        if isinstance(amount, Figure):
            if amount.changes:
                what = f"{what} ({amount.sum})"
            rules = (*rules, *amount.rules)
            amount = int(amount)
        if amount:
            self.items.append(Item(what, amount, rules))

    @property
    def total(self) -> int:
        return sum(item.amount for item in self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __str__(self) -> str:
        """The arithmetic as on paper: `5 Destiny + 3 troops − 1 Siege = 7`; the amount alone where there is one
        line."""
        if not self.items:
            return "0"
        first, *rest = self.items
        said = [f"{first.amount} {first.what}"]
        said += [f"{'−' if item.amount < 0 else '+'} {abs(item.amount)} {item.what}" for item in rest]
        return " ".join(said) + (f" = {self.total}" if rest else "")

    @property
    def detail(self) -> str:
        """The arithmetic behind the figure, in brackets; nothing where there is one line."""
        return f" ({self})" if len(self.items) > 1 else ""

    def rules(self) -> list[str]:
        """Every rule of its lines, once."""
        return list(dict.fromkeys(rule for item in self.items for rule in item.rules))

    def plain(self) -> list[dict[str, Any]]:
        """The lines as plain data, for facts and queries."""
        return [{"what": item.what, "amount": item.amount, "rules": list(item.rules)} for item in self.items]


class Gain(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of what is gained: `Manor` for 3 coin."""

    what: str
    goods: dict[str, int]
    rules: tuple[str, ...] = ()


class Gains:
    """Gains of several kinds, line by line (an income). A line of nothing is left out."""

    def __init__(self) -> None:
        self.lines: list[Gain] = []

    def add(self, what: str, goods: Goods, *rules: str) -> None:
        """A line, with the rules it follows from."""
        if goods:
            self.lines.append(Gain(what, dict(goods), rules))

    @property
    def total(self) -> dict[str, int]:
        """Kind -> how many, over all lines."""
        return together(*(line.goods for line in self.lines))

    def __iter__(self) -> Iterator[Gain]:
        return iter(self.lines)

    def rules(self) -> list[str]:
        """Every rule of its lines, once."""
        return list(dict.fromkeys(rule for line in self.lines for rule in line.rules))

    def plain(self) -> list[dict[str, Any]]:
        """The lines as plain data, for queries."""
        return [{"what": line.what, "gains": line.goods, "rules": list(line.rules)} for line in self.lines]


__all__ = ["Gain", "Gains", "Item", "Sum"]
