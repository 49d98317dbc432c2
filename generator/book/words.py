"""Values and texts of a game as a rulebook prints them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from components.model import ResolvedGame
from generator.faces.richtext import plain


def ranges(pages: list[int]) -> str:
    """`3, 7-9, 12`: page numbers with runs of three or more drawn together."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    return ", ".join(f"{r[0]}–{r[-1]}" if len(r) > 2 else ", ".join(map(str, r)) for r in runs)


_DOES = re.compile(r"([A-Z][\w’']*) ((?:is|has|goes|[a-z]+s) [^:;.]+)\Z")
"""Somebody, and what they do."""
_AT_ONCE = 3
"""So many things that one person does make a sentence."""


def joined(said: Sequence[str]) -> list[str]:
    """The events as people tell them, each a sentence without its full stop: nothing that the next one tells in full,
    and consecutive actions of one person in one sentence."""
    once = [words for words, after in zip(said, [*said[1:], ""], strict=False) if not after.startswith(f"{words} ")]
    found: list[str] = []
    run: list[str] = []
    who = ""
    for words in [*once, ""]:
        does = _DOES.match(words)
        if run and (does is None or does[1] != who or len(run) == _AT_ONCE):
            found.append(f"{who} {_listed(run)}")
            run = []
        if does is not None:
            who = does[1]
            run.append(does[2])
        elif words and found and found[-1][-1].isdigit() and words[0].isdigit():
            found[-1] += f"; {words}"  # two numbers on either side of a full stop read as one
        elif words:
            found.append(words)
    return found


def _listed(said: Sequence[str]) -> str:
    """Things that somebody does, the last after `and`, with a comma where they have one or an `and` of their own."""
    if len(said) == 1:
        return said[0]
    apart = ", and " if len(said) > 2 or any(" and " in one or "," in one for one in said) else " and "
    return ", ".join(said[:-1]) + apart + said[-1]


def shown(value: object) -> str:
    """The value of a parameter, as a reader should see it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{plain(str(k))}{':' * str(k).isdigit()} {shown(v)}" for k, v in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, dict) for v in value) else ", ").join(shown(v) for v in value)
    return plain(str(value))


def has_source(game: ResolvedGame) -> bool:
    """True if any rule of a game was given by a source, so that the others add to it or settle it."""
    return any(rule.origin == "given" for rule in game.rules.values())
