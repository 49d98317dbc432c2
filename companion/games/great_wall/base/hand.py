"""Answers given beside a report wait in a hand: carriers of shame, losses, saves, goods, wounds, shots, attacks on the
Khan. Each debt that opens while the report is carried out takes from it, and becomes a report of its own. Unused
answers are judged, too, and refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from companion.engine.language.jsonmoves import from_json
from companion.engine.play.moves import acting, arguments_of, brought_by
from companion.engine.play.pending import presumable
from companion.rules import Brings, Flag, Move, Task

from .catalogue import At
from .named import Said

if TYPE_CHECKING:
    from .reports import Told

Entry = str | dict[str, Any]
"""The name of a report, or `{EVENT: first parameter, others}`; `pass` for leaving the location."""
Answers = dict[tuple[str, ...], dict[str, list[Any]]]
"""The kinds that answer -> player -> entries; under "" those of whoever is asked first."""
Many = dict[str, Said | list[Said]]
"""Player -> one or several soldiers or carriers."""
OnCards = dict[str, str | list[str]]
"""Card -> spots."""
Carriers = Annotated[dict[str, Any], Brings("take_shame")]
"""Player -> carriers of shame."""
Wounds = Annotated[Any, Brings("wound")]
"""The extra wound that a card gives a player: a spot, or card and spot."""
Discards = Annotated[Any, Brings("discard_tactic")]
"""Tactics above the hand limit: of the player who is asked, or player -> tactics."""
Shots = Annotated[dict[str, Any] | list[dict[str, Any]] | None, Brings("machine_shot")]
"""Machine, card and spots of one shot of a war machine, or of several."""
HordesUp = Annotated[tuple[str, ...] | str, Brings("reveal_horde")]
"""Horde cards that came up."""
AdvisorsUp = Annotated[tuple[str, ...] | str, Brings("reveal_advisor")]
"""Advisors that came onto the track."""


class Hand:
    """The answers given beside a report that nothing has asked for yet."""

    def __init__(self, at: At, report: Told) -> None:
        self.kinds: Mapping[str, type[Told]] = at.rules.moves  # type: ignore[assignment]
        self.by: str = getattr(report, "by", "")
        self.unsaved: bool = getattr(report, "unsaved", False)
        """True if it reports that nobody saves a soldier."""
        self.waits = report.always_followed
        """True if unnamed tokens wait for the end of the unit."""
        self.said: Answers = {}
        self.further: list[tuple[str, Any]] = []
        """Further reports for which it stands: kind and entry."""
        for field in brought_by(type(report)):
            brings, value = field.domain.brings or (), getattr(report, field.name)  # type: ignore[union-attr]
            if brings and self.kinds[brings[0]].owes is not None:
                self.said[brings] = _by_player(value, self.kinds[brings[0]])
            elif brings:
                self.further += [
                    (brings[0], entry) for entry in ([value] if isinstance(value, str) else value) if entry
                ]
        self.said |= report.otherwise(at)
        self.spoken = {kind for kinds, said in self.said.items() if said for kind in kinds}
        """The kinds of which it says something."""

    def reports(self, at: At) -> Iterator[Move] | None:
        """The further reports, made one by one."""
        found = self.further
        return (report(at, self.by, self.kinds[kind], entry) for kind, entry in found) if found else None

    def of(self, kind: str, who: str) -> list[Any] | None:
        """A player's remaining answers for a kind of report; None: the kind has no answers here."""
        said = next((said for kinds, said in self.said.items() if kind in kinds), None)
        return None if said is None else said.get(who) or said.get("") or []

    def has(self, kind: str, who: str) -> bool:
        """True if a player has a list for it, even an empty one."""
        return any(who in said for kinds, said in self.said.items() if kind in kinds)

    def given(self, at: At) -> Iterator[Move]:
        """The answers to what is owed, as far as there are some."""
        while (task := _first(at)) and self.of(task.move, task.who) is not None:
            self._forget(at)
            move = self.kinds[task.move].taken(at, task, self)
            if move is not None:
                yield move
            elif _first(at) is task:
                break

    def settled(self, at: At) -> Iterator[Move]:
        """The same, with what can be answered in one way only."""
        yield from self.given(at)
        while (move := presumable(at)) is not None:
            yield move
            yield from self.given(at)

    def left(self, at: At) -> Iterator[Move]:
        """Answers that nothing asked for, as the reports they would be."""
        for kinds, said in self.said.items():
            kind = self.kinds[kinds[0]]
            for who, entries in said.items():
                loose = [entry for entry in entries if not kind.fell(at, who, entry)]
                for entry in [loose] if loose and takes_several(kind) else loose:
                    yield report(at, who or self.by, kind, entry)

    def _forget(self, at: At) -> None:
        """Drop what only says what has happened by itself, while one can see that it has."""
        for kinds, said in self.said.items():
            kind = self.kinds[kinds[0]]
            for who, entries in said.items() if kind.seen_to_fall else ():
                if not any(task.move == kind.name and task.who == who for task in at.state.agenda):
                    entries[:] = [entry for entry in entries if not kind.fell(at, who, entry)]


def wounds_of_first(at: At, clan: str, section: str, card: str, spots: tuple[str, ...]) -> Answers:
    """Wounds that a player places on a card: where the report names none, the first horde of a section."""
    first = at.state.hordes.get(section, [])[:1]
    card = card or (first[0].card if first else "")
    return {("wound",): {clan: [{"card": card, "spot": spot} for spot in spots]}} if spots else {}


def _first(at: At) -> Task | None:
    return at.state.agenda[0] if at.state.agenda and at.state.agenda[0].move else None


def _by_player(said: Any, kind: type[Move]) -> dict[str, list[Any]]:
    """Player -> entries; "": of nobody in particular. (An entry may give the parameters of its kind.)"""
    by_player = isinstance(said, dict) and said.keys().isdisjoint(kind.__struct_encode_fields__)
    entries = said if by_player else {"": said}
    return {who: list(one) if isinstance(one, list | tuple) else [one] for who, one in entries.items() if one or who}


def parameter(kind: type[Move]) -> str:
    """The parameter of a kind of report that an entry gives which says no other."""
    first = (one.name for one in arguments_of(kind) if one.name != "by" and not isinstance(one.domain, Flag))
    return getattr(kind, "entry", "") or next(first, "")


def takes_several(kind: type[Move]) -> bool:
    """True if that parameter takes several entries."""
    domain = next(one.domain for one in arguments_of(kind) if one.name == parameter(kind))
    return domain is not None and domain.many


def report(at: At, clan: str, kind: type[Move], entry: Any) -> Move:
    """The report of a kind for which an entry stands: it gives its parameters, or the value of one. Raises MoveFormError."""
    whole = isinstance(entry, Mapping) and not entry.keys().isdisjoint(kind.__struct_encode_fields__)
    who = {"by": clan} if acting(kind) else {}
    return from_json({**(entry if whole else {parameter(kind): entry}), "event": kind.name, **who}, at)


def as_move(at: At, clan: str, entry: Entry) -> Move:
    """The report for an entry that names its kind. Raises MoveFormError for any other entry."""
    if isinstance(entry, str):
        return from_json({"event": "leave" if entry == "pass" else entry, "by": clan}, at)
    name = next((key for key in entry if key in at.rules.moves), next(iter(entry), ""))
    form = {key: value for key, value in entry.items() if key != name}
    if name in at.rules.moves and entry[name] is not None:
        form = {parameter(at.rules.moves[name]): entry[name], **form}
    return from_json({"event": name, "by": clan, **form}, at)
