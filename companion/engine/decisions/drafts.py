"""Half a move or half a turn: it takes answers and takes them back, and says what each costs and brings.

Nothing of it is in the state or the journal. On another position it is put together again, as far as it still fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Menu, Said
from companion.engine.decisions.records import events_form
from companion.engine.decisions.walks import plain
from companion.engine.errors import CompanionError
from companion.engine.language.people import People
from companion.engine.play.drafts import added
from companion.engine.play.moves import Event
from companion.engine.play.position import Position

How = Literal["begin", "take", "add", "drop", "leave", "done"]


class Answer(NamedTuple):
    """One thing that was said: how (as the methods of a draft are called), in which field, and what."""

    how: How
    field: str
    value: Any = None


class Draft:
    """A move that a seat is putting together (`draft`)."""

    def __init__(self, at: Position[Any], seat: str, people: People | Mapping[str, str] | None = None) -> None:
        self.menu = Menu(at, seat, people)
        self.answers: list[Answer] = []
        """The answers given so far, in order."""
        self._came_to: list[Field | Said] = []

    @property
    def here(self) -> Field | Said | None:
        """The field that is asked for now, or the whole move; None before a verb."""
        return self._came_to[-1] if self._came_to else None

    @property
    def field(self) -> Field:
        """The field that is asked for now. Raises CompanionError where none is."""
        if not isinstance(self.here, Field):
            raise CompanionError("no field is open now")
        return self.here

    # --- saying and taking back ------------------------------------------------------------------------------------

    def begin(self, verb: str) -> Field | Said:
        """Begin a move; what was said before is dropped. Raises MoveFormError."""
        first = self.menu.next(verb)
        self.answers, self._came_to = [], []
        return self._keep(Answer("begin", "", verb), first)

    def take(self, value: Any) -> Field | Said:
        """Say a value. Raises NoSuchValue."""
        return self._keep(Answer("take", self.field.name, plain(value)), self.field.take(value))

    def add(self, thing: Any) -> Field | Said:
        """Add a thing to a field of several. Raises NoSuchValue."""
        return self._keep(Answer("add", self.field.name, plain(thing)), self.field.add(thing))

    def drop(self, thing: Any) -> Field | Said:
        """Take a thing out of a field of several. Raises NoSuchValue."""
        return self._keep(Answer("drop", self.field.name, plain(thing)), self.field.drop(thing))

    def leave(self) -> Field | Said:
        """Pass a field over. Raises NoSuchValue."""
        return self._keep(Answer("leave", self.field.name), self.field.leave())

    def done(self) -> Field | Said:
        """Say that a field of several things, or a turn of steps, is complete."""
        return self._keep(Answer("done", self.field.name), self.field.done())

    def back(self) -> Answer | None:
        """Take the last answer back; None: there is none."""
        if not self.answers:
            return None
        self._came_to.pop()
        return self.answers.pop()

    def _keep(self, answer: Answer, found: Field | Said) -> Field | Said:
        self.answers.append(answer)
        self._came_to.append(found)
        return found

    # --- what it comes to ------------------------------------------------------------------------------------------

    @property
    def events(self) -> list[Event]:
        """The events of the move so far: of a turn of steps, each step; of any other move, all at the end."""
        return self.menu.brings(self.here) if self.here is not None else []

    def leads(self, value: Any) -> list[Event]:
        """The events that a value of the present field would add to `events`. Raises NoSuchValue."""
        return added(self.events, self.menu.brings(self.field.take(value)))

    def again(self, at: Position[Any]) -> tuple[Draft, list[Answer]]:
        """The same draft on another position, as far as nothing in it is refused there; and the answers that fell."""
        made = Draft(at, self.menu.seat, self.menu.people)
        for n, (how, field, value) in enumerate(self.answers):
            try:
                if how == "begin":
                    made.begin(value)
                elif made.field.name != field or made.refuses(how, value):
                    return made, self.answers[n:]
                elif how in ("leave", "done"):
                    getattr(made, how)()
                else:
                    getattr(made, how)(value)
            except CompanionError:
                return made, self.answers[n:]
        return made, []

    def refuses(self, how: How, value: Any) -> bool:
        """True if the rules forbid a value in the present field."""
        if how not in ("take", "add"):
            return False
        return any(one.refused for one in self.field.values if one.value == value)

    def form(self, *, leads: bool = False) -> dict[str, Any]:
        """As plain data: what it comes to so far, and what is asked now. `leads`: what each value would cost and
        bring."""
        found: dict[str, Any] = {
            "seat": self.menu.seat,
            "answers": [answer._asdict() for answer in self.answers],
            "events": events_form(self.events, self.menu.people),
        }
        if self.here is None:
            return {**found, "menu": self.menu.form()}
        form = self.here.form()
        if isinstance(self.here, Said):
            return {**found, "said": form}
        if leads and self.here.kind in ("one", "number", "steps"):
            for value, shown in zip(self.here.values, cast("list[dict[str, Any]]", form["values"]), strict=True):
                if not value.refused:
                    shown["leads"] = events_form(self.leads(value.value), self.menu.people)
        return {**found, "field": form}


def draft(at: Position[Any], seat: str, people: People | Mapping[str, str] | None = None) -> Draft:
    """A move of `seat` that is still to be put together."""
    return Draft(at, seat, people)


__all__ = ["Answer", "Draft", "draft"]
