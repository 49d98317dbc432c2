"""Typed words: cutting a line into tokens, and matching tokens against the words a domain knows. Knows no move."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from components.phrasing import nearest

_FILLERS = (
    "with and the to on for from of a an by at against in into onto as is are was were comes came does card cards "
    "token tokens then my your his her its our their"
)
FILLERS = frozenset(_FILLERS.split())
"""Words that mean nothing on a typed line, unless a move uses them to announce a field (`Domain.lead`)."""

_DOING = (
    "put puts place places lay lays make makes do does take takes play plays build builds use uses want wants will "
    "would like likes now go goes please ok okay we i then also decide decides choose chooses"
)
DOING = frozenset(_DOING.split())
"""Words that say only that somebody does something: `ana puts a church on e5` says it by `church`."""

ARTICLES = frozenset(("a", "an", "the"))

_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: n for n, word in enumerate(_NUMBER_WORDS.split())}

OWNER = re.compile(r"(?<=\w)['\u2019]s?$")
"""The ending of an owner."""
EXACT, PLURAL, BEGINNING = 0, 1, 4
"""What a match costs: the very word; one more or less `s`; only its beginning."""

NAME = 1
"""What a word costs besides that is the name of a person."""


class Token(NamedTuple):
    """A word as matched (`text`, lower case) and as typed; for `name=value`, `key` is the name."""

    text: str
    typed: str
    key: str = ""


class Match(NamedTuple):
    length: int
    """Number of tokens used."""
    value: Any
    cost: int


def tokens(line: str) -> list[Token]:
    """Cut a line at blanks, commas and slashes; `name=value` stays together, also with brackets or quotes in it."""
    if line.isalpha():
        return [Token(line.lower(), line)]
    return [token for part in _cut(line, lambda char: char.isspace() or char in ",/") if (token := _token(part)).text]


def segments(line: str) -> list[str]:
    """Cut a line at its commas, but not inside brackets or quotes."""
    return _cut(line, lambda char: char == ",")


def _cut(line: str, ends: Callable[[str], bool]) -> list[str]:
    """The parts of a line between the signs at which a part `ends`, without space around them; none of them empty.
    Inside brackets and quotes nothing ends."""
    found, part, depth, quote = [], "", 0, ""
    for char in line:
        if quote:
            quote = "" if char == quote else quote
        elif char == '"':
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif depth == 0 and ends(char):
            found.append(part)
            part = ""
            continue
        part += char
    return [stripped for part in [*found, part] if (stripped := part.strip())]


def _token(word: str) -> Token:
    key, equals, value = word.partition("=")
    if equals and key.replace("_", "").replace(".", "").isalnum():
        return Token(value, value, key.lower())
    bare = OWNER.sub("", word.strip('"').rstrip(".!?:").lower())  # `ana's general`
    return Token(bare, word)


def past_doing(line: list[Token], start: int) -> int:
    """Where the verb may stand after words that say only that somebody does something; `start` if none follows."""
    after = start
    while after < len(line) and (line[after].text in DOING or (after > start and line[after].text in FILLERS)):
        after += 1
    return after if after < len(line) else start


def number(text: str) -> int | None:
    """The whole number a token stands for (`3`, `+3`, `3x`, `x3`, `three`), or None."""
    text = text.removeprefix("+")
    bare = text.strip("x") if text[:1].isdigit() or text[1:2].isdigit() else text
    if bare.isascii() and bare.isdigit() and len(bare) < 10:
        return int(bare)
    return NUMBERS.get(text)


@lru_cache(8192)
def singular(word: str) -> str:
    """The word without its plural ending; enough to hold `mine` and `mines`, `army` and `armies`, `raise` and `raises`,
    `church` and `churches` together.

    What begins with a digit (`12S`) is a code and has no plural.
    """
    if word[:1].isdigit():
        return word
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


@lru_cache(8192)
def _parts(phrase: str) -> tuple[str, ...]:
    """The words of a phrase as tokens are matched."""
    return tuple(t.text for t in tokens(phrase)) or (phrase.lower(),)


def by_any_name(ids: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """What people call pieces: their ids, their printed names, and of both each word that no other of them has (`iron
    foundry`, `foundry`)."""
    printed = {id: names.get(id, id) for id in ids}
    words = {
        id: {word.strip("'") for word in f"{id} {name}".lower().replace("_", " ").split()}
        for id, name in printed.items()
    }
    having = Counter(word for its in words.values() for word in its - FILLERS)
    alone = {word: id for id, its in words.items() for word in sorted(its) if having[word] == 1}
    return {id: id for id in printed} | {name: id for id, name in printed.items()} | alone


_Phrase = tuple[int, tuple[str, ...], Any, int]
"""Its place in the book, its words, its value and what it costs besides."""


def _squeeze(text: str) -> str:
    return text.replace("-", "").replace("'", "")


class Phrasebook:
    """The words of one domain, ready to be matched: phrase (one or more words) -> value.

    `names` are further words for the same values, chosen by people and not by the game: where a word could be both,
    the game's word is meant.
    """

    def __init__(self, spoken: dict[str, Any], names: Mapping[str, Any] | None = None) -> None:
        self.phrases: list[tuple[tuple[str, ...], Any]] = []
        self._by_sign: dict[str, list[_Phrase]] = {}
        self._joined: dict[str, tuple[Any, int]] | None = None
        self._joined_signs: set[str] = set()
        for phrases, more in ((spoken, 0), (names or {}, NAME)):
            for phrase, value in phrases.items():
                parts = _parts(phrase)
                self._add(parts, value, more)
                if parts[0] == "the" and len(parts) > 1:
                    self._add(parts[1:], value, more)

    def _add(self, parts: tuple[str, ...], value: Any, surcharge: int) -> None:
        self._by_sign.setdefault(parts[0][:1], []).append((len(self.phrases), parts, value, surcharge))
        self.phrases.append((parts, value))

    def _beginning_like(self, typed: str) -> list[_Phrase]:
        """The phrases whose first word may be `typed`: those with its first sign, and those with the number it is."""
        found = self._by_sign.get(typed[:1], [])
        for sign in ("", str(NUMBERS.get(typed, ""))[:1]):
            if sign != typed[:1] and sign in self._by_sign:
                found = sorted([*found, *self._by_sign[sign]], key=lambda phrase: phrase[0])
        return found

    def matches(self, line: list[Token], start: int) -> Iterator[Match]:
        """Every way to read words of this book at `start`; the cheapest for each length and value."""
        if start >= len(line) or line[start].key:
            return
        best: dict[tuple[int, str], Match] = {}
        for _, parts, value, more in self._beginning_like(line[start].text):
            for match in _matches(parts, value, line, start, more):
                known = (match.length, repr(value))
                if known not in best or match.cost < best[known].cost:
                    best[known] = match
        exact = {m.length for m in best.values() if m.cost == EXACT} if best else ()
        for match in self._squeezed(line, start) if not exact else ():
            best.setdefault((match.length, repr(match.value)), match)
        for match in best.values():
            if match.cost == EXACT or match.length not in exact:
                yield match

    def _squeezed(self, line: list[Token], start: int) -> Iterator[Match]:
        """Names written together or apart otherwise than printed: `groundswell`, `glow worm`, `glowworm`."""
        if self._joined is None:
            self._joined = {}
            for phrases in self._by_sign.values():
                for _, parts, value, more in sorted(phrases, key=lambda phrase: phrase[0]):
                    if len(whole := _squeeze("".join(parts))) > 3:
                        self._joined.setdefault(whole, (value, more))
            self._joined_signs = {whole[0] for whole in self._joined}
        said = ""
        for length, token in enumerate(line[start : start + 4], 1):
            if token.key:
                return
            said += _squeeze(token.text)
            if said and said[0] not in self._joined_signs:
                return
            if said in self._joined:
                value, more = self._joined[said]
                yield Match(length, value, PLURAL + more)

    def texts(self) -> list[str]:
        """Its phrases as they are typed."""
        return [" ".join(parts) for parts, _ in self.phrases]

    def nearest(self, word: str) -> list[str]:
        """Up to three phrases that look like `word`; a number looks like what ends with it (`36`: `h36`)."""
        if word.isdigit():
            return [text for text in self.texts() if text.endswith(word) and not text[: -len(word)][-1:].isdigit()][:3]
        return nearest(word, self.texts(), 3)


def _matches(parts: tuple[str, ...], value: Any, line: list[Token], start: int, more: int) -> Iterator[Match]:
    cost, skipped = EXACT, 0
    for length in range(1, len(parts) + 1):
        at = start + length - 1 + skipped
        if length > 1 and at + 1 < len(line) and line[at].text in ARTICLES and line[at].text != parts[length - 1]:
            at, skipped = at + 1, skipped + 1  # `builds a village`
        if at >= len(line) or line[at].key:
            return
        typed, word = line[at].text, parts[length - 1]
        if typed == word:
            pass
        elif (
            (word.isdigit() and str(NUMBERS.get(typed)) == word)
            or singular(typed) == singular(word)
            or (typed.startswith(word) and typed[len(word) :] in ("s", "es"))
        ):
            cost = max(cost, PLURAL)
        elif word.startswith(typed) and not typed.isdigit() and typed not in FILLERS:  # `a` is no beginning of a name
            cost = max(cost, BEGINNING)
        else:
            return
        if length == len(parts):
            yield Match(length + skipped, value, cost + more)
        elif not typed.isdigit():
            yield Match(length + skipped, value, BEGINNING + more)
