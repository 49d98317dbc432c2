"""A game with its truth, move by move: proposals of chance, choices of players, what the dealer says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple, Protocol

from companion.engine.play.judging import Verdict
from companion.engine.play.moves import Move, maker
from companion.engine.play.playout import MOST_REFUSALS
from companion.engine.play.position import Position, Rules
from companion.lab.chance import Chance
from companion.lab.dealing import Dealer, Open, dealer_of

At = Position[Any]
LISTED_AFTER = 40
"""Proposals in a row that come to nothing, after which every legal move is listed."""
GIVEN = ("event", "automatic")
"""The roles of moves in which nobody decides anything, unless they leave a choice open."""


class Decision(NamedTuple):
    """A player's decision: a move, and its choices among the cards held, in the order of the dealer's questions."""

    move: Move
    picks: tuple[Any, ...] = ()


class Player(Protocol):
    """Somebody who decides. It is shown what its seat may know, and nothing else."""

    name: str

    def decide(self, view: View) -> Decision | None:
        """The seat's decision; None: whatever chance proposes."""

    def pick(self, view: View, move: Move, open: Open) -> Any:
        """One of the options of a choice that a move of somebody else, or of the table, leaves to the seat."""


class View(NamedTuple):
    """The view of a seat: the position without its hidden parts, its own hand, and a random stream of its own."""

    at: At
    dealer: Dealer
    seat: str
    rng: Random


class Dealt:
    """A game going on."""

    def __init__(self, at: At, dealer: Dealer, streams: Chance | Random | int) -> None:
        """`streams`: those of chance in which the seats decide; or one for all, by its seed where it may not be
        needed."""
        self.at = at
        self.rules: Rules = at.rules
        self.dealer = dealer
        self._streams: dict[str, Random] = {}
        self._source = streams
        self._stretch = 0
        at.chooser = dealer.chooser

    @classmethod
    def new(cls, rules: Rules, *seed: int, quiet: bool = False) -> Dealt:
        """A game before its set-up."""
        at: At = Position(rules, rules.new_state(), quiet=quiet)
        at.asking = False
        return cls(at, dealer_of(rules)(rules, Chance(*seed, "deal")), Chance(*seed, "players"))

    def rng(self, seat: str) -> Random:
        """The stream in which a seat decides, another in each round, so that what happened in one leaves those of the
        others as they are; "": the table's."""
        found = self._streams.get(seat)
        if found is None:
            if isinstance(self._source, int):
                self._source = Random(self._source)
            source = self._source
            found = source if isinstance(source, Random) else source.stream("decides", self._stretch, seat)
            self._streams[seat] = found
        return found

    def next(self, players: Mapping[str, Player], in_a_row: int = 0) -> Move | None:
        """The next move, with everything said; None: what was proposed cannot be, so that another one is needed."""
        at, rules = self.at, self.rules
        if rules.counts and (stretch := rules.stretch(at.state)) != self._stretch:
            self._stretch = stretch
            self._streams.clear()
        awaited = rules.to_move(at.state) if players else None
        who = awaited[0] if awaited else ""
        if in_a_row > LISTED_AFTER:
            legal = [move for move in at.legal() if type(move) not in rules.anytime]
            move = self.rng(who).choice(legal) if legal else None
        else:
            move = self.dealer.propose(at, self.rng(who))
        if move is None:
            return None
        picks: tuple[Any, ...] = ()
        if not players:
            if self.dealer.is_plain(type(move)):
                return move
        else:
            who = maker(move) or who
            player = players.get(who)
            if player is not None and move.role not in GIVEN:
                decision = player.decide(self.view(who))
                if decision is not None:
                    move, picks = decision
        return self.complete(move, players, who, picks)

    def complete(
        self, move: Move, players: Mapping[str, Player], who: str = "", picks: tuple[Any, ...] = ()
    ) -> Move | None:
        """A move with the choices of all seats and what the world says. `picks`: those that `who` has made."""
        made = iter(picks)
        for open in self.dealer.opens(self.at, move):
            options = open.options
            if not options:
                self.dealer.refused()
                return None
            picked = next(made, None) if open.seat == who else None
            if picked is None:
                player = players.get(open.seat) if len(options) > 1 else None
                if player is not None:
                    picked = player.pick(self.view(open.seat), move, open)
                elif len(options) == 1:
                    picked = options[0]
                else:
                    picked = self.rng(open.seat).choice(options)
            put = open.put(move, picked)
            if put is None:
                self.dealer.refused()
                return None
            move = put
        return self.dealer.told(self.at, move)

    def make(self, move: Move) -> Verdict:
        """Judge a move, and carry it out if it is legal."""
        verdict = self.at.judge(move)
        if verdict.legal:
            self.at.carry_out(verdict)
        self.made(verdict)
        return verdict

    def made(self, verdict: Verdict) -> None:
        """Tell the dealer what became of a move."""
        if verdict.legal:
            self.dealer.after(self.at, verdict.move, verdict.presumed)
        else:
            self.dealer.refused()

    def view(self, seat: str) -> View:
        """The view of a seat."""
        from companion.engine.play.secrets import seen_by  # random players look at nothing

        at = seen_by(self.at, seat)
        at.quiet = True
        rng = self.rng(seat)
        return View(at, self.dealer.known(seat), seat, rng)

    def moves(self, most: int) -> Iterator[Verdict]:
        """Random play, so many moves at most."""
        refused = made = 0
        rules, at = self.rules, self.at
        while made < most and refused <= MOST_REFUSALS and not rules.over(at.state):
            move = self.next({}, refused)
            if move is None:
                refused += 1
                continue
            verdict = self.make(move)
            if verdict.legal:
                made, refused = made + 1, 0
            else:
                refused += 1
            yield verdict


__all__ = ["GIVEN", "Dealt", "Decision", "Player", "View"]
