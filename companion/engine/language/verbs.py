"""The verbs of a move: everything a person may type for its name."""

from __future__ import annotations

from functools import cache
from itertools import product

from companion.engine.language.words import Phrasebook, singular
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


def phrases(*slots: tuple[str, ...]) -> tuple[str, ...]:
    """Every verb made of one word or phrase of each slot: `place disc`, `lay disc`; an empty one is left out."""
    return tuple(" ".join(filter(None, words)) for words in product(*slots))


__all__ = ["around", "phrases", "verb_book", "verbs"]
