"""The sources of values for a move's arguments: seats, counts, names of pieces, words. Knows no game.

From a field's domain the parser, the tab completion and the help know what may be typed for it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self, TypedDict, Union, Unpack, get_args, get_origin

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Relative(NamedTuple):
    """A value that depends on what else a line says: `the cheapest space`. `find` has it for a move in a position;
    None: nobody knows which it is."""

    word: str
    find: Callable[[Any, Position[Any]], Any]


class Manner(TypedDict, total=False):
    """The ways to say the values of a field, as far as it differs from others of its domain."""

    many: bool
    ordered: bool
    lead: tuple[str, ...]
    after: tuple[str, ...]
    of: tuple[str, ...]
    between: tuple[str, ...]
    announced: bool
    alone: Collection[Any]
    loose: bool
    confirms: bool
    secret: bool
    aside: bool


class Domain:
    """The source of a field's values. `values` are the words a person may type, given the position.

    A kind of domain has attributes for how its values are said. A field that differs gives them by keyword
    (`manner`): `Count(1, of=("army",))`. Raises TypeError for one that does not exist.
    """

    many: bool = False
    """True: the field collects several values (into a tuple)."""
    ordered: bool = False
    """True: of several values the order counts, and one may be said to be the `first`."""
    lead: tuple[str, ...] = ()
    """Words that announce the field on a typed line: `for` in `trade qin chu 2 mines for 1 city`."""
    after: tuple[str, ...] = ()
    """Words that do so too, and that need not be written: `against` in `attack against chu`."""
    of: tuple[str, ...] = ()
    """Words for what the value is, said beside it: `general` in `the general Daring`, `army` in `2 armies`."""
    shortened: bool = False
    """True: its words are names, and a name may be cut to its first words, or to a letter if only one begins so."""
    announced: bool = False
    """True: a typed value is this field's only after a word of its `lead` (or the field's name)."""
    alone: Collection[Any] = ()
    """Of an `announced` field, the values that need no such word."""
    loose: bool = False
    """True: other words of a JSON move are passed on, and the game's rules judge them."""
    people: bool = False
    """True: its words are seats, and the names of the people who sit there are taken for them."""
    confirms: bool = False
    """True: it only says what stands anyway, and is judged; lists of legal moves leave it out."""
    secret: bool = False
    """True: only somebody at the table knows the value (a card drawn, a card in hand). It is never filled in."""

    telling: bool = False
    """True: its words, but for a number alone, say which step of a turn is taken: `one wood for lacquer`."""

    typed: bool = True
    """False: no typed line says it or shows it, but as `name=value`."""
    brings: tuple[str, ...] | None = None
    """Of a field whose entries people say as moves of their own, after this one: the kinds that an entry can be, most
    likely first; (): an entry names its kind. None: it is no such field."""
    aside: bool = False
    """True: it says otherwise what other fields say, or beforehand what will be asked. Where the pieces do not say what
    it may be, menus do not ask for it."""

    def __init__(self, **manner: Unpack[Manner]) -> None:
        for name, value in manner.items():
            if not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} has no {name!r}")
            setattr(self, name, value)

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        """The values the pieces allow, whatever the rules say of them; None: too many, or no choice to make."""
        return None if self.many else self.values(at)

    def values(self, at: Position[Any]) -> Iterable[str]:
        return ()

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        """Typed word -> value. Words are matched without regard to case, by unique beginnings."""
        return {word: word for word in self.values(at)}

    def nouns(self, at: Position[Any]) -> Collection[str]:
        """The words, in the singular, for what a value is. They may be said beside it where they are true of it."""
        return self.of

    def is_a(self, at: Position[Any], value: Any, noun: str) -> bool:
        """True if one of the `nouns` fits a value: `harvest the quarry at b4` is rejected if b4 is a field."""
        return True

    def written(self, at: Position[Any], value: Any) -> str:
        """A value that a JSON report gives as a mapping, as a typed line has it; "": it has no such words."""
        return ""

    def bringing(self, *kinds: str) -> Self:
        """The same domain, of a field whose entries are moves of these kinds."""
        self.brings = kinds
        return self

    def label(self, at: Position[Any], value: Any) -> str:
        """The label of a value on a button; "": its own name."""
        return ""

    def section(self, at: Position[Any], value: Any) -> str:
        """Under which heading a value stands in a long list; "": under none."""
        return ""

    def place(self, at: Position[Any], value: Any) -> str:
        """The thing or place of the scene that stands for a value (`land#c3`); "": none does."""
        return ""

    def hint(self, at: Position[Any]) -> str:
        """Hint shown for an unknown word (`quadrants go from a1 to f6`); empty: no hint."""
        return ""


