"""Typed words: cutting a line into tokens, and matching tokens against the words a domain knows. Knows no move."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from companion.engine.language.spelling import meant_for
from components.safe_text import whole

ARTICLES = frozenset(["a", "an", "the", "my", "your", "his", "her", "its", "our", "their"])
"""Words that only point at the word after them."""
PLACING = frozenset(["of", "in", "on", "at"])
"""Words that only join a word to the one before it."""
POLITE = frozenset(["please", "ok", "okay", "so", "now", "then", "also", "too"])
"""Words that only sound friendly."""
COURTESIES = ARTICLES | PLACING | POLITE | {"and"}
"""The only words of a line that need not be part of what is recorded. No game adds to them."""
WISHING = frozenset(["want", "wants", "would", "like", "likes", "will", "decides", "to", "has", "have"])
"""Words that say, between a player and the verb, only that the player wants it, or has done it."""
EVERYBODY = frozenset(["all", "both", "everybody", "everyone"])
"""Words for everybody from whom something is awaited."""
PEOPLE = frozenset(["players", "them", "us"])
"""Words that may follow those: `both players`, `all of them`."""
IT = frozenset(["it", "him", "them"])
"""Words for what was named last."""
SMALL = COURTESIES | frozenset(
    [
        "to",
        "for",
        "from",
        "with",
        "by",
        "as",
        "into",
        "onto",
        "against",
        "card",
        "cards",
        "token",
        "tokens",
        "no",
        "not",
    ]
)
"""Words by which nobody calls a piece."""

_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: n for n, word in enumerate(_NUMBER_WORDS.split())}
NUMBERS |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}

COUNTED = ARTICLES | PLACING
"""Words between a number and the piece that it counts."""
BEING = frozenset(("is", "are", "was", "were", "will", "be"))
"""Words between a verb and what it says: `the event is plague`."""
COMING = frozenset(
    ("come", "comes", "came", "up", "out", "appears", "appear", "appeared", "arrives", "arrive", "arrived")
)
"""Words by which people report what came up."""
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = {word: n for n, word in enumerate(_ORDINALS.split(), 1)}
"""Words for a number that says which one is meant: `the second space`."""

TIMES = {"once": 1, "twice": 2, "thrice": 3}
ALSO = {"both": 2, "another": 1}
"""Further words for a number before what it counts."""

OWNER = re.compile(r"(?<=\w)['\u2019]s?$")
"""The ending of an owner."""
EXACT, PLURAL, BEGINNING = 0, 1, 4
"""The cost of a match: the very word; one more or less `s`; only its beginning."""

SCORE = re.compile(r"^([+-]?\d+)[-:\u2013]([+-]?\d+)[.!]?$")
"""Two numbers, of one side and the other."""
SPELLED = {"m": "", "re": " are", "ve": " have", "ll": " will", "s": " is"}
SHORTENED = re.compile(
    r"(?:(?<=\w)['\u2019](re|ve|ll)|(?<=\bi)['\u2019](m)|(?:(?<=\bit)|(?<=\bthat)|(?<=\bthere))['\u2019](s))\b",
    re.IGNORECASE,
)
SIGNED = re.compile(rf"\b(plus|minus) (\d+|{'|'.join(NUMBERS)})\b", re.IGNORECASE)
AS_WELL = re.compile(r"\bas well\b(?! as)", re.IGNORECASE)
TWO_OF = re.compile(r"\ba (?:couple|pair) of\b", re.IGNORECASE)
SCRIBBLED = {"+": "and", "&": "and", "->": "for", "w/": "with", "n": "and"}
"""Signs that a hurried scribe sets between words, and what they stand for."""
SIGN = re.compile(r"(?<=\S )(\+|&|->|w/|n)(?= \S)")
SO_OFTEN = re.compile(r"(?<=\w)\s+(?:[x×]\s?(\d{1,2})|(\d{1,2})\s?[x×])(?=\s*(?:[,;.)]|and\b|$))", re.IGNORECASE)
"""The number of times the words before it count: `purse x2, ox`."""
SIGNS = {"plus": "+", "minus": "-"}
DASHES = frozenset(("-", "\u2013", "\u2014"))

NAME = 1
"""The extra cost of a word that is the name of a person."""


class Token(NamedTuple):
    """A word as matched (`text`, lower case) and as typed; for `name=value`, `key` is the name. `whole`: it is
    somebody's name, and not the beginning of another word."""

    text: str
    typed: str
    key: str = ""
    whole: bool = False


class Match(NamedTuple):
    length: int
    """Number of tokens used."""
    value: Any
    cost: int


