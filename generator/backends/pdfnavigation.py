"""Outline, page labels and links of a PDF, as objects of reportlab's document."""

from __future__ import annotations

from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.paper.units import POINTS
from generator.sheets.navigation import Entry, Link, Navigation, Spot


class _Outline(pdfdoc.PDFDictionary):  # type: ignore[misc]
    """The root of the outline. reportlab asks every outline whether it is ready."""

    ready = 1

    def prepare(self, _document: Any, _canvas: Any) -> None:
        """Nothing is left to do."""


def add_navigation(doc: Any, pages: list[Any], heights: list[float], navigation: Navigation) -> None:
    """Put outline, labels and links into a document whose `pages` are all there; `heights` of the pages in mm."""
    for link in navigation.links:
        page = pages[link.page]
        annotation = doc.Reference(pdfdoc.PDFDictionary(_annotation(link, heights)))
        if page.Annots is None:
            page.Annots = pdfdoc.PDFArray([])
        page.Annots.sequence.append(annotation)
    if navigation.labels:
        numbers: list[Any] = []
        for n, label in enumerate(navigation.labels):
            numbers += [n, pdfdoc.PDFDictionary({"P": pdfdoc.PDFString(label)})]
        doc.Catalog.PageLabels = pdfdoc.PDFDictionary({"Nums": pdfdoc.PDFArray(numbers)})
    if navigation.outline:
        _add_outline(doc, navigation.outline, heights)


def _annotation(link: Link, heights: list[float]) -> dict[str, Any]:
    box = link.box
    high, low = heights[link.page] - box.y, heights[link.page] - box.bottom
    return {
        "Type": pdfdoc.PDFName("Annot"),
        "Subtype": pdfdoc.PDFName("Link"),
        "Rect": pdfdoc.PDFArray([round(v * POINTS, 2) for v in (box.x, low, box.right, high)]),
        "Border": pdfdoc.PDFArray([0, 0, 0]),
        "F": 4,  # PDF/A and PDF/X want annotations that print; without a border nothing is seen of this one
        "Dest": _destination(link.to, heights),
    }


def _destination(spot: Spot, heights: list[float]) -> Any:
    """The page at its upper left corner, or at the spot, in the size it is read at."""
    where = [round(spot.x * POINTS, 2), round((heights[spot.page] - spot.y) * POINTS, 2), 0]
    return pdfdoc.PDFArray([pdfdoc.PDFObjectReference(f"Page{spot.page + 1}"), pdfdoc.PDFName("XYZ"), *where])


def _add_outline(doc: Any, entries: tuple[Entry, ...], heights: list[float]) -> None:
    def name(n: int) -> Any:
        return pdfdoc.PDFObjectReference(f"Outline{n}")

    below: dict[int, list[int]] = {0: []}
    """Number of an entry (0: the root) -> the numbers of those right below it."""
    parent: dict[int, int] = {}
    for n, entry in enumerate(entries, 1):
        above = [m for m in range(n - 1, 0, -1) if entries[m - 1].level < entry.level]
        parent[n] = above[0] if above else 0
        below.setdefault(parent[n], []).append(n)
    for n, entry in enumerate(entries, 1):
        beside, own = below[parent[n]], below.get(n, [])
        at = beside.index(n)
        item = {
            "Title": pdfdoc.PDFString(entry.title),
            "Parent": name(parent[n]),
            "Dest": _destination(entry.to, heights),
            **({"Prev": name(beside[at - 1])} if at else {}),
            **({"Next": name(beside[at + 1])} if at + 1 < len(beside) else {}),
            **({"First": name(own[0]), "Last": name(own[-1]), "Count": len(own)} if own else {}),
        }
        doc.Reference(pdfdoc.PDFDictionary(item), f"Outline{n}")
    first, last = below[0][0], below[0][-1]
    count = len(entries)
    root = _Outline({"Type": pdfdoc.PDFName("Outlines"), "First": name(first), "Last": name(last), "Count": count})
    doc.Reference(root, "Outline0")
    doc.Outlines = doc.outline = doc.Catalog.Outlines = root
    doc.Catalog.PageMode = pdfdoc.PDFName("UseOutlines")
