"""Objective cards: the deck, the hands of which only the size is known, and cards that were shown (rules TX-OBJ)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.rules import Breach

from .catalogue import At, cat


def in_deck(at: At) -> int:
    """The number of cards left in the deck; those shown at the end came from hands."""
    s = at.state
    out = sum(p.objectives for p in s.player.values()) + len(s.discarded_objectives)
    return max(0, len(cat(at).objectives) - out)


def draw(at: At, who: str, n: int, rule: str) -> None:
    """Draw so many cards; an empty deck is made of the discarded ones (TX-OBJ-3)."""
    s = at.state
    for _ in range(n):
        if not in_deck(at) and s.discarded_objectives:
            at.note("TX-OBJ-3.shuffled", n=len(s.discarded_objectives))
            s.discarded_objectives.clear()
        if not in_deck(at):
            at.note("TX-OBJ-3.none", player=who)
            return
        s.player[who].objectives += 1
        at.note("TX-OBJ-1.draw", player=who, n=s.player[who].objectives)


def shown(at: At, but: str = "") -> list[str]:
    """The cards that were shown and not shuffled in again; those that score, of all players `but` one."""
    scored = (card for seat, cards in at.state.scored.items() if seat != but for card in cards)
    return [*at.state.discarded_objectives, *scored]


def impossible(at: At, who: str, cards: Iterable[str]) -> Iterator[Breach]:
    """Cards that a player cannot hold: they have been shown."""
    known = shown(at, but=who)
    for card in cards:
        if card in known:
            yield at.breach("TX-OBJ-4.shown", player=who, card=card)
