"""The names in the options of a build: papers, and the pieces of `--only`."""

from __future__ import annotations

from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import did_you_mean
from generator.paper.formats import Paper


class NoSuchPaper(Exception):
    """There is no paper of that name; the message names the nearest."""


class NothingToBuild(Exception):
    """`only` names nothing this game has; the message says what there is."""


def chosen(game: ResolvedGame, only: tuple[str, ...]) -> list[ResolvedPiece]:
    """The pieces `only` asks for by kind, set, `set/piece` or the id of a piece; all if it is empty. Those that
    are used instead of others (`instead_of`) have to be asked for by set or id.

    Raises NothingToBuild.
    """
    plain = [p for p in game.pieces if not p.instead_of]
    if not only:
        return plain
    found: list[ResolvedPiece] = []
    for word in only:
        hits = [p for p in plain if word == p.kind] + [p for p in game.pieces if word in (p.set, f"{p.set}/{p.id}")]
        hits = hits or [p for p in game.pieces if p.id == word]
        if not hits:
            printed = [p for p in game.pieces if p.copies]
            names = sorted({name for p in printed for name in (p.kind, p.set)})
            ids = [name for p in printed for name in (p.id, f"{p.set}/{p.id}")]
            hint = did_you_mean(word, [*names, *ids]) or did_you_mean(word, names, listing="there are")
            raise NothingToBuild(f"{game.id} has no kind, deck or piece '{word}'; {hint}")
        found += [p for p in hits if p not in found]
    return [p for p in game.pieces if p in found]


def known_paper(name: str, papers: dict[str, Paper]) -> Paper:
    """The paper of that name. Raises NoSuchPaper."""
    if name not in papers:
        raise NoSuchPaper(f"unknown paper '{name}'; {did_you_mean(name, papers, listing='there are')}")
    return papers[name]
