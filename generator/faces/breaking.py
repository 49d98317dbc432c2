"""Lines of a text: measured words, where lines break, and words divided at the ends of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

import msgspec

from generator.faces.fonts import Font
from generator.faces.richtext import AS_IS, Span

SHORT_LAST = 0.22
"""A last line of one word narrower than this part of the box is a widow."""
LONG, SHORTEST = 8, 3
"""A word of fewer letters than LONG is divided only if it is wider than a line; no part is shorter than SHORTEST."""
RAGGED = 0.12
"""A word is not divided if its line lacks less than this part of its width."""
MOST_WORDS = 20_000
"""So many measured words are kept."""
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?=[.,:;!?)’”]*\Z)")
_NO_LETTER = "\ufffc"
"""Stands for an icon."""


class Piece(msgspec.Struct, frozen=True):
    """A run with its width at a size of one em; `font` is None for an icon."""

    text: str
    font: Font | None
    width: float
    span: Span = AS_IS


class Measured(msgspec.Struct, frozen=True):
    """A word that has been measured; the width is in ems."""

    pieces: tuple[Piece, ...]
    width: float


class Setting(msgspec.Struct, frozen=True):
    """The way the words of a text are set: lengths in ems, `hyphens` as in `TextStyle`; `even`: lines of like width."""

    space: float
    kern: bool
    tracking: float
    hyphens: str
    even: bool


@lru_cache(MOST_WORDS)
def plain_word(text: str, font: Font, kern: bool, tracking: float) -> Measured:
    """A word in the font of its style; most are, and come again and again. KeyError: the font lacks a character."""
    width = font.width(text, kern) + tracking * len(text)
    return Measured((Piece(text, font, width),), width)


def broken(words: list[Measured], limit: float, setting: Setting) -> list[list[Measured]] | None:
    """The words of a paragraph as lines at most `limit` ems wide; None if a word is wider."""
    parts = _divided(words, limit, setting) if setting.hyphens else [words]
    lines: list[list[Measured]] = []
    for n, part in enumerate(parts):
        widths = [word.width for word in part]
        if widths and max(widths) > limit:
            return None
        lines += [part[a:b] for a, b in _breaks(widths, limit, setting, ends=n + 1 == len(parts))]
    return lines


def _breaks(widths: list[float], limit: float, setting: Setting, ends: bool) -> list[tuple[int, int]]:
    """The first and last words of the lines. Greedy; then without a widow where the paragraph `ends`, or with lines of
    like width."""
    space = setting.space
    found = _greedy(widths, space, limit)
    if len(found) < 2:
        return found
    if setting.even:
        narrow, wide = max(widths), limit
        for _ in range(8):
            middle = (narrow + wide) / 2
            if len(_greedy(widths, space, middle)) > len(found):
                narrow = middle
            else:
                wide = middle
        return _greedy(widths, space, wide)
    (start, end), (last, stop) = found[-2:]
    if ends and stop - last == 1 and end - start > 2 and widths[last] < SHORT_LAST * limit:
        found[-2:] = [(start, end - 1), (end - 1, stop)]
    return found


def _greedy(widths: list[float], space: float, limit: float) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start, used = 0, -space
    for i, width in enumerate(widths):
        if used + space + width > limit and i > start:
            found.append((start, i))
            start, used = i, -space
        used += space + width
    found.append((start, len(widths)))
    return found


# --- words divided -----------------------------------------------------------------------------------------------


def known_language(code: str) -> bool:
    """True if words of a language, such as `en_GB` or `de`, can be divided."""
    from pyphen import language_fallback  # type: ignore[import-untyped]

    return bool(language_fallback(code))


def no_language(code: str) -> tuple[str, str]:
    """The message about a language whose words cannot be divided, with a hint."""
    return f"no words can be divided in the language '{code}'", "name one such as en_GB, de, fr or es"


@cache
def _patterns(language: str) -> Callable[[str], list[int]]:
    """The places where a word of a language may be divided. Its patterns take long to read, and few texts ask."""
    from pyphen import Pyphen, language_fallback

    found: Callable[[str], list[int]] = Pyphen(
        lang=language_fallback(language), left=SHORTEST, right=SHORTEST
    ).positions
    return found


@cache
def places(said: str, language: str, forced: bool) -> list[int]:
    """The places where a word may be divided, from its end. Short words, in English names, and words with signs in
    them are divided only if `forced`, then also after a hyphen of their own."""
    if not forced:
        word = _WORD.match(said)
        if word is None or len(word[0]) < LONG or (language.startswith("en") and not word[0].islower()):
            return []
        return _patterns(language)(word[0])[::-1]
    found = {at for at in range(1, len(said)) if said[at - 1] == "-" and said[at].isalpha()}
    for letters in _LETTERS.finditer(said):
        found |= {letters.start() + at for at in _patterns(language)(letters[0])}
    return sorted(found, reverse=True)


def _divided(words: list[Measured], limit: float, setting: Setting) -> list[list[Measured]]:
    """The words in parts, each of which but the last ends a line with a hyphen. A word is divided where its line would
    end much too early, unless it is the last one, and wherever it is wider than a line."""
    parts: list[list[Measured]] = [[]]
    used = -setting.space
    for n, word in enumerate(words):
        while word.width > limit - used - setting.space:
            room, forced = limit - used - setting.space, word.width > limit
            wanted = not setting.even and n + 1 < len(words) and room > RAGGED * limit
            halves = _halves(word, room, setting, forced) if wanted or forced else None
            if halves is not None:
                parts[-1].append(halves[0])
                parts.append([])
                word = halves[1]
            elif used < 0:
                break  # nothing stands before it on the line, and it is as wide as it is
            used = -setting.space
        parts[-1].append(word)
        used += setting.space + word.width
    return parts


def _halves(word: Measured, room: float, setting: Setting, forced: bool) -> tuple[Measured, Measured] | None:
    """A word in two parts of which the first fits with its hyphen; None for one that is not to be divided, or whose
    font has no hyphen."""
    said = "".join([piece.text if piece.font else _NO_LETTER for piece in word.pieces])
    for at in places(said, setting.hyphens, forced):
        try:
            first, second = _cut(word, at, setting)
        except KeyError:
            continue
        if first.width <= room:
            return first, second
    return None


def _cut(word: Measured, at: int, setting: Setting) -> tuple[Measured, Measured]:
    """A word in two parts, the first of so many characters and with a hyphen. KeyError: the font has none."""
    before: list[Piece] = []
    after: list[Piece] = []
    for piece in word.pieces:
        size = len(piece.text) if piece.font else 1
        if at >= size:
            before.append(piece)
        elif at <= 0:
            after.append(piece)
        else:
            before.append(_resized(piece, piece.text[:at], setting))
            after.append(_resized(piece, piece.text[at:], setting))
        at -= size
    last = before[-1]
    if not last.text.endswith("-"):
        before[-1] = _resized(last, f"{last.text}-", setting)
    return _joined(before), _joined(after)


def _resized(piece: Piece, text: str, setting: Setting) -> Piece:
    """A piece with another text."""
    assert piece.font is not None
    width = plain_word(text, piece.font, setting.kern, setting.tracking).width
    return Piece(text, piece.font, width * piece.span.size, piece.span)


def _joined(pieces: list[Piece]) -> Measured:
    return Measured(tuple(pieces), sum([piece.width for piece in pieces]))
