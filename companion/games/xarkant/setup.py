"""Set-up: player boards, the bag, the land tile by tile, the first drawer (rules XK-PREP, XK-TILE, XK-GAME-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, PieceName, Seat
from companion.engine.things.spaces import coordinates
from components.phrasing import count

from .catalogue import TURNS, At, cat, popularity_supply, slots_open, supply, track_open, type_name
from .domains import Cell, TileName, Turn
from .land import SIDE
from .state import EMPTY, Laid, Player, StateBoard
from .tiles import allowed, cells, filled, matching, next_cell, quadrants, to_come, turns
from .turns import draw_count


def new_player(at: At) -> Player:
    """A player board as it is set up (XK-PREP-1, -7)."""
    furnished = at.on("XK-PREP-1")
    houses = furnished and at.on("XK-GAME-4")
    return Player(
        popularity=first_popularity(at) if at.on("XK-PREP-7") else 0,
        workshops=at["workshops_per_player"] if houses else 0,
        churches=at["churches_per_player"] if furnished else 0,
    )


def first_popularity(at: At) -> int:
    """Popularity a board starts with, as far as there are tokens and spots for it (XK-PREP-7)."""
    return int(min(at["popularity.start"], at["popularity.tokens_per_player"], at["popularity.max"]))


def bare_land(at: At) -> list[str]:
    """Rows of a land on which no tile lies yet."""
    return [EMPTY * (SIDE * at["grid.cols"])] * (SIDE * at["grid.rows"])


class Setup(Move, frozen=True):
    """Seat the players clockwise; each sets up a player board, and all discs go into the bag."""

    name = "setup"
    words = ("setup",)
    example = "setup red blue"
    seats: Annotated[tuple[str, ...], PieceName("seat", many=True, loose=True)] = ()
    chosen: dict[str, Any] = msgspec.field(default_factory=dict, name="options")

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.players:
            yield Breach("XK-GAME-1", "the game has been set up already", {"players": list(at.state.players)})
            return
        low, high = at["players.min"], at["players.max"]
        n = len(self.seats)
        if self.seats and not low <= n <= high:
            facts = {"players": n, "min": low, "max": high}
            yield Breach("XK-GAME-2", f"{count(n, 'player')}; the game takes {low} to {high}", facts)
        twice = [seat for seat in dict.fromkeys(self.seats) if self.seats.count(seat) > 1]
        for seat in twice:
            yield Breach("XK-GAME-5", f"{seat} is seated {self.seats.count(seat)} times", {"seat": seat})
        there, due = len(cat(at).tiles), cells(at)
        if there < due:
            why = f"the land needs {count(due, 'tile')}, the box holds {there}"
            yield Breach("XK-PREP-3", why, {"tiles": there, "cells": due})
        for option in self.chosen:
            yield Breach("XK-PREP-1", f"there is no option {option}: the set-up has none", {"option": option})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.seats:
            yield Choice("seats", "", "who plays, clockwise?", cat(at).colours)

    def apply(self, at: At) -> None:
        s = at.state
        s.players = list(self.seats)
        s.player = {seat: new_player(at) for seat in s.players}
        discs = at["discs_per_player"]
        s.bag = dict.fromkeys(s.players, discs if at.on("XK-PREP-2") else 0)
        s.drawn = dict.fromkeys(s.players, 0)
        s.aside = dict.fromkeys(s.players, 0)
        s.terrain = bare_land(at)
        s.state_board = StateBoard(at["villages"] if at.on("XK-PREP-6") else 0)
        s.phase = "setup"
        one = s.player[s.players[0]]
        at.note("XK-GAME-2", f"{count(len(s.players), 'player')}: {', '.join(s.players)}", players=list(s.players))
        at.cite("XK-GAME-5", "they sit clockwise in this order")
        at.note(
            "XK-PREP-7",
            f"each board: {count(one.workshops, 'workshop')}, {count(one.churches, 'church', 'churches')}, "
            f"{one.popularity} popularity, no resources",
            popularity=one.popularity,
        )
        at.cite("XK-PREP-1", "each player sets up the own board")
        at.cite("XK-GAME-4", f"{one.workshops} Houses are the workshops", workshops=one.workshops)
        at.note("XK-PREP-2", f"{discs} discs each go into the bag", discs=discs)
        at.note(
            "XK-PREP-6",
            f"{count(s.state_board.villages, 'village')} on the State Board; open are {slots_open(at)} of its slots "
            f"and {track_open(at)} of each Church Board track",
            villages=s.state_board.villages,
            workshop_slots=slots_open(at),
            track_slots=track_open(at),
        )
        stock = ", ".join(f"{n} {kind}" for kind, n in supply(at).items())
        at.cite("XK-PREP-4", f"supply: {stock}, {popularity_supply(at)} popularity", supply=supply(at))


class PlaceTile(Move, frozen=True):
    """Lay the landscape tile that came up, turned as the table turned it."""

    name = "place_tile"
    key = "event"
    role = "event"
    words = ("tile", "place tile", "lay")
    example = "tile T07 90"
    cell: Annotated[int | None, Cell()] = None
    tile: Annotated[str, TileName()] = ""
    rot: Annotated[int | None, Turn()] = None
    """Clockwise, in degrees."""

    def filled(self, at: At) -> PlaceTile:
        cell = next_cell(at) if self.cell is None else self.cell
        rot = self.rot
        if rot is None and cell is not None and self.tile in cat(at).tiles and 0 < cell <= cells(at):
            options = self._options(at, cell)
            rot = options[0] if len(options) == 1 else None
        return PlaceTile(cell, self.tile, rot)

    def _options(self, at: At, cell: int) -> list[int]:
        return allowed(at, turns(at, cell, cat(at).tiles[self.tile]))

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.players:
            yield Breach("XK-GAME-2", "nobody is seated yet", {})
            return
        due = next_cell(at)
        if due is None:
            why = f"the land has its {cells(at)} tiles; what is left over goes back into the box"
            yield Breach("XK-PREP-3", why, {"cells": cells(at)})
            return
        if s.phase != "setup":
            yield Breach("XK-TILE-1", f"tiles are laid at set-up, not in the phase {s.phase}", {"phase": s.phase})
        lies = next((cell for cell, laid in s.tiles.items() if laid.tile == self.tile), None)
        if lies is not None:
            facts = {"tile": self.tile, "cell": int(lies)}
            yield Breach("XK-PREP-3", f"there is one {self.tile}, and it lies on cell {lies}", facts)
        if self.cell is None:
            return
        if not 0 < self.cell <= cells(at):
            yield Breach("XK-TILE-2", f"there is no cell {self.cell}: they are 1 to {cells(at)}", {"cell": self.cell})
            return
        if self.cell != due:
            state = "holds a tile" if filled(at, self.cell) else "is not next"
            facts = {"cell": self.cell, "next": due, "order": list(at["placement.order"])}
            yield Breach("XK-TILE-2", f"cell {self.cell} {state}: the next is cell {due}", facts)
        if self.rot is not None and self.rot not in TURNS:
            why = f"a tile is turned by quarters ({', '.join(map(str, TURNS))} degrees), not by {self.rot}"
            yield Breach("XK-TILE-3", why, {"rot": self.rot})
        elif self.rot is not None and self.tile and not filled(at, self.cell):
            yield from self._alignment(at, self.cell, self.rot)

    def _alignment(self, at: At, cell: int, rot: int) -> Iterator[Breach]:
        tile = cat(at).tiles[self.tile]
        found = turns(at, cell, tile)
        sizes = matching(at, found)
        facts = {"cell": cell, "tile": self.tile, "rot": rot, "sizes": {str(r): n for r, n in sizes.items()}}
        star = type_name(at, tile.types[tile.star])
        if not sizes:
            if not at.on("XK-TILE-6"):
                yield Breach("XK-TILE-4", f"no turn lays the star ({star}) beside its like", facts)
            return
        options = allowed(at, found)
        ways = " or ".join(map(str, options))
        if rot not in sizes:
            where = found[rot].star
            why = f"turned by {rot} the star ({star}) lies on {where}, beside no {star}; turned by {ways} it does"
            yield from at.against("XK-TILE-4", "XK-TILE-7", why=why, **facts)
        elif rot not in options:
            best = max(sizes.values())
            why = f"turned by {rot} the star's {star} has {count(sizes[rot], 'quadrant')}, turned by {ways} {best}"
            yield from at.against("XK-TILE-5", "XK-TILE-7", why=why, **facts)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.tile:
            yield Choice("tile", "", "which tile came up?", to_come(at))
        elif self.rot is None and self.cell is not None:
            yield Choice("rot", "", self._which_turn(at, self.cell), list(self._options(at, self.cell)))

    def _which_turn(self, at: At, cell: int) -> str:
        tile = cat(at).tiles[self.tile]
        found = turns(at, cell, tile)
        sizes = matching(at, found)
        star = type_name(at, tile.types[tile.star])
        if not sizes:
            return f"how is {self.tile} turned? (its star, {star}, finds no {star} beside it: any turn will do)"
        ways = [f"{rot} puts it on {found[rot].star} in a {star} of {sizes[rot]}" for rot in self._options(at, cell)]
        return f"how is {self.tile} turned? (the star: {'; '.join(ways)})"

    def apply(self, at: At) -> None:
        s = at.state
        cell, rot = self.cell or 0, self.rot or 0
        tile = cat(at).tiles[self.tile]
        found = turns(at, cell, tile)
        sizes = matching(at, found)
        types, _ = tile.turned(rot)
        rows = [list(row) for row in s.terrain]
        for quadrant, letter in zip(quadrants(at, cell), types, strict=True):
            column, row = coordinates(quadrant)
            rows[row][column] = letter
        s.terrain = ["".join(row) for row in rows]
        s.tiles[str(cell)] = Laid(self.tile, rot)
        at.note("XK-TILE-1", f"cell {cell}: {self.tile} turned by {rot}", cell=cell, tile=self.tile, rot=rot)
        at.cite("XK-TILE-2", f"the cells are filled in the order {' '.join(map(str, at['placement.order']))}")
        at.cite("XK-TILE-3", "turned by quarters, printed side up")
        star = type_name(at, tile.types[tile.star])
        if rot in sizes:
            size = sizes[rot]
            what = f"the star on {found[rot].star} joins {star}: {count(size, 'quadrant')}"
            at.note("XK-TILE-4", what, star=found[rot].star, size=size)
            at.cite("XK-TILE-5", f"the largest of {sizes}", sizes={str(r): n for r, n in sizes.items()})
            at.cite("XK-TILE-7", "edge to edge, the tile included", size=size)
        options = allowed(at, found)
        if not sizes:
            at.note("XK-TILE-6", f"no turn lays the star ({star}) beside its like: free choice", options=options)
        elif len(options) > 1:
            at.cite(
                "XK-TILE-6", f"turned by {' or '.join(map(str, options))} it is as large: free choice", options=options
            )
        if next_cell(at) is None:
            left = at["tiles"] - cells(at)
            what = f"the land is complete: {count(cells(at), 'tile')}, {count(left, 'tile')} back into the box"
            at.note(
                "XK-PREP-3", what + ("" if s.drawer else "; chance names the first drawer"), tiles=cells(at), left=left
            )
        begin(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        cell = next_cell(at) if s.phase == "setup" and s.players else None
        if cell is not None:
            yield from (cls(cell, tile, rot) for tile in to_come(at) for rot in TURNS)


class FirstDrawer(Move, frozen=True):
    """Name the player whom chance made the first drawer."""

    name = "first_drawer"
    key = "event"
    role = "event"
    words = ("drawer", "first drawer")
    example = "drawer blue"
    player: Annotated[str, Seat(actor=False)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.players:
            yield Breach("XK-GAME-2", "nobody is seated yet", {})
        elif s.phase != "setup" or s.drawer is not None:
            why = f"{s.drawer} is the drawer; the first one is named once, at set-up"
            yield Breach("XK-PREP-5", why, {"drawer": s.drawer, "phase": s.phase})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who is the first drawer?", list(at.state.players))

    def apply(self, at: At) -> None:
        at.state.drawer = self.player
        at.note("XK-PREP-5", f"{self.player} is the first drawer", drawer=self.player)
        begin(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "setup" and at.state.drawer is None:
            yield from (cls(player) for player in at.state.players)


def begin(at: At) -> None:
    """The first round begins when the land lies and the drawer is named."""
    s = at.state
    if s.phase == "setup" and next_cell(at) is None and s.drawer is not None:
        s.phase = "draw"
        what = f"round {s.round} begins: {s.drawer} draws {count(draw_count(at), 'disc')}"
        at.note("XK-GAME-1", what, round=s.round, drawer=s.drawer)


__all__ = ["FirstDrawer", "PlaceTile", "Setup", "bare_land", "begin", "first_popularity", "new_player"]
