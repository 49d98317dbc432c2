"""Fields made of several things, filled thing by thing: cards, amounts, pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from companion.engine.play.domains import Domain, Pairs, Tally
from companion.engine.play.position import Position

Things = tuple[Hashable, ...]
"""The things of a value, in order: names; of amounts, each name as often as it counts; of pairs, (key, value)."""


class Shape(NamedTuple):
    """The way in which the values of a field are made of things."""

    of: type
    """`tuple` or `dict`."""
    pairs: bool = False
    """Of a mapping: its entries are pairs of things, and no amounts."""
    many: bool = False
    """Of pairs: several things may belong to one key."""

    def things(self, value: Any) -> Things:
        """The things that make up a value."""
        if not value or isinstance(value, int | str):
            return ()
        if self.of is tuple:
            return tuple(value)
        if not self.pairs:
            return tuple(name for name, n in value.items() for _ in range(n))
        return tuple((key, one) for key, said in value.items() for one in _each(said))

    def value(self, things: Iterable[Any]) -> Any:
        """The value made of things."""
        found = tuple(things)
        if self.of is tuple:
            return found
        if not self.pairs:
            return dict(Counter(found))
        made: dict[Any, Any] = {}
        for key, one in found:
            made[key] = [*made.get(key, []), one] if self.many else one
        return made


def _each(said: Any) -> Iterable[Any]:
    return said if isinstance(said, list | tuple) else (said,)


def shape_of(domain: Domain | None, options: list[Any] | None) -> Shape | None:
    """The shape of a field's values; None if each value is a single thing."""
    if options is None:
        return _by_domain(domain)
    made = [option for option in options if isinstance(option, tuple | list | dict)]
    if not made or len(made) < sum(option is not None for option in options):
        return None
    if isinstance(made[0], dict):
        entries = [one for option in made if isinstance(option, dict) for one in option.values()]
        pairs = not all(isinstance(one, int) for one in entries)
        return Shape(dict, pairs, pairs and any(isinstance(one, list | tuple) for one in entries))
    return Shape(tuple)


def _by_domain(domain: Domain | None) -> Shape | None:
    if isinstance(domain, Pairs):
        return Shape(dict, not isinstance(domain.right, Tally), domain.right.many)
    if isinstance(domain, Tally):
        return Shape(dict)
    return Shape(tuple) if domain is not None and domain.many else None


class Ways(NamedTuple):
    """Every value that the pieces allow, as things."""

    every: list[tuple[Things, Any]]
    in_order: bool
    """The order of things matters: some of the values are made of the same ones."""

    def holding(self, chosen: Things) -> Iterator[Any]:
        """The values that what is chosen may still become."""
        if self.in_order:
            yield from (value for things, value in self.every if things[: len(chosen)] == chosen)
        else:
            wanted = Counter(chosen)
            yield from (value for things, value in self.every if wanted <= Counter(things))

    def made(self, chosen: Things) -> Any:
        """The value that is made of the things chosen; None: none is."""
        if self.in_order:
            return next((value for things, value in self.every if things == chosen), None)
        wanted = Counter(chosen)
        return next((value for things, value in self.every if Counter(things) == wanted), None)


def ways(options: list[Any], shape: Shape) -> Ways:
    """The options of a field, taken apart."""
    every = [(shape.things(option), option) for option in options]
    bags = {frozenset(Counter(things).items()) for things, _ in every}
    return Ways(every, len(bags) < len(every))


def known_things(domain: Domain | None, at: Position[Any]) -> list[Any]:
    """Every thing that a domain knows; of pairs, each key with each value."""
    if isinstance(domain, Pairs):
        return [(key, one) for key in _known(domain.left, at) for one in _known(domain.right, at)]
    return _known(domain, at) if domain is not None else []


def _known(domain: Domain, at: Position[Any]) -> list[Any]:
    return list(dict.fromkeys(domain.values(at))) or list(dict.fromkeys(domain.spoken(at).values()))


__all__ = ["Shape", "Things", "Ways", "known_things", "shape_of", "ways"]
