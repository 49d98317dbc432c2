"""Draw, pass, cleanup: the events that carry a round along (rules XK-DRAW, XK-TURN-6, XK-CLEAN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move
from companion.engine.things.bags import beyond, certain, size
from components.phrasing import count

from .actions import Action
from .catalogue import At
from .domains import Discs
from .ending import at_round_end, idle_now, if_cleaned_up_now
from .state import SETTLEMENTS
from .turns import act_order, draw_count, end_turn, full_draw, pass_drawer

Drawn = dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000)]]


class Draw(Move, frozen=True):
    """Report which discs the drawer drew from the bag."""

    name = "draw"
    key = "event"
    role = "event"
    words = ("draw", "drawn")
    example = "draw 2 red 1 blue"
    discs: Annotated[Drawn | None, Discs()] = None
    """Player -> number of discs drawn."""

    def filled(self, at: At) -> Draw:
        if self.discs is not None or at.state.phase != "draw":
            return self
        return Draw(certain(at.state.bag, draw_count(at)))

    def presumes(self, at: At) -> Move | None:
        """Drawing for a new round says that the old one was cleaned up, and that it was not the last."""
        return Cleanup() if at.state.phase == "cleanup" and if_cleaned_up_now(at) is None else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "draw":
            end = if_cleaned_up_now(at)
            why = {
                "setup": "discs are drawn when the land lies and the drawer is named",
                "act": f"the discs of this phase are drawn; {s.active or 'nobody'} is to act",
                "cleanup": f"cleaning up ends the game: {end.why if end else 'the round was the last'}",
                "end": "the game is over",
            }[s.phase]
            yield from at.against("XK-DRAW-1", why=why, phase=s.phase)
            return
        if self.discs is None:
            return
        drawn, due = sum(self.discs.values()), draw_count(at)
        inside = size(s.bag)
        facts = {"drawn": dict(self.discs), "due": due, "bag": dict(s.bag), "players": len(s.players)}
        if drawn != due:
            full = full_draw(at)
            short = inside < full and at.on("XK-DRAW-3")
            why = (
                f"the bag holds {count(inside, 'disc')}, fewer than {full}: all of them are drawn, not {drawn}"
                if short
                else f"{count(due, 'disc')} {'is' if due == 1 else 'are'} drawn, not {drawn}"
            )
            yield from at.against("XK-DRAW-3" if short else "XK-DRAW-2", why=why, **facts)
        for player, n in beyond(s.bag, self.discs).items():
            have = s.bag.get(player, 0)
            why = f"the bag holds {count(have, 'disc')} of {player}, so {have + n} cannot have been drawn"
            yield Breach("XK-DRAW-4", why, {**facts, "player": player})

    def needs(self, at: At) -> Iterator[Choice]:
        if self.discs is None:
            options = [player for player in at.state.players if at.state.bag.get(player)]
            yield Choice("discs", at.state.drawer or "", f"which {draw_count(at)} discs were drawn?", options)

    def apply(self, at: At) -> None:
        s = at.state
        discs = self.discs or {}
        for player, n in discs.items():
            s.bag[player] = s.bag.get(player, 0) - n
            s.drawn[player] = s.drawn.get(player, 0) + n
        said = ", ".join(f"{n} of {player}" for player, n in discs.items() if n) or "nothing"
        drawn, inside = sum(discs.values()), size(s.bag)
        at.note("XK-DRAW-1", f"{s.drawer} draws {said}", drawer=s.drawer, drawn=dict(discs))
        rule = "XK-DRAW-2" if drawn == full_draw(at) else "XK-DRAW-3"
        at.cite(rule, f"{count(drawn, 'disc')} for {count(len(s.players), 'player')}", drawn=drawn)
        at.cite("XK-DRAW-4", f"the bag holds {inside} now", bag=dict(s.bag))
        s.phase = "act"
        s.end_reason = None  # a table may play on after the end
        s.queue = act_order(at) if at.on("XK-TURN-2") else [p for p in s.players if s.drawn.get(p)]
        s.active = s.queue[0] if s.queue else None
        order = ", ".join(f"{player} ({count(s.drawn[player], 'disc')})" for player in s.queue) or "nobody"
        at.note("XK-TURN-2", f"they act in the order {order}", queue=list(s.queue))
        at.cite("XK-GAME-5", "to the left is the next in the list of players")
        for player, n in discs.items():
            if n > 1:
                at.cite("XK-TURN-9", f"{player} uses {n} discs in one turn", player=player, discs=n)
        if s.active is None:
            end_turn(at, "")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        if s.phase in ("draw", "cleanup"):
            yield from (cls(discs) for discs in _draws(s.bag, s.players, draw_count(at)))


def _draws(bag: dict[str, int], players: list[str], n: int) -> Iterator[dict[str, int]]:
    """Every way to draw `n` discs from a bag."""
    if not players:
        if not n:
            yield {}
        return
    first, others = players[0], players[1:]
    for k in range(min(n, bag.get(first, 0)), -1, -1):
        for rest in _draws(bag, others, n - k):
            yield {first: k, **rest} if k else rest


class Pass(Action, frozen=True):
    """End the turn; discs not spent wait for cleanup."""

    name = "pass"
    words = ("pass", "done", "end turn")
    example = "pass"

    def apply(self, at: At) -> None:
        at.note("XK-TURN-6", f"{self.player} passes", player=self.player)
        at.cite("XK-TURN-1", "in an action phase, after the draw")
        if at.on("XK-TURN-6") and at.state.phase == "act":
            end_turn(at, self.player)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.active is not None:
            yield cls(at.state.active)


class Cleanup(Move, frozen=True):
    """Clean up after the round: the end of the game is looked for, then discs go back into the bag."""

    name = "cleanup"
    key = "event"
    role = "event"
    words = ("cleanup", "clean up")
    example = "cleanup"

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "cleanup":
            inside = size(s.bag)
            why = {
                "setup": "the game has not begun",
                "draw": f"the bag still holds {count(inside, 'disc')}: the next action phase comes first",
                "act": f"{s.active or 'nobody'} is still acting",
                "end": "the game is over",
            }[s.phase]
            yield from at.against("XK-CLEAN-1", why=why, phase=s.phase, bag=inside)

    def apply(self, at: At) -> None:
        s = at.state
        at.cite("XK-CLEAN-1", "the bag is empty after the last action phase")
        s.idle_rounds = idle_now(at)
        s.queue, s.active = [], None
        end = at_round_end(at) if at.on("XK-CLEAN-2") else None
        if end is not None:
            s.phase, s.end_reason = "end", end.reason
            at.note(end.rule, end.why, reason=end.reason)
            at.cite("XK-END-4", "the end is looked for in cleanup only, the first reason counts")
            at.cite("XK-CLEAN-2", "before any disc is returned")
            return
        s.end_reason = None
        at.cite("XK-CLEAN-2", "no reason to end")
        self._discs_home(at)
        villages = sum(p.kind in SETTLEMENTS for p in s.pieces.values())
        at.cite("XK-VILLAGE-7", f"{count(villages, 'village')} stay on the land", villages=villages)
        s.round += 1
        s.progress = False
        s.phase = "draw"
        if at["drawer.passes"] == "each_round" or not at.on("XK-CLEAN-4"):
            pass_drawer(at)
        at.note("XK-CLEAN-4", f"round {s.round} begins, {s.drawer} draws", round=s.round, drawer=s.drawer)

    def _discs_home(self, at: At) -> None:
        """Work discs and unspent ones go back into the bag (XK-CLEAN-3, XK-TURN-7); claims stay (XK-CLAIM-3)."""
        s = at.state
        home = dict.fromkeys(s.players, 0)
        if at.on("XK-CLEAN-3"):
            for quadrant in [q for q, p in s.pieces.items() if p.kind == "work"]:
                home[s.pieces.pop(quadrant).owner or ""] += 1
        unspent = sum(s.aside.values()) + sum(s.drawn.values())
        for player in s.players:
            home[player] += s.aside.get(player, 0) + s.drawn.get(player, 0)
            s.aside[player] = s.drawn[player] = 0
            s.bag[player] = s.bag.get(player, 0) + home[player]
        said = ", ".join(f"{n} of {player}" for player, n in home.items() if n) or "none"
        at.note("XK-CLEAN-3", f"discs back into the bag: {said}", discs=home)
        if unspent:
            at.cite("XK-TURN-7", f"{count(unspent, 'unspent disc')} among them", discs=unspent)
        claims = sum(p.kind == "claim" for p in s.pieces.values())
        if claims:
            at.cite("XK-CLAIM-3", f"{count(claims, 'claim disc')} stay", claims=claims)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "cleanup":
            yield cls()


__all__ = ["Cleanup", "Draw", "Pass"]
