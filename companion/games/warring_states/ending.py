"""The End Phase, victory and elimination, and how the players stand (rules WS-END, WS-WIN)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.things.cards import put_away
from companion.rules import Breach, ByItself, Ending, Ledger, Line, TieBreak, ranked

from .catalogue import At, cards
from .decks import discard
from .moves import Market
from .state import Player, clockwise


def controlled(at: At, player: Player) -> int:
    """Province Tokens that count for victory (WS-WIN-1, WS-WIN-3)."""
    return player.provinces.intact + (player.provinces.razed if at["victory.razed_count"] else 0)


def seats_of_turn(at: At) -> list[str]:
    """All seats clockwise from the player active during the turn."""
    s = at.state
    order = clockwise(s, s.active) if s.active in s.seats else list(s.seats)
    return [*order[-1:], *order[:-1]] if s.phase == "over" else order  # at the end the marker has moved on


def standing(at: At, order: list[str]) -> list[tuple[str, tuple[int, int, int, int]]]:
    """All players, best first: tokens, intact, Bu, place in `order` (WS-WIN-4)."""
    players = [(p, at.state.players[p]) for p in order]
    rows = [(name, (controlled(at, p), p.provinces.intact, p.bu, -i)) for i, (name, p) in enumerate(players)]
    return sorted(rows, key=lambda row: row[1], reverse=True)


def end_turn(at: At) -> None:
    """Battle hands away, the marker to the left, then the victory check (WS-END-1 to -4)."""
    s = at.state
    thrown = sum(p.battle_hand for p in s.players.values())
    for seat, p in s.players.items():
        discard(at, "battle", seat, (), p.battle_hand)
    if thrown:
        at.note("WS-END-1", cards=thrown)
    order = clockwise(s, s.active)
    _eliminate(at)
    s.active = next((p for p in order[1:] if p in s.players), order[0])
    at.note("WS-END-2", active=s.active)
    _check_victory(at, [p for p in order if p in s.players])
    if s.event is not None:
        s.decks.event.discard.append(s.event)
        at.note("WS-END-4", event=s.event)
    s.event = s.event_target = s.war = None
    s.turn += s.winner is None


def _eliminate(at: At) -> None:
    """Players without a province leave, if that is how the table plays (WS-WIN-5)."""
    s = at.state
    for seat in [q for q in s.seats if not s.players[q].provinces.total]:
        if not at["elimination.at_zero_provinces"]:
            at.note("WS-WIN-5.stays", player=seat)
            continue
        generals = s.players.pop(seat).generals
        put_away(s.decks.resource, [cards(at).generals[general].card for general in generals])
        s.seats.remove(seat)
        at.note("WS-WIN-5.out", player=seat)


def _check_victory(at: At, order: list[str]) -> None:
    s = at.state
    need = at["victory.provinces"]
    rows = standing(at, order)
    for player, (tokens, *_) in rows:
        at.note("WS-END-3", player=player, tokens=tokens, need=need)
    reached = [row for row in rows if row[1][0] >= need]
    if len(s.seats) == 1 and not reached:
        s.winner = s.seats[0]
        at.note("WS-WIN-5.last", winner=s.winner)
    if len(reached) > 1:
        ladder = {p: list(key[:3]) for p, key in reached}
        at.note("WS-WIN-4", players=list(ladder), first=reached[0][0], need=need, ladder=ladder)
    if reached:
        s.winner = reached[0][0]
        at.note("WS-WIN-1", winner=s.winner, tokens=reached[0][1][0])


class EndTurn(ByItself, frozen=True):
    """The End Phase: Battle hands away, the marker to the left, then the victory check."""

    def already(self, at: At) -> bool:
        s = at.state
        return s.phase == "over" or (s.phase == "event" and s.event is None and s.turn > 1)


class ClaimVictory(Market, frozen=True):
    """A player claims to have won. The End Phase names the winner by itself; a claim made early is answered here."""

    role = "claim"
    words = ("win",)

    def already(self, at: At) -> bool:
        return at.state.phase == "over" and at.state.winner == self.player

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        phase, tokens, need = at.state.phase, controlled(at, p), at["victory.provinces"]
        if phase != "end":
            yield at.breach("WS-WIN-2", phase=phase, now=at.now)
        if tokens < need:
            facts = {"intact": p.provinces.intact, "razed": p.provinces.razed, "tokens": tokens, "need": need}
            razed = ["WS-WIN-3"] if p.provinces.razed and not at["victory.razed_count"] else []
            yield at.breach("WS-WIN-1", *razed, player=self.player, **facts)
        elif phase == "end" and (best := standing(at, seats_of_turn(at))[0][0]) != self.player:
            yield at.breach("WS-WIN-4", player=self.player, first=best)

    def apply(self, at: At) -> None:
        """Nothing: the game is over by itself."""


# --- the standing ------------------------------------------------------------------------------------------------

LADDER = ("Province Tokens", "intact provinces", "Bu", "seats clockwise from the active player")
"""The tie-breaks among players who all have enough provinces (WS-WIN-4)."""


def ledger(at: At) -> Ledger:
    """Tokens of every player, best first, with the figures of the tie-break where players are level."""
    s, need = at.state, at["victory.provinces"]
    order = seats_of_turn(at)
    lines: list[Line] = []
    for seat in order:
        land = s.players[seat].provinces
        lines.append(Line(seat, "WS-WIN-1", "intact provinces", str(land.intact), land.intact))
        if land.razed:
            counted = controlled(at, s.players[seat]) - land.intact
            words = str(land.razed) if counted else f"{land.razed} not counted"
            lines.append(Line(seat, "WS-WIN-3", "razed provinces", words, counted))
    rows = standing(at, order)
    ranking, _ = ranked({seat: key[0] for seat, key in rows})
    reached = {seat: key for seat, key in rows if key[0] >= need}
    ties = [
        TieBreak("WS-WIN-4", what, {seat: abs(key[i]) for seat, key in reached.items()}, lowest=what == LADDER[-1])
        for i, what in enumerate(LADDER if len(reached) > 1 else ())
    ]
    ending = None
    if s.winner is not None:
        tokens = controlled(at, s.players[s.winner])
        enough, facts = tokens >= need, {"tokens": tokens, "need": need, "turn": s.turn}
        won = f"{s.winner} controls {tokens} Province Tokens, and {need} win the game"
        left = f"{s.winner} is the last player left"
        ending = Ending("WS-WIN-1" if enough else "WS-WIN-5", won if enough else left, (s.winner,), facts)
    return Ledger("Province Tokens", tuple(lines), ranking, tuple(ties), ending)
