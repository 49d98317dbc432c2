"""Cards: what a deck holds, and which cards a player can still have (rules DY-CARD)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules import Breach

from .catalogue import At, Facts, cat, name
from .state import Player


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
    p, cards, n = at.state.players[player], cat(at).cards, copies(at).get(label, 0)
    removed, shown = p.removed.count(label), [*p.shown.values(), label]
    if removed + shown.count(label) > n:
        provinces = [province for province, other in p.shown.items() if other == label]
        key = "both" if removed and provinces else "shown" if provinces else "removed" if n else "none"
        facts: Facts = {
            "player": name(player),
            "card": label,
            "copies": n,
            "removed": removed,
            "shown": len(provinces),
            "provinces": provinces,
        }
        yield at.breach(f"DY-CARD-4.{key}", **facts)
    elif not cards[label].yellow and len(whites := [one for one in shown if not cards[one].yellow]) > white_cards(
        at, p
    ):
        facts = {"player": name(player), "card": label, "white_cards": white_cards(at, p), "shown": whites}
        yield at.breach("DY-CARD-5.shown", **facts, hand_at_deploy=p.hand_at_deploy, yellow=yellow(at))


def white_cards(at: At, p: Player) -> int:
    """White cards in a player's hand when the cards were laid: what it held beside the yellow ones."""
    return p.hand_at_deploy - yellow(at)
