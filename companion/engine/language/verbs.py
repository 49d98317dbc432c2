"""The verbs of a move: everything a person may type for its name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.engine.language.words import NUMBERS, Phrasebook, singular, squeezed
from companion.engine.play.moves import Move


def verbs(kind: type[Move]) -> list[str]:
    """Everything a person may type for a move's name."""
    names = (kind.name.replace("_", " "),) if kind.name_is_verb else ()
    return [word for word in dict.fromkeys((*kind.words, *names, kind.name)) if word]


@cache
def verb_book(kind: type[Move]) -> Phrasebook:
    """The verbs of a move, ready to be matched. Its first words and its name are known by their beginning; of any other
    verb of several words the first alone may say something else: `keep` is not `keep attacking`."""
    known = verbs(kind)
    whole = {verb.lower() for verb in known if verb not in (known[0], kind.name.replace("_", " "))}
    return Phrasebook(dict.fromkeys(known, kind), shortened=True, whole=whole)


@cache
def around(kind: type[Move]) -> dict[str, list[tuple[str, ...]]]:
    """The verbs of several words by the first of them: the rest of each, all in the singular."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in map(str.split, verbs(kind)):
        if rest:
            found.setdefault(singular(first), []).append(tuple(map(singular, rest)))
    return found


class Lexicon:
    """The verbs of several kinds of moves, by how they begin: few kinds need to be asked about a word."""

    def __init__(self, kinds: Iterable[type[Move]]) -> None:
        self._by_sign: dict[str, dict[type[Move], int]] = {}
        self._apart: dict[str, list[tuple[type[Move], list[tuple[str, ...]]]]] = {}
        for place, kind in enumerate(kinds):
            for sign in verb_book(kind).signs():
                self._by_sign.setdefault(sign, {})[kind] = place
            for first, rests in around(kind).items():
                self._apart.setdefault(first, []).append((kind, rests))

    def beginning_like(self, word: str) -> list[type[Move]]:
        """The kinds of which a verb may begin with `word`, or be begun by it, in their order."""
        signs = {word[:1], squeezed(word)[:1], str(NUMBERS.get(singular(word), ""))[:1]} - {""}
        found = {kind: place for sign in signs for kind, place in self._by_sign.get(sign, {}).items()}
        return sorted(found, key=found.__getitem__)

    def apart(self, word: str) -> list[tuple[type[Move], list[tuple[str, ...]]]]:
        """The kinds with verbs of several words of which `word` is the first, and the rest of those verbs."""
        return self._apart.get(singular(word), [])


__all__ = ["Lexicon", "around", "verb_book", "verbs"]
