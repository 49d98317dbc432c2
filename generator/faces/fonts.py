"""Fonts: where they are, what their glyphs measure, and their outlines.

Metrics are read once with fontTools and kept in a small file of the cache folder, keyed by the content of the font, so
that a build does not import fontTools at all; outlines are read when a backend asks for one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from components.files import keep, kept
from components.phrasing import suggest
from components.plainfiles import read_plain
from generator.faces.faults import Fault
from generator.faces.svgpath import Path as Outline

METRICS_VERSION = 3
_KERNED = [*range(0x21, 0x7F), *range(0xC0, 0x100), *range(0x2013, 0x2027)]
"""Characters whose pairs are kerned: Latin letters, figures and punctuation. Spaces keep their width."""
EM = 1000
"""The shapes of glyphs are drawn in so many units to the em."""
UNITS = range(16, 16_385)
"""So many units a font may have to the em."""
MAX_FONT_BYTES = 8 * 1024 * 1024
MAX_WORDS = 20_000
"""So many words, as they are set, are kept for each font."""
MOST_OPEN = 32
"""So many fonts stay open for the next book of fonts."""


class FontError(Fault):
    """A font that is not there or cannot be used; the message says which and why."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__("LAY-007", what, hint)


class Metrics(msgspec.Struct, frozen=True):
    """The metrics of a font that text layout needs, in font units (`units` to the em), y upward."""

    units: int
    cap: int
    x_height: int
    ascender: int
    """Top of the letter d."""
    descender: int
    """Bottom of the letter p, negative."""
    advances: dict[str, int]
    """Character -> advance width; a character that is not here has no glyph."""
    kerns: dict[str, int]
    """Pair of characters -> adjustment."""


class _Set(NamedTuple):
    """A word as a font sets it: its width without kerning and what kerning adds, in font units; and `(i, ems)` for
    each character after which the font kerns."""

    width: int
    kerned: int
    kerns: tuple[tuple[int, float], ...]


class Font:
    """One TrueType font file."""

    def __init__(self, key: str, path: Path, cache: Path | None = None) -> None:
        self.key = key
        self.path = path
        self._cache = cache
        self._words: dict[str, _Set] = {}
        self._outlines: dict[str, Outline] = {}
        self._shapes: dict[str, str] = {}

    @cached_property
    def content(self) -> bytes:
        return read_plain(self.path, MAX_FONT_BYTES)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file, in hex."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def metrics(self) -> Metrics:
        if len(self.content) > MAX_FONT_BYTES:
            raise FontError(f"font {self.path.name} is larger than {MAX_FONT_BYTES // 1024 // 1024} MiB")
        stored = self._cache / f"{self.digest[:24]}.{METRICS_VERSION}.msgpack" if self._cache is not None else None
        metrics = kept(stored, Metrics)
        if metrics is None:
            metrics = read_metrics(self.path.name, self.content)
            keep(stored, metrics)
        return metrics

    def advance(self, char: str) -> float:
        """Advance of one character in ems. KeyError: the font has no glyph for it."""
        return self.metrics.advances[char] / self.metrics.units

    def width(self, text: str, kern: bool = True) -> float:
        """Width of `text` in ems, with or without kerning. KeyError names a character the font lacks."""
        words = [self._set(word) for word in text.split(" ")]
        total = sum([word.width for word in words])
        if kern:
            total += sum([word.kerned for word in words])
        if len(words) > 1:
            total += (len(words) - 1) * self.metrics.advances[" "]
        return total / self.metrics.units

    def kern_list(self, text: str) -> list[tuple[int, float]]:
        """`(i, ems)` for each character after which the font kerns."""
        found: list[tuple[int, float]] = []
        begins = 0
        for word in text.split(" "):
            found += [(begins + i, ems) for i, ems in self._set(word).kerns]
            begins += len(word) + 1
        return found

    def _set(self, word: str) -> _Set:
        """A word as the font sets it; the font kerns no pair with a space. KeyError names a character it lacks."""
        found = self._words.get(word)
        if found is None:
            if len(self._words) > MAX_WORDS:
                self._words.clear()
            metrics = self.metrics
            width = sum([metrics.advances[char] for char in word])
            by = [metrics.kerns.get(left + right, 0) for left, right in itertools.pairwise(word)]
            kerns = tuple([(i, units / metrics.units) for i, units in enumerate(by) if units])
            found = self._words[word] = _Set(width, sum(by), kerns)
        return found

    def lacks(self, text: str) -> str:
        """The characters of `text` that the font has no glyph for."""
        return "".join(dict.fromkeys(c for c in text if c not in self.metrics.advances))

    @cached_property
    def _glyphs(self) -> tuple[dict[int, str], Any]:
        from io import BytesIO

        from fontTools.ttLib import TTFont

        with _damage_of(self.path.name):
            opened = TTFont(BytesIO(self.content), lazy=True)
            return opened.getBestCmap(), opened.getGlyphSet()

    def shape(self, char: str) -> str:
        """The outline of a character as path data in thousandths of an em; empty: it has none, such as a space."""
        found = self._shapes.get(char)
        if found is None:
            found = self._shapes[char] = "".join(
                [kind + " ".join([f"{value * EM:.0f}" for value in at]) for kind, *at in self.outline(char)]
            )
        return found

    def outline(self, char: str) -> Outline:
        """The outline of a character in ems, y downward, baseline at 0. FontError: the font is damaged there."""
        found = self._outlines.get(char)
        if found is None:
            from generator.faces.pens import glyph

            names, glyphs = self._glyphs
            with _damage_of(self.path.name):
                found = glyph(glyphs, names[ord(char)], 1 / self.metrics.units)
            self._outlines[char] = found
        return found


