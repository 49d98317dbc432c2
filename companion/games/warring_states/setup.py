"""Set-up: States, tokens, Bu, and the cut for the first active player (rules WS-SETUP)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, Choice, Move, Options, PieceName, Unspoken

from .catalogue import At, cards
from .moves import Act


class Setup(Move, frozen=True):
    """Lay out the game: the States in clockwise order, each with its Province Tokens and Bu."""

    seats: Annotated[tuple[str, ...], PieceName("state", many=True, loose=True)] = ()
    states: Annotated[tuple[str, ...] | dict[str, str], PieceName("state", many=True, loose=True)] = ()
    chosen: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict, name="options")
    generals: Annotated[dict[str, list[str]], Unspoken()] = msgspec.field(default_factory=dict)
    """With `setup.generals` above 0: which Generals each player starts with."""

    def generals_options(self, at: At) -> Options:
        """The names one after the other, from any of them on."""
        n, names = at["setup.generals"], list(cards(at).generals)
        orders = [names[i:] + names[:i] for i in range(len(names))] if n else []
        return [{state: some[n * i : n * (i + 1)] for i, state in enumerate(self.taken)} for some in orders] or None

    @property
    def taken(self) -> tuple[str, ...]:
        """The States in seat order: `seats`, or `states` (in the same order, or by seat) where the seats are people's
        names."""
        if isinstance(self.states, dict):
            return tuple(self.states.get(seat, "") for seat in self.seats or self.states)
        return self.states or self.seats

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.players:
            yield at.breach("WS-TURN-5.set_up", phase=at.state.phase)
            return
        low, high, n = at["game.min_players"], at["game.max_players"], len(self.taken)
        if not low <= n <= high:
            yield at.breach("WS-SETUP-1", players=n, min=low, max=high)
        if self.seats and n != len(self.seats):
            yield at.breach("WS-SETUP-2.number", players=len(self.seats), states=n)
        for state, players in Counter(self.taken).items():
            if state not in cards(at).states:
                yield at.breach("WS-SETUP-2.unknown", state=state or "nothing", states=list(cards(at).states))
            elif players > 1:
                yield at.breach("WS-SETUP-2.twice", state=state, players=players)
        for general, needed in Counter(chain(*self.generals.values())).items():
            known = cards(at).generals.get(general)
            copies = cards(at).copies["resource"][known.card] if known else 0
            if needed > copies:
                yield at.breach("WS-INFO-4.dealt", general=general, needed=needed, copies=copies)
        short = [state for state in self.taken if len(self.generals.get(state, [])) != at["setup.generals"]]
        if self.generals and short:
            yield at.breach("WS-SETUP-7", players=short, n=at["setup.generals"])

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        generals, n = cards(at).generals, at["setup.generals"]
        return [at.ask("WS-SETUP-7", "generals", state, generals, n=n) for state in self.taken]

    def apply(self, at: At) -> None:
        """The table as a position file has it that says nothing else."""
        taken, total, n = self.taken, at["provinces.total"], at["setup.generals"]
        players = {state: {"generals": self.generals.get(state, []) if n else []} for state in taken}
        at.state = at.rules.complete({"phase": "setup", "seats": taken, "players": players})
        at.note("WS-SETUP-1", players=len(taken), seats=list(taken))
        at.note("WS-SETUP-4", total=total, players=len(taken), each=total // len(taken))
        if left := total % len(taken):
            at.note("WS-SETUP-5", left_out=left)
        at.note("WS-SETUP-6", bu=at["setup.bu"])
        at.note("WS-SETUP-7", armies=at["setup.armies"], generals=n)


def cutting(at: At) -> list[str]:
    """The players who still have to cut (WS-SETUP-9, -10)."""
    return [p for p in at.state.cutting if p not in at.state.cuts]


class Cut(Act, frozen=True):
    """A player cuts the Battle deck; the highest card makes its player the first active player."""

    role = "event"
    card: Annotated[str, PieceName("battle", secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.cutting:
            return  # the first active player is known: nobody cuts any more
        if self.player not in s.cutting:
            yield at.breach("WS-SETUP-10", player=self.player, cutting=list(s.cutting))
        elif self.player in s.cuts:
            yield at.breach("WS-SETUP-9", player=self.player, cut=s.cuts[self.player])

    def apply(self, at: At) -> None:
        s, card = at.state, cards(at).battle[self.card]
        s.cuts[self.player] = card.value
        at.note("WS-SETUP-9.cut", player=self.player, card=str(card), value=card.value)
        if len(s.cuts) < len(s.cutting):
            return
        best = max(s.cuts.values())
        s.cutting = [seat for seat in s.seats if s.cuts.get(seat) == best]
        s.cuts = {}
        if len(s.cutting) > 1:
            at.note("WS-SETUP-10", tied=list(s.cutting), value=best)
        else:
            s.active = s.cutting.pop()
            at.note("WS-SETUP-9.first", active=s.active, value=best)
