"""Notices for everybody at the table: a line that is to be kept against the rules if the others agree, and a dispute
with the rules that both sides name. A restart of the server keeps them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from companion.engine.language import jsonmoves
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.secrets import seen_by
from companion.engine.table.history import Line
from companion.engine.table.private import known_line
from companion.engine.table.replaying import in_words
from companion.engine.table.table import Table
from companion.engine.things.sealed import without_seals
from companion.phones import answers
from companion.phones.chairs import Chairs
from components.web.site import Refused

LONGEST = 400
"""Characters of a reason or of what is said in a dispute."""
MOST = 8
"""Proposals that wait, and things said in a dispute, at a time."""
Told = Callable[[Table, str, str, str], None]
"""Tells every page who did what."""


class Proposal(msgspec.Struct, kw_only=True):
    """A line that somebody wants to keep although the rules forbid it."""

    id: str
    by: str
    line: str
    why: str
    reasons: list[Any]
    moves: list[dict[str, Any]]
    """Their JSON forms."""
    needs: list[str]
    """Seats that have to agree: those whose pages were open."""
    yes: list[str] = []


class Side(msgspec.Struct, kw_only=True):
    """A side in a dispute, and the rule it names."""

    by: str
    words: str
    rule: dict[str, str] | None = None


class Lying(msgspec.Struct, kw_only=True):
    """The notices before everybody: proposals by their ids, and the sides of a dispute."""

    proposals: dict[str, Proposal] = {}
    sides: list[Side] = []


class Board:
    """The board of notices. `chairs` keep it; `present`: the seats whose pages are open; `tell` tells pages who acted,
    `look` makes them refresh."""

    def __init__(
        self, chairs: Chairs, present: Callable[[], Iterable[str]], tell: Told, look: Callable[[], None]
    ) -> None:
        self.chairs, self.present, self.tell, self.look = chairs, present, tell, look
        self.lying = Lying()
        with suppress(msgspec.ValidationError):
            self.lying = msgspec.convert(chairs.board or {}, Lying)

    def changed(self) -> None:
        """Keep what lies there, and let every page look again. Raises OSError."""
        self.chairs.board = msgspec.to_builtins(self.lying)
        self.chairs.keep()
        self.look()

    def form(self, table: Table, seat: str) -> dict[str, Any]:
        """The board as a page shows it to a seat."""
        called = table.named.called
        return {
            "proposals": [
                {
                    "id": one.id,
                    "by": called(one.by),
                    "mine": one.by == seat,
                    "line": one.line,
                    "why": one.why,
                    "reasons": one.reasons,
                    "asks_me": seat in one.needs and seat not in one.yes,
                    "waits_for": [called(other) for other in one.needs if other not in one.yes],
                }
                for one in self.lying.proposals.values()
            ],
            "dispute": [{"by": called(side.by), "words": side.words, "rule": side.rule} for side in self.lying.sides],
        }

    # --- against the rules -------------------------------------------------------------------------------------

    def propose(self, table: Table, seat: str, moves: list[Move], text: str, why: Any) -> Any:
        """Keep a refused line: at once if nobody else has a page open, or when all of them agree."""
        why = _said(why, "a line is kept for a reason")
        found = try_line(seen_by(table.position, seat), moves, typed=True)
        form = answers.verdict(table, found, table.position)
        if found.verdict.legal is None:
            return form
        if found.verdict.legal:
            raise Refused("the rules allow that: just say it")
        needs = sorted({other for other in self.present() if other and other != seat} & set(table.seats))
        one = Proposal(
            id=secrets.token_hex(8),
            by=seat,
            line=openly(moves, table) or text,
            why=why,
            reasons=[{"why": row["why"], "rule": row["rule"]} for row in form["reasons"]],
            moves=[move.to_json() for move in moves],
            needs=needs,
        )
        if not needs:
            return self._keep(table, one)
        self.lying.proposals = {key: old for key, old in self.lying.proposals.items() if old.by != seat}
        if len(self.lying.proposals) >= MOST:
            raise Refused("answer what waits first")
        self.lying.proposals[one.id] = one
        self.changed()
        return {"waits_for": [table.named.called(other) for other in needs]}

    def answer(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Yes or no of one whose consent is asked; the one who asked may take it back."""
        one = self.lying.proposals.get(str(said.get("id", "")))
        if one is None or seat not in (one.by, *one.needs):
            raise Refused("that does not wait for you any more", 409)
        if seat == one.by or said.get("yes") is not True:
            del self.lying.proposals[one.id]
            self.changed()
            self.tell(table, seat, "took back" if seat == one.by else "does not agree to keep", one.line)
            return {}
        if seat not in one.yes:
            one.yes.append(seat)
        if set(one.needs) - set(one.yes):
            self.changed()
            return {}
        del self.lying.proposals[one.id]
        return self._keep(table, one)

    def _keep(self, table: Table, one: Proposal) -> Any:
        moves = [jsonmoves.from_json(form, table.position) for form in one.moves]
        by = one.by if any(maker(move) not in ("", one.by) for move in moves) else ""
        outcome = table.do(moves, "", typed=True, override=one.why, by=by)
        found = answers.verdict(table, outcome, outcome.here)
        kept = bool(outcome.done and outcome.steps)
        if kept:
            self.tell(table, one.by, "kept, as the table agreed", one.line)
        self.changed()
        return {**found, "recorded": kept}

    # --- a dispute ---------------------------------------------------------------------------------------------

    def dispute(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Say something in a dispute, with the rule one means; or end it, with what the table decided."""
        if "settled" in said:
            decided = str(said["settled"])[:LONGEST].strip()
            if self.lying.sides and decided:
                table.note(f"The table decided: {decided}")
            self.lying.sides = []
        else:
            if len(self.lying.sides) >= MOST:
                raise Refused("the discussion is full: decide")
            rule, words = said.get("rule"), str(said.get("words", ""))[:LONGEST].strip()
            if not rule and not words:
                raise Refused("say what you mean, or name a rule")
            shown = answers.rule(table, str(rule)[:100]) if rule else None
            named = {key: str(shown[key]) for key in ("id", "title", "text")} if shown else None
            self.lying.sides.append(Side(by=seat, words=words, rule=named))
        self.changed()
        return {}


def openly(moves: list[Move], table: Table) -> str:
    """Moves in the words that everybody may know."""
    line = Line(steps=[{"how": "said", "move": move.to_json()} for move in moves])
    return without_seals(in_words(known_line(line, table.position, ""), table.position, table.named))


def _said(text: Any, lacking: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise Refused(lacking)
    return text.strip()[:LONGEST]


__all__ = ["Board"]