# --- finding -----------------------------------------------------------------------------------------------------


def font_file(address: str, root: Path) -> Path:
    """The file of a font address: `package:File.ttf` in an installed package, or a path inside the project `root`.

    Raises FontError when there is no such file, when it lies outside, or when it is not a TrueType font.
    """
    if not address.lower().endswith(".ttf"):
        what = f"font '{address}' is not a .ttf file (only TrueType outlines can be embedded)"
        otf = address.lower().endswith(".otf")
        raise FontError(what, "most free fonts come as .ttf, too; a font editor converts an .otf" if otf else "")
    package, colon, name = address.partition(":")
    if colon:
        if not package.isidentifier():
            raise FontError(f"font '{address}': '{package}' is not the name of a package")
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise FontError(f"font '{address}': the package {package} is not installed")
        base = Path(spec.submodule_search_locations[0]).resolve()
        candidates = [base / "files" / name, base / name]
    else:
        base = root.resolve()
        candidates = [base / address]
    for candidate in candidates:
        found = candidate.resolve()
        if not found.is_relative_to(base):
            raise FontError(f"font '{address}' lies outside of {'its package' if colon else 'the project'}")
        if found.is_file():
            return found
    there = {path.name for path in (*base.glob("*.ttf"), *base.glob("files/*.ttf"))}
    near = suggest(name or address, there, "")
    cure = "" if near or colon else "; put the file into the project's folder, from which the path begins"
    raise FontError(f"font '{address}' is not there{near}{cure}")


def _opened(key: str, path: Path, cache: Path | None) -> Font:
    """A font, opened once for all books of fonts as long as its file stays the same."""
    about = path.stat()
    return _font(key, path, cache, (about.st_mtime_ns, about.st_size, about.st_ino))


@lru_cache(maxsize=MOST_OPEN)
def _font(key: str, path: Path, cache: Path | None, stamp: tuple[int, ...]) -> Font:
    return Font(key, path, cache)


class FontBook:
    """The fonts of a theme: key -> address. Fonts are opened when they are first asked for.

    `cache` is the folder in which their metrics are kept (None: they are read anew each time).
    """

    def __init__(
        self, addresses: Mapping[str, str], root: Path, cache: Path | None = None, fallback: Sequence[str] = ()
    ) -> None:
        """`fallback`: the keys of the fonts that are asked, in this order, for characters that others lack."""
        self.addresses = dict(addresses)
        self._fallback = tuple(fallback)
        self._root = root
        self._cache = cache
        self._open: dict[str, Font] = {}

    def and_also(self, addresses: Mapping[str, str]) -> FontBook:
        """A book of these fonts and more; `addresses` win. Fonts that are open already stay so."""
        book = FontBook({**self.addresses, **addresses}, self._root, self._cache, self._fallback)
        book._open = {key: font for key, font in self._open.items() if key not in addresses}
        return book

    def __getitem__(self, key: str) -> Font:
        font = self._open.get(key)
        if font is None:
            if key not in self.addresses:
                raise FontError(f"no font '{key}' in the theme (there are {', '.join(sorted(self.addresses))})")
            font = self._open[key] = _opened(key, font_file(self.addresses[key], self._root), self._cache)
        return font

    def __contains__(self, key: object) -> bool:
        return key in self.addresses

    @property
    def reserve(self) -> list[Font]:
        """The fonts that supply what others lack."""
        return [self[key] for key in self._fallback]

    @property
    def digest(self) -> str:
        """Digest of the keys and files of all fonts; a file that cannot be had counts as empty."""
        total = hashlib.sha256()
        for key in sorted(self.addresses):
            content = ""
            with contextlib.suppress(FontError, OSError):
                content = self[key].digest
            total.update(f"{key}\0{self.addresses[key]}\0{content}\0".encode())
        return total.hexdigest()


