"""Decks, hands and what can be known about them (rules WS-DECK and WS-INFO-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.engine.play.moves import Breach
from components.phrasing import count

from .catalogue import At, cards, full_name
from .state import State

# --- seats -------------------------------------------------------------------------------------------------------


def clockwise(state: State, first: str) -> list[str]:
    """All seats clockwise, beginning with `first` (WS-TURN-2)."""
    i = state.seats.index(first)
    return state.seats[i:] + state.seats[:i]


def acting_order(at: At) -> list[str]:
    """The order in which players act: clockwise from the active player (WS-TURN-2)."""
    return clockwise(at.state, at.state.active) if at.on("WS-TURN-2") else list(at.state.seats)


# --- the three decks ---------------------------------------------------------------------------------------------


def reshuffle(at: At, deck: str) -> None:
    """The discard pile becomes the deck; what lay in it is unknown again (WS-DECK-2)."""
    decks = at.state.decks
    if deck == "event":
        n = len(decks.event.discard)
        decks.event.draw += n
        decks.event.discard.clear()
    elif deck == "resource":
        n = decks.resource.discard_count
        decks.resource.draw += n
        decks.resource.discard.clear()
        decks.resource.discard_unknown = 0
    else:
        n = decks.battle.discard_count
        decks.battle.draw += n
        decks.battle.discard.clear()
        decks.battle.discard_unknown = 0
    at.note("WS-DECK-2", f"the {deck} discard pile ({count(n, 'card')}) is shuffled and becomes the deck", cards=n)


def drawable(at: At, deck: str) -> int:
    """How many cards a draw can yield at most: the deck and, once it is empty, its discard pile (WS-DECK-2..4)."""
    d = at.state.decks
    pile = d.resource if deck == "resource" else d.battle
    return pile.draw + (pile.discard_count if at.on("WS-DECK-2") else 0)


def draw(at: At, deck: str, n: int) -> int:
    """Take `n` cards, reshuffling in the middle if the deck runs out; the number that could be taken."""
    pile = at.state.decks.resource if deck == "resource" else at.state.decks.battle
    if pile.draw >= n:
        pile.draw -= n
        return n
    taken = pile.draw
    pile.draw = 0
    if pile.discard_count and at.on("WS-DECK-2"):
        at.note("WS-DECK-3", f"the {deck} deck ran out in the middle of a draw", drawn=taken, due=n)
        reshuffle(at, deck)
    more = min(n - taken, pile.draw)
    pile.draw -= more
    if taken + more < n:
        at.note("WS-DECK-4", f"deck and discard are empty: {n - taken - more} of the draw are lost", due=n)
    return taken + more


def discard_resources(at: At, player: str, names: Iterable[str], unnamed: int = 0) -> None:
    """Put named and unnamed Resource cards from a hand onto the discard pile."""
    p = at.state.players[player]
    pile = at.state.decks.resource
    for name in names:
        p.resource_hand -= 1
        forget(p.resource_known, name)
        pile.discard[name] = pile.discard.get(name, 0) + 1
    if unnamed == p.resource_hand >= sum(p.resource_known.values()):
        # The whole hand goes: what was known of it is known of the pile.
        for name, n in p.resource_known.items():
            pile.discard[name] = pile.discard.get(name, 0) + n
            unnamed -= n
        p.resource_known.clear()
        p.resource_hand = 0
        pile.discard_unknown += unnamed
    elif unnamed:
        p.resource_hand -= unnamed
        blur(p.resource_known, unnamed, p.resource_hand)
        pile.discard_unknown += unnamed


def discard_battle(at: At, player: str, names: Iterable[str], unnamed: int = 0) -> None:
    """Put named and unnamed Battle cards from a hand onto the discard pile."""
    p = at.state.players[player]
    pile = at.state.decks.battle
    for name in names:
        p.battle_hand -= 1
        if name in p.battle_known:
            p.battle_known.remove(name)
        pile.discard.append(name)
    if unnamed:
        p.battle_hand -= unnamed
        if p.battle_known:  # any of the known ones may have been among them
            p.battle_known = []
        pile.discard_unknown += unnamed


def forget(known: dict[str, int], name: str) -> None:
    """One copy of `name` has left a hand."""
    left = known.get(name, 0) - 1
    if left > 0:
        known[name] = left
    else:
        known.pop(name, None)


def blur(known: dict[str, int], gone: int, hand: int) -> None:
    """`gone` unnamed cards have left a hand that now holds `hand`: keep only what is certainly still there."""
    if not known:
        return
    if hand <= 0:
        known.clear()
        return
    for name in list(known):
        left = known[name] - gone
        if left > 0:
            known[name] = left
        else:
            del known[name]


# --- what cannot be true (WS-INFO-4) -----------------------------------------------------------------------------


def resource_elsewhere(at: At, player: str, name: str) -> tuple[int, str]:
    """Copies of a Resource card known not to be in `player`'s hand, and where they are."""
    s = at.state
    places: list[str] = []
    discarded = s.decks.resource.discard.get(name, 0)
    if discarded:
        places.append(f"{discarded} in the discard pile")
    found = discarded
    short = name.removesuffix(" General")
    general = short in cards(at).generals and full_name(at, short) == name
    for seat, p in s.players.items():
        if general and short in p.generals:
            n = p.generals.count(short)
            found += n
            places.append(f"{n} in play with {seat}")
        if seat != player and name in p.resource_known:
            found += p.resource_known[name]
            places.append(f"{p.resource_known[name]} in the hand of {seat}")
    return found, ", ".join(places)


