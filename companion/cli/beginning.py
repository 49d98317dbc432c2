"""The start of a table: by `companion new`, or on a page of `companion serve --new`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.cli import common
from companion.engine.table.houserules import numbers
from companion.engine.table.table import Table
from components.phrasing import suggest
from components.safe_text import LONGEST_NAME, BadText, kept

if TYPE_CHECKING:
    from companion.engine.language.people import People
    from companion.engine.play.lines import Outcome
    from companion.engine.play.position import Position
    from companion.engine.table.shelf import Shelf
    from companion.phones.beginning import Wanted
    from components.model import ResolvedGame


class Begun(NamedTuple):
    """A new table, or None with the outcome of a set-up that was refused."""

    table: Table | None
    outcome: Outcome | None
    game: ResolvedGame
    people: dict[str, str]
    named: People
    """Names in which the seat is told, too."""
    before: Position[Any]
    """The position before the set-up."""
    amiss: list[str]
    """The faults in the pieces of the given position."""


def begin(
    game: str,
    seats: list[str],
    name: str = "",
    *,
    position: Path | None = None,
    options: list[str],
    variants: list[str],
    sets: list[str],
) -> Begun:
    """Begin a table and remember it as the one used last. `seats`: names, or `SEAT=NAME`; `options` and `sets`:
    `KEY=VALUE`. Raises Failure, ShelfError, DefinitionError, PositionFileError."""
    from companion.engine.language.people import People
    from companion.engine.play.position import Position

    if only := common.only_game(game):
        game, seats = only, [*([game] if game else []), *seats]
    resolved = common.resolve(common.named(game), variants, sets)
    rules = common.load(resolved)
    shelf = common.shelf()
    start, amiss = None, list[str]()
    if position is not None:
        from companion.engine.language.positionfile import read_position

        start = read_position(position, rules)
    offered = resolved.seats
    if start is not None and offered and not rules.free_seats:
        offered = rules.seats(start)
    _no_variants(seats, resolved)
    people = _people(_in_order(seats, offered, free=rules.free_seats), offered, free=rules.free_seats)
    if start is not None and position is not None:
        missing = [seat for seat in people if seat not in rules.seats(start)]
        if missing:
            there = ", ".join(rules.seats(start)) or "none"
            raise common.Failure(f"{position} has no seat {missing[0]}; it has {there}")
        people = {seat: people.get(seat, "") for seat in rules.seats(start)}
        amiss = list(rules.check_whole(start))
    name = name or free_name(game, shelf)
    path = shelf.free(name)
    before: Any = Position(rules, rules.new_state())
    named = People(rules, people)
    named.names = {seat: named.seat(seat) for seat in named.names}  # here everybody is told which seat it is
    opened, outcome = Table.create(
        path, resolved, common.load, people=people, options=common.assignments(options), start=start
    )
    if opened is not None:
        shelf.remember(name)
    elif outcome is None:
        raise RuntimeError("the set-up was neither played nor refused")
    return Begun(opened, outcome, resolved, people, named, before, amiss)


class PageGames:
    """The games for a page on which a table is begun."""

    def offered(self) -> list[dict[str, Any]]:
        """The games that can be read."""
        from components.errors import DefinitionError

        found = []
        for name in common.known_games():
            try:
                game = common.resolve(name, None, None)
            except DefinitionError:  # `companion games` says what is wrong
                continue
            row = {"id": game.id, "title": game.title, "about": game.about, "players": list(game.players)}
            found.append({**row, "seats": game.seats, "variants": game.variant_names})
        return found

    def numbers(self, game: str, variants: list[str]) -> list[dict[str, Any]]:
        """The parameters of a game. Raises Failure, DefinitionError."""
        return numbers(common.resolve(common.named(game), variants, None))

    def begin(self, wanted: Wanted) -> str:
        """Begin a table and return its name. Raises as `begin` does, and Failure for a set-up that is refused."""
        import tempfile

        from companion.engine.answers.answers import outcome_text

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "position.yaml") if wanted.position.strip() else None
            if file is not None:
                file.write_text(wanted.position, encoding="utf-8")
            people = [one.removesuffix("=") if "=" not in one.removesuffix("=") else one for one in wanted.people]
            how = {"options": wanted.options, "variants": wanted.variants, "sets": wanted.sets}
            made = begin(wanted.game, people, wanted.table, position=file, **how)
        if made.table is None:
            assert made.outcome is not None
            raise common.Failure(outcome_text(made.outcome, made.before, people=made.named))
        made.table.close()
        return made.table.about.table


def _no_variants(said: list[str], game: ResolvedGame) -> None:
    """Raises Failure if a word between the names of people is one that adds a variant."""
    words = [word.lower() for word in said]
    known = [name for name in game.variant_names if name.lower() in words]
    if known or "with" in words:
        names = known or ["NAME"]
        offered = f"; variants: {', '.join(game.variant_names)}" if game.variant_names else ""
        raise common.Failure(
            f"to play with a variant or module, use --variant: companion new {game.id} SEAT=NAME … --variant {names[0]}"
            f"{offered}"
        )


def _in_order(said: list[str], offered: list[str], *, free: bool) -> list[str]:
    """Names of people alone, as `SEAT=NAME` in the order of the seats. Where the names of seats stand among them, all
    stays as it was said."""
    names = [word.strip() for word in said if "=" not in word]
    begun = [any(seat.lower().startswith(name.lower()) for seat in offered) for name in names]
    exact = [any(seat.lower() == name.lower() for seat in offered) for name in names]
    if free or not offered or len(names) < len(said) or all(begun) or any(exact):
        return said
    if len(names) > len(offered):
        raise common.Failure(f"there are {len(names)} people and only {len(offered)} seats: {', '.join(offered)}")
    return [f"{seat}={name}" for seat, name in zip(offered, names, strict=False)]


def _people(pairs: list[str], offered: list[str], *, free: bool = False) -> dict[str, str]:
    """Seat -> person from `Seat=Name` texts; seats may be abbreviated where the game offers fixed ones.

    `free`: a seat that the game does not offer keeps the name typed.
    """

    people: dict[str, str] = {}
    for pair in pairs:
        said, _, person = pair.partition("=")
        seat, person = _name(said), _name(person)
        if offered:
            found = [s for s in offered if s.lower() == seat.lower()]
            if not found and not free:
                found = [s for s in offered if seat and s.lower().startswith(seat.lower())]
            if len(found) != 1 and not free:
                seated = "" if person else f"; to seat a person: {offered[0]}={seat}"
                raise common.Failure(
                    f"no seat of this game is called {seat!r}{suggest(seat, offered, 'seats')}{seated}"
                )
            seat = found[0] if len(found) == 1 else seat
        if not seat:
            raise common.Failure(f"{pair!r} does not have the form SEAT=NAME")
        if seat.lower() in map(str.lower, people):
            raise common.Failure(f"the seat {seat} is given twice")
        people[seat] = person
    return people


def _name(said: str) -> str:
    """The name of a seat or a person as it may be kept."""
    try:
        return kept(said, "a name", LONGEST_NAME)
    except BadText as error:
        raise common.Failure(str(error)) from None


def free_name(game: str, shelf: Shelf) -> str:
    taken = {*shelf.names(), *shelf.names(archived=True)}
    names = [game, *(f"{game}-{n}" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


__all__ = ["Begun", "PageGames", "begin", "free_name"]
