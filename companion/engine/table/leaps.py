"""Checks on everybody passing: whether it leaps over a phase that only just began, though somebody could still act in
it, and whether a refused move waits for nothing else."""

from __future__ import annotations

from companion.engine.language.people import People
from companion.engine.play.lines import Outcome, everybody_passed
from companion.engine.play.moves import Move, maker
from companion.engine.play.phases import current
from companion.engine.table.replaying import said_moves
from companion.engine.table.table import Table
from components.phrasing import join_and

FEW = 4
"""Moves that a question names one by one."""


def skips(table: Table, moves: list[Move]) -> str:
    """The remark before moves by which everybody passes a phase that the pass before them has led to; "" if they do
    not, or if nobody can do anything else in it."""
    at, people = table.position, table.named
    phase = current(at)
    if phase is None or phase.passing is None or not moves or not table.history.lines:
        return ""
    if any(type(move) is not phase.passing for move in moves) or len(moves) < len(at.rules.pass_all(at)):
        return ""
    before = table.replayed(table.history.lines[:-1])
    led = current(before)
    passed = [move for move in said_moves(table.history.lines[-1], table.rules) if led and type(move) is led.passing]
    if led is None or led.name == phase.name or not passed:
        return ""
    others = [move for move in at.legal() if type(move) not in (phase.passing, *at.rules.anytime)]
    able = [seat for seat in at.seats if any(maker(move) == seat for move in others)]
    seats = [seat for seat in map(maker, moves) if seat]
    if not able:
        return ""
    who = join_and(map(people.called, seats)) or "everybody"
    can = "they" if able == seats else join_and(map(people.called, able))
    ways = join_and(dict.fromkeys(type(move).words[0] for move in others), "or")
    return f"This passes {phase.words} for {who}; {can} can still {ways}."


def waits_for(outcome: Outcome, people: People) -> str:
    """The question about a refused move that is legal once others have passed, with their passes; "" for a move of a
    kind that may be made now, since something else forbids it."""
    here, move = outcome.here, outcome.verdict.move
    if any(type(one) is type(move) for one in here.legal()):
        return ""
    after, closing = everybody_passed(here, move)
    if after is None:
        return ""
    said = "; ".join(people.move(one, here) for one in closing)
    return f"Has this happened: {said}?" if len(closing) <= FEW else "Has everyone passed?"


__all__ = ["skips", "waits_for"]
