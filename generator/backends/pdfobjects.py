"""Objects of a PDF whose content is known, pictures among them."""

from __future__ import annotations

import io
import zlib
from typing import Any

from reportlab.pdfbase import pdfdoc

from generator.faces.display import ImageOp

ZLIB_LEVEL = 6
"""Files are 3 % smaller than at level 4; at level 9 they are no smaller."""


class Written(pdfdoc.PDFObject):  # type: ignore[misc]
    """An object whose text is known."""

    __RefOnly__ = 1

    def __init__(self, content: str) -> None:
        self.content = content.encode("latin-1")

    def format(self, _document: Any) -> bytes:
        return self.content


class Finished(pdfdoc.PDFObject):  # type: ignore[misc]
    """A stream object whose dictionary and content are known: written as it is."""

    __RefOnly__ = 1

    def __init__(self, head: str, content: bytes) -> None:
        self.head = head
        self.content = content

    def format(self, _document: Any) -> bytes:
        length = len(self.content)
        return b"<<%s /Length %d>>\nstream\n%s\nendstream\n" % (self.head.encode("latin-1"), length, self.content)


def picture_objects(op: ImageOp) -> tuple[Finished, Finished | None]:
    """A picture's XObject and that of its transparency, if it has any."""
    from PIL import Image

    picture: Image.Image = Image.open(io.BytesIO(op.content))
    w, h = picture.size
    head = f"/Type /XObject /Subtype /Image /Width {w} /Height {h} /BitsPerComponent 8 /ColorSpace "
    if op.media == "jpeg" and picture.mode in ("RGB", "L"):
        space = "/DeviceRGB" if picture.mode == "RGB" else "/DeviceGray"
        return Finished(f"{head}{space} /Filter /DCTDecode", op.content), None
    alpha = None
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        mask = zlib.compress(picture.getchannel("A").tobytes(), ZLIB_LEVEL)
        alpha = Finished(f"{head}/DeviceGray /Filter /FlateDecode", mask)
    content = zlib.compress(picture.convert("RGB").tobytes(), ZLIB_LEVEL)
    return Finished(f"{head}/DeviceRGB /Filter /FlateDecode", content), alpha
