"""The yardstick: poker cards drawn with nothing but reportlab, 9 to an A4 page.

    python benchmarks/bare_reportlab.py 120 cards.pdf

Each card has a border, a title, a cost in a disc, a filled star, three wrapped lines of text, and crop marks around the
page: the same drawing, in the same fonts, as the cards of `print_synthetic.py`.
"""

from __future__ import annotations

import math
import sys

import font_source_sans_pro
import font_source_serif_pro
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

W, H = 63.0, 88.0
LEFT, TOP = 10.5, 16.5
WORDS = "Pay the cost and turn this card face down. Every neighbour takes one coin, then number {n} goes on."


def star(canvas: Canvas, cx: float, cy: float, r: float) -> None:
    path = canvas.beginPath()
    for i in range(10):
        angle, radius = math.radians(36 * i - 90), r if i % 2 == 0 else r * 0.45
        x, y = (cx + radius * math.cos(angle)) * mm, (cy - radius * math.sin(angle)) * mm
        (path.moveTo if i == 0 else path.lineTo)(x, y)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def card(canvas: Canvas, n: int, x: float, y: float) -> None:
    """One card with its lower left corner at `x`, `y` mm."""
    canvas.setStrokeColor("#22283a")
    canvas.setLineWidth(0.7 * mm)
    canvas.roundRect((x + 3) * mm, (y + 3) * mm, 57 * mm, 82 * mm, 2 * mm)
    canvas.setFillColor("#22283a")
    canvas.setFont("serif", 13)
    canvas.drawString((x + 16) * mm, (y + 75.5) * mm, f"Card number {n}")
    canvas.setFillColor("#c9871f")
    canvas.circle((x + 10) * mm, (y + 77) * mm, 4.5 * mm, stroke=0, fill=1)
    canvas.setFillColor("#ffffff")
    canvas.drawCentredString((x + 10) * mm, (y + 75.4) * mm, str(n % 10))
    canvas.setFillColor("#4d6178")
    star(canvas, x + 31.5, y + 50, 14)
    canvas.setFillColor("#22283a")
    canvas.setFont("sans", 9)
    for i, line in enumerate(simpleSplit(WORDS.format(n=n), "sans", 9, 51 * mm)):
        canvas.drawString((x + 6) * mm, (y + 24) * mm - i * 11.25, line)


def crop_marks(canvas: Canvas) -> None:
    canvas.setStrokeColor("#000000")
    canvas.setLineWidth(0.1 * mm)
    for i in range(4):
        x, y = LEFT + i * W, TOP + i * H
        canvas.line(x * mm, (TOP - 7) * mm, x * mm, (TOP - 3) * mm)
        canvas.line(x * mm, (TOP + 3 * H + 3) * mm, x * mm, (TOP + 3 * H + 7) * mm)
        canvas.line((LEFT - 6.3) * mm, y * mm, (LEFT - 3) * mm, y * mm)
        canvas.line((LEFT + 3 * W + 3) * mm, y * mm, (LEFT + 3 * W + 6.3) * mm, y * mm)


def main(count: int, out: str) -> None:
    sans = f"{font_source_sans_pro.__path__[0]}/files/SourceSansPro-Regular.ttf"
    serif = f"{font_source_serif_pro.__path__[0]}/files/SourceSerifPro-Bold.ttf"
    pdfmetrics.registerFont(TTFont("sans", sans))
    pdfmetrics.registerFont(TTFont("serif", serif))
    canvas = Canvas(out, pagesize=(210 * mm, 297 * mm), pageCompression=1)
    for n in range(count):
        place = n % 9
        card(canvas, n, LEFT + place % 3 * W, TOP + (2 - place // 3) * H)
        if place == 8 or n == count - 1:
            crop_marks(canvas)
            canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
