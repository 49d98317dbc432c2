"""The interface of a game to the engine: one `Rules` object per resolved game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.errors import CompanionError, NoSuchName
from companion.engine.play.copying import copier
from companion.engine.play.moves import Breach, Move, made_by
from companion.engine.play.pending import Task
from companion.engine.play.phases import Phase, Who, awaited, current, question_owed
from companion.engine.play.spoken import join_glossary
from companion.engine.things.effects import Condition, EffectIndex, Op
from companion.engine.things.figures import Source
from companion.engine.things.views import View
from components.model import BASE, ResolvedGame, ResolvedPiece
from components.sentences import Sentence

if TYPE_CHECKING:
    from random import Random

    from companion.engine.answers.ledger import Ledger
    from companion.engine.play.forms import Form
    from companion.engine.play.position import Position
    from companion.engine.things.views import Grid, Lines
    from components.scene import Scene

NONE: Mapping[str, Any] = MappingProxyType({})


class Answer(msgspec.Struct):
    """The answer to a query: a value of plain data, the rules it follows from, and the lines of which a sum is made."""

    value: Any
    rules: list[str] = []
    lines: list[dict[str, Any]] = []


def later(package: str, place: str) -> Any:
    """A method of a game's rules that stands in another module, which is imported when it is first called:
    `scene = later(__name__, "scene.scene")`. Most commands need neither a picture nor a random move."""
    module, _, name = place.rpartition(".")

    @cache
    def meant() -> Any:
        return getattr(import_module(f"{package}.{module}"), name)

    return staticmethod(lambda *given: meant()(*given))


class Rules(ABC):
    """A game's interface to the engine: one object per resolved game, a subclass of this (built by `companion.games`).

    Every game has to define what is abstract here; the rest has a default that suits most games.
    """

    game: ResolvedGame
    moves: dict[str, type[Move]]
    """Move name -> class."""
    state: type[msgspec.Struct]
    """The record of the whole table. Its plain form is the form of position files."""
    move_keys: tuple[str, ...] = ("action", "event")
    """Keys under which the JSON form of a move may carry its name; the first of them that is there counts."""
    vocabulary: Mapping[str, dict[str, str]] = NONE
    """Set -> typed word -> name of one of its pieces, as the moves use it."""
    nouns: Mapping[str, tuple[str, ...]] = NONE
    """Set -> the words for what its pieces are, said beside their names: `card`, `battle` in `the battle card 12T`. Not
    named here: the name of the set."""
    places: Mapping[str, str] = NONE
    """Set, `set/name` or `seat` -> where on the scene it is: `board#{v}.armies`, `{seat}#reserve` (of who is asked).
    Others are where their pieces lie."""
    sections: Mapping[str, str] = NONE
    """Set -> the field of its pieces that says under which heading one stands in a long list."""
    free_seats = False
    """True: seats may be called anything, e.g. by the players' names; those of `game.yaml` are only offered."""
    form: Form
    """The defaults and checks of positions; see `companion.engine.play.forms`."""
    people_first = False
    """True: people's names become seats before `shorthand` reads a line."""
    derived: frozenset[str] = frozenset()
    """Field names that `dump` adds beside those of `state`; read-only, ignored in position files."""
    phases: tuple[Phase, ...] = ()
    """The table of phases, in their order."""
    anytime: Collection[type[Move]] = frozenset()
    """Moves that belong to no phase and wait for nothing."""
    owed: Collection[type[Move]] = ()
    """Moves that only settle what is owed (`Move.answers`)."""
    steps: Mapping[str, Callable[..., None]] = NONE
    """Steps that may wait for debts (`at.then`): name -> what it does, called with the position and its arguments."""
    ops: Mapping[str, Op] = NONE
    """The operation of each verb of `effects.yaml`."""
    verbs: frozenset[str] = frozenset()
    """Verbs this game carries out without `ops`."""
    conditions: Mapping[str, Condition] = NONE
    """The condition of each word under an effect's `if`."""
    asked: tuple[Callable[..., Answer], ...] = ()
    """Questions about figures: called with the position and the question's own arguments."""
    loose_choice = ""
    """The rule that forbids an answer nothing asked for."""
    no_module = ""
    """The rule (and key) that forbids a move of a module that is not in play."""
    owed_in = "pending"
    """The field of the state that keeps what is owed and what waits."""
    counts = ""
    """The field of the state that counts rounds (or years): the score at the end of each is kept; "": only the last."""
    seated_in = "seats"
    """The field of the state that keeps the seats of the table, in order."""

    def __init__(self, game: ResolvedGame) -> None:
        """The rules of a game: its moves are those of its phases, of any time, and those that are only owed."""
        self.game = game
        self.moves = {kind.name: kind for phase in self.phases for kind in phase.moves}
        self.moves |= {kind.name: kind for kind in (*self.anytime, *self.owed)}
        join_glossary(self.moves.values(), game)

    # names

    def names(self, set_name: str) -> Iterable[str]:
        """Names of the pieces of a set, as the moves use them: as printed, unless the vocabulary has its own."""
        known = self.vocabulary.get(set_name)
        own = (piece.name for piece in self.game.pieces if piece.set == set_name) if known is None else known.values()
        return dict.fromkeys(own)

    def called(self, seat: str) -> str:
        """A seat as a sentence names it."""
        return seat

    def known(self, set_name: str) -> dict[str, None]:
        """The same, each once, kept."""
        if set_name not in self._known:
            self._known[set_name] = dict.fromkeys(self.names(set_name))
        return self._known[set_name]

    @cached_property
    def _known(self) -> dict[str, dict[str, None]]:
        return {}

    def spoken(self, set_name: str) -> dict[str, Any]:
        """Typed word -> name, for the pieces of a set."""
        known = self.vocabulary.get(set_name)
        return known if known is not None else {name: name for name in self.names(set_name)}

    def shorthand(self, text: str, at: Position[Any]) -> list[Move] | None:
        """A typed line that means several moves, or one in words of this game's own. None: not such a line. Raises
        NotationError where it certainly is one and a part of it cannot be read."""
        return None

    def opens(self, place: str, at: Position[Any]) -> list[Move] | None:
        """The moves that a line begins with if it names a place first (none if it is that place's turn); None: none."""
        return None

    def read_position(self, form: dict[str, Any]) -> dict[str, Any]:
        """A position form as its records have it, where people may write it otherwise."""
        return form

    def read_move(self, form: dict[str, Any]) -> dict[str, Any]:
        """The JSON form of a move as its fields have it, where people may write it otherwise (`player` for `by`)."""
        return form

    def words(self, rule: str, field: str, key: str) -> Sentence:
        """A sentence of a rule, compiled when first needed. A table that was begun before the rule had the sentence
        says the rule's title instead."""
        found = self._sentences.get((rule, field, key))
        if found is None:
            known = self.game.rules.get(rule)
            if known is None:
                raise NoSuchName("rule", rule, self.game.rules)
            text = known.words.get(f"{field}.{key}")
            found = self.sentence(text) if text is not None else Sentence.plain(known.title)
            self._sentences[rule, field, key] = found
        return found

    def question(self, kind: type[Move], field: str) -> str:
        """The sentence that asks for a field of a move, as rule and key; "": there is none."""
        names = (getattr(above, "name", "") for above in kind.__mro__)
        found = (self._questions[key] for name in names if (key := f"{name}.{field}") in self._questions)
        return kind.asks.get(field) or next(found, "")

    @cached_property
    def _questions(self) -> dict[str, str]:
        """`MOVE.FIELD` -> the rule and the key of the question with that key."""
        words = ((rule.id, *key.split(".", 1)) for rule in self.game.rules.values() for key in rule.words)
        return {key: f"{rule}.{key}" for rule, field, key in words if field == "asks" and "." in key}

    def sentence(self, text: str) -> Sentence:
        """A sentence of a rule compiled: of a game that writes its seats otherwise than people type them, its own."""
        return Sentence(text, self.game.plurals)

    @cached_property
    def _sentences(self) -> dict[tuple[str, str, str], Sentence]:
        return {}

    # the state

    def new_state(self) -> Any:
        """The table before set-up."""
        return self.state()

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        """The move that sets the table up for these seats; recorded as the first line of a new table. Raises
        CompanionError for a game that is followed from a given position only."""
        if "setup" not in self.moves:
            raise CompanionError(f"{self.game.title} has no set-up; begin at a position.")
        kind = self.moves["setup"]
        given = {"seats": tuple(seats), "chosen": options}
        if options and "chosen" not in kind.__struct_fields__:
            raise CompanionError(f"{self.game.title} has no options.")
        return kind(**{name: value for name, value in given.items() if name in kind.__struct_fields__})

    def complete(self, partial: dict[str, Any]) -> Any:
        """A state from a position form that may leave things out. Its keys have been checked against `state`, and
        the `derived` ones are gone; values may still have any type. Raises PositionError."""
        from companion.engine.play.forms import clean, complete

        return complete(self, clean(partial, self.state, self.form.readings))

    def dump(self, state: Any) -> dict[str, Any]:
        """The form of position files: plain data, derived read-only fields included."""
        form: dict[str, Any] = msgspec.to_builtins(state)
        return form

    def copy(self, state: Any) -> Any:
        """A copy that shares nothing that can change."""
        return copier(self.state)(state)

    def miscounted(self, at: Position[Any]) -> Iterable[str]:
        """Pieces lost or added, each as a sentence with the figures. Not even a move against the rules can do that."""
        return ()

    def unlawful(self, at: Position[Any]) -> Iterable[str]:
        """Further faults of a position that the rules never lead to, though a move against them can."""
        return ()

    def check_whole(self, state: Any) -> list[str]:
        """Laws that a whole position breaks, each as a sentence."""
        from companion.engine.play.position import Position

        broken = self.unlawful(Position(self, state, quiet=True)) if self.seats(state) else ()
        return [*self.impossible(state), *broken]

    def impossible(self, state: Any) -> list[str]:
        """Those of them that not even a move against the rules can break: what the table keeps by override has to lie
        there with the pieces of the box, and bear names and numbers that there are."""
        from companion.engine.play.forms import faults_in
        from companion.engine.play.position import Position

        at = Position(self, state, quiet=True)
        return [*map(str, faults_in(self, state)), *self.miscounted(at)] if at.seats else []

    # phases and what is owed

    @cached_property
    def brought(self) -> dict[type[Move], str]:
        """Kind of move -> the module that brings it: that of the rule it goes by (`Move.elsewhere`). Those of the base
        game are not among them."""
        known = self.game.rules
        found = {kind: known[kind.elsewhere].module for kind in self.moves.values() if kind.elsewhere in known}
        return {kind: module for kind, module in found.items() if module != BASE}

    @cached_property
    def phase_table(self) -> dict[str, Phase]:
        """The phases by name."""
        return {phase.name: phase for phase in self.phases}

    @cached_property
    def open_to_all(self) -> dict[str, frozenset[type[Move]]]:
        """Phase -> the moves that are in place there whoever says them. (Without phases every move always is.)"""
        elsewhere = {kind for kind in self.moves.values() if kind.answers or kind in self.brought}
        at_once = {p.name: p.moves if p.who in (Who.TABLE, Who.EACH) else () for p in self.phases}
        return {name: frozenset({*self.anytime, *moves} - elsewhere) for name, moves in at_once.items()}

    def stage(self, state: Any) -> str:
        """The name of the phase the table is in."""
        return getattr(state, "phase", "")

    @cached_property
    def may_owe(self) -> bool:
        """True if this game keeps debts."""
        return type(self).agenda is not Rules.agenda or self.owed_in in self.state.__struct_fields__

    def set_stage(self, state: Any, name: str) -> None:
        state.phase = name

    def active(self, state: Any) -> str:
        """The seat whose turn it is."""
        return str(getattr(state, "active", "") or "")

    def began(self, at: Position[Any], phase: Phase) -> None:
        """Called whenever a phase begins: the place for a heading in the log."""
        return

    def closed(self, at: Position[Any]) -> Iterable[Breach]:
        """Once the game is over: why nothing more can be done, and who has won."""
        return ()

    def how_it_ended(self, at: Position[Any]) -> str:
        """The winners and the reason, as the fact `ending` for moves refused after the end."""
        ending = self.score(at).ending
        return ending.told([*map(self.called, ending.winners)]) if ending else "It is not known how it ended"

    def moment(self, at: Position[Any]) -> dict[str, Any]:
        """Facts that sentences may name which say why it is not the moment for a move."""
        return {}

    def modules(self, state: Any) -> Iterable[str]:
        """The modules in play at this table."""
        return self.game.modules

    def agenda(self, state: Any) -> list[Task]:
        """The debts and waiting steps, in order. A game that keeps them in several fields overrides this with
        `add_task` and `settle_task`."""
        found: list[Task] = getattr(state, self.owed_in, None) or []
        return found

    def add_task(self, state: Any, task: Task, place: int) -> None:
        """Somebody owes something more, or a step waits. What a move or a step adds comes before what waited already:
        `place` is where it goes."""
        getattr(state, self.owed_in).insert(place, task)

    def settle_task(self, state: Any, task: Task, n: int = 1) -> None:
        """So many of what is owed have been settled; at 0 the task is gone."""
        task.n -= n
        if task.n <= 0:
            getattr(state, self.owed_in).remove(task)

    # effects

    def effects(self, state: Any) -> EffectIndex:
        """The lasting effects of the pieces whose modules are in play at this table."""
        playing = tuple(self.modules(state))
        if (found := self._effects.get(playing)) is None:
            pieces = (piece for piece in self.game.pieces if piece.module in playing)
            found = self._effects[playing] = EffectIndex(pieces)
        return found

    @cached_property
    def _effects(self) -> dict[tuple[str, ...], EffectIndex]:
        return {}

    def bearers(self, state: Any, piece: ResolvedPiece) -> Iterable[tuple[str, Any]]:
        """For whom a piece is in force now, and where it lies: `(owner, place)`, the owner "" if it is nobody's."""
        return ()

    def concerns(self, at: Position[Any], scope: str, source: Source, who: str, where: dict[str, Any]) -> bool:
        """True if an effect with this scope concerns `who`. Without a scope it concerns its owner, `each` everybody."""
        return scope == "each" or not source.owner or source.owner == who

    def counted(self, state: Any, span: str, owner: str) -> list[str]:
        """The list in the state of the limits used up in a span."""
        raise CompanionError(f"{self.game.id} does not count limits per {span!r}")

    def limit_key(self, source: Source) -> str:
        """Under which name a used limit is counted: that of the piece and its effect."""
        return source.key

    # the table

    def seats(self, state: Any) -> list[str]:
        """The seats of this table, in order."""
        found: list[str] = getattr(state, self.seated_in)
        return found

    def to_move(self, state: Any) -> list[str]:
        """The seats from whom something is awaited; empty when it is chance or the table as a whole."""
        from companion.engine.play.position import Position

        return awaited(Position(self, state))

    def over(self, state: Any) -> bool:
        """True if the game has ended, by default in the last phase."""
        return self.stage(state) in self._last

    @cached_property
    def _last(self) -> frozenset[str]:
        return frozenset(phase.name for phase in self.phases if phase.last)

    def heading(self, at: Position[Any]) -> str:
        """The stage of the game, in a few words (for prompts and the log)."""
        return at.now

    def phase(self, state: Any) -> str:
        """The same of a state."""
        from companion.engine.play.position import Position

        return self.heading(Position(self, state, quiet=True))

    def show(self, at: Position[Any]) -> str:
        """The table as text for a terminal, without colour."""
        return self.view(at).text()

    def view(self, at: Position[Any]) -> View:
        """The table as sections of rows and lines; of a game that says no more, its phase and what comes next."""
        return View(self.heading(at), next=self.awaits(at))

    def private(self, at: Position[Any], seat: str) -> list[Grid | Lines]:
        """Sections of the view that only this seat may see."""
        return []

    def awaits(self, at: Position[Any]) -> str:
        """The next thing to happen: the question of the first debt, the phase's own words, or the seats to move."""
        phase = current(at)
        said = phase.says(at) if phase is not None and phase.says else ""
        return question_owed(at) or said or ", ".join(self.to_move(at.state)) or at.now

    def overview(self, at: Position[Any], legal: list[Move]) -> list[str] | None:
        """The lines in which `moves` lists the legal moves, for a game that has so many that it takes them together;
        None: one line for each."""
        return None

    def scene(self, at: Position[Any]) -> Scene | None:
        """The table as a scene: which pieces lie where, as anybody sees them who sits there. What players keep secret
        shows its back (`set/*`), whatever the table was told. None: the table is not drawn."""
        return None

    @abstractmethod
    def score(self, at: Position[Any]) -> Ledger: ...

    def stretch(self, state: Any) -> int:
        """The number of the round, year or turn; 0 where nothing is counted, and before the first."""
        return int(getattr(state, self.counts)) if self.counts and self.seats(state) else 0

    def scored(self, at: Position[Any]) -> Ledger | None:
        """The score at the end of a round, while nothing has happened in the next one; None: nothing was scored."""
        return self.score(at)

    def pass_all(self, at: Position[Any]) -> list[Move]:
        """The moves by which everybody says that the present phase is over; empty where silence means nothing."""
        phase = current(at)
        if phase is None or phase.passing is None or self.agenda(at.state):
            return []
        return [made_by(phase.passing, seat) for seat in awaited(at)]

    def propose(self, at: Position[Any], rng: Random) -> Move | None:
        """A move that is probably legal here, chosen by `rng`, quickly (playouts). None: nothing can be done."""
        legal = at.legal()
        return rng.choice(legal) if legal else None

    def queries(self) -> dict[str, Callable[..., Answer]]:
        """The same by name."""
        return {query.__name__: query for query in self.asked}


__all__ = ["Answer", "Rules", "later"]
