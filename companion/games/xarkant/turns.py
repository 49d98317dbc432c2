"""Who may act, and with what: the frame of every action (rules XK-TURN, XK-GAME-6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.engine.bags import size
from companion.engine.moves import Breach
from companion.engine.stores import lacking

from .catalogue import At, clockwise_from, left_of, plural, spell


def act_order(at: At) -> list[str]:
    """Players with a drawn disc, from the drawer's left (XK-TURN-2); each once, whatever was drawn (XK-TURN-9)."""
    s = at.state
    if s.drawer is None:
        return []
    order = [p for p in clockwise_from(at, s.drawer) if s.drawn.get(p)]
    if at.on("XK-TURN-9"):
        return order
    return [p for p in order for _ in range(s.drawn[p])]


def out_of_turn(at: At, player: str) -> Iterator[Breach]:
    """Why a player may not act now at all."""
    s = at.state
    if s.phase != "act":
        why = f"actions are taken after the draw, in an action phase; now: {s.phase}"
        yield Breach("XK-TURN-1", why, {"phase": s.phase, "player": player})
    elif player and player != s.active:
        facts = {"active": s.active, "queue": list(s.queue), "player": player}
        if player in s.queue:
            why = f"{s.active} acts before {player}"
        elif s.active is None:
            why = "nobody has a drawn disc"
        else:
            why = f"it is {s.active}'s turn, and {player} has no drawn disc to act with"
        yield Breach("XK-TURN-2", why, facts)


def without_disc(at: At, player: str) -> Iterator[Breach]:
    """No drawn disc left to spend (XK-TURN-4)."""
    s = at.state
    if s.phase == "act" and player == s.active and not s.drawn.get(player):
        why = f"{player} has no drawn disc left to spend"
        yield from at.against("XK-TURN-4", why=why, player=player, drawn=0)


def no_more_actions(at: At, player: str) -> Iterator[Breach]:
    """What the rules would say of an action without disc if they did not allow it (XK-TURN-5, -8)."""
    s = at.state
    allowed = at.on("XK-TURN-5") and at.on("XK-TURN-8")
    if not allowed and s.phase == "act" and player == s.active and not s.drawn.get(player):
        yield Breach("XK-TURN-4", f"{player} has no drawn disc left", {"player": player, "drawn": 0})


def unaffordable(at: At, player: str, cost: Mapping[str, int], *rules: str, what: str) -> Iterator[Breach]:
    """A price a player cannot pay in full, against `rules` (XK-GAME-6)."""
    store = at.state.player[player].stored()
    short = lacking(store, cost)
    if short:
        have = {kind: store[kind] for kind in cost}
        why = f"{what} costs {spell(dict(cost))}; {player} has {spell_all(have)}"
        yield from at.against(*rules, "XK-GAME-6", why=why, cost=dict(cost), have=have, missing=short)


def spell_all(goods: Mapping[str, int]) -> str:
    """`0 wheat and 2 wood`: with the kinds there are none of."""
    return " and ".join(f"{n or 'no'} {kind}" for kind, n in goods.items()) or "nothing"


def pay(at: At, player: str, cost: Mapping[str, int], what: str, *rules: str) -> None:
    """Pay a price to the supply (XK-GAME-6); noted under each of `rules`."""
    p = at.state.player[player]
    for kind, n in cost.items():
        p.add(kind, -min(n, p.of(kind)))
    for rule in rules:
        at.note(rule, f"{player} pays {spell(dict(cost))} for {what}", player=player, cost=dict(cost))
    if cost:
        at.cite("XK-GAME-6", "paid in full, to the supply, before the effect", cost=dict(cost))


def spend_disc(at: At, player: str) -> None:
    s = at.state
    s.drawn[player] = max(0, s.drawn.get(player, 0) - 1)
    left = s.drawn[player]
    at.cite("XK-TURN-4", f"{player} spends a drawn disc, {left or 'none'} left", player=player, left=left)


def resource_action(at: At, player: str) -> None:
    """An action that is paid with resources or popularity spends no disc (XK-TURN-5, -8)."""
    s = at.state
    if s.drawn.get(player):
        if at.on("XK-TURN-5"):
            at.cite("XK-TURN-5", "this spends no disc", drawn=s.drawn[player])
        else:
            spend_disc(at, player)
    else:
        at.cite("XK-TURN-5", "this spends no disc", drawn=0)
        at.cite("XK-TURN-8", "all discs are spent, and the turn goes on until passing")


def made_progress(at: At) -> None:
    """Something was claimed or built in this round (XK-END-3)."""
    at.state.progress = True


def turn_goes_on(at: At, player: str) -> None:
    """Any actions, in any order, until passing (XK-TURN-3)."""
    at.cite("XK-TURN-1", "in an action phase, after the draw")
    at.cite("XK-TURN-2", f"{player} is the one to act")
    if at.on("XK-TURN-3"):
        at.cite("XK-TURN-3", "the turn goes on until passing")
    else:
        end_turn(at, player)


def end_turn(at: At, player: str) -> None:
    """Set aside what was not spent; the next player acts, or the phase ends (XK-TURN-7, XK-DRAW-5, XK-CLEAN-1)."""
    s = at.state
    unspent = s.drawn.get(player, 0)
    again = s.queue.count(player) > 1
    if unspent and not again:
        s.drawn[player] = 0
        home = s.aside if at.on("XK-TURN-7") else s.bag
        home[player] = home.get(player, 0) + unspent
        what = f"{plural(unspent, 'unspent disc')} of {player} set aside until cleanup"
        at.note("XK-TURN-7", what, player=player, discs=unspent)
    s.queue = s.queue[1:]
    s.active = s.queue[0] if s.queue else None
    if s.active is not None:
        at.note("XK-TURN-2", f"{s.active} acts", active=s.active)
        at.cite("XK-TURN-9", f"with {plural(s.drawn.get(s.active, 0), 'disc')} in one turn")
        return
    if at["drawer.passes"] == "each_phase":
        pass_drawer(at)
    empty = not size(s.bag)
    if (empty and at.on("XK-CLEAN-1")) or not at.on("XK-GAME-1"):
        s.phase = "cleanup"
        at.note("XK-CLEAN-1", "the bag is empty: cleanup", bag=0)
        at.cite("XK-GAME-1", "after the action phases comes one cleanup")
    else:
        s.phase = "draw"
        at.cite("XK-GAME-1", "the round goes on with another action phase", bag=size(s.bag))
        at.note("XK-DRAW-1", f"{s.drawer} draws", drawer=s.drawer, bag=size(s.bag))


def pass_drawer(at: At) -> None:
    """The drawer moves one seat to the left (XK-DRAW-5)."""
    s = at.state
    if s.drawer is not None and at.on("XK-DRAW-5"):
        s.drawer = left_of(at, s.drawer)
        at.note("XK-DRAW-5", f"{s.drawer} is the drawer now", drawer=s.drawer)


__all__ = [
    "act_order",
    "end_turn",
    "made_progress",
    "no_more_actions",
    "out_of_turn",
    "pass_drawer",
    "pay",
    "resource_action",
    "spell_all",
    "spend_disc",
    "turn_goes_on",
    "unaffordable",
    "without_disc",
]
