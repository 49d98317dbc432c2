"""The menu of a seat: verbs with the verdict of the rules on each, and from a verb, field by field, to the whole move.

Everything is made from the position as the seat may know it (`seen_by`), so two positions that it cannot tell apart
give it the same menus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from companion.engine.decisions.fields import Field
from companion.engine.decisions.lacking import only_lacks_something, something_mends
from companion.engine.decisions.pending import Decision, kinds_in_place, open_decisions
from companion.engine.decisions.places import Places
from companion.engine.decisions.records import Standing, Verb, events_form, reasons_form
from companion.engine.decisions.saidforms import read_walk
from companion.engine.decisions.turns import NextStep, all_lead
from companion.engine.decisions.walks import STEP, Asked, Walk, next_asked, next_of_step, plain
from companion.engine.language import jsonmoves
from companion.engine.language.people import People, people_of
from companion.engine.language.saying import about, short
from companion.engine.language.verbs import verbs
from companion.engine.play.domains import Flag, Pairs, Seat, Tally
from companion.engine.play.moves import (
    Breach,
    Choice,
    Event,
    Move,
    acting,
    arguments_of,
    domains_of,
    made_by,
    maker,
    struct_fields,
)
from companion.engine.play.options import is_possible, obstacles
from companion.engine.play.parts import Run, Turn, run, transacts
from companion.engine.play.position import Position, Verdict
from companion.engine.play.secrets import seen_by
from components.phrasing import suggest

STEP_FIELD = re.compile(r"steps\[(\d+)\]\.(\w+)")
"""The form of a question's field, if a step has it."""


class Said:
    """A move that leaves nothing to be asked, with what the rules say of it and what it would lead to."""

    def __init__(self, menu: Menu, move: Move, verdict: Verdict) -> None:
        self.menu = menu
        self.move = move
        self.verdict = verdict

    @property
    def legal(self) -> bool | None:
        """None: somebody has to decide something else first (`verdict.needs`)."""
        return self.verdict.legal

    @cached_property
    def line(self) -> str:
        """The move as it is typed. That of a turn of steps is not read again to be sure, which takes longer than a tap:
        what its steps are called tells them apart, unless answers of several kinds follow one of them."""
        if isinstance(self.move, Turn) and all(_kinds_of_answers(part.to_json()) <= 1 for part in self.move.parts()):
            return short(self.move, self.menu.at)
        return self.menu.people.line(self.move, self.menu.at)

    @cached_property
    def events(self) -> list[Event]:
        """The events that the move leads to; empty for an illegal move."""
        return self.menu.brings(self) if self.legal else []

    def form(self) -> dict[str, Any]:
        """As plain data."""
        people = self.menu.people
        found: dict[str, Any] = {"verb": self.move.name, "legal": self.legal, "line": self.line}
        found["move"] = self.move.to_json()
        if self.verdict.reasons:
            found["reasons"] = reasons_form(self.verdict.reasons, people)
        if self.verdict.needs:
            found |= {"question": people.asked(self.verdict.needs[0]), "first": self.verdict.needs[0].move}
        if self.events:
            found["leads"] = events_form(self.events, people)
        return found


