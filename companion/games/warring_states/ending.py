"""The End Phase, victory and elimination (rules WS-END, WS-WIN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Move, Seat
from components.phrasing import count

from .catalogue import At, cards
from .frame import PHASE_WORDS, enter, wrong_phase
from .state import Player
from .zones import clockwise, discard_battle


def controlled(at: At, player: Player) -> int:
    """Province Tokens that count for victory (WS-WIN-1, WS-WIN-3)."""
    razed = player.provinces.razed if at["victory.razed_count"] and at.on("WS-WIN-3") else 0
    return player.provinces.intact + razed


def standing(at: At, order: list[str]) -> list[tuple[str, tuple[int, int, int, int]]]:
    """All players, best first: tokens, intact, Bu, place clockwise from the player active during the turn (WS-WIN-4)."""
    players = at.state.players
    rows = [
        (p, (controlled(at, players[p]), players[p].provinces.intact, players[p].bu, -i)) for i, p in enumerate(order)
    ]
    return sorted(rows, key=lambda row: row[1], reverse=True)


def finish_turn(at: At) -> None:
    """All war turns are over: the End Phase runs by itself."""
    at.state.war = None
    enter(at, "end")
    EndTurn().apply(at)


class EndTurn(Move, frozen=True):
    """The End Phase: Battle hands away, the marker to the left, then the victory check."""

    name = "end_turn"
    role = "automatic"
    words = ("end turn",)
    example = "end turn"

    def already(self, at: At) -> bool:
        s = at.state
        return s.phase == "over" or (s.phase == "event" and s.event is None and s.turn > 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "end")

    def apply(self, at: At) -> None:
        s = at.state
        was_active = s.active
        order = clockwise(s, was_active)
        _discard_hands(at)
        if at.on("WS-END-2"):
            s.active = order[1 % len(order)]
            at.note("WS-END-2", f"{s.active} becomes active", active=s.active)
            at.cite("WS-SETUP-11", f"the marker goes to {s.active}", active=s.active)
        _eliminate(at)
        if at.on("WS-END-3"):
            _check_victory(at, [p for p in order if p in s.players])
        if at.on("WS-END-4") and at.on("WS-DECK-10"):
            if s.event is not None:
                s.decks.event.discard.append(s.event)
                at.note("WS-END-4", f"{s.event} is discarded and its effect stops", event=s.event)
                at.cite("WS-DECK-10", "the Event lay face up until now", event=s.event)
            s.event = None
        s.event_target = None
        s.war = None
        if s.winner is not None:
            enter(at, "over")
            return
        at.cite("WS-WIN-6", f"turn {s.turn} is over; the game goes on", turn=s.turn)
        s.turn += 1
        enter(at, "event")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "end":
            yield cls()


def _discard_hands(at: At) -> None:
    s = at.state
    if not at.on("WS-END-1"):
        return
    thrown = 0
    for seat, p in s.players.items():
        if p.battle_hand:
            thrown += p.battle_hand
            known = list(p.battle_known[: p.battle_hand])
            discard_battle(at, seat, known, p.battle_hand - len(known))
    at.note("WS-END-1", f"all Battle hands are discarded: {count(thrown, 'card')}", cards=thrown)
    at.cite("WS-TACT-10", "until now they were kept from battle to battle", cards=thrown)


def _eliminate(at: At) -> None:
    """Players without a province leave, if that is how the table plays (WS-WIN-5)."""
    s = at.state
    for seat in list(s.seats):
        if s.players[seat].provinces.total:
            continue
        if not at["elimination.at_zero_provinces"] and at.on("WS-WIN-5"):
            at.cite("WS-WIN-5", f"{seat} has no province and stays in the game", player=seat)
            continue
        p = s.players.pop(seat)
        for general in p.generals:
            name = cards(at).generals[general].card
            s.decks.resource.discard[name] = s.decks.resource.discard.get(name, 0) + 1
        after = clockwise(s, seat)[1:]
        s.seats = [q for q in s.seats if q != seat]
        if s.active == seat and after:
            s.active = after[0]
        at.note("WS-WIN-5", f"{seat} has no province left and is out of the game", player=seat)


def _check_victory(at: At, order: list[str]) -> None:
    s = at.state
    need = at["victory.provinces"]
    rows = standing(at, order)
    reached = [row for row in rows if row[1][0] >= need] if at.on("WS-WIN-1") else []
    for player, (tokens, _, _, _) in rows:
        at.note("WS-END-3", f"{player} controls {tokens} of {need}", player=player, tokens=tokens, need=need)
        if s.players[player].provinces.razed and tokens:
            at.cite("WS-WIN-3", f"{s.players[player].provinces.razed} of them razed", player=player)
    if len(s.seats) == 1 and not reached:
        s.winner = s.seats[0]
        at.note("WS-WIN-5", f"{s.winner} is the last player left", winner=s.winner)
    if not reached:
        return
    if len(reached) > 1 and not at.on("WS-WIN-4"):
        return
    s.winner = reached[0][0]
    if len(reached) > 1:
        at.note(
            "WS-WIN-4",
            f"{' and '.join(p for p, _ in reached)} have {need} or more; {s.winner} comes first",
            ladder={p: list(key[:3]) for p, key in reached},
        )
    at.note(
        "WS-WIN-1",
        f"{s.winner} wins with {count(reached[0][1][0], 'Province Token')}",
        winner=s.winner,
        tokens=reached[0][1][0],
    )
    at.cite("WS-WIN-2", "checked in the End Phase", phase="end")


class ClaimVictory(Move, frozen=True):
    """A player claims to have won. The End Phase names the winner by itself; a claim made early is answered here."""

    name = "claim_victory"
    role = "claim"
    words = ("win", "claim")
    example = "win qin"
    player: Annotated[str, Seat()] = ""

    def already(self, at: At) -> bool:
        return at.state.phase == "over" and at.state.winner == self.player

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not self.player:
            return
        if s.phase != "end":
            yield Breach(
                "WS-WIN-2",
                f"victory is checked in the End Phase, and it is {'' if s.phase == 'over' else 'the '}{PHASE_WORDS[s.phase]}",
                {"phase": s.phase},
            )
        p = s.players[self.player]
        tokens, need = controlled(at, p), at["victory.provinces"]
        if tokens < need:
            facts = {"intact": p.provinces.intact, "razed": p.provinces.razed, "tokens": tokens, "need": need}
            yield Breach("WS-WIN-1", f"{self.player} controls {tokens}, and {need} are needed", facts)
            if not at["victory.razed_count"] and p.provinces.razed:
                yield Breach("WS-WIN-3", f"the {p.provinces.razed} razed ones do not count", facts)
        elif s.phase == "end" and (best := standing(at, clockwise(s, s.active))[0][0]) != self.player:
            yield Breach("WS-WIN-4", f"{best} comes before {self.player}", {"first": best})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who claims victory?", at.state.seats)

    def apply(self, at: At) -> None:
        at.note("WS-WIN-1", f"{self.player} claims victory", player=self.player)
        if at.state.phase == "end":
            EndTurn().apply(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "end":
            yield from (cls(p) for p in at.state.seats)


__all__ = ["ClaimVictory", "EndTurn", "controlled", "finish_turn", "standing"]