# --- metrics -----------------------------------------------------------------------------------------------------


def read_metrics(name: str, content: bytes) -> Metrics:
    """Read the metrics of a TrueType font with fontTools. Raises FontError for any other file."""
    from io import BytesIO

    from fontTools.ttLib import TTFont

    with _damage_of(name):
        font = TTFont(BytesIO(content), lazy=True)
        if "glyf" not in font:
            raise FontError(f"font {name} has no TrueType outlines")
        codes: dict[int, str] = font.getBestCmap() or {}
        widths = font["hmtx"].metrics
        glyf = font["glyf"]
        os2, hhea = font["OS/2"], font["hhea"]
        cap = getattr(os2, "sCapHeight", 0) or (glyf["H"].yMax if "H" in widths else hhea.ascent)
        top = glyf[codes[ord("d")]].yMax if ord("d") in codes else cap
        bottom = glyf[codes[ord("p")]].yMin if ord("p") in codes else hhea.descent
        units = font["head"].unitsPerEm
        if units not in UNITS:
            raise FontError(f"font {name} has {units} units to the em: there are {UNITS[0]} to {UNITS[-1]:,}")
        return Metrics(
            units=units,
            cap=cap,
            x_height=getattr(os2, "sxHeight", 0) or cap * 7 // 10,
            ascender=top,
            descender=bottom,
            advances={chr(code): widths[glyph][0] for code, glyph in codes.items()},
            kerns=_kerns(font, {code: codes[code] for code in _KERNED if code in codes}),
        )


@contextlib.contextmanager
def _damage_of(name: str) -> Iterator[None]:
    """Tell as FontError whatever a reader meets in a font: it trusts the tables of one to fit together."""
    try:
        yield
    except FontError:
        raise
    except Exception as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
        raise FontError(f"font {name} cannot be read: {what}") from None


def _kerns(font: Any, codes: dict[int, str]) -> dict[str, int]:
    """Horizontal pair kerning among `codes`, from the `kern` feature of GPOS."""
    if "GPOS" not in font:
        return {}
    table = font["GPOS"].table
    wanted = {i for r in table.FeatureList.FeatureRecord if r.FeatureTag == "kern" for i in r.Feature.LookupListIndex}
    pairs: dict[tuple[str, str], int] = {}
    names = list(dict.fromkeys(codes.values()))
    for index in sorted(wanted):
        lookup = table.LookupList.Lookup[index]
        for outer in lookup.SubTable:
            sub = outer.ExtSubTable if lookup.LookupType == 9 else outer
            if getattr(sub, "LookupType", 2) == 2:
                _pair_table(sub, names, pairs)
    by_name: dict[str, list[int]] = {}
    for code, name in codes.items():
        by_name.setdefault(name, []).append(code)
    return {
        chr(a) + chr(b): value
        for (left, right), value in pairs.items()
        if value
        for a in by_name[left]
        for b in by_name[right]
    }


def _pair_table(sub: Any, names: list[str], pairs: dict[tuple[str, str], int]) -> None:
    """Add the pairs of one PairPos subtable; what an earlier subtable said about a pair stands."""
    covered = set(sub.Coverage.glyphs)
    known = set(names)
    if sub.Format == 1:
        for n, left in enumerate(sub.Coverage.glyphs):
            if left in known:
                for record in sub.PairSet[n].PairValueRecord:
                    if record.SecondGlyph in known:
                        pairs.setdefault((left, record.SecondGlyph), getattr(record.Value1, "XAdvance", 0) or 0)
        return
    first, second = sub.ClassDef1.classDefs, sub.ClassDef2.classDefs
    rights: dict[int, list[str]] = {}
    for name in names:
        rights.setdefault(second.get(name, 0), []).append(name)
    rows: dict[int, list[tuple[str, int]]] = {}
    for left in names:
        if left in covered:
            kind = first.get(left, 0)
            if kind not in rows:
                records = sub.Class1Record[kind].Class2Record
                rows[kind] = [
                    (right, getattr(records[other].Value1, "XAdvance", 0) or 0)
                    for other, group in rights.items()
                    for right in group
                ]
            for right, value in rows[kind]:
                pairs.setdefault((left, right), value)
