"""Checks of `rulebook.yaml` that hold for every variant: one kind of content in each part, and what it names exists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from components.book import FILE, parts_of
from components.bookmodel import CONTENTS, Part
from components.errors import Problem
from components.loader import Definition
from components.model import GameFile
from components.phrasing import did_you_mean, join_and

PathKey = tuple[Any, ...]
Named = Iterator[tuple[str, PathKey]]


def check_book(
    definition: Definition, game: GameFile, rules: Callable[[str, Named], Iterator[Problem]]
) -> Iterator[Problem]:
    """The problems of a game's book, whatever the variant. `rules` checks ids of rules."""
    if definition.book is None:
        return
    source = definition.source(FILE)
    parts = list(parts_of(definition.book))
    for part, path in parts:
        found = [name for name in CONTENTS if getattr(part, name)]
        if len(found) != 1:
            what = f"a part has exactly one kind of content; this one has {join_and(found) if found else 'none'}"
            yield source.problem("DEF-070", what, path, hint=f"one of {', '.join(CONTENTS)}")
        if part.section and part.section not in game.sections:
            hint = did_you_mean(part.section, game.sections, listing="sections")
            yield source.problem("DEF-043", f"there is no section '{part.section}'", (*path, "section"), hint=hint)
    yield from rules(FILE, _rules_named(parts))
    yield from _twice(source, parts)
    pieces = {f"{s.set}/{p.id}" for s in definition.sets.values() for p in s.pieces}
    pieces |= {f"{name}/{p.id}" for v in definition.variants.values() for name, ps in v.pieces.items() for p in ps}
    sets = {s.set for s in definition.sets.values()}
    unread = any(file not in definition.sources or "/" not in file for file in definition.broken)
    for name, path in _pieces_named(definition.book, parts):
        bare = name.partition("#")[0]
        if not unread and bare not in pieces and bare not in sets:
            hint = did_you_mean(bare, pieces | sets)
            yield source.problem("DEF-047", f"there is no piece or set '{bare}'", path, hint=hint)
    if "rulings.yaml" in definition.sources and "rulings.yaml" not in definition.broken:
        rulings = [ruling.id for ruling in definition.rulings.rulings]
        for part, path in parts:
            for n, name in enumerate([*part.questions, *part.seen]):
                if name != "all" and name not in rulings:
                    hint = did_you_mean(name, rulings)
                    yield source.problem("DEF-071", f"there is no ruling '{name}'", (*path, "questions", n), hint=hint)
    for part, path in parts:
        for n, name in enumerate(part.variants):
            if name not in definition.variants and f"variants/{name}.yaml" not in definition.broken:
                hint = did_you_mean(name, definition.variants, listing="variants")
                yield source.problem("DEF-058", f"there is no variant '{name}'", (*path, "variants", n), hint=hint)
    titles = [chapter.title for chapter in (*definition.book.learn, *definition.book.chapters)]
    for part, path in parts:
        for n, stage in enumerate(part.strip):
            if stage.chapter and stage.chapter not in titles:
                hint = did_you_mean(stage.chapter, titles, listing="chapters")
                yield source.problem(
                    "DEF-043", f"there is no chapter '{stage.chapter}'", (*path, "strip", n, "chapter"), hint=hint
                )


def _rules_named(parts: list[tuple[Part, PathKey]]) -> Named:
    """Ids of rules with their places."""
    for part, path in parts:
        yield from ((rule, (*path, "rules", n)) for n, rule in enumerate(part.rules))
        for i, step in enumerate(part.steps):
            yield from ((rule, (*path, "steps", i, "rules", n)) for n, rule in enumerate(step.rules))
        if part.example:
            yield from ((rule, (*path, "example", "rules", n)) for n, rule in enumerate(part.example.rules))


def _twice(source: Any, parts: list[tuple[Part, PathKey]]) -> Iterator[Problem]:
    """Rules that the book would print twice."""
    seen: set[str] = set()
    for rule, path in _rules_named([(part, at) for part, at in parts if not part.example and at[0] != "learn"]):
        if rule in seen:
            yield source.problem("DEF-042", f"the book prints the rule '{rule}' twice", path)
        seen.add(rule)


def _pieces_named(book: Any, parts: list[tuple[Part, PathKey]]) -> Named:
    """Pieces and sets with their places."""
    if book.reference:
        yield book.reference.piece, ("reference", "piece")
    yield from ((name, ("spare", n)) for n, name in enumerate(book.spare))
    for part, path in parts:
        yield from ((one.piece, (*path, "pictures", n, "piece")) for n, one in enumerate(part.pictures))
        for n, item in enumerate(part.contents):
            yield from ((name, (*path, "contents", n, "sets", i)) for i, name in enumerate(item.sets))
            yield from ((name, (*path, "contents", n, "show", i)) for i, name in enumerate(item.show))
        yield from ((sign.piece, (*path, "key", n, "piece")) for n, sign in enumerate(part.key) if sign.piece)
        yield from ((name, (*path, "cards", n)) for n, name in enumerate(part.cards))
        if part.table and part.table.of:
            yield part.table.of, (*path, "table", "of")
        if part.example:
            yield from ((name, (*path, "example", "cards", n)) for n, name in enumerate(part.example.cards))
