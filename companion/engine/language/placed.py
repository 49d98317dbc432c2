"""Places for the steps of a turn that lack one: `a wall and a tower in donghu`."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine.language.fields import fields, value_of
from companion.engine.language.steps import Item, is_said
from companion.engine.language.words import Token, number
from companion.engine.play.parts import Part


def _placed_first(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Steps whose place is said before them, each with it: `fortifies donghu with 2 walls and a tower`."""
    if not items or items[0].named or not is_said(items[0].part):
        return items
    first = fields(type(items[0].part))[0]
    there = value_of(items[0].part, first)
    placed: list[Item] = []
    for item in items[1:]:
        own = fields(type(item.part))[0]
        if own.group != first.group or is_said(item.part):
            break
        placed.append(item._replace(part=replace(item.part, **{own.attributes[0]: there})))
    return (*placed, *items[1 + len(placed) :]) if placed else items


def _each_once(items: tuple[Item, ...], words: list[Token]) -> tuple[Item, ...]:
    """Without steps that the same number of those after them says one by one."""
    for n, (part, start, *_) in enumerate(items):
        several = sum(1 for item in items[n:] if item.start == start and item.part == part)
        after = items[n + several : n + 2 * several]
        alike = all(type(item.part) is type(part) and number(words[item.start].text) == 1 for item in after)
        if several > 1 and not is_said(part) and len(after) == several and alike:
            return (*items[:n], *items[n + several :])
    return items


def in_one_place(items: tuple[Item, ...], breaks: frozenset[int], words: list[Token]) -> list[Part]:
    """The steps, where several are said together and then one by one (`two soldiers, one in linhu and one in donghu`)
    each once; one that names no place is where the next one is, if no comma parts them: `a wall and a tower in
    donghu`. Those that are said to come first do."""
    items = _placed_first(_each_once(items, words))
    parts: list[Part] = []
    for n in range(len(items) - 1, -1, -1):
        part, start, *_ = items[n]
        if parts and not is_said(part) and is_said(parts[0]):
            mine, theirs = fields(type(part))[0], fields(type(parts[0]))[0]
            after = items[n + 1].start
            if mine.group == theirs.group and not any(start < place <= after for place in breaks):
                part = replace(part, **{mine.attributes[0]: value_of(parts[0], theirs)})
        parts.insert(0, part)
    firsts = [part for item, part in zip(items, parts, strict=True) if item.first]
    return [*firsts, *(part for item, part in zip(items, parts, strict=True) if not item.first)]


__all__ = ["in_one_place"]