def tokens(line: str) -> list[Token]:
    """Cut a line at blanks, commas and slashes; `name=value` stays together, also with brackets or quotes in it."""
    if line.isalpha():
        return [Token(line.lower(), line)]
    parts = _cut(line, lambda char: char.isspace() or char in ",/()")
    return [token for part in parts for token in _tokens(part) if token.text]


def _tokens(part: str) -> list[Token]:
    """The word that stands between blanks; the two numbers of `7-3`, `7:3` and `9--1`; nothing of a dash."""
    if found := SCORE.match(part):
        return [Token(number, part) for number in found.groups()]
    return [] if part in DASHES else [_token(part)]


def spelled_out(line: str) -> str:
    """A line with `we are` for `we're`, `too` for `as well`, `-1` for `minus one`, `and` for `+`, and
    `purse ×2` for `purse x2`."""
    line = SIGN.sub(lambda found: SCRIBBLED[found[1]], line)
    line = SO_OFTEN.sub(lambda found: f" ×{found[1] or found[2]}", line)
    if "a couple" in line.lower() or "a pair" in line.lower():
        line = TWO_OF.sub("2", line)
    if "as well" in line.lower():
        line = AS_WELL.sub("too", line)
    if "us " in line.lower():
        line = SIGNED.sub(lambda found: f"{SIGNS[found[1].lower()]}{number(found[2].lower())}", line)
    if "'" in line or "\u2019" in line:
        line = SHORTENED.sub(lambda found: SPELLED[next(filter(None, found.groups())).lower()], line)
    return line


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


def past(words: Container[str], line: list[Token], start: int) -> int:
    """The index of the first word, from `start` on, that is not in `words`; `start` if there is none."""
    after = start
    while after < len(line) and line[after].text in words and not line[after].key:
        after += 1
    return after if after < len(line) else start


def number(text: str) -> int | None:
    """The whole number a token stands for (`3`, `+3`, `3x`, `x3`, `three`), or None."""
    text = text.removeprefix("+")
    bare = text.strip("x") if text[:1].isdigit() or text[1:2].isdigit() else text
    said = whole(bare)
    return NUMBERS.get(text) if said is None else said


@lru_cache(8192)
def singular(word: str) -> str:
    """The word without its plural ending; enough to hold `mine` and `mines`, `army` and `armies`, `raise` and `raises`,
    `church` and `churches` together.

    What begins with a digit (`12S`) is a code and has no plural.
    """
    if word[:1].isdigit():
        return word
    if word in ("goes", "does"):
        return word[:-2]
    if len(word) > 4 and word.endswith("men"):
        return word[:-2] + "an"
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
    """Everyday names of pieces -> ids: the ids, the printed names, each of their words that no other has (`iron
    foundry`, `foundry`), and each beginning of a name, of several words, that no other has (`hollow drum`)."""
    printed = {id: names.get(id, id) for id in ids}
    words = {
        id: {word.strip("'") for word in f"{id} {name}".lower().replace("_", " ").split()}
        for id, name in printed.items()
    }
    having = Counter(word for its in words.values() for word in its - SMALL)
    alone = {word: id for id, its in words.items() for word in sorted(its) if having[word] == 1}
    begun = {id: [*accumulate(name.lower().split(), "{} {}".format)][1:-1] for id, name in printed.items()}
    often = Counter(start for its in begun.values() for start in its)
    alone |= {
        start: id for id, its in begun.items() for start in its if often[start] == 1 and start.split()[-1] not in SMALL
    }
    return {id: id for id in printed} | {name: id for id, name in printed.items()} | alone


_Phrase = tuple[int, tuple[str, ...], Any, int]
"""Its place in the book, its words, its value and what it costs besides."""


def squeezed(text: str) -> str:
    """A word without its hyphens and apostrophes."""
    return text.replace("-", "").replace("'", "")


