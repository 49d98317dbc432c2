"""Moves: typed arguments in, reasons against the move or a changed position out. Knows no game.

A game declares one small class per move. Its fields are its arguments, each annotated with the *domain* its values
come from (`domains.py`); from these the parser, the tab completion, the help and the JSON form are made.

    class BuyArmy(Move):
        \"\"\"Buy Army Tokens.\"\"\"
        words = ("army", "buy army")
        player: Annotated[str, Seat()] = ""
        n: Annotated[int, Count(1)] = 1

A field left at its default (`""`, `None`, `()`) was not said. From `Move.options` the engine fills in what can only be
one thing and asks for what is the player's to choose (`options.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from companion.engine.errors import LacksFact
from companion.engine.play.domains import Domain, Flag, Seat, domain_in
from components.sentences import Sentence

if TYPE_CHECKING:
    from companion.engine.play.pending import Task
    from companion.engine.play.position import Position

Options = Iterable[Any] | None
"""The values of a field (`Move.options`)."""
Amounts = dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000)]]
"""Kind -> how many of it: nobody can mean fewer than none, or more than any box could hold."""
MoveRole = Literal["action", "event", "choice", "free", "automatic", "claim"]


def worded(rule: str, words: str | Sentence, facts: dict[str, Any]) -> str:
    """A sentence of a rule with its facts. Raises LacksFact."""
    if isinstance(words, str):
        return words
    try:
        return words.say(facts)
    except KeyError as error:
        raise LacksFact(rule, words.text, str(error.args[0]), facts) from None


class Breach(msgspec.Struct, frozen=True):
    """One rule that forbids a move, with the facts by name. The words stand with the rule in `rules.yaml` (`breaks`);
    `Position.breach` finds them."""

    rule: str
    words: str | Sentence
    facts: dict[str, Any] = {}
    with_rules: tuple[str, ...] = ()
    """Further rules the reason rests on: with one of them off, there is no breach."""

    @property
    def why(self) -> str:
        """The reason as a sentence with its figures. Raises LacksFact."""
        return worded(self.rule, self.words, self.facts)


class Choice(msgspec.Struct, frozen=True):
    """Something the rules leave to a player and that was not said. `field` is the move's field to fill in, or the name
    of another move that has to come first; `options` are its possible values, ready to be typed."""

    field: str
    of: str
    """The seat whose choice it is."""
    question: str
    options: list[Any] = []
    move: str = ""
    """Name of the move that would settle it, when that is not the move asked about."""
    rule: str = ""
    """The rule that leaves the choice."""
    words: str | Sentence = ""
    """The question before its `facts` are put in, where it is a sentence of a rule."""
    facts: dict[str, Any] = {}


class Event(msgspec.Struct, frozen=True):
    """One step of what happened, with the rule that made it happen."""

    rule: str
    words: str | Sentence
    facts: dict[str, Any] = {}
    aside: bool = False
    """True: a rule that was kept, worth citing but not worth a line at the table."""
    warns: bool = False
    """True: nothing that happened, but something the table should know."""

    @property
    def what(self) -> str:
        """The event as a sentence. Raises LacksFact."""
        return worded(self.rule, self.words, self.facts)


class Move(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all moves. Subclasses set the class variables and override the methods that matter to them."""

    name: ClassVar[str] = ""
    """The action's name in the JSON form: `{"action": name, …fields}`. Not set: the name of the class (`BuyArmy`:
    `buy_army`)."""
    key: ClassVar[str] = "action"
    """Key of the name in the JSON form (`event`, `turn` in games that write it so)."""
    role: ClassVar[MoveRole] = "action"
    words: ClassVar[tuple[str, ...]] = ()
    """The verbs that a person may type; the first is used when the move is written out. Not set: its name. Others stand
    under `verbs` in the game's glossary, and join these when its rules are made."""
    example: ClassVar[str] = ""
    """One line as typed, for the help, or `examples` in the glossary. Not set: the first of its words."""
    asks: ClassVar[dict[str, str]] = {}
    """Field -> the sentence that asks for it, as rule and key under its `asks`: `{"fruit": "OR-DRAW-1.fruit"}`. Those
    of the class above hold, too. A sentence with the key `MOVE.FIELD` (`pick.fruit`) is found without being named; the
    move may be a class above."""
    is_part: ClassVar[bool] = False
    """True: it is not a move by itself, but a step of a turn."""
    idle: ClassVar[bool] = False
    """True: it only says what stands, so it waits for nothing that is owed."""
    elsewhere: ClassVar[str] = ""
    """The rule quoted when it is said in another phase. Empty: the one its phase names."""
    answers: ClassVar[bool] = False
    """True: it only settles what is owed, whatever the phase. Where nothing is owed to it, the rule `elsewhere` says so
    (`breaks.none`), and it is not judged further."""
    in_turn: ClassVar[str] = ""
    """The rule (and key) broken where another seat owes the same first. Empty: seats settle it in any order."""
    verbless: ClassVar[bool] = True
    """False: the name of a thing alone never says it. `ann Daring` is what Ann takes, not what she discards."""
    leaves: ClassVar[tuple[str, ...]] = ()
    """Of a move by which a seat passes: the names of the moves that it leaves undone, so that `ann does not trade` says
    it, and `ann does not discard` does not. Empty: all others that the seat could make."""
    repeats: ClassVar[str | None] = None
    """The field before whose value a number says how often the move is made: `unit` in `recruits 2 spearmen`. "": only
    `twice` and the like say so. None: nothing does."""
    name_is_verb: ClassVar[bool] = True
    """False: its name is no verb of it, because that says more: `recall clerks` is not to recall one of them."""
    of_all: ClassVar[bool] = False
    """True: it is done by everybody, who may be named before it: `everybody takes income`."""
    done_by: ClassVar[str] = ""
    """The field of the thing that does it, which may be said before the verb: `unit` in `her archer hits H13`."""
    shares: ClassVar[tuple[str, ...]] = ()
    """The fields that a second thing of the kind shares with the first, though it does not say them: `barricades at L
    and R`."""
    unshared: ClassVar[tuple[str, ...]] = ()
    """The fields that are said of one thing alone: the turn of a tile in `T03, T01 90`."""
    counted: ClassVar[tuple[str, ...]] = ()
    """Nouns counted by a number that repeats the move: `clerk` in `with both clerks`."""
    deals: ClassVar[tuple[str, ...]] = ()
    """The fields whose values are dealt out among moves repeated so: `2 spearmen on a1 and b1`."""
    always_followed: ClassVar[bool] = True
    """False: it has `follow_ups` only where one of its fields brings moves along. Otherwise it is judged in place,
    which is quicker."""
    sampled: ClassVar[bool] = False
    """True: more than 2,000 combinations. The legal list then holds a sample (`candidates`), though every value of
    every field still stands in its options."""
    few: ClassVar[int] = 0
    """So many values of each field but seats are in the sample of a `sampled` kind; 0: it is `candidates`."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not cls.is_part:
            made = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__.lstrip("_")).lower()
            cls.name = cls.__dict__.get("name", made)
            cls.words = cls.__dict__.get("words", (cls.name.replace("_", " "),))
            cls.example = cls.__dict__.get("example", cls.words[0])
        cls.asks = {**getattr(cls.__mro__[1], "asks", {}), **cls.asks}

    def options(self, at: Position[Any], field: str) -> Iterable[Any] | None:
        """The values that the pieces allow in a field, given the fields before it; not filtered by rules.

        None: the field stays as it was said. A field whose default is among its options may be left out; any other is
        filled in where it can be only one thing, and asked for where it can be several. A kind of move says it of one
        field alone in a method `FIELD_options(at)`. The seat who acts is settled first: without it nothing else of a
        move is asked, neither its other options nor what is `forbidden`."""
        return default_options(self, at, field)

    def things(self, at: Position[Any], field: str) -> Iterable[Any] | None:
        """Of a field of several things, every thing that may stand in it, where its `options` are only some of the
        ways to fill it (cards that come up) or say nothing. None: the options say it."""
        return None

    def everything(self, at: Position[Any], field: str) -> Any:
        """The meaning of `all` in a field of several things (`draws all`, `recalls everything`), given the other
        fields; None: unclear. Called for fields that hold several things. With "" for the field: field -> meaning of
        `everything`, where that word names no field (`attacks with everything`)."""
        values = self.options(at, field) if field else None
        found = None if values is None else list(values)
        if not found or len(found) > 1:
            return None
        things = self.things(at, field)  # of more than it holds, what came up has to be said
        return found[0] if things is None or len(list(things)) <= len(found[0]) else None

    def standing(self, at: Position[Any], field: str) -> dict[str, int] | None:
        """The number of each thing that a field counts, where `everything` gives how many are due; None: the same."""
        return None

    def questions(self, at: Position[Any], field: str, values: list[Any]) -> list[Choice]:
        """The questions to ask where a field can have several `values`, in the words of the rule that leaves the
        choice. For values made of several things, the question lists the things."""
        kind = type(self)
        who = maker(self) if acting(kind) else at.mover
        if not who and kind.role == "choice":
            who = _awaited(at)
        if (things := self.things(at, field)) is not None:
            values = list(things)
        elif values and isinstance(values[0], tuple | dict):
            values = list(dict.fromkeys(part for value in values for part in value))
        key = at.rules.question(kind, field)
        if not key:
            seats = any(one.name == field and isinstance(one.domain, Seat) for one in arguments_of(kind))
            return [Choice(field, who, "which player?" if seats else f"which {field.replace('_', ' ')}?", values)]
        said = {argument.name: getattr(self, argument.name) for argument in arguments_of(kind)}
        facts = {name: value for name, value in said.items() if name not in ("player", "move", field)}
        named = {"player": at.rules.called(who or _awaited(at) or kind.made_here_by(at))}
        return [at.ask(key, field, who, values, **{**named, **facts, **self.facts(at)})]

    def unsaid(self, at: Position[Any]) -> Iterator[Choice]:
        """Further questions for a typed move, which a JSON report may leave to a default; asked one by one, once
        nothing forbids the move. A typed line is recorded with the answers in it, so that the record never asks again.
        """
        return iter(())

    def gives_up(self, at: Position[Any]) -> Choice | None:
        """The question to put where a typed line of somebody else presumes this move: whether its seat
        really leaves what it could still do. None: it could do nothing."""
        return None

    def facts(self, at: Position[Any]) -> dict[str, Any]:
        """Further facts for its questions: a price, the name of the seat that chooses."""
        return {}

    def alone(self) -> Self | None:
        """The move without what people say as moves of their own (`unbundled`); None: nothing is left to say."""
        said = [one for one in brought_by(type(self)) if getattr(self, one.name) != one.default]
        if all(one.domain is not None and one.domain.typed for one in said):
            return self
        return replace(self, **{one.name: one.default for one in said})

    def follow_ups(self, at: Position[Any]) -> Iterator[Move]:
        """Moves bundled with this one (who takes the shame, which soldiers die), judged and carried out after it in the
        same transaction. An answer left over is illegal, because nothing asked for it."""
        return iter(())

    def means(self, task: Task) -> bool:
        """True if this move can settle a debt of this kind; the first that fits is settled."""
        return True

    def settles(self) -> int:
        """The number of debts that this move settles."""
        return 1

    def presumes(self, at: Position[Any]) -> Move | None:
        """The next move this one says has already happened: a choice with one answer, an automatic step, silence taken
        as declining. None when nothing is left to presume.

        Asked again and again, in the position reached, until it answers None or with a move that is not legal there.
        """
        return None

    def already(self, at: Position[Any]) -> bool:
        """True if this only repeats what has just been applied by itself: then it is accepted and changes nothing."""
        return False

    def untimely(self, at: Position[Any]) -> Iterator[Breach]:
        """The reasons why the moment within the phase is wrong. If there are any, `forbidden` is not called."""
        return iter(())

    def forbidden(self, at: Position[Any]) -> Iterator[Breach]:
        """Every rule the move breaks. Must not assume that every field has been said; the seat who acts has."""
        return iter(())

    def apply(self, at: Position[Any]) -> None:
        """Carry the move out on `at.state`, noting each step with `at.note`. Only reached with a legal verdict.

        TypeError: a kind of move that does not say what happens."""
        raise TypeError(f"{type(self).__name__} does not say what happens: give it an `apply`")

    def shows(self) -> dict[str, Any]:
        """Hidden things this move reports as seen (`{"event deck": "Plague"}`). What was seen stays seen: when the move
        is taken back and something else is reported in the same place, the table says so."""
        return {}

    @classmethod
    def of_seat(cls, at: Position[Any]) -> Mapping[str, str]:
        """Seat -> the field that says what is that seat's, in a report of several players' things: `ann shows 7, ben
        shows 2`."""
        return {}

    @classmethod
    def left_here(cls, at: Position[Any]) -> tuple[str, ...]:
        """The names of moves that a seat leaves undone here by passing with this one (`leaves`)."""
        return cls.leaves

    @classmethod
    def made_here_by(cls, at: Position[Any]) -> str:
        """The seat that makes a move now which itself does not say whose it is, so that the seat may be named before
        the verb; "": whoever is to move."""
        return ""

    @classmethod
    def candidates(cls, at: Position[Any]) -> Iterator[Move]:
        """Of a `sampled` kind, the moves worth judging for the legal list, for all seats; need not all be legal."""
        return iter(())

    def to_json(self) -> dict[str, Any]:
        """The JSON form: what was said, as plain lists, mappings, texts and numbers."""
        return {self.key: self.name, **msgspec.json.decode(msgspec.json.encode(self))}


class ByItself(Move, frozen=True):
    """A step that happens by itself and may be said all the same, when it is due."""

    role = "automatic"

    def apply(self, at: Position[Any]) -> None:
        """It has happened, or it happens when its time comes."""


class ByPlayer(Move, frozen=True):
    """A move of one player."""

    player: Annotated[str, Seat()] = ""


class Reported(Move, frozen=True):
    """A result of chance, as the table reports it."""

    key = "event"
    role = "event"


class Argument(NamedTuple):
    """One field of a move as the engine fills it in: attribute, domain and default."""

    name: str
    domain: Domain | None
    default: Any


@cache
def struct_fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a record; msgspec itself evaluates their annotations anew every time."""
    return msgspec.structs.fields(kind)


