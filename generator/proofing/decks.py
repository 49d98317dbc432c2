"""Checks of several faces together: backs that could mark a card, and colours that merge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from PIL.Image import Image

from generator.faces.look import Look
from generator.proofing.bars import Bars
from generator.proofing.colour import EYES, Rgb, difference, lab, rgb
from generator.proofing.finding import Finding
from generator.proofing.pictures import thumbnail, upside_down


def asymmetric(back: Image, bars: Bars) -> Iterator[Finding]:
    """A back that tells which way up its card lies."""
    found = upside_down(back)
    if found > bars.symmetry:
        what = f"the back looks different upside down (by {found:.0f} of 255 at its worst place): it marks its cards"
        yield Finding("LAY-034", what, "make it the same after half a turn", found)


def merging_backs(backs: Mapping[str, Image], bars: Bars) -> Iterator[tuple[str, Finding]]:
    """Decks of one format (`backs`: a name for each) whose backs some eyes, or a grey printer, do not tell apart."""
    small = {name: thumbnail(picture) for name, picture in backs.items()}
    for one, other in combinations(small, 2):
        if small[one].size != small[other].size:
            continue
        pairs = list(zip(cells(small[one]), cells(small[other]), strict=True))
        for eyes, apart, least in seen_apart(pairs, bars):
            what = f"the backs of {one} and {other} look alike {eyes}: they differ by {apart:.0f}, {least:g} is needed"
            yield one, Finding("LAY-035", what, "change the colour or the pattern of one of them", least - apart)
            break


def merging_seats(look: Look, ink: str, bars: Bars) -> Iterator[tuple[str, Finding]]:
    """Seats that differ by colour alone, and whose colours merge."""
    for (one, a), (other, b) in combinations(look.theme.seats.items(), 2):
        if (a.emblem and b.emblem and a.emblem != b.emblem) or (a.pattern and b.pattern and a.pattern != b.pattern):
            continue
        pair = rgb(look.colour(a.colour, ink)), rgb(look.colour(b.colour, ink))
        for eyes, apart, least in seen_apart([pair], bars):
            what = (
                f"the colours of {one} and {other} look alike {eyes}: they differ by {apart:.0f}, {least:g} is needed"
            )
            hint = "change one of them, or give each seat a pattern or an emblem of its own"
            yield one, Finding("LAY-035", what, hint, least - apart)
            break


def seen_apart(pairs: Sequence[tuple[Rgb, Rgb]], bars: Bars) -> Iterator[tuple[str, float, float]]:
    """The eyes that cannot tell two pictures apart, given as pairs of colours: words, difference, bar."""
    for eyes in EYES:
        found = max(difference(a, b, eyes) for a, b in pairs)
        if found < bars.apart:
            yield f"to eyes that see {eyes}", found, bars.apart
    grey = max(abs(lab(a)[0] - lab(b)[0]) for a, b in pairs)
    if grey < bars.apart_grey:
        yield "in grey", grey, bars.apart_grey


def cells(picture: Image) -> list[Rgb]:
    """The colours of a picture, cell by cell."""
    content = picture.tobytes()
    return [(content[n], content[n + 1], content[n + 2]) for n in range(0, len(content), 3)]
