"""The structure of a tagged PDF: headings, paragraphs and pictures in reading order, as objects of reportlab.

Source: ISO 32000-1, 14.7 (logical structure) and 14.8 (tagged PDF). Each page of a book is one form, whose marked
content is numbered from 0.
"""

from __future__ import annotations

from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.faces.display import TextOp
from generator.faces.fonts import FontBook

GAP = 0.1
"""Texts of one line that are farther apart than this part of their size have a space between them."""


class Tags:
    """Collects what pages mark, in the order in which they draw it."""

    def __init__(self, doc: Any) -> None:
        self.doc = doc
        self.page = 0
        self.open: list[tuple[str, str]] = []
        """Roles of what the stream marks that is being written, with words instead, by their number in it."""
        self.elements: list[Any] = []
        self.parents: list[Any] = []
        """For each stream, the elements of its marked content."""

    def next_page(self) -> None:
        """Begin the next page: all further marks lie on it."""
        self.page += 1

    def begin(self, role: str, alt: str) -> str:
        """The operator that begins marked content; `EMC` ends it."""
        if role == "Span":
            return f"/Span <</ActualText {_text(alt)}>> BDC"
        self.open.append((role, alt))
        return f"/{role} <</MCID {len(self.open) - 1}>> BDC"

    def end_stream(self, form: str) -> int:
        """The stream of a form is whole; the number of its entry in the tree of parents."""
        own: list[Any] = []
        for number, (role, alt) in enumerate(self.open):
            content = {
                "Type": pdfdoc.PDFName("MCR"),
                "Pg": pdfdoc.PDFObjectReference(f"Page{self.page}"),
                "Stm": pdfdoc.PDFObjectReference(form),
                "MCID": number,
            }
            entry = {
                "S": pdfdoc.PDFName(role),
                "P": pdfdoc.PDFObjectReference("Structure"),
                "K": pdfdoc.PDFDictionary(content),
                **({"Alt": pdfdoc.PDFString(alt)} if alt else {}),
            }
            own.append(self.doc.Reference(pdfdoc.PDFDictionary(entry), f"Tag{len(self.elements) + len(own)}"))
        self.open = []
        self.elements += own
        self.parents.append(self.doc.Reference(pdfdoc.PDFArray(own), f"Tags{len(self.parents)}"))
        return len(self.parents) - 1

    def finish(self) -> None:
        """Put the structure into the document, which has all its pages."""
        root = {
            "Type": pdfdoc.PDFName("StructTreeRoot"),
            "K": pdfdoc.PDFObjectReference("Structure"),
            "ParentTree": pdfdoc.PDFDictionary(
                {"Nums": pdfdoc.PDFArray([one for pair in enumerate(self.parents) for one in pair])}
            ),
            "ParentTreeNextKey": len(self.parents),
        }
        whole = {
            "S": pdfdoc.PDFName("Document"),
            "P": pdfdoc.PDFObjectReference("StructTreeRoot"),
            "K": pdfdoc.PDFArray(self.elements),
        }
        self.doc.Reference(pdfdoc.PDFDictionary(whole), "Structure")
        self.doc.Catalog.StructTreeRoot = self.doc.Reference(pdfdoc.PDFDictionary(root), "StructTreeRoot")
        self.doc.Catalog.MarkInfo = pdfdoc.PDFDictionary({"Marked": "true"})


def apart(before: TextOp, after: TextOp, fonts: FontBook) -> bool:
    """True if a space stands between two texts of a paragraph: one that is not drawn, between lines or where the font
    changes."""
    if before.text.endswith((" ", "-")) or after.text.startswith(" "):
        return False
    kerned = sum(by for _, by in before.kerns)
    width = fonts[before.font].width(before.text, kern=False) * before.size + kerned
    gap = after.x - before.x - width - before.tracking * len(before.text)
    return after.y != before.y or gap > GAP * after.size


def _text(words: str) -> str:
    """A text string of PDF, as it stands in a content stream."""
    return f"<FEFF{words.encode('utf-16-be').hex().upper()}>"
