"""The table as a scene: the decks, a battle while there is one, and what lies before each player.

Hands show their backs, whatever the table was told of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from components.scene import Scene, Thing

from .catalogue import At, cards
from .state import Campaign, Player
from .table_view import heading


def scene(at: At) -> Scene:
    """What lies on the table."""
    s = at.state
    things = [Thing(mat="table"), *decks(at)]
    away: dict[str, Counter[str]] = {seat: Counter() for seat in s.seats}
    if s.war and (c := s.war.campaign):
        things += war(at, c, away)
    for seat, p in s.players.items():
        things += before(at, seat, p, away[seat])
    title = f"{at.rules.game.title}: {heading(at)}"
    return Scene(title=title, pieces=[thing for thing in things if thing.count])


def decks(at: At) -> list[Thing]:
    """Decks, discard piles and the Event; Province Tokens that nobody controls."""
    s, printed = at.state, cards(at).printed
    d = s.decks
    discarded = {"event": d.event.discard, "resource": _each(d.resource.discard), "battle": d.battle.discard}
    things: list[Thing] = []
    for deck, names in discarded.items():
        pile = getattr(d, deck)
        things.append(Thing(piece=f"{deck}/*", count=pile.draw, at=f"table#{deck}-deck"))
        things.append(Thing(piece=f"{deck}/*", count=pile.discard_unknown, at=f"table#{deck}-discard"))
        things += [Thing(piece=f"{deck}/{printed[name]}", at=f"table#{deck}-discard") for name in names]
    if s.event is not None:
        things.append(Thing(piece=f"event/{printed[s.event]}", at="table#event"))
    left = at["provinces.total"] - sum(p.provinces.total for p in s.players.values())
    return [*things, Thing(piece="province/province", count=max(0, left), at="table#provinces")]


def _each(counted: dict[str, int]) -> Iterable[str]:
    return (name for name, n in counted.items() for _ in range(n))


def war(at: At, c: Campaign, away: dict[str, Counter[str]]) -> list[Thing]:
    """The units of a battle and its Battle cards; `away` learns which units have left their places."""
    s, printed = at.state, cards(at).printed
    fields = {"attacker": c.attacker, "defender": c.defender, "battle": c.battle}
    things = [Thing(mat="war", fields=fields)]
    sent = [(c.attacker, "attacker", c.committed.generals, c.committed.armies)]
    sent += [(aid.player, aid.side, aid.generals, aid.armies) for aid in c.allies]
    if c.provincial_army is None:
        home = s.players[c.defender]
        sent.append((c.defender, "defender", home.generals, home.armies))
    for player, side, generals, armies in sent:
        things += [general(at, short, f"war#{side}-generals") for short in generals]
        things.append(Thing(piece=f"army/{printed[f'army {player}']}", count=armies, at=f"war#{side}-armies"))
        away[player].update({**Counter(generals), "army": armies})
    if c.provincial_army is not None:
        up: Literal["front", "back"] = "back" if c.provincial_army == "razed" else "front"
        things.append(Thing(piece="province/province", side=up, at="war#defender-armies"))
        away[c.defender][c.provincial_army] += 1
    for seat, card in c.destiny.items():
        if card is not None:
            things.append(Thing(piece=f"battle/{printed[card]}", at=f"war#{c.side_of(seat)}-card"))
    return things


def general(at: At, short: str, spot: str) -> Thing:
    """A General in play, open."""
    found = cards(at)
    return Thing(piece=f"resource/{found.printed[found.generals[short].card]}", at=spot)


def before(at: At, seat: str, p: Player, away: Counter[str]) -> list[Thing]:
    """What lies before a player, without the units that fight elsewhere."""
    found = cards(at)
    there = Counter(p.generals) - away
    things = [
        Thing(mat="state", id=seat, label=f"{seat} may not attack" if p.attack_banned else ""),
        Thing(piece=f"state/{found.printed[seat]}", at=f"{seat}#state"),
        *(general(at, short, f"{seat}#generals") for short in there.elements()),
        Thing(piece="resource/*", count=p.resource_hand, at=f"{seat}#resources"),
        Thing(piece="battle/*", count=p.battle_hand, at=f"{seat}#battle"),
        Thing(piece="province/province", count=p.provinces.intact - away["intact"], at=f"{seat}#provinces"),
        Thing(piece="province/province", side="back", count=p.provinces.razed - away["razed"], at=f"{seat}#provinces"),
        Thing(
            piece=f"army/{found.printed[f'army {seat}']}", count=max(0, p.armies - away["army"]), at=f"{seat}#armies"
        ),
        *coins(at, seat, p.bu),
    ]
    if seat == at.state.active:
        things.append(Thing(piece="marker/active-player", at=f"{seat}#active"))
    return things


def coins(at: At, seat: str, bu: int) -> list[Thing]:
    """So many Bu in as few coins as there can be."""
    things = []
    for value, piece in cards(at).coins:
        things.append(Thing(piece=piece, count=bu // value, at=f"{seat}#coins"))
        bu %= value
    return things
