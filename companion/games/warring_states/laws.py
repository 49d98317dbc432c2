"""Laws of every whole position: no token and no card is lost or added, and nobody has less than nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.engine.things.cards import discarded
from components.phrasing import join_and

from .catalogue import At, cards
from .state import State, Units
from .units import Force, in_words, minus, size, together


def miscounted(at: At) -> Iterator[str]:
    """The reasons why the pieces of a position do not add up."""
    s, total = at.state, at["provinces.total"]
    tokens, share = sum(p.provinces.total for p in s.players.values()), total // len(s.seats) * len(s.seats)
    if tokens != share and not at["elimination.at_zero_provinces"]:
        yield f"{tokens} Province Tokens, not {share}"
    for name, elsewhere in lying(s).items():
        n, copies = elsewhere + s.decks.piles()[name].draw, sum(cards(at).copies[name].values())
        if n != copies:
            yield f"{n} {name.capitalize()} cards, not {copies}"
    in_play = [cards(at).generals[general].card for p in s.players.values() for general in p.generals]
    shown = {
        "event": [*s.decks.event.discard, *filter(None, [s.event])],
        "resource": [*in_play, *Counter(s.decks.resource.discard).elements()],
        "battle": s.decks.battle.discard,
    }
    for deck, names in shown.items():
        for card, n in Counter(names).items():
            if n > (copies := cards(at).copies[deck][card]):
                yield f"{card} lies there {n} times, and there are {copies}"


def lying(s: State) -> dict[str, int]:
    """Cards of each deck that lie outside its draw pile."""
    players = s.players.values()
    shown = s.campaign.destiny.values() if s.campaign else ()
    elsewhere = {
        "event": int(s.event is not None),
        "resource": sum(p.resource_hand + len(p.generals) for p in players),
        "battle": sum(p.battle_hand for p in players) + sum(map(bool, shown)),
    }
    return {name: discarded(pile) + elsewhere[name] for name, pile in s.decks.piles().items()}


def at_war(s: State, player: str) -> Units:
    """The units of a player that the war names as committed, engaged or lent."""
    war, c = s.war, s.campaign
    found: list[Force] = [aid for aid in c.allies if aid.player == player] if c else []
    found += [c.committed] if c and player == c.attacker else []
    return together(*found, *([war.engaged] if war and player == war.turn_of else []))


def contradictions(at: At) -> Iterator[tuple[str, str, str]]:
    """(player, field, what is wrong) where a player's cards or units cannot be what the table says of them."""
    for seat, p in at.state.players.items():
        known = {
            "resource_known": (sum(p.resource_known.values()), p.resource_hand),
            "battle_known": (len(p.battle_known), p.battle_hand),
        }
        for field, (n, held) in known.items():
            if n > held:
                yield seat, field, f"names more cards than the {held} in hand"
        absent = minus(at_war(at.state, seat), p)
        if size(absent):
            field = "generals" if absent.generals else "armies"
            yield seat, field, f"{join_and(in_words(absent))} at war, and not in play"