class Seat(Domain):
    """A seat of the table. People's names are accepted for their seats (the table adds them).

    The first Seat field of a move is the one who acts, and is written before the verb; `actor=False` says that this
    move's first seat is somebody else (a target).
    """

    people = True

    def __init__(self, *, actor: bool = True, **manner: Unpack[Manner]) -> None:
        self.actor = actor
        self.after = ("for",) if actor else ()
        super().__init__(**manner)

    def values(self, at: Position[Any]) -> Iterable[str]:
        return at.seats


class Count(Domain):
    """A whole number, at least `least`. A subclass may have `spoken` words for numbers."""

    def __init__(self, least: int = 0, **manner: Unpack[Manner]) -> None:
        self.least = least
        super().__init__(**manner)

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class Flag(Domain):
    """Yes or no: typed as one of `words` when it is meant, left out when not."""

    def __init__(self, *words: str, **manner: Unpack[Manner]) -> None:
        self.words = words
        super().__init__(**manner)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return dict.fromkeys(self.words, True)

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return (False, True)


class Free(Domain):
    """Words of a person's own, of which no rule knows anything."""

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class Unspoken(Domain):
    """A value that only the JSON form has: for programs, or for reports that people make part by part."""

    typed = False
    aside = True

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class Brings(Unspoken):
    """Entries that people say as moves of their own, after this one. `kinds`: which they can be."""

    def __init__(self, *kinds: str) -> None:
        super().__init__()
        self.bringing(*kinds)


class OneOf(Domain):
    """One of a fixed list of words; a mapping gives several spoken words for one value."""

    def __init__(self, *words: str, spoken: dict[str, str] | None = None, **manner: Unpack[Manner]) -> None:
        self.words = words
        self.also = spoken or {}
        super().__init__(**manner)

    def values(self, at: Position[Any]) -> Iterable[str]:
        return self.words

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {**{w: w for w in self.words}, **self.also}


class PieceName(Domain):
    """The name of a printed piece of one set; `short` accepts further words for it (see the game's notation)."""

    shortened = True

    def __init__(self, set_name: str, **manner: Unpack[Manner]) -> None:
        self.set = set_name
        super().__init__(**manner)

    def values(self, at: Position[Any]) -> Iterable[str]:
        return at.rules.names(self.set)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return at.rules.spoken(self.set)

    def nouns(self, at: Position[Any]) -> Collection[str]:
        return self.of or at.rules.nouns.get(self.set, (self.set.lower(),))


class Tally(PieceName):
    """Counts of pieces: typed `2 mines 1 city`, stored as a mapping `{Mine: 2, City: 1}`. A piece without a number
    counts once; with `whole`, a piece alone means all of it that can be meant (`Move.everything`): `2 wood for stone`.
    With `bare`, a number alone is the value: that many, of any kind."""

    def __init__(self, set_name: str, *, bare: bool = False, whole: bool = False, **manner: Unpack[Manner]) -> None:
        super().__init__(set_name, **manner)
        self.bare = bare
        self.whole = whole

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None


class Pairs(Domain):
    """A mapping typed as pairs of words: `bonus granary purse barracks ox`, `losses ana 2 bo 3`. `left` and `right` are
    the domains of its keys and values. Where `right` holds many, a key may come again: `losses ana ox ana cart`."""

    between: tuple[str, ...] = ()
    """Words that may stand between a key and its value: `ana pays 2`."""

    def __init__(self, left: Domain, right: Domain, **manner: Unpack[Manner]) -> None:
        self.left = left
        self.right = right
        self.people = left.people
        super().__init__(**manner)

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


__all__ = ["Count", "Domain", "Flag", "Free", "OneOf", "Pairs", "PieceName", "Seat", "Tally", "Unspoken", "domain_in"]
