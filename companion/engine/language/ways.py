"""The words by which people say each kind of move, and how well those of a line fit them.

Each kind has a bag of words: its verbs and what means the same, its fields and their nouns, what it is (its docstring),
and the ways to say it that stand under `moves` in the game's `glossary.yaml`. A word counts for a kind the more, the
fewer kinds have it (inverse document frequency, Sparck Jones 1972).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from companion.engine.language.fields import fields
from companion.engine.language.synonyms import ALIKE, PAST
from companion.engine.language.verbs import verbs
from companion.engine.language.words import Token, singular, tokens
from companion.engine.play.domains import Flag
from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from companion.engine.play.spoken import with_steps

WAY, VERB, ALSO, FIELD, ABOUT = 1.0, 1.0, 0.6, 0.5, 0.25
"""What a word counts that stands in a way to say a move, in its verb, for its verb, for a field, in what it is."""
NOT = "not"
_DENYING = "no not none nothing nobody never neither nor without don't doesn't didn't won't isn't can't cannot nowhere"
DENYING = frozenset(_DENYING.split()) | {word.replace("'", "") for word in _DENYING.split() if "'" in word}
"""Words that deny. A guess passes over none of them: they have to be a way to say the move."""
_SMALL = (
    "a an the of in on at by for from with and or is are be been was were am to that this these those it its i me my "
    "we our us they their them he his him she her you your so then now here there as has have had will would s "
    "just okay ok right well let lets please who which what also too theirs hers mine but if"
)
SMALL = frozenset(_SMALL.split())
"""Words that say nothing about what is done."""


@lru_cache(8192)
def stem(word: str) -> str:
    """A word without its endings, so that `claims`, `claimed` and `claiming` are one. It need not be a word."""
    if word in DENYING:
        return NOT
    word = PAST.get(word, word.removesuffix("'s"))
    word = singular(word)
    for ending in ("ing", "ed", "er", "ion"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word.removesuffix(ending)
            word = word[:-1] if word[-1:] == word[-2:-1] and word[-1:] not in "sl" else word
            break
    return word.removesuffix("e") if len(word) > 3 else word


class Ways:
    """The words of every kind of move of a game, and how much each of them tells."""

    def __init__(self, rules: Rules, at: Position[Any]) -> None:
        kinds = with_steps(rules.moves.values())
        said: Mapping[str, Iterable[str]] = rules.game.ways
        phrases = rules.game.phrases
        self.words = {kind: _words(kind, said, phrases, at) for kind in kinds}
        many = len(self.words)
        having: dict[str, int] = {}
        for words in self.words.values():
            for word in words:
                having[word] = having.get(word, 0) + 1
        self._telling = {word: math.log(1 + many / n) / math.log(1 + many) for word, n in having.items()}

    def like(self, kind: type[Move], words: Iterable[str]) -> float:
        """The likeness of some stems to a kind of move: about 1 for each that only this kind has."""
        known = self.words[kind]
        return sum(known[word] * self._telling[word] for word in dict.fromkeys(words) if word in known)

    def knows(self, kind: type[Move], word: str) -> bool:
        return word in self.words[kind]


def _words(
    kind: type[Move], said: Mapping[str, Iterable[str]], phrases: Mapping[str, Iterable[str]], at: Position[Any]
) -> dict[str, float]:
    found: dict[str, float] = {}

    def add(text: str, weight: float) -> None:
        for word in stems(tokens(text)):
            found[word] = max(weight, found.get(word, 0.0))

    add(" ".join((kind.__doc__ or "").split()), ABOUT)
    for field in fields(kind):
        domain = field.domain
        if domain is not None:
            add(" ".join([field.name.replace("_", " ").replace(".", " "), *domain.lead, *domain.nouns(at)]), FIELD)
            add(" ".join(domain.words) if isinstance(domain, Flag) else "", FIELD)
    for verb in verbs(kind):
        add(verb.replace("_", " "), VERB)
        for word in tokens(verb):
            add(" ".join(other for group in ALIKE if word.text in group for other in group), ALSO)
    for text in (*said.get(kind.name or kind.__name__, ()), *phrases.get(kind.name, ())):
        add(text, WAY)
    return found


def stems(words: Iterable[Token]) -> list[str]:
    """The stems of words that say something."""
    return [stem(word.text) for word in words if word.text not in SMALL and word.text]


def ways_of(at: Position[Any]) -> Ways:
    """The words of the kinds of moves of a position's game, made once."""
    kept = at.rules.__dict__
    if "_ways" not in kept:
        kept["_ways"] = Ways(at.rules, at)
    ways: Ways = kept["_ways"]
    return ways


__all__ = ["DENYING", "NOT", "SMALL", "Ways", "stem", "stems", "ways_of"]
