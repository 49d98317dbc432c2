"""The table as a scene: the decks, a battle while there is one, and what lies before each player.

Hands show their backs, whatever the table was told of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from companion.rules import Row, table, things
from components.scene import Scene, Thing

from .catalogue import At, cards
from .state import Campaign, Player
from .units import Force, minus, together

Away = dict[str, list[Force]]
"""Player -> units that have left their places for the war."""
PROVINCE = "province/province"
DECKS = ("event", "resource", "battle")
ROWS = (
    *(Row(f"decks.{deck}.draw", f"{deck}/*", f"table#{deck}-deck") for deck in DECKS),
    *(Row(f"decks.{deck}.discard_unknown", f"{deck}/*", f"table#{deck}-discard") for deck in DECKS),
    Row("decks.event.discard.*", "{p}", "table#event-discard"),
    Row("decks.resource.discard.*", "{p0}", "table#resource-discard"),
    Row("decks.battle.discard.*", "{p}", "table#battle-discard"),
    Row("event", "{p}", "table#event"),
    Row("players.*.resource_hand", "resource/*", "{0}#resources"),
    Row("players.*.battle_hand", "battle/*", "{0}#battle"),
)


def scene(at: At) -> Scene:
    """The scene of the table."""
    s = at.state
    away: Away = {seat: [] for seat in s.seats}
    found = [Thing(mat="table")]
    if c := s.campaign:
        found += war(at, c, away)
    for seat, p in s.players.items():
        found += before(at, seat, p, together(*away[seat]))
    left = at["provinces.total"] - sum(p.provinces.total for p in s.players.values())
    found.append(Thing(piece=PROVINCE, count=max(0, left), at="table#provinces"))
    return table(at, [*found, *things(s, ROWS, cards(at).printed)])


def war(at: At, c: Campaign, away: Away) -> Iterator[Thing]:
    """The units of a battle and its Battle cards; `away` learns which units have left their places."""
    yield Thing(mat="war", fields={"attacker": c.attacker, "defender": c.defender, "battle": c.battle})
    sent: list[tuple[str, str, Force]] = [(c.attacker, "attacker", c.committed)]
    sent += [(aid.player, aid.side, aid) for aid in c.allies]
    if c.put_up is None:
        sent.append((c.defender, "defender", at.state.players[c.defender]))
    else:
        up: Literal["front", "back"] = "back" if c.put_up == "razed" else "front"
        yield Thing(piece=PROVINCE, side=up, at="war#defender-armies")
    for player, side, force in sent:
        yield from units(at, player, force, f"war#{side}-")
        away[player].append(force)
    for seat, card in c.destiny.items():
        if card is not None:
            yield Thing(piece=cards(at).printed[card], at=f"war#{c.side_of(seat)}-card")


def units(at: At, owner: str, force: Force, spot: str) -> Iterator[Thing]:
    """Generals in play, open, and armies."""
    cat = cards(at)
    for short in force.generals or ():
        yield Thing(piece=cat.printed[cat.generals[short].card], at=f"{spot}generals")
    yield Thing(piece=cat.printed[f"army {owner}"], count=force.armies or 0, at=f"{spot}armies")


def before(at: At, seat: str, p: Player, away: Force) -> Iterator[Thing]:
    """The pieces before a player, without the units and the province that fight elsewhere."""
    c = at.state.campaign
    acts = c.put_up if c and c.defender == seat else None
    yield Thing(mat="state", id=seat, label=f"{seat} may not attack" if p.attack_banned else "")
    yield Thing(piece=cards(at).printed[seat], at=f"{seat}#state")
    yield from units(at, seat, minus(p, away), f"{seat}#")
    yield Thing(piece=PROVINCE, count=p.provinces.intact - (acts == "intact"), at=f"{seat}#provinces")
    yield Thing(piece=PROVINCE, side="back", count=p.provinces.razed - (acts == "razed"), at=f"{seat}#provinces")
    yield from coins(at, seat, p.bu)
    if seat == at.state.active:
        yield Thing(piece="marker/active-player", at=f"{seat}#active")


def coins(at: At, seat: str, bu: int) -> Iterator[Thing]:
    """So many Bu in as few coins as there can be."""
    for value, piece in cards(at).coins:
        yield Thing(piece=piece, count=bu // value, at=f"{seat}#coins")
        bu %= value
