"""Clans as sentences write them: a name has a capital, though nobody types it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from components.sentences import Sentence


class ClanSentence(Sentence):
    """A sentence in which the clans among its facts are written as names: `Pine pays 2 chi`."""

    __slots__ = ("clans",)

    def __init__(self, text: str, clans: Collection[str], plurals: Mapping[str, str]) -> None:
        super().__init__(text, plurals)
        self.clans = frozenset(clans)

    def say(self, facts: Mapping[str, Any]) -> str:
        return super().say({name: self.written(fact) for name, fact in facts.items()})

    def written(self, fact: Any) -> Any:
        """A fact with its clans as names."""
        if isinstance(fact, str):
            return fact.capitalize() if fact in self.clans else fact
        if isinstance(fact, Mapping):
            return {self.written(key): value for key, value in fact.items()}
        if isinstance(fact, list | tuple):
            return [self.written(one) for one in fact]
        return fact
