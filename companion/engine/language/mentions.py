"""The things that a line names (persons, numbers, values of fields, in any order), and the things that a move says.

A guess may leave out words, but nothing that the line names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from companion.engine.language.books import Books
from companion.engine.language.fields import Field, fields, value_of
from companion.engine.language.words import NUMBERS, ORDINALS, TIMES, Phrasebook, Token, number, singular, squeezed
from companion.engine.play.domains import Count, Flag, Free, Pairs, PieceName, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.parts import Parts
from companion.engine.play.spoken import with_steps

SEAT, NUMBER = "seat", "number"
"""The groups of persons and of numbers; fields have groups of their own."""
LOOSE = frozenset(("one", "both", "once", "first", "another", "couple", "pair", "single"))
"""Words that count, and often do not: `this one`, `first I pass`."""
ME = frozenset(("i", "me", "my", "mine", "myself"))
"""Words for whoever types."""


class Said(NamedTuple):
    """One thing that a field may say: the group of the field, and the value."""

    group: str
    value: Any


class Mention(NamedTuple):
    """Words from `start` up to `end` that name something; any of `says` may be meant. `loose`: they need not."""

    start: int
    end: int
    says: tuple[Said, ...]
    loose: bool = False
    mine: bool = False
    """It is a word for whoever types."""
    weak: bool = False
    """It is a common word, and not the whole name of anything: `wall`, of the Wall Warden."""


class Atom(NamedTuple):
    """One thing that a move says, and in which field."""

    field: Field
    group: str
    value: Any


def of_right(field: Field) -> str:
    """The group of the values of pairs."""
    return f"{field.group}, right"


class _Phrase(NamedTuple):
    parts: tuple[str, ...]
    said: Said
    whole: bool
    """It is all of a printed name, or the value itself."""


@lru_cache(16)
def _by_word(books: tuple[tuple[str, bool, Phrasebook], ...], names: frozenset[str]) -> dict[str, list[_Phrase]]:
    """The phrases of several books by their first word, in the singular. `names`: of pieces."""
    found: dict[str, list[_Phrase]] = {}
    for group, pieces, book in books:
        for parts, value in book.phrases:
            said, text = Said(group, value), " ".join(parts)
            whole = pieces and (text in names or text == str(value).lower().replace("_", " "))
            found.setdefault(singular(parts[0]), []).append(_Phrase(tuple(map(singular, parts)), said, whole))
            if len(parts) > 1 and len(joined := squeezed("".join(parts))) > 3:
                found.setdefault(singular(joined), []).append(_Phrase((singular(joined),), said, whole))
    return found


def mentions(words: list[Token], books: Books, me: str) -> list[Mention]:
    """The things named by some words, in their order, from all fields of the game; the longest where they overlap."""
    known = _by_word(tuple(_books(books)), _printed(books.at.rules.game))
    said = [singular(squeezed(word.text) if "'" in word.text else word.text) for word in words]
    found: list[Mention] = []
    at = 0
    while at < len(words):
        mention = _mention(words, said, at, known, books, me)
        if mention is None:
            at += 1
        else:
            found.append(mention)
            at = mention.end
    return found


def _mention(
    words: list[Token], said: list[str], at: int, known: dict[str, list[_Phrase]], books: Books, me: str
) -> Mention | None:
    word = words[at]
    best, found = 0, list[_Phrase]()
    for phrase in known.get(said[at], ()) if not word.whole else ():
        length = len(phrase.parts)
        if length >= best and tuple(said[at : at + length]) == phrase.parts:
            found = [*found, phrase] if length == best else [phrase]
            best = length
    says = _each_once(found)
    n = number_said(word.text)
    if best > 1:
        return Mention(at, at + best, tuple(says))
    if word.whole and word.text in books.named:
        return Mention(at, at + 1, (Said(SEAT, books.named[word.text]),))
    if _is_letter(words, at):
        return Mention(at, at + 1, tuple(says)) if best else None
    if word.text in ME and me:
        return Mention(at, at + 1, (Said(SEAT, me),), mine=True)
    if n is not None:
        says.append(Said(NUMBER, n))
        return Mention(at, at + 1, tuple(says), loose=word.text in LOOSE)
    if best and word.text not in SMALL_NAMES:
        weak = not any(phrase.whole for phrase in found) and not _is_written_as_a_name(word, at)
        return Mention(at, at + 1, tuple(says), weak=weak and not any(map(str.isdigit, word.text)))
    return None


def _is_letter(words: list[Token], at: int) -> bool:
    """True if a word is one of several single letters: `A B C`, `H, I and A`."""
    if not _is_capital(words[at]):
        return False
    near = [n for n in (at - 2, at - 1, at + 1, at + 2) if 0 <= n < len(words)]
    near = [n for n in near if abs(n - at) == 1 or words[(n + at) // 2].text in ("and", "to", "then")]
    return any(_is_capital(words[n]) for n in near)


def _is_capital(word: Token) -> bool:
    return len(word.text) == 1 and word.text.isalpha() and word.typed[:1].isupper()


def _is_written_as_a_name(word: Token, at: int) -> bool:
    return at > 0 and word.typed[:1].isupper()


SMALL_NAMES = frozenset(("a", "i", "is", "to", "up", "on", "in", "of", "for", "and", "the", "all", "no", "he", "her"))
"""Words that are small before they are the name of anything."""


def _each_once(found: list[_Phrase]) -> list[Said]:
    says: list[Said] = []
    for phrase in found:
        if phrase.said not in says:
            says.append(phrase.said)
    return says


def _printed(game: Any) -> frozenset[str]:
    """The names printed on the pieces of a game, in small letters."""
    if game.fingerprint not in _names:
        _names[game.fingerprint] = frozenset(piece.name.lower() for piece in game.pieces)
    return _names[game.fingerprint]


_names: dict[str, frozenset[str]] = {}


def number_said(text: str) -> int | None:
    """The number that a word says: `3`, `three`, `third`, `3rd`, `twice`, `both`."""
    for known in (ORDINALS, TIMES):
        if text in known:
            return known[text]
    if text in ("both", "couple", "pair"):
        return 2
    if text == "another" or text == "single":
        return 1
    if text[:1].isdigit() and text[-2:] in ("st", "nd", "rd", "th"):
        text = text[:-2]
    n = number(text)
    return NUMBERS.get(singular(text)) if n is None else n


def _books(books: Books) -> Iterator[tuple[str, bool, Phrasebook]]:
    """The group of every field of the game, whether its values are pieces, and its phrase book."""
    seen: set[str] = set()
    for kind in with_steps(books.at.rules.moves.values()):
        for field in fields(kind):
            domain = field.domain
            if domain is None or isinstance(domain, Seat | Free | Parts) or field.group in seen:
                continue
            seen.add(field.group)
            if not (isinstance(domain, Pairs) and isinstance(domain.left, Seat)):
                yield field.group, isinstance(domain, PieceName), books[field]
            if isinstance(domain, Pairs) and not isinstance(domain.right, Seat):
                yield of_right(field), isinstance(domain.right, PieceName), books.right(field, domain.right)


def _is_default(value: Any, field: Field) -> bool:
    return type(value) is type(field.default) and bool(value == field.default)


def atoms(move: Move) -> list[Atom]:
    """Everything that a move says, in the order of its fields, but defaults."""
    found: list[Atom] = []
    for field in fields(type(move)):
        value, domain = value_of(move, field), field.domain
        if value is None or value is False or value in ("", (), [], {}) or domain is None or _is_default(value, field):
            continue
        if isinstance(domain, Tally):
            pairs = value.items() if isinstance(value, dict) else [("", value)]
            for piece, n in pairs:
                found += [Atom(field, NUMBER, n)] if n != 1 or not piece else []
                found += [Atom(field, SEAT if domain.people else field.group, piece)] if piece else []
        elif isinstance(domain, Pairs):
            left = SEAT if isinstance(domain.left, Seat) else field.group
            right = (
                SEAT if isinstance(domain.right, Seat) else NUMBER if type(domain.right) is Count else of_right(field)
            )
            for key, values in value.items() if isinstance(value, dict) else ():
                found.append(Atom(field, left, key))
                found += [Atom(field, right, one) for one in (values if isinstance(values, list | tuple) else [values])]
        else:
            group = SEAT if isinstance(domain, Seat) else NUMBER if isinstance(domain, Count) else field.group
            several = value if isinstance(value, list | tuple) else [value]
            found += [Atom(field, group, one) for one in several]
            if isinstance(domain, Flag):
                found[-1] = Atom(field, field.group, True)
    return found


__all__ = [
    "ME",
    "NUMBER",
    "SEAT",
    "Atom",
    "Mention",
    "Said",
    "atoms",
    "mentions",
    "number_said",
    "of_right",
]