@cache
def arguments_of(kind: type[Move]) -> tuple[Argument, ...]:
    """The fields of a kind of move, in the order in which they are declared."""
    found = []
    for info in struct_fields(kind):
        default = info.default_factory() if callable(info.default_factory) else info.default
        default = None if default is msgspec.NODEFAULT else default
        found.append(Argument(info.name, domain_in(info.type)[0], default))
    return tuple(found)


@cache
def brought_by(kind: type[Move]) -> tuple[Argument, ...]:
    """Its fields whose entries are moves of their own."""
    return tuple(one for one in arguments_of(kind) if one.domain is not None and one.domain.brings is not None)


@cache
def acting(kind: type[Move]) -> str:
    """The field that holds the seat who acts: the first single Seat, unless it says that it is somebody else. Or ""."""
    for argument in arguments_of(kind):
        if isinstance(argument.domain, Seat) and not argument.domain.many:
            return argument.name if argument.domain.actor else ""
    return ""


def _awaited(at: Position[Any]) -> str:
    """The seat from whom something is awaited, if it is one alone."""
    seats = list(at.rules.to_move(at.state))
    return seats[0] if len(seats) == 1 else ""


def maker(move: Move) -> str:
    """The seat who makes a move; "" where that has not been said, or nobody does."""
    return getattr(move, acting(type(move)), "") or ""


