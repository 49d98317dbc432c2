"""Finding rules and rulings by words, and showing one rule with everything that is known about it.

Scoring is BM25 over the words of each text, endings cut off; words of titles and questions count more. A few words of
table talk find the words that rulebooks use instead.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from components.model import ResolvedGame, ResolvedRule
from components.phrasing import nearest

K1, B = 1.4, 0.6
"""BM25: how soon repetition stops counting, and how much long texts are held back."""
TITLE_WEIGHT = 3

_SMALL = """a an the of to in on at by for from with and or is are be was were do does did may can could must
shall should i my you your he his she her it its they them we our if when what which who whom how that this there as
not no so"""
_STOP = frozenset(_SMALL.split())
_PAIRS = """lost lose won win fought fight bought buy drew draw drawn draw held hold paid pay sold sell built build
took take taken take gave give given give chose choose chosen choose sent send"""
_IRREGULAR = dict(zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True))
_ALIKE = {
    "tie": "equal level same",
    "equal": "tie",
    "level": "tie equal",
    "twice": "again",
    "money": "coin pay",
    "price": "cost pay",
    "cost": "pay price",
    "buy": "pay cost build",
    "kill": "lose destroy remove",
    "dead": "lose destroy remove",
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
ALIKE_WEIGHT = 0.5
"""How much a word counts that was not said but means about the same."""


class Found(msgspec.Struct, kw_only=True):
    """One answer: a ruling (`text` is its answer) or a rule."""

    kind: str
    id: str
    title: str
    text: str
    rules: list[str]
    score: float


def search(game: ResolvedGame, words: str, n: int = 5) -> list[Found]:
    """The rulings and rules that fit `words` best. Rulings come first where they fit about as well."""
    wanted = dict.fromkeys(_stems(words), 1.0)
    for word in list(wanted):
        for other in _stems(_ALIKE_STEMS.get(word, "")):
            wanted.setdefault(other, ALIKE_WEIGHT)
    texts: list[tuple[Found, Counter[str]]] = []
    for ruling in game.rulings:
        found = Found(
            kind="ruling", id=ruling.id, title=ruling.question, text=ruling.answer, rules=list(ruling.rules), score=0.0
        )
        texts.append((found, _counted(ruling.question, ruling.answer, "")))
    for rule in game.rules.values():
        found = Found(kind="rule", id=rule.id, title=rule.title, text=rule.text, rules=[rule.id], score=0.0)
        texts.append((found, _counted(rule.title, rule.text, rule.reason)))
    _score(wanted, texts)
    ranked = sorted((f for f, _ in texts if f.score > 0), key=lambda f: (-f.score, f.kind != "ruling", f.id))
    return ranked[:n]


def _score(wanted: dict[str, float], texts: list[tuple[Found, Counter[str]]]) -> None:
    if not texts:
        return
    lengths = [sum(words.values()) for _, words in texts]
    average = sum(lengths) / len(lengths) or 1.0
    for word, said in wanted.items():
        having = sum(word in words for _, words in texts)
        if not having:
            continue
        weight = said * math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        for (found, words), length in zip(texts, lengths, strict=True):
            times = words[word]
            if times:
                found.score += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * length / average))
    for found, _ in texts:
        if found.kind == "ruling":
            found.score *= 1.15


def _counted(title: str, text: str, more: str) -> Counter[str]:
    words = Counter(_stems(text))
    words.update(_stems(more))
    for word in _stems(title):
        words[word] += TITLE_WEIGHT
    return words


def _stems(text: str) -> list[str]:
    return [_stem(w) for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in _STOP]


def _stem(word: str) -> str:
    """The word without its English ending, roughly: `allied`, `allies`, `ally` become one."""
    word = _IRREGULAR.get(word, word)
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ers", "er"), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + instead
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_ALIKE_STEMS = {_stem(word): others for word, others in _ALIKE.items()}


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
