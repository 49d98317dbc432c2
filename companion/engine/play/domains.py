"""Where the values of a move's arguments come from: seats, counts, names of pieces, words. Knows no game.

From a field's domain the parser, the tab completion and the help know what may be typed for it.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Domain:
    """Where the values of a field come from. `values` are the words a person may type, given the position.

    `many` fields collect several values (into a tuple). `spoken` maps typed words to values where the two differ.
    `lead` are words that announce the field on a typed line: `for` in `trade qin chu 2 mines for 1 city`.
    """

    many = False
    lead: tuple[str, ...] = ()
    loose = False
    """True: other words of a JSON move are passed on, and the game's rules judge them."""
    people = False
    """True: its words are seats, and the names of the people who sit there are taken for them."""
    secret = False
    """True: only somebody at the table knows the value (a card drawn, a card in hand). It is never filled in."""

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        """The values the pieces allow, whatever the rules say of them; None: too many, or no choice to make."""
        return None if self.many else self.values(at)

    def values(self, at: Position[Any]) -> Iterable[str]:
        return ()

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        """Typed word -> value. Words are matched without regard to case, by unique beginnings."""
        return {word: word for word in self.values(at)}

    def hint(self, at: Position[Any]) -> str:
        """Hint shown for an unknown word (`quadrants go from a1 to f6`); empty: no hint."""
        return ""


class Seat(Domain):
    """A seat of the table. People's names are accepted for their seats (the table adds them).

    The first Seat field of a move is the one who acts, and is written before the verb; `actor=False` says that this
    move's first seat is somebody else (a target).
    """

    people = True

    def __init__(self, *, actor: bool = True, many: bool = False, lead: tuple[str, ...] = ()) -> None:
        self.actor = actor
        self.many = many
        self.lead = lead

    def values(self, at: Position[Any]) -> Iterable[str]:
        return at.seats


class Count(Domain):
    """A whole number, at least `least`."""

    def __init__(self, least: int = 0, *, lead: tuple[str, ...] = ()) -> None:
        self.least = least
        self.lead = lead

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class Flag(Domain):
    """Yes or no: typed as one of `words` when it is meant, left out when not."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return dict.fromkeys(self.words, True)

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return (False, True)


class Free(Domain):
    """Words of a person's own, of which no rule knows anything."""

    def __init__(self, *, lead: tuple[str, ...] = ()) -> None:
        self.lead = lead

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class OneOf(Domain):
    """One of a fixed list of words; a mapping gives several spoken words for one value."""

    def __init__(
        self, *words: str, spoken: dict[str, str] | None = None, many: bool = False, lead: tuple[str, ...] = ()
    ) -> None:
        self.words = words
        self.also = spoken or {}
        self.many = many
        self.lead = lead

    def values(self, at: Position[Any]) -> Iterable[str]:
        return self.words

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {**{w: w for w in self.words}, **self.also}


class PieceName(Domain):
    """The name of a printed piece of one set; `short` accepts further words for it (see the game's notation)."""

    def __init__(
        self,
        set_name: str,
        many: bool = False,
        *,
        lead: tuple[str, ...] = (),
        loose: bool = False,
        secret: bool = False,
    ) -> None:
        self.set = set_name
        self.many = many
        self.lead = lead
        self.loose = loose
        self.secret = secret

    def values(self, at: Position[Any]) -> Iterable[str]:
        return at.rules.names(self.set)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return at.rules.spoken(self.set)


class Tally(PieceName):
    """How many of which piece: typed `2 mines 1 city`, stored as a mapping `{Mine: 2, City: 1}`. A piece without a
    number counts once. With `bare`, a number alone is the value itself: that many, not saying which."""

    def __init__(self, set_name: str, *, bare: bool = False, lead: tuple[str, ...] = (), loose: bool = False) -> None:
        super().__init__(set_name, lead=lead, loose=loose)
        self.bare = bare

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class Pairs(Domain):
    """A mapping typed as pairs of words: `bonus granary purse barracks ox`, `losses ana 2 bo 3`. `left` and `right` are
    the domains of its keys and values. Where `right` holds many, a key may come again: `losses ana ox ana cart`."""

    def __init__(self, left: Domain, right: Domain, *, lead: tuple[str, ...] = (), secret: bool = False) -> None:
        self.left = left
        self.right = right
        self.lead = lead
        self.secret = secret
        self.people = left.people

    def values(self, at: Position[Any]) -> Iterable[str]:
        return self.left.values(at)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return self.left.spoken(at)

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


def domain_in(annotation: Any) -> tuple[Domain | None, Any]:
    """The domain in a field's annotation, and the bare type under it (of `X | None`: X)."""
    if get_origin(annotation) is Annotated:
        inner, *extras = get_args(annotation)
        return next((extra for extra in extras if isinstance(extra, Domain)), None), inner
    if get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            if part is not type(None):
                domain, inner = domain_in(part)
                if domain is not None or isinstance(inner, type):
                    return domain, inner
    return None, annotation


__all__ = ["Count", "Domain", "Flag", "Free", "OneOf", "Pairs", "PieceName", "Seat", "Tally", "domain_in"]
