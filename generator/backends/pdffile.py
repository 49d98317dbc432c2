"""The file of a finished document: what is no stream is packed into object streams, and a stream lists all objects.

Source: ISO 32000-1, 7.5.7 (object streams) and 7.5.8 (cross-reference streams). A book has thousands of small objects,
links and tags above all, which take an eighth of the room in this form.
"""

from __future__ import annotations

import zlib
from typing import Any

from reportlab.pdfbase import pdfdoc

PACKED = 200
"""So many objects lie in one stream: a viewer unpacks all of them to read one."""
LEVEL = 6
HEAD = b"%PDF-1.5\n%\223\214\213\236\n"
FREE, PLAIN, IN_STREAM = 0, 1, 2
"""Kinds of entries of a cross-reference stream."""


def file_of(doc: Any) -> bytes:
    """The bytes of a document of reportlab to which nothing more is added."""
    doc.info.invariant = doc.invariant
    doc.info.digest(doc.signature)
    root, info = doc.Reference(doc.Catalog), doc.Reference(doc.info)
    doc.Outlines.prepare(doc, None)
    if doc.Outlines.ready < 0:
        doc.Catalog.Outlines = None
    out = _File()
    waiting: list[tuple[int, bytes]] = []
    number = 0
    while (number := number + 1) in doc.numberToId:  # formatting an object may name further ones
        content: bytes = pdfdoc.pdfdocEnc(pdfdoc.format(doc.idToObject[doc.numberToId[number]], doc, toplevel=1))
        if content.rstrip().endswith(b"endstream"):
            out.plain(number, content)
        else:
            waiting.append((number, content.strip()))
    for start in range(0, len(waiting), PACKED):
        out.packed(number, waiting[start : start + PACKED])
        number += 1
    ends = b" ".join(
        b"/%s %s" % (name, pdfdoc.pdfdocEnc(pdfdoc.format(value, doc)))
        for name, value in ((b"Root", root), (b"Info", info), (b"ID", doc.ID()))
    )
    return out.ended(number, ends)


class _File:
    """Objects one after another, with the entry of each."""

    def __init__(self) -> None:
        self.parts = [HEAD]
        self.length = len(HEAD)
        self.entries = {0: (FREE, 0, 65535)}

    def plain(self, number: int, content: bytes) -> None:
        """Add an object as it is."""
        self.entries[number] = (PLAIN, self.length, 0)
        self._add(b"%d 0 obj\n%s\nendobj\n" % (number, content.strip()))

    def packed(self, number: int, objects: list[tuple[int, bytes]]) -> None:
        """Add a stream, itself object `number`, of several objects."""
        places, at = [], 0
        for n, (one, content) in enumerate(objects):
            self.entries[one] = (IN_STREAM, number, n)
            places.append(b"%d %d" % (one, at))
            at += len(content) + 1
        head = b" ".join(places) + b"\n"
        content = zlib.compress(head + b"\n".join(content for _, content in objects), LEVEL)
        about = b"/Type /ObjStm /N %d /First %d" % (len(objects), len(head))
        self.plain(number, _stream(about, content))

    def ended(self, number: int, ends: bytes) -> bytes:
        """The whole file, the list of its objects as object `number`."""
        start = self.length
        self.entries[number] = (PLAIN, start, 0)
        rows = b"".join(
            kind.to_bytes(1, "big") + where.to_bytes(4, "big") + which.to_bytes(2, "big")
            for kind, where, which in (self.entries[n] for n in range(number + 1))
        )
        about = b"/Type /XRef /Size %d /W [1 4 2] %s" % (number + 1, ends)
        self._add(b"%d 0 obj\n%s\nendobj\n" % (number, _stream(about, zlib.compress(rows, LEVEL))))
        self._add(b"startxref\n%d\n%%%%EOF\n" % start)
        return b"".join(self.parts)

    def _add(self, content: bytes) -> None:
        self.parts.append(content)
        self.length += len(content)


def _stream(about: bytes, content: bytes) -> bytes:
    return b"<<%s /Filter /FlateDecode /Length %d>>\nstream\n%s\nendstream" % (about, len(content), content)
