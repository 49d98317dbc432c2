"""Finding rules and rulings by words, and showing one rule with everything that is known about it.

SQLite's full-text search does the work: its Porter stemmer takes endings off, its BM25 ranks. Words of titles and
questions count more. A few words of table talk find the words that rulebooks use instead.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from components.model import ResolvedGame, ResolvedRule
from components.phrasing import nearest

WEIGHTS = (3.0, 1.0, 1.0, 1.0)
"""How much a word counts in a title or question, a text, the reason of a decision, and the name of a section."""
RULING = 1.15
"""How much better a ruling counts than a rule that fits as well."""
ALIKE = 0.5
"""How much a word counts that was not said but means about the same."""

_SMALL = """a an the of to in on at by for from with and or is are be was were do does did may can could must
shall should i my you your he his she her it its they them we our if when what which who whom how that this there as
not no so"""
_STOP = frozenset(_SMALL.split())
_FORMS = (
    *("lose lost", "win won", "fight fought", "buy bought", "draw drew drawn", "hold held", "pay paid", "sell sold"),
    *("build built", "take took taken", "give gave given", "choose chose chosen", "send sent", "die dies dead"),
)
"""Forms of one word that the stemmer does not know as such."""
_ALIKE = {
    "tie": "equal level same",
    "equal": "tie",
    "level": "tie equal",
    "twice": "again",
    "money": "coin pay",
    "price": "cost pay",
    "cost": "pay price",
    "buy bought": "pay cost build",
    "kill die dead": "lose destroy remove survive",
    "last only": "single one",
    "skip": "pass",
    "finish": "end over",
    "enemy": "opponent rival",
    "opponent": "rival",
    "limit": "most maximum number",
    "maximum": "most limit",
    "swap": "exchange trade",
    "begin": "start first set-up",
    "start": "begin first set-up",
}
_TABLES = """
CREATE VIRTUAL TABLE texts USING fts5(title, body, reason, section, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE forms USING fts5(word, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE alike USING fts5(word, others UNINDEXED, tokenize = 'porter unicode61');
"""


class Found(msgspec.Struct, kw_only=True):
    """One answer: a ruling (`text` is its answer) or a rule."""

    kind: str
    id: str
    title: str
    text: str
    rules: list[str]
    score: float = 0.0


def search(game: ResolvedGame, words: str, n: int = 5) -> list[Found]:
    """The rulings and rules that fit `words` best. Rulings come first where they fit about as well."""
    texts = [
        Found(kind="ruling", id=r.id, title=r.question, text=r.answer, rules=list(r.rules)) for r in game.rulings
    ] + [Found(kind="rule", id=r.id, title=r.title, text=r.text, rules=[r.id]) for r in game.rules.values()]
    more = [("", "") for _ in game.rulings] + [(rule.reason, rule.section) for rule in game.rules.values()]
    with closing(sqlite3.connect(":memory:")) as index:
        index.executescript(_TABLES)
        rows = ((one.title, one.text, *further) for one, further in zip(texts, more, strict=True))
        index.executemany("INSERT INTO texts VALUES (?, ?, ?, ?)", rows)
        index.executemany("INSERT INTO forms VALUES (?)", ((forms,) for forms in _FORMS))
        index.executemany("INSERT INTO alike VALUES (?, ?)", _ALIKE.items())
        said = _words(words)
        forms = _matching(index, "SELECT word FROM forms WHERE forms MATCH ?", said)
        alike = _matching(index, "SELECT others FROM alike WHERE alike MATCH ?", said)
        for wanted, weight in ((said | forms, 1.0), (alike - said - forms, ALIKE)):
            ranks = f"SELECT rowid, -bm25(texts, {', '.join(map(str, WEIGHTS))}) FROM texts WHERE texts MATCH ?"
            for row, score in index.execute(ranks, (_any(wanted),)) if wanted else ():
                texts[row - 1].score += score * weight * (RULING if texts[row - 1].kind == "ruling" else 1)
    ranked = sorted((one for one in texts if one.score > 0), key=lambda one: (-one.score, one.kind != "ruling", one.id))
    return ranked[:n]


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if word not in _STOP}


def _any(words: set[str]) -> str:
    """A query for texts with any of the words."""
    return " OR ".join(f'"{word}"' for word in sorted(words))


def _matching(index: sqlite3.Connection, query: str, words: set[str]) -> set[str]:
    """The words of the rows of a table of words that match any of `words`."""
    return {word for (found,) in index.execute(query, (_any(words),)) for word in found.split()} if words else set()


class NoSuchRule(CompanionError):
    """A rule id that the game does not have."""

    kind = "unknown"


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


__all__ = ["Found", "NoSuchRule", "RuleView", "search", "view"]
