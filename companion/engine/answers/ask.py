"""Finding rules, rulings and cards by words, and showing one rule with everything that is known about it.

A small search engine:

1. A question becomes ideas (`talk.py`), each of them words that mean the same. An idea counts in a text as much as its
   best word does there (BM25), and the more, the fewer texts have it. Texts that have more of the ideas come first. A
   section full of matches lends weight to each rule of it.
2. Beside that counts how like the question is to those that the glossary lists for a rule, and to the titles. A text
   comes first if its own question was asked.
3. And it counts how much a text and its questions speak of the same things in whatever words (`concepts.py`).
4. A card that is named comes first if nothing else was asked; otherwise it follows the best rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.answers.index import Index, Text
from companion.engine.answers.talk import SMALL, Idea, ideas, words_of
from companion.engine.errors import CompanionError
from components.model import ResolvedGame, ResolvedPiece, ResolvedRule
from components.phrasing import nearest

COVERED = 0.8
"""The part of its score that a text has only in so far as it has all ideas of a question."""
COHERENT = 0.8
"""How much of the score of a section goes to each of its rules."""
LIKE = 1.5
"""How much it counts that a text answers the very question, beside having the best words."""
SPOKEN = 1.5
"""How much it counts that a text and its questions speak of what is asked, beside having the best words."""
SAME = 0.85
"""A question so like the one asked is that question: its text comes first."""
BEFORE = 3
"""How many texts come before a card that is named, unless nothing else is asked."""


class Found(msgspec.Struct, kw_only=True):
    """One answer: a rule, a ruling (`text` is its answer), or a piece (its `id` is `set/piece`)."""

    kind: str
    id: str
    title: str
    text: str
    rules: list[str]
    score: float = 0.0


def search(game: ResolvedGame, words: str, n: int = 5, folder: Path | None = None) -> list[Found]:
    """The rules, rulings and cards that fit `words` best. `folder`: where the index of a game is kept."""
    said = words_of(words)
    texts = [Found(kind="rule", id=r.id, title=r.title, text=r.text, rules=[r.id]) for r in game.rules.values()]
    texts += [Found(kind="ruling", id=r.id, title=r.question, text=r.answer, rules=list(r.rules)) for r in game.rulings]
    texts += [_found(piece) for piece in game.pieces if piece.text and f"{piece.set}/{piece.id}" in game.questions]
    with closing(Index([_indexed(one, game) for one in texts], game.glossary, folder)) as index:
        about = ideas(said, game.glossary, index.stems)
        _weigh(texts, about, index)
        like = index.likeness(said, about) if about else {}
        spoken = index.concepts.spoken(said, len(texts)) if about else {}
    _lend(texts, game)
    best = max((one.score for one in texts), default=0.0) or 1.0
    most = max(spoken.values(), default=0.0) or 1.0
    for row, one in enumerate(texts):
        nearest, likeness = like.get(row, (0.0, 0.0))
        one.score = one.score / best + LIKE * likeness + (1.0 if nearest >= SAME else 0.0)
        one.score += SPOKEN * spoken.get(row, 0.0) / most
    asked_of = {one.id: one for one in texts}
    pieces = _pieces(game, said)
    ranked = sorted((one.score for one in texts), reverse=True) or [0.0]
    for piece in pieces:
        more = set(said) - SMALL - set(words_of(piece.title))
        piece.score = ranked[min(BEFORE, len(ranked)) - 1] if more else 2 * ranked[0] + 1
        if (same := asked_of.get(piece.id)) is not None:
            same.score = max(same.score, piece.score)
    # A card after the texts as good as it.
    found = [*texts, *(piece for piece in pieces if piece.id not in asked_of)]
    return sorted((one for one in found if one.score > 0), key=lambda one: -one.score)[:n]


def _found(piece: ResolvedPiece) -> Found:
    governed = [piece.rule] if piece.rule else []
    return Found(kind="piece", id=f"{piece.set}/{piece.id}", title=piece.name, text=piece.text, rules=governed)


def _indexed(one: Found, game: ResolvedGame) -> Text:
    section = game.rules[one.id].section if one.kind == "rule" else ""
    return Text(one.title, one.text, section, game.questions.get(one.id, []))


def _weigh(texts: list[Found], ideas: list[Idea], index: Index) -> None:
    """Give each text its score for the ideas of a question."""
    everything = 0.0
    covered = [0.0] * len(texts)
    for idea in ideas:
        counts: dict[int, float] = {}
        has: dict[int, float] = {}
        for word, weight in idea.items():
            for row, share in index.shares(word).items():
                counts[row] = max(counts.get(row, 0.0), share * weight)
                has[row] = max(has.get(row, 0.0), weight)
        often = sum(has.values())
        rare = math.log(1 + (len(texts) - often + 0.5) / (often + 0.5))
        everything += rare if counts else 0.0
        for row, count in counts.items():
            texts[row].score += rare * count
            covered[row] += rare * has[row]
    for one, share in zip(texts, covered, strict=True):
        one.score *= 1 - COVERED + COVERED * share / everything if everything else 0.0


def _lend(texts: list[Found], game: ResolvedGame) -> None:
    """Let sections lend weight to their rules."""
    sections: dict[str, list[Found]] = {}
    for one in texts:
        if one.kind == "rule" and one.score:
            sections.setdefault(game.rules[one.id].section, []).append(one)
    for rules in sections.values():
        weight = sum(sorted(one.score for one in rules)[-3:]) / 3
        for one in rules:
            one.score += COHERENT * weight


def _pieces(game: ResolvedGame, said: list[str]) -> list[Found]:
    """Cards and other pieces whose whole name is said, with what they do; one of each name. One that is a rule by
    itself is left to that rule."""
    asked = f" {' '.join(said)} "
    named: dict[str, ResolvedPiece] = {}
    for piece in game.pieces:
        if piece.text:
            named.setdefault(piece.name, piece)
    found: list[Found] = []
    for piece in named.values():
        name = " ".join(words_of(piece.name))
        if name and name not in SMALL and any(f" {name}{ending} " in asked for ending in ("", "s", "es")):
            found.append(_found(piece))
    return [one for one in found if not any(game.rules[rule].title == one.title for rule in one.rules)]


class NoSuchRule(CompanionError):
    """A rule id that the game does not have."""

    kind = "unknown"


def searched_instead(game: ResolvedGame, said: str, folder: Path | None = None) -> list[Found]:
    """The results to show for a rule id that does not exist: a search for the words, unless they look like an id."""
    like_an_id = any(sign.isdigit() for sign in said) or said.strip().lower().startswith(f"{game.prefix.lower()}-")
    return [] if like_an_id else search(game, said, folder=folder)


class RuleView(msgspec.Struct, kw_only=True):
    """A rule with today's numbers, where it comes from, its parameters and the rulings that cite it."""

    rule: ResolvedRule
    off: bool
    parameters: dict[str, Any]
    rulings: list[dict[str, str]]
    pieces: list[str]


