"""One field of a move as a menu asks for it: its values, each with what the rules say of it; what has been chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.engine.decisions.labels import label_of, section_of
from companion.engine.decisions.records import Value, reasons_form
from companion.engine.decisions.things import Things, Ways, known_things, shape_of, ways
from companion.engine.decisions.walks import Walk, plain, said_form
from companion.engine.errors import CompanionError
from companion.engine.play.domains import Count, Domain, Flag, Pairs, PieceName, Seat
from companion.engine.play.moves import Breach, Choice
from companion.engine.play.options import shared
from companion.engine.play.position import Position

if TYPE_CHECKING:
    from companion.engine.decisions.menus import Menu, Said

LONG = 12
"""A list of more values than these stands under headings."""


THING_BY_THING = ("several", "pairs", "steps")
"""Kinds of fields that are filled until they are said to be done."""


class NoSuchValue(CompanionError):
    """A value that a field does not take."""

    kind = "unreadable"


class Field:
    """The next thing to be said of a move. It changes nothing: `take`, `add` and `drop` lead to what comes after it."""

    def __init__(
        self,
        menu: Menu,
        verb: str,
        name: str,
        put: Callable[[Any], Walk],
        walk: Walk,
        *,
        at: Position[Any] | None = None,
        domain: Domain | None,
        options: list[Any] | None,
        things: list[Any] | None = None,
        optional: bool = False,
        unsaid: Any = None,
        choice: Choice | None = None,
        chosen: Things = (),
    ) -> None:
        self.menu = menu
        self.verb = verb
        """The name of the move."""
        self.name = name
        """The name of the field in the JSON form; of a question that comes up inside a move, its path."""
        self.at = at or menu.at
        """The position in which it is asked for."""
        self.domain = domain
        self.optional = optional
        """True: it may be passed over (`leave`)."""
        self.chosen = chosen
        """The things chosen so far, in a field of several."""
        self.choice = choice
        """The question of the rules that asks for it, where one does."""
        self._options = options
        self._any = things
        self._unsaid = unsaid
        self._put = put
        self.walk = walk
        """The fields filled before it."""
        self._shape = shape_of(domain, options)

    # --- what it is ------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """`one` of its values, a `number`, `several` things, or `pairs` of things."""
        if self._shape is not None:
            return "pairs" if self._shape.pairs else "several"
        if self._options is None:
            return "number" if isinstance(self.domain, Count) else "one"
        numbers = [value for value in self._options if isinstance(value, int) and not isinstance(value, bool)]
        return "number" if numbers and len(numbers) == len([one for one in self._options if one is not None]) else "one"

    @property
    def label(self) -> str:
        return self.name.rpartition(".")[2].replace("_", " ")

    @property
    def question(self) -> str:
        """The question to ask, as a sentence, with people for their seats."""
        if self.choice is not None and self.choice.rule:
            return self.menu.people.asked(self.choice)
        if isinstance(self.domain, Flag):
            return f"{self.label}?"
        if self.kind == "number":
            return f"{self.label}: how many?"
        return f"which {self.label}{', if any' if self.optional else ''}?"

    @cached_property
    def bounds(self) -> tuple[int, int | None, int] | None:
        """Of a number: the least and the most that the pieces allow (None: no bound is known), and the step."""
        if self.kind != "number":
            return None
        if self._options is None:
            return (self.domain.least if isinstance(self.domain, Count) else 0), None, 1
        numbers = sorted(value for value in self._options if value is not None)
        steps = {b - a for a, b in pairwise(numbers)}
        return numbers[0], numbers[-1], min(steps, default=1)

    # --- its values ------------------------------------------------------------------------------------------------

    @cached_property
    def values(self) -> list[Value]:
        """The values to choose from; where several things are chosen, each that may be added now."""
        if self._shape is not None:
            return [self._value(thing, self._against_thing(thing)) for thing in self._things]
        return [self._value(option, self._against(option)) for option in self._options or ()]

    @cached_property
    def _ways(self) -> Ways | None:
        return ways(self._options, self._shape) if self._shape is not None and self._options is not None else None

    @cached_property
    def _things(self) -> list[Any]:
        if self._any is not None:
            return self._any
        if self._ways is None:
            return known_things(self.domain, self.at)
        return list(dict.fromkeys(thing for things, _ in self._ways.every for thing in things))

    def _against_thing(self, thing: Any) -> list[Breach]:
        """The reasons why one more thing leads nowhere. Where the pieces list no values, the whole is judged."""
        if self._ways is None:
            if thing not in self.chosen or not self._is_used_up(thing):
                return []
            before = {(one.rule, str(one.words)) for one in self.unfinished}
            again = self._against(self._made((*self.chosen, thing)))
            return [one for one in again if (one.rule, str(one.words)) not in before] or again
        refused = []
        for value in self._ways.holding((*self.chosen, thing)):
            why = self._against(value)
            if not why:
                return []
            refused.append(why)
        return shared(refused) or self._against(self._made((*self.chosen, thing)))

    def _is_used_up(self, thing: Any) -> bool:
        """True if every copy of a thing has been chosen: nobody sits at the table twice, and the box holds so many
        copies of a piece."""
        if not isinstance(self.domain, PieceName):
            return isinstance(self.domain, Seat)
        pieces = (one for one in self.at.rules.game.pieces if one.set == self.domain.set)
        copies = sum(one.copies for one in pieces if str(thing).lower() in (one.id.lower(), one.name.lower()))
        return 0 < copies <= self.chosen.count(thing)

    def _against(self, value: Any) -> list[Breach]:
        """The reasons why a value is refused."""
        return self.menu.against(self._put(value))

    def _value(self, value: Any, reasons: list[Breach]) -> Value:
        at, domain = self.at, self.domain
        of = domain.left if isinstance(domain, Pairs) and isinstance(value, tuple) else domain
        key = value[0] if of is not domain else value
        if of is not domain and isinstance(domain, Pairs):
            label = f"{label_of(key, of, at)}: {label_of(value[1], domain.right, at)}"
        else:
            label = label_of(value, domain, at)
        return Value(
            value=plain(value),
            label=label,
            reasons=tuple(reasons),
            section=section_of(key, of, at),
            place=self.menu.places.of(key, of),
            n=self.chosen.count(value) if self._shape is not None else 0,
        )

    @property
    def breadth(self) -> int:
        """The number of values that the pieces allow, before the rules are asked about any."""
        return len(self._options or ())

    # --- saying it -------------------------------------------------------------------------------------------------

    def take(self, value: Any) -> Field | Said:
        """Set a value and return the next field, or the whole move; a field of several things takes all of them at
        once. A value that is not listed is read like that of a JSON move, and judged. Raises NoSuchValue."""
        return self.menu.go_on(self._put(self._meant(value)))

    def leave(self) -> Field | Said:
        """Pass over the field and return the next one, or the whole move. Raises NoSuchValue for a field that needs a
        value."""
        if not self.optional:
            raise NoSuchValue(f"{self.name} needs a value")
        return self.menu.go_on(self._put(self._unsaid))

    def add(self, thing: Any, n: int = 1) -> Field:
        """The field with one thing more (or `n` of it). Raises NoSuchValue."""
        return self._with((*self.chosen, *[self._thing(thing)] * n))

    def drop(self, thing: Any) -> Field:
        """The field without the last such thing. Raises NoSuchValue."""
        meant, kept = self._thing(thing), list(self.chosen)
        if meant not in kept:
            raise NoSuchValue(f"{thing!r} has not been chosen for {self.name}")
        del kept[len(kept) - 1 - kept[::-1].index(meant)]
        return self._with(tuple(kept))

    def done(self) -> Field | Said:
        """Close the field with the things chosen; return the next one, or the whole move."""
        return self.menu.go_on(self._put(self._made(self.chosen)))

    @cached_property
    def unfinished(self) -> list[Breach]:
        """The reasons why the things chosen so far are too few or too many; empty if they will do."""
        if self._shape is None:
            return []
        made = self._made(self.chosen)
        if made == self._unsaid and not self.optional and self.choice is not None:
            return [Breach(self.choice.rule, self.choice.words or self.choice.question, self.choice.facts)]
        return self._against(made)

    def _with(self, chosen: Things) -> Field:
        return Field(
            self.menu,
            self.verb,
            self.name,
            self._put,
            self.walk,
            at=self.at,
            domain=self.domain,
            options=self._options,
            things=self._any,
            optional=self.optional,
            unsaid=self._unsaid,
            choice=self.choice,
            chosen=chosen,
        )

    def _made(self, things: Things) -> Any:
        assert self._shape is not None
        found = self._ways.made(things) if self._ways is not None else None
        return self._shape.value(things) if found is None else found

    def _thing(self, said: Any) -> Any:
        if self._shape is None:
            raise NoSuchValue(f"{self.name} is one thing only")
        known = self._things
        wanted = plain(said)
        meant = next((thing for thing in known if plain(thing) == wanted), None)
        if meant is None and known:
            raise NoSuchValue(f"{said!r} is not among the values of {self.name}")
        return said if meant is None else meant

    def _meant(self, value: Any) -> Any:
        """The option that a plain value is, or the value itself."""
        wanted = plain(value)
        for option in self._options or ():
            if plain(option) == wanted:
                return option
        if self._ways is not None and self._shape is not None and isinstance(value, list | tuple | dict):
            found = self._ways.made(self._shape.things(value))
            if found is not None:
                return found
        return self.menu.read(self.verb, self.name, value)

    # --- as data ---------------------------------------------------------------------------------------------------

    def form(self) -> dict[str, Any]:
        """The field as plain data."""
        people = self.menu.people
        found: dict[str, Any] = {
            "verb": self.verb,
            "field": self.name,
            "kind": self.kind,
            "label": self.label,
            "question": self.question,
            "optional": self.optional,
            "said": said_form(self.walk),
        }
        if self.choice and self.choice.rule:
            found["rule"] = self.choice.rule
        if self.bounds:
            found |= dict(zip(("least", "most", "step"), self.bounds, strict=True))
        values = [value.form(people) for value in self.values]
        if len(values) <= LONG:
            for value in values:
                value.pop("section", None)
        found["values"] = values
        if self._shape is not None:
            found["chosen"] = plain(self._made(self.chosen))
        if self.kind in THING_BY_THING:
            found["enough"] = not self.unfinished and bool(self.optional or self.chosen)
            if self.unfinished:
                found["reasons"] = reasons_form(self.unfinished, people)
        return found


__all__ = ["LONG", "Field", "NoSuchValue"]
