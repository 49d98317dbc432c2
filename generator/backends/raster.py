"""Pages of a PDF to PNG, with pdfium: a sheet of faces that repeat takes a fraction of the time its SVG would."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdfium2
from PIL import Image
from pypdfium2 import raw

from generator.backends.png import pixels, with_resolution

COMPRESSION = 3
"""Of zlib: sheets are flat colours, and further effort saves a few per cent."""


def rasterise(pdf: bytes, pages: Sequence[int], sizes: Sequence[tuple[float, float]], dpi: float) -> list[bytes]:
    """Some pages (counted from 0) on white, each of its size in mm to the nearest whole pixel."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [
            with_resolution(_page(document[number], pixels(w, dpi), pixels(h, dpi)), dpi)
            for number, (w, h) in zip(pages, sizes, strict=True)
        ]


def _page(page: pypdfium2.PdfPage, w: int, h: int) -> bytes:
    """A page as PNG."""
    content = io.BytesIO()
    image(page, w, h).save(content, "png", compress_level=COMPRESSION)
    return content.getvalue()


def image(page: pypdfium2.PdfPage, w: int, h: int) -> Image.Image:
    """A page stretched to `w` x `h` pixels; `PdfPage.render` would round both up. The page is closed."""
    bitmap = pypdfium2.PdfBitmap.new_native(w, h, raw.FPDFBitmap_BGR)
    raw.FPDFBitmap_FillRect(bitmap, 0, 0, w, h, 0xFFFFFFFF)
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, w, h, 0, 0)
    drawn: Image.Image = bitmap.to_pil().convert("RGB")
    bitmap.close()
    page.close()
    return drawn