def view(game: ResolvedGame, rule_id: str) -> RuleView:
    """Everything about one rule; the id's case does not matter, nor does a beginning that goes without saying
    (`WAR-9`). Raises NoSuchRule naming the nearest ids."""
    by_lower = {known.lower(): known for known in game.rules}
    wanted = rule_id.strip().upper()
    known = by_lower.get(wanted.lower())
    same = _numbered_like(wanted, game.rules) if known is None else []
    if len(same) == 1:
        known = same[0]
    if known is None:
        close = list(dict.fromkeys([*same, *nearest(wanted, game.rules, 5, 0.5)]))[:5]
        hint = f"nearest: {', '.join(close)}" if close else f"ids look like {next(iter(game.rules), '-')}"
        raise NoSuchRule(f"{game.title} has no rule {rule_id!r}; {hint}")
    rule = game.rules[known]
    return RuleView(
        rule=rule,
        off=known in game.off,
        parameters={name: game.params.get(name) for name in rule.parameters},
        rulings=[{"id": r.id, "question": r.question, "answer": r.answer} for r in game.rulings if known in r.rules],
        pieces=[piece.name for piece in game.pieces if piece.rule == known],
    )


def _numbered_like(wanted: str, ids: Iterable[str]) -> list[str]:
    """Ids that hold `wanted` as whole parts: `WAR-9` finds `WS-WAR-9`, `TAX` and `WS-TAX` find `WS-TAX-1` and on."""
    return [known for known in ids if f"-{wanted}-" in f"-{known.upper()}-"]


__all__ = ["Found", "NoSuchRule", "RuleView", "search", "searched_instead", "view"]
