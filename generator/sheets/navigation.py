"""Aids to find a page of a document: outline, page labels and links. Lengths in mm, y downward."""

from __future__ import annotations

import msgspec

from generator.sheets.sheets import Box


class Spot(msgspec.Struct, frozen=True):
    """A place of a document: `page` counts from 0, `x, y` comes to the upper left corner of the window."""

    page: int
    x: float = 0.0
    y: float = 0.0


class Link(msgspec.Struct, frozen=True):
    """A `box` of a page that leads somewhere else in the document."""

    page: int
    box: Box
    to: Spot


class Entry(msgspec.Struct, frozen=True):
    """An entry of the outline; of those below the one before it, where its `level` is higher."""

    title: str
    to: Spot
    level: int = 0


class Navigation(msgspec.Struct, frozen=True):
    """Outline, labels (one for each page, or none at all) and links of one document."""

    outline: tuple[Entry, ...] = ()
    labels: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