def made_by(kind: type[Move], who: str) -> Move:
    """A move of a kind of which only that is said who makes it, if anybody does."""
    seat = acting(kind)
    return kind(**{seat: who}) if seat and who else kind()


def default_options(move: Move, at: Position[Any], field: str) -> Iterable[Any] | None:
    """The options of a field by its own method or by its domain: whoever is to move for the seat who acts, every value
    for the others. Until it is known which seat acts, only that seat is asked."""
    kind = type(move)
    seat = acting(kind)
    if (own := own_options(kind).get(field)) is not None:
        return own(move, at) if field == seat or not seat or getattr(move, seat) else None
    if field == seat:
        return at.rules.to_move(at.state) or at.seats
    domain = domains_of(kind)[field]
    if kind.is_part and isinstance(domain, Flag) and field == kind.__struct_fields__[0]:
        return (True,)  # the tag of a step says no more than that it is taken
    return None if domain is None else domain.options(at)


@cache
def own_options(kind: type[Move]) -> dict[str, Callable[[Any, Any], Iterable[Any] | None]]:
    """The methods in which a kind of move says what a field may be (`card_options`)."""
    found = ((argument.name, getattr(kind, f"{argument.name}_options", None)) for argument in arguments_of(kind))
    return {name: own for name, own in found if own is not None}


@cache
def domains_of(kind: type[Move]) -> dict[str, Domain | None]:
    """The domains of a kind's fields by name."""
    return {argument.name: argument.domain for argument in arguments_of(kind)}


__all__ = [
    "Amounts",
    "Argument",
    "Breach",
    "ByItself",
    "ByPlayer",
    "Choice",
    "Event",
    "Move",
    "MoveRole",
    "Options",
    "Reported",
    "acting",
    "arguments_of",
    "brought_by",
    "domains_of",
    "made_by",
    "maker",
    "own_options",
    "struct_fields",
]