class Phrasebook:
    """The words of one domain, ready to be matched: phrase (one or more words) -> value.

    `names` are further words for the same values, chosen by people and not by the game: where a word could be both,
    the game's word is meant. `shortened`: the first words of a phrase are enough, or a single letter where only one
    value begins so; but not of those that are said as a `whole`.
    """

    def __init__(
        self,
        spoken: dict[str, Any],
        names: Mapping[str, Any] | None = None,
        *,
        shortened: bool = False,
        whole: Container[str] = (),
    ) -> None:
        self.shortened = shortened
        self.whole = whole
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
        for sign in ("", str(NUMBERS.get(singular(typed), ""))[:1]):
            if sign != typed[:1] and sign in self._by_sign:
                found = sorted([*found, *self._by_sign[sign]], key=lambda phrase: phrase[0])
        return found

    def matches(self, line: list[Token], start: int) -> Iterator[Match]:
        """Every way to read words of this book at `start`; the cheapest for each length and value."""
        if start >= len(line) or line[start].key:
            return
        best: dict[tuple[int, str], Match] = {}
        alike = self._beginning_like(line[start].text)
        letter = self.shortened and len(line[start].text) == 1 and len({repr(value) for _, _, value, _ in alike}) == 1
        typed = line[start].text
        two = typed[:2] if len(typed) > 1 else ""
        for _, parts, value, more in alike:
            if two and parts[0][:2] != two and not parts[0].isdigit():
                continue  # a word and its plural, or its beginning, begin alike
            for match in _matches(parts, value, line, start, more, 1 if letter else 2):
                if match.length < len(parts) and (not self.shortened or " ".join(parts) in self.whole):
                    continue
                known = (match.length, repr(value))
                if known not in best or match.cost < best[known].cost:
                    best[known] = match
        exact = {m.length for m in best.values() if m.cost == EXACT} if best else ()
        if not exact and squeezed(line[start].text)[:1] in self._beginnings():
            for match in self._squeezed(line, start):
                best.setdefault((match.length, repr(match.value)), match)
        for match in best.values():
            if match.cost == EXACT or match.length not in exact:
                yield match

    def _squeezed(self, line: list[Token], start: int) -> Iterator[Match]:
        """Names written together or apart otherwise than printed: `groundswell`, `glow worm`, `glowworm`."""
        self._beginnings()
        assert self._joined is not None
        said = ""
        for length, token in enumerate(line[start : start + 4], 1):
            if token.key:
                return
            said += squeezed(token.text)
            if said and said[0] not in self._joined_signs:
                return
            if said in self._joined:
                value, more = self._joined[said]
                yield Match(length, value, PLURAL + more)

    def _beginnings(self) -> set[str]:
        """The first signs of its names written together."""
        if self._joined is None:
            self._joined = {}
            for phrases in self._by_sign.values():
                for _, parts, value, more in sorted(phrases, key=lambda phrase: phrase[0]):
                    if len(whole := squeezed("".join(parts))) > 3:
                        self._joined.setdefault(whole, (value, more))
            self._joined_signs = {whole[0] for whole in self._joined}
        return self._joined_signs

    def signs(self) -> set[str]:
        """The signs with which something of this book may begin, as it is printed or written together."""
        return {*self._by_sign, *self._beginnings()}

    def texts(self) -> list[str]:
        """Its phrases as they are typed."""
        return [" ".join(parts) for parts, _ in self.phrases]

    def nearest(self, word: str) -> list[str]:
        """Up to three phrases that look like `word`; a number looks like what ends with it (`36`: `h36`)."""
        if word.isdigit():
            return [text for text in self.texts() if text.endswith(word) and not text[: -len(word)][-1:].isdigit()][:3]
        return meant_for(word, self.texts())


def _matches(
    parts: tuple[str, ...], value: Any, line: list[Token], start: int, more: int, least: int
) -> Iterator[Match]:
    """The ways to read the words of a phrase at `start`. `least`: so many letters are the beginning of a word."""
    cost, skipped = EXACT, 0
    for length in range(1, len(parts) + 1):
        at = start + length - 1 + skipped
        if length > 1 and at + 1 < len(line) and line[at].text in ARTICLES and line[at].text != parts[length - 1]:
            at, skipped = at + 1, skipped + 1  # `builds a village`
        if at >= len(line) or line[at].key:
            return
        typed, word = line[at].text, parts[length - 1]
        if length > 1 and line[at - 1].text in ("a", "an") and typed != word and singular(word) != word:
            return  # `a card` is not `cards`
        if typed == word:
            pass
        elif (
            (word.isdigit() and str(NUMBERS.get(singular(typed))) == word)
            or singular(typed) == singular(word)
            or (typed.startswith(word) and typed[len(word) :] in ("s", "es"))
        ):
            cost = max(cost, PLURAL)
        elif (
            len(typed) >= least and word.startswith(typed) and not (typed.isdigit() or line[at].whole or typed in SMALL)
        ):
            cost = max(cost, BEGINNING)
        else:
            return
        if length == len(parts):
            yield Match(length + skipped, value, cost + more)
        elif not typed.isdigit() and not line[at].whole:
            yield Match(length + skipped, value, BEGINNING + more)
