"""The additions of the chapters to the game, taken together, and the actions of a module at moments of the base game.

No chapter of the base game knows a module: it asks what all of them do (`modules`), or those in play (`in_play`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.rules import Breach, Line, Move

from .catalogue import At, Catalogue
from .state import Player, State

if TYPE_CHECKING:
    from components.model import ResolvedPiece

    from .losses import Toll
    from .reports import Window

Bearers = Iterable[tuple[str, Any]]
"""(owner, where the piece lies)."""
FEWER = "fewer_uses"
"""The mark of a player who uses so many clerks fewer in the location that resolves."""


class Next(NamedTuple):
    """The next thing awaited: a sentence, and the kinds of reports that state it."""

    sentence: str
    kinds: Iterable[str] = ()
    more: str = ""
    """Further words after the lines to type."""


class Module(NamedTuple):
    """The additions of a module; each field defaults to none. A module that is not in play adds nothing to the table,
    so its functions look at the pieces they need."""

    name: str
    chapters: tuple[ModuleType, ...]
    fields: tuple[str, ...] = ()
    """Fields of a position that say something only where it is in play."""
    shown_by: Callable[[Player], bool] = lambda player: False
    """True if a player's things show it."""
    begins: Callable[[At], None] = lambda at: None
    """The game is set up."""
    lacks: Callable[[At], Next | None] = lambda at: None
    """The gaps of its own setup."""
    mark_seen: Callable[[At], None] = lambda at: None
    """The mark on top of the horde deck is seen."""
    more_hordes: tuple[str, str] | None = None
    """The parameter that says how many more horde cards come each Spring, and its rule."""
    location_opens: Callable[[At, str], None] = lambda at, location: None
    """A location resolves; before anybody uses a clerk there."""
    idled_by: str = ""
    """The rule by which clerks in the location that resolves give fewer uses."""
    tower_manned: Callable[[At, str, str], None] = lambda at, clan, tower: None
    """A soldier of the clan has gone into the tower."""
    machine_built: Callable[[At, str, str, str], None] = lambda at, clan, machine, section: None
    """The clan has built a war machine."""
    off_board: Callable[[At, str], Iterable[Breach]] = lambda at, card: ()
    """A card that is no horde card on the board has been named as a target: why it cannot be one."""
    power: Callable[[At, str], int] = lambda at, section: 0
    """The power added to the offence of a section beside its horde cards."""
    scores: Callable[[At, str], Iterable[Line]] = lambda at, clan: ()
    """Further lines of the score (GW-SCORE-5)."""
    at_section: Callable[[At, str], Iterable[str]] = lambda at, section: ()
    """Its things at a section, in words."""
    line: Callable[[At], str] = lambda at: ""
    """Its line of the table."""

    @property
    def steps(self) -> Iterator[str]:
        """The steps that it brings."""
        return (step for chapter in self.chapters for step in getattr(chapter, "STEPS", ()))


class Brought(NamedTuple):
    """Tables of the chapters; a chapter has those that it adds to, by these names in capitals."""

    modules: tuple[Module, ...]
    tolls: Mapping[str, Callable[[At, str], Toll]]
    """Cards that are not horde cards of a section -> what they kill of a clan."""
    bearers: Mapping[str, Callable[[Catalogue, State, ResolvedPiece], Bearers]]
    """Set -> for whom its pieces are in force."""
    quiet: Mapping[str, Callable[[At, Move], Move | None]]
    """Phase -> the report that goes without saying when a later one is made."""
    seen_over: Mapping[str, Callable[[At], bool]]
    """Phase -> whether it is visibly over, so that the next one may begin."""
    passes: Mapping[str, Callable[[At, str], None]]
    """Phase -> what happens when a clan passes."""
    pass_checks: Mapping[str, Callable[[At, str], Iterator[Breach]]]
    """Phase -> why a clan has nothing to pass."""
    windows: Mapping[str, Window]
    """Phase -> what a clan may still do in it, and what asks for that."""


def brought(at: At) -> Brought:
    """The additions of the chapters."""
    return at.rules.tables  # type: ignore[attr-defined, no-any-return]


def modules(at: At) -> tuple[Module, ...]:
    """Every module of the game."""
    return brought(at).modules


def in_play(at: At) -> Iterator[Module]:
    """The modules in play at this table."""
    return (module for module in modules(at) if module.name in at.state.modules)
