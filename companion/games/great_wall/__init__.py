"""The Great Wall: seven modules, eight decks, and rules that change rules.

The chapters follow the rulebook, season by season. Each brings what it adds to the game in tables of these names:

| table | what it holds |
|---|---|
| `MOVES` | phase -> the moves that belong to it |
| `ANYTIME`, `OWED` | moves of any phase; moves that only settle what is owed |
| `ENTER` | phase -> how it begins |
| `STEPS` | steps that wait for debts (`at.then`): name -> function |
| `OPS`, `CONDITIONS` | verbs of effects.yaml and words under `if` -> function |
| `QUERIES` | questions about figures |
| others | what `Brought` lists |

A module is a folder: its `__init__.py` declares what it does at moments of the base game. A rule, a step and a piece say
to which module they belong, and no chapter of the base game asks for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from types import MappingProxyType
from typing import Any

from companion.engine.language.words import by_any_name, singular
from companion.rules import Answer, Breach, Move, Phase, Position, Rules, Source, later
from components.model import ResolvedGame, ResolvedPiece
from components.sentences import Sentence

from . import ancient_beasts, black_powder, emperors_award, genghis_khan, iron_dragon, rat
from .base import activation, effects, final, preparation, reports, table_view
from .base.awaiting import awaited
from .base.brought import Brought
from .base.catalogue import Catalogue
from .base.laws import broken_laws
from .base.naming import ClanSentence
from .base.position_form import FORM, dump, read_position
from .base.state import GOODS, RESOURCES, SECTIONS, TOWERS, State
from .base.targets import CALLED
from .steps import with_moves

MODULES = (
    *(black_powder.MODULE, genghis_khan.MODULE, ancient_beasts.MODULE),
    *(rat.MODULE, iron_dragon.MODULE, emperors_award.MODULE),
)
BASE = (
    *("year", "laws", "decks", "hordes", "preparation", "spring", "summer", "going_on"),
    *("effects", "icons", "locations", "fall", "command", "activation", "uses", "town", "barracks"),
    *("attacking", "wounds", "building", "embassy", "tactics", "costs"),
    *("shame", "losses", "defeat", "firing", "assault", "final"),
)
CHAPTERS = [import_module(f"{__name__}.base.{name}") for name in BASE]
CHAPTERS += [chapter for module in MODULES for chapter in module.chapters]


def _gathered(table: str) -> dict[str, Any]:
    """A table of all chapters taken together."""
    return {key: value for chapter in CHAPTERS for key, value in getattr(chapter, table, {}).items()}


CALLED_LIKE = {"place": "location", "production": "location", "claimable": "horde", "carrier": "horde"}
"""Set of names -> the set that has their printed names, where it is another."""


class GreatWall(Rules):
    """The rules of one resolved variant."""

    state = State
    form = FORM
    places = MappingProxyType({"seat": "of-{v}", "location": "board#location.{v}.1"})
    sections = MappingProxyType({"horde": "mark", "tactic": "window"})
    move_keys = ("event",)
    owed_in = "agenda"
    seated_in = "players"
    counts = "year"
    phases = with_moves((getattr(chapter, "MOVES", {}) for chapter in CHAPTERS), _gathered("ENTER"))
    anytime = tuple(kind for chapter in CHAPTERS for kind in getattr(chapter, "ANYTIME", ()))
    owed = tuple(kind for chapter in CHAPTERS for kind in getattr(chapter, "OWED", ()))
    steps = _gathered("STEPS")
    ops = _gathered("OPS")
    conditions = _gathered("CONDITIONS")
    tables = Brought(MODULES, *(_gathered(table.upper()) for table in Brought._fields[1:]))
    verbs = frozenset(verb for chapter in CHAPTERS for verb in getattr(chapter, "VERBS", ()))
    loose_choice = "GW-GEN-4"
    no_module = "GW-GEN-2.move"
    miscounted = staticmethod(broken_laws)
    # what other modules say of the table
    read_position = staticmethod(read_position)
    dump = dump
    concerns = staticmethod(effects.concerns)
    opens = staticmethod(activation.opens)
    pass_all = staticmethod(reports.everybody_passes)
    shorthand = staticmethod(reports.passes)
    heading = staticmethod(table_view.heading)
    awaits = staticmethod(awaited)
    view = staticmethod(table_view.table)
    private = staticmethod(table_view.private)
    score = staticmethod(final.ledger)
    overview = later(__name__, "base.table_view.overview")
    scene = later(__name__, "base.scene.scene")
    propose = later(__name__, "playout.propose")

    def __init__(self, game: ResolvedGame) -> None:
        super().__init__(game)
        self.catalogue = found = Catalogue(game)
        self._spoken: dict[str, dict[str, Any]] = {}
        self._names: dict[str, Iterable[str]] = {
            **{name: tuple(pieces) for name, pieces in found.pieces.items()},
            "clan": found.clans,
            "seat": found.clans,
            "module": tuple(dict.fromkeys(("base", *(rule.module for rule in game.rules.values())))),
            "section": SECTIONS,
            "good": GOODS,
            "resource": RESOURCES,
            "tower": TOWERS,
            "unit": tuple(found.units),
            "production": tuple(found.production),
            "place": (*found.locations, *SECTIONS),
            "claimable": (*found.hordes, "khan"),
            "carrier": (*found.units, *found.hordes, "khan"),
            "command": tuple(found.commands),
            "location": tuple(found.locations),
        }

    # names

    def names(self, set_name: str) -> Iterable[str]:
        return self._names.get(set_name, ())

    def spoken(self, set_name: str) -> dict[str, Any]:
        """Everyday names of a set's pieces -> ids, made on first use."""
        if set_name not in self._spoken:
            ids = [id for id in self.names(set_name) if isinstance(id, str)]
            self._spoken[set_name] = by_any_name(ids, self.catalogue.names.get(CALLED_LIKE.get(set_name, set_name), {}))
            self._spoken[set_name] = {word: id for word, id in self._spoken[set_name].items() if self._means(word, id)}
            if set_name == "place":
                self._spoken[set_name] |= CALLED
        return self._spoken[set_name]

    def _means(self, word: str, id: Any) -> bool:
        """True if a word can name a piece: `gold` cannot name a location, nor `archers` a horde."""
        others = (*RESOURCES, *self.catalogue.units)
        return word == id or (word not in others and singular(word) not in self.catalogue.units)

    def read_move(self, form: dict[str, Any]) -> dict[str, Any]:
        """`by` and `player` mean the same and may stand in every report."""
        if not isinstance(form, dict) or "player" not in form or "by" in form:
            return form
        return {"by" if key == "player" else key: value for key, value in form.items()}

    def bearers(self, state: State, piece: ResolvedPiece) -> Iterable[tuple[str, Any]]:
        """(owner, where it lies) for everybody for whom a piece is in force now (GW-CARD-1, GW-CARD-2)."""
        find = self.tables.bearers.get(piece.set)
        return find(self.catalogue, state, piece) if find else ()

    def counted(self, state: State, span: str, owner: str) -> list[str]:
        """Used-up limits of a year, an activation or a unit (GW-CARD-8)."""
        if not owner:
            return state.used_up.setdefault(span, [])
        found: list[str] = getattr(state.player[owner], f"used_this_{span}")
        return found

    def limit_key(self, source: Source) -> str:
        """An effect on the back of an advisor is counted under the advisor."""
        return str(source.where) if source.piece.set == "support" else source.key

    # the state

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        said = options.get("modules", ())
        modules = said.replace(",", " ").split() if isinstance(said, str) else said
        return preparation.StartGame(players=tuple(seats), modules=tuple(modules))

    # steps and debts

    def stage(self, state: State) -> str:
        return f"{state.step}.{state.part}" if state.part else state.step or state.season

    def set_stage(self, state: State, name: str) -> None:
        season, _, rest = name.partition(".")
        step, _, state.part = rest.partition(".")
        state.season = season  # type: ignore[assignment]
        state.step = f"{season}.{step}" if step else season

    def began(self, at: Position[State], phase: Phase) -> None:
        """Nobody has acted in it yet, and nothing of it is untold."""
        at.state.done.clear()
        at.state.untold = [what for what in at.state.untold if ":" in what]

    def modules(self, state: State) -> Iterable[str]:
        return state.modules

    # the table

    def called(self, seat: str) -> str:
        return seat.capitalize()

    def sentence(self, text: str) -> Sentence:
        return ClanSentence(text, self.catalogue.clans, self.game.plurals)

    def over(self, state: State) -> bool:
        return state.scored

    def closed(self, at: Position[State]) -> Iterable[Breach]:
        return [at.breach("GW-SCORE-6.done", ending=self.how_it_ended(at))]

    def queries(self) -> dict[str, Callable[..., Answer]]:
        return _gathered("QUERIES")


rules = GreatWall
"""The maker of the rules object of a resolved game (see `companion.games.load_rules`)."""