class Menu:
    """The moves that one seat may make now (`menu`). Reading it changes nothing."""

    def __init__(self, at: Position[Any], seat: str, people: People | Mapping[str, str] | None = None) -> None:
        self.seat = seat
        self.at = known = seen_by(at, seat)
        """The position as the seat may know it."""
        known.quiet = True
        known.open = True
        known.ahead = []
        self.people = people_of(people)
        self._judged: tuple[Move, Verdict] | None = None
        self._ran: tuple[Move, Run] | None = None
        self._verdicts: dict[tuple[type[Move], str], Verdict] = {}

    # --- verbs -----------------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> Places:
        """The places of values on the scene, as the seat sees it."""
        return Places(self.at, self.seat)

    @cached_property
    def decisions(self) -> list[Decision]:
        """The open decisions of this seat."""
        return open_decisions(self.at, self.seat, self._bare)

    @cached_property
    def verbs(self) -> list[Verb]:
        """The moves that answer its decisions, refused ones with their reasons."""
        open_now = open_decisions(self.at, self.seat, self._bare, asked=False)
        names = dict.fromkeys(name for one in open_now for name in one.kinds)
        return [self.verb(name) for name in names]

    @cached_property
    def offers(self) -> list[Verb]:
        """The verbs that the seat may use besides, while nobody waits for it."""
        decided, here = {verb.name for verb in self.verbs}, kinds_in_place(self.at)
        found = (
            self.verb(name)
            for name, kind in self.at.rules.moves.items()
            if name not in decided
            and (bool(acting(kind)) == bool(self.seat) or not self.at.seats)
            and (kind.sampled or kind.answers or any(kind in kinds for kinds in here))
        )
        return [verb for verb in found if verb.standing != "refused"]

    def verb(self, name: str) -> Verb:
        """One verb with the verdict of the rules, listed in the menu or not. Raises MoveFormError."""
        kind = self._kind(name)
        standing, verdict = self._standing(made_by(kind, self.seat))
        return Verb(
            name=name,
            label=name.replace("_", " "),
            typed=verbs(kind)[0],
            about=about(kind),
            standing=standing,
            reasons=tuple(verdict.reasons),
            needs=tuple(verdict.needs),
            already=standing == "legal" and verdict.done_already,
        )

    def _bare(self, move: Move) -> Verdict:
        """The verdict on a move of which only its kind and its seat are said, worked out once."""
        key = type(move), maker(move)
        if key not in self._verdicts:
            self._verdicts[key] = self.at.judge(move)
        return self._verdicts[key]

    def _standing(self, move: Move) -> tuple[Standing, Verdict]:
        verdict = self._bare(move)
        if verdict.legal:
            return "legal", verdict
        if isinstance(move, Turn) and not self._standing_of_turn(move):
            return "refused" if verdict.reasons and self._leads_nowhere(move) else "incomplete", verdict
        needs = verdict.needs
        if needs and needs[0].move not in ("", move.name):
            return "waits", verdict
        if verdict.legal is None or only_lacks_something(move, self.at):
            return "incomplete", verdict
        return "refused", verdict

    def _leads_nowhere(self, turn: Turn) -> bool:
        """True if the rules forbid every possible beginning of a turn."""
        first = self.go_on(Walk(turn))
        return isinstance(first, Field) and bool(first.values) and all(value.refused for value in first.values)

    def _standing_of_turn(self, turn: Turn) -> list[Breach]:
        """The reasons that forbid a turn whatever its steps: those against its beginning, if no step may come before
        it."""
        ran = self.ran(turn)
        return ran.reasons if ran.reasons and not NextStep(self, Walk(turn), ran).possible else []

    def _kind(self, name: str) -> type[Move]:
        kind = self.at.rules.moves.get(name)
        if kind is None:
            raise jsonmoves.MoveFormError(f"no move is called {name!r:.60}{suggest(name, self.at.rules.moves)}")
        return kind

    # --- field by field --------------------------------------------------------------------------------------------

    def next(self, verb: str, **said: Any) -> Field | Said:
        """The next field of a move, or the whole move, after the fields in `said` (None: passed over; of a turn,
        `step=None`: no step follows). Raises MoveFormError."""
        return self.go_on(read_walk(self.at, made_by(self._kind(verb), self.seat), said))

    def go_on(self, walk: Walk) -> Field | Said:
        """The next field of a half-made move, or the whole move."""
        here = self.before(walk.move)
        walk, asked = next_asked(walk, here)
        if asked is not None:
            return self._field(walk, asked, here)
        return self._of_turn(walk) if isinstance(walk.move, Turn) and not walk.ended else self._finished(walk)

    def against(self, walk: Walk) -> list[Breach]:
        """The reasons that forbid a half-made move whatever is added; empty if it can go on."""
        here = self.before(walk.move)
        if isinstance(walk.move, Turn):
            return self._against_turn(walk, here)
        if not is_possible(walk.move, here):
            return [] if something_mends(walk, here) else obstacles(walk.move, here)
        if transacts(walk.move) and next_asked(walk, here)[1] is None:
            return here.judge(walk.move).reasons
        return []

    def judged(self, move: Move) -> Verdict:
        """The verdict on a move, worked out once for the last one that was asked about."""
        if self._judged is None or self._judged[0] != move:
            self._judged = move, self.at.judge(move)
        return self._judged[1]

    def before(self, move: Move) -> Position[Any]:
        """The position in which a move is judged, once what it says by being said has happened."""
        return self.at.presuming(move)[0]

    def read(self, verb: str, name: str, value: Any) -> Any:
        """A value as the rules write it, read like that of a JSON move. Raises MoveFormError."""
        kind = self._kind(verb)
        if "." in name:
            return value
        move = jsonmoves.from_json({kind.key: verb, name: value}, self.at)
        return getattr(move, next(info.name for info in struct_fields(kind) if info.encode_name == name))

    def brings(self, came_to: Field | Said) -> list[Event]:
        """The events of a move so far: of a turn, those of its steps; of any other move, none before it is complete."""
        loud = self.at.copy()
        if isinstance(came_to, Said):
            loud.open = False
            loud.play(came_to.move)
            return loud.events
        turn = came_to.walk.move
        if not isinstance(turn, Turn) or not turn.parts():
            return []
        ran = run(turn, loud.presuming(turn)[0], close=False)
        return [] if ran.reasons else ran.after.events

    # --- turns -----------------------------------------------------------------------------------------------------

    def _of_turn(self, walk: Walk) -> Field | Said:
        """The next step of a turn, or what the step that is being said lacks."""
        ran = self.ran(walk.move)
        if ran.needs and (field := self._question(ran.move, walk, ran.needs[0])) is not None:
            return field
        assert isinstance(walk.move, Turn)
        if ran.reasons and not all_lead(walk.move):
            return self._finished(walk)
        if walk.step is None:
            steps = NextStep(self, walk._replace(move=walk.move if ran.reasons else ran.move), ran)
            return steps if steps.possible else self._finished(walk)
        walk, asked = next_of_step(walk, ran.after)
        if asked is None:
            longer = walk.move.with_parts((*walk.move.parts(), walk.step))  # type: ignore[attr-defined]
            return self.go_on(walk._replace(move=longer, step=None, step_passed=frozenset()))
        return self._field(walk, asked, ran.after)

    def _against_turn(self, walk: Walk, here: Position[Any]) -> list[Breach]:
        turn = walk.move
        assert isinstance(turn, Turn)
        if walk.step is not None:
            after = self.ran(turn).after
            if not is_possible(walk.step, after):
                return obstacles(walk.step, after)
            if next_of_step(walk, after)[1] is not None:
                return []
            return run(turn.with_parts((*turn.parts(), walk.step)), here, close=False).reasons
        if next_asked(walk, here)[1] is None and turn.parts():
            return run(turn, here, close=walk.ended).reasons
        return [] if is_possible(turn, here) else obstacles(turn, here)

    def ran(self, turn: Move) -> Run:
        """The run of a turn so far, kept for the turn asked about last."""
        if self._ran is None or self._ran[0] != turn:
            self._ran = turn, run(turn, self.before(turn), close=False)
        return self._ran[1]

    # --- what a field is made of -----------------------------------------------------------------------------------

    def _field(self, walk: Walk, asked: Asked, here: Position[Any]) -> Field:
        """The field to be asked for: of the step that is being said, or else of the move."""
        argument, options, things = asked
        record, put, under = walk.move, walk.said, ""
        if walk.step is not None:
            record, put, under = walk.step, walk.said_in_step, f"{STEP}."
        names = {info.name: info.encode_name for info in struct_fields(type(record))}
        choices = record.questions(here, argument.name, options or [])
        return Field(
            self,
            walk.move.name,
            under + names[argument.name],
            lambda value: put(argument.name, value),
            walk,
            at=here,
            domain=argument.domain,
            options=options,
            things=things,
            optional=options is None or argument.default in options,
            unsaid=argument.default,
            choice=choices[0] if choices else None,
        )

    def _finished(self, walk: Walk) -> Field | Said:
        """The whole move; or the question that its verdict asks, where it is asked inside the move."""
        verdict = self.judged(walk.move)
        if verdict.legal is None and (field := self._question(verdict.move, walk, verdict.needs[0])) is not None:
            return field
        return Said(self, verdict.move, verdict)

    def _question(self, move: Move, walk: Walk, choice: Choice) -> Field | None:
        """The field that answers a question; None if another move does."""
        if choice.move not in ("", move.name):
            return None
        now = walk._replace(move=move)
        if "." in choice.field:

            def inside(value: Any) -> Walk:
                said = plain(value)
                if _takes_several(move, choice.field) and not isinstance(said, list):
                    said = [said]
                form = jsonmoves.answered(move.to_json(), choice.field, said)
                return now._replace(move=jsonmoves.from_json(form, self.at))

            return Field(self, move.name, choice.field, inside, now, domain=None, options=choice.options, choice=choice)
        kind = type(move)
        found = next((one for one in struct_fields(kind) if choice.field in (one.name, one.encode_name)), None)
        if found is None:
            return None
        _, domain, default = next(one for one in arguments_of(kind) if one.name == found.name)
        if isinstance(domain, Pairs) and isinstance(domain.left, Seat) and choice.of:

            def of_seat(value: Any) -> Walk:
                before = getattr(move, found.name) or {}
                return now._replace(move=replace(move, **{found.name: {**before, choice.of: value}}))

            key = f"{found.encode_name}.{choice.of}"
            return Field(self, move.name, key, of_seat, now, domain=domain.right, options=choice.options, choice=choice)
        several = domain is not None and (domain.many or isinstance(domain, Tally | Pairs))
        things: list[Any] | None = None
        if isinstance(domain, Pairs):
            pairs = move.things(self.at, found.name)  # the question may list the places alone
            things = [pair for pair in pairs if pair[0] in choice.options] if pairs is not None else None
        elif several and domain is not None and choice.options:
            known = set(domain.spoken(self.at).values())
            things = [one for one in choice.options if one in known]
        flag, words = _declining(kind, choice)

        def put(value: Any) -> Walk:
            declined = flag and (value == default or (isinstance(value, str) and value in words))
            return now.said(flag, True) if declined else now.said(found.name, value)

        return Field(
            self,
            move.name,
            found.encode_name,
            put,
            now,
            domain=domain,
            optional=bool(flag),
            options=None if several else choice.options or None,
            things=things,
            unsaid=default,
            choice=choice,
        )

    # --- as data ---------------------------------------------------------------------------------------------------

    def form(self) -> dict[str, Any]:
        """The menu as plain data: what the seat has to decide, its verbs, and what it is offered besides."""
        return {
            "seat": self.seat,
            "decisions": [_decision_form(one, self.people) for one in self.decisions],
            "verbs": [verb.form(self.people) for verb in self.verbs],
            "offers": [verb.form(self.people) for verb in self.offers],
        }