def impossible_resources(at: At, player: str, names: Iterable[str], also: int = 0) -> Iterator[Breach]:
    """Resource cards `player` cannot hold, because their copies are known to be elsewhere, or because the cards known
    in the hand leave no room for them. `also` further, unnamed cards leave the hand at the same time."""
    p = at.state.players[player]
    known = p.resource_known
    needed = Counter(names)
    unknown_needed = 0
    for name, n in needed.items():
        copies = cards(at).resources.get(name, 0)
        elsewhere, where = resource_elsewhere(at, player, name)
        if n > copies - elsewhere:
            yield Breach(
                "WS-INFO-4",
                f"{player} cannot show {n} x {name}: of {count(copies, 'copy', 'copies')} there "
                f"{'is' if elsewhere == 1 else 'are'} {where or 'none elsewhere'}",
                {"card": name, "copies": copies, "elsewhere": elsewhere, "where": where, "needed": n},
            )
            return
        unknown_needed += max(0, n - known.get(name, 0))
    unknown = p.resource_hand - sum(known.values())
    if known and sum(needed.values()) + also <= p.resource_hand and unknown_needed > max(0, unknown):
        yield Breach(
            "WS-INFO-4",
            f"{player} holds {count(p.resource_hand, 'card')} and the known ones leave room for only {unknown} others",
            {"hand": p.resource_hand, "known": dict(known), "needed": dict(needed)},
        )


def impossible_battle(at: At, player: str, name: str) -> Iterator[Breach]:
    """A Battle card `player` cannot hold: it lies in the discard pile or is known in another hand."""
    s = at.state
    where = ""
    if name in s.decks.battle.discard:
        where = "in the discard pile since the last reshuffle"
    else:
        for seat, p in s.players.items():
            if seat != player and name in p.battle_known:
                where = f"in the hand of {seat}"
        p = s.players[player]
        if not where and name not in p.battle_known and p.battle_known and len(p.battle_known) >= p.battle_hand:
            where = f"not among the known cards of {player}"
    if not where and s.war and s.war.campaign and name in s.war.campaign.destiny.values():
        where = "on the table as a Destiny card"
    if where:
        yield Breach("WS-INFO-4", f"{player} cannot show {name}: it is {where}", {"card": name, "where": where})
