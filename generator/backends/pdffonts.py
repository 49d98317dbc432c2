"""Fonts in a PDF: embedded and subset, and text as the codes of the subsets."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from reportlab.pdfbase import pdfdoc, ttfonts

from generator.faces.display import TextOp
from generator.faces.fonts import Font, FontBook, FontError

MOST_TRIED = 1_000
"""So many characters of a font are tried by a check."""
MOST_FONTS = 16
"""So many are kept open from one document to the next."""


class PdfFonts(dict[str, "Encoder"]):
    """Font key -> encoder, made when a text first needs it."""

    def __init__(self, doc: Any, fonts: FontBook) -> None:
        super().__init__()
        self.doc = doc
        self.fonts = fonts

    def __missing__(self, key: str) -> Encoder:
        font = self.fonts[key]
        for other, encoder in self.items():
            if self.fonts[other].digest == font.digest:
                self[key] = encoder
                return encoder
        embedded = _embedded(key, font)
        if any(encoder.font.face.name == embedded.face.name for encoder in self.values()):
            embedded = _embedded(key, font, f"-{font.digest[:8]}")  # two releases of a font
        encoder = self[key] = Encoder(embedded, self.doc)
        return encoder


def not_embeddable(fonts: FontBook) -> Iterator[tuple[str, FontError]]:
    """The keys of the fonts that no document can hold, each with the reason."""
    for key in fonts.addresses:
        document = pdfdoc.PDFDocument(invariant=1)
        try:
            font = fonts[key]
            encoder = Encoder(_embedded(key, font), document)
            encoder._learn("".join(islice(font.metrics.advances, MOST_TRIED)))
            with embedding(key):
                encoder.font.addObjects(document)
        except FontError as error:
            yield key, error


_opened: dict[tuple[str, str, str], Any] = {}


@contextmanager
def embedding(key: str) -> Iterator[None]:
    """Tell as FontError whatever reportlab meets in a font: it trusts the tables of one to fit together."""
    try:
        yield
    except Exception as error:
        what = str(error) or type(error).__name__
        raise FontError(f"font '{key}' cannot be embedded: {what}") from None


def _embedded(key: str, font: Font, further: str = "") -> Any:
    """The font as reportlab reads it, once for all documents; it keeps what each document uses of it apart. `further`
    is added to the name that the font has in a document."""
    known = key, font.digest, further
    if known not in _opened:
        if len(_opened) > MOST_FONTS:
            _opened.clear()
        with embedding(key):
            opened = ttfonts.TTFont(key, io.BytesIO(font.content), asciiReadable=False)
            opened.face.name += further.encode()
        _opened[known] = opened
    return _opened[known]


class Encoder:
    """Text to the one-byte codes of the subsets that reportlab keeps of a font."""

    def __init__(self, font: Any, doc: Any) -> None:
        self.font = font
        self.doc = doc
        self.codes: dict[int, str] = {}
        """Characters of the first subset, as they stand in a string literal."""
        self.later: dict[str, tuple[int, str]] = {}
        """Characters of further subsets, which take another font name."""
        self.known: set[str] = set()
        self.name = ""
        self.heads: dict[float, str] = {}

    def _learn(self, text: str) -> None:
        for char in text:
            if char not in self.known:
                with embedding(self.font.fontName):
                    ((subset, code),) = self.font.splitString(char, self.doc)
                literal = f"\\{code[0]:03o}" if code[0] in b"()\\" or not 32 <= code[0] < 127 else chr(code[0])
                if subset:
                    self.later[char] = (subset, literal)
                else:
                    self.codes[ord(char)] = literal
                self.known.add(char)
        self.name = self.font.getSubsetInternalName(0, self.doc)

    def shown(self, op: TextOp) -> str:
        """`Tf` and the operators that show the text."""
        text = op.text
        if not self.known.issuperset(text):
            self._learn(text)
        head = self.heads.get(op.size)
        if head is None:
            head = self.heads[op.size] = f"{self.name} {op.size:.4f} Tf"
        if self.later and not self.later.keys().isdisjoint(text):
            return self._mixed(op)
        if not op.kerns:
            return f"{head} ({text.translate(self.codes)}) Tj"
        parts: list[str] = []
        at = 0
        per_em = -1000 / op.size
        for index, by in op.kerns:
            parts.append(f"({text[at : index + 1].translate(self.codes)}){by * per_em:.0f}")
            at = index + 1
        parts.append(f"({text[at:].translate(self.codes)})")
        return f"{head} [{''.join(parts)}] TJ"

    def _mixed(self, op: TextOp) -> str:
        """Text whose characters are spread over several subsets."""
        kerns = dict(op.kerns)
        parts: list[str] = []
        for i, char in enumerate(op.text):
            subset, literal = self.later.get(char) or (0, self.codes[ord(char)])
            name = self.font.getSubsetInternalName(subset, self.doc)
            by = f"{-1000 * kerns[i] / op.size:.0f}" if i in kerns else ""
            parts.append(f"{name} {op.size:.4f} Tf [({literal}){by}] TJ")
        return " ".join(parts)