def _declining(kind: type[Move], choice: Choice) -> tuple[str, tuple[str, ...]]:
    """The field of a move by which a question is declined, where one of its answers is a word for that (`none`); and
    such words. ("", ()): there is none."""
    for name, domain, _ in arguments_of(kind):
        if isinstance(domain, Flag) and not set(domain.words).isdisjoint(map(str, choice.options)):
            return name, domain.words
    return "", ()


def _kinds_of_answers(form: Any) -> int:
    """The number of kinds of answers in the JSON form of a step, at any depth."""
    if isinstance(form, list):
        return sum(map(_kinds_of_answers, form))
    if not isinstance(form, dict):
        return 0
    return sum(len(one) if key == "choose" else _kinds_of_answers(one) for key, one in form.items())


def _takes_several(move: Move, path: str) -> bool:
    """True if the field of a step that a question asks for holds several things (`steps[0].deliveries`)."""
    step = STEP_FIELD.fullmatch(path)
    if step is None or not isinstance(move, Turn):
        return False
    domain = domains_of(type(move.parts()[int(step[1])])).get(step[2])
    return domain is not None and domain.many


def _decision_form(decision: Decision, people: People) -> dict[str, Any]:
    found: dict[str, Any] = plain(decision)
    return {**found, "question": people.text(decision.question)}


def menu(at: Position[Any], seat: str, people: People | Mapping[str, str] | None = None) -> Menu:
    """The menu of `seat` now ("" for the table, which reports). `people`: seat -> person, for all wording."""
    return Menu(at, seat, people)


__all__ = ["Menu", "Said", "menu"]
