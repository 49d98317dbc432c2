"""Cards: what a deck holds, and which cards a player can still have (rules DY-CARD)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.moves import Breach
from companion.engine.things.cards import Zone, denial

from .catalogue import At, cat, name


def copies(at: At) -> dict[str, int]:
    """Label -> copies in each player's deck (DY-CARD-3)."""
    return cat(at).decks[at.state.options.deck]


def yellow(at: At) -> int:
    """Yellow cards of one deck; all of them are in hand when the cards are laid (DY-CARD-1)."""
    return sum(cat(at).yellow[at.state.options.deck].values())


def deck_size(at: At) -> int:
    """Cards of one player, wherever they are."""
    return sum(copies(at).values())


def impossible(at: At, player: str, label: str) -> Iterator[Breach]:
    """A card of which every copy has left the game or lies open (DY-CARD-4), or a white card more than the hand held
    beside its yellow ones when the cards were laid (DY-CARD-5)."""
    p, deck, cards = at.state.players[player], copies(at), cat(at).cards
    hand = Zone("in hand", cat(at).yellow[at.state.options.deck], p.hand_at_deploy)
    shown = [*p.shown.values(), label]
    why = denial(deck, hand, [Zone("out of the game", p.removed)], shown)
    if why is None:
        return
    facts = {"player": name(player), "card": label}
    if why.room is not None:
        counted = {"hand_at_deploy": p.hand_at_deploy, "yellow": yellow(at), "white_cards": why.room}
        whites = [other for other in shown if not cards[other].yellow]
        yield at.breach("DY-CARD-5.shown", **facts, **counted, shown=whites)
        return
    provinces = [province for province, other in p.shown.items() if other == label]
    key = "both" if why.elsewhere and provinces else "shown" if provinces else "removed" if why.copies else "none"
    yield at.breach(f"DY-CARD-4.{key}", **facts, copies=why.copies, removed=why.elsewhere, provinces=provinces)
