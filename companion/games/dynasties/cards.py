"""Cards: what a deck holds, and which cards a player can still have (rules DY-CARD)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.moves import Breach

from .catalogue import At, cat, name


def copies(at: At) -> dict[str, int]:
    """Label -> copies in each player's deck (DY-CARD-3)."""
    return cat(at).decks[at.state.options.deck]


def yellow(at: At) -> int:
    """Yellow cards of one deck; all of them are in hand when the cards are laid (DY-CARD-1)."""
    return cat(at).yellow[at.state.options.deck]


def deck_size(at: At) -> int:
    """Cards of one player, wherever they are."""
    return sum(copies(at).values())


def whites_shown(at: At, player: str) -> list[str]:
    """White cards a player has shown in this Dynasty (DY-CARD-2)."""
    return [label for label in at.state.players[player].shown.values() if not cat(at).cards[label].yellow]


def impossible(at: At, player: str, label: str) -> Iterator[Breach]:
    """A card of which every copy has left the game or lies open (DY-CARD-4)."""
    p = at.state.players[player]
    total, out = copies(at).get(label, 0), p.removed.count(label)
    provinces = [province for province, other in p.shown.items() if other == label]
    if out + len(provinces) < total:
        return
    key = "both" if out and provinces else "shown" if provinces else "removed" if total else "none"
    facts = {"copies": total, "removed": out, "provinces": provinces}
    yield at.breach(f"DY-CARD-4.{key}", player=name(player), card=label, **facts)


def too_many_whites(at: At, player: str, label: str) -> Iterator[Breach]:
    """More white cards than the hand held when the cards were laid (DY-CARD-5)."""
    hand, shown = at.state.players[player].hand_at_deploy, whites_shown(at, player)
    whites = hand - yellow(at)
    if not cat(at).cards[label].yellow and len(shown) >= whites:
        facts = {"hand_at_deploy": hand, "yellow": yellow(at), "white_cards": whites, "shown": [*shown, label]}
        yield at.breach("DY-CARD-5.shown", player=name(player), card=label, **facts)
