"""Building: workshops, churches and villages (rules XK-WORKSHOP, XK-STATE, XK-CHURCH, XK-VILLAGE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.engine.things.slots import next_slot, price
from companion.engine.things.stores import together
from companion.rules import Breach, OneOf, Options, Source, lacking

from .catalogue import At, cat
from .domains import Destination, Quadrant
from .land import (
    in_words,
    land,
    land_graph,
    not_empty,
    occupied,
    off_the_land,
    without_any_worker,
    without_worker,
    works_in,
)
from .state import KINDS, SETTLEMENTS, Piece, Player, StateBoard
from .storage import cost_of, pay, unaffordable
from .turns import Action


class Building(Action, frozen=True):
    """Placing a piece: one has to be left, and its price is paid in full. The class is called as the piece."""

    repeats = ""
    rules: ClassVar[tuple[str, str]]
    """The rules of its price and of the pieces left."""
    pieces: ClassVar[str]
    """The field that counts those left."""

    def store(self, at: At) -> Player | StateBoard:
        """The board on which the remaining pieces lie."""
        return self.board(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        if getattr(self.store(at), self.pieces) <= 0:
            yield at.breach(self.rules[1], player=self.player, **{self.pieces: 0})
        yield from self.misplaced(at)
        yield from unaffordable(at, self.rules[0], self.player, cost_of(at, self.name))

    def misplaced(self, at: At) -> Iterator[Breach]:
        """The reasons why it may not stand there."""
        return iter(())

    def build(self, at: At, **extra: int) -> None:
        """Pay and take the piece; the round is not idle any more."""
        pay(at, self.rules[0], self.player, together(cost_of(at, self.name), extra))
        store = self.store(at)
        setattr(store, self.pieces, max(0, getattr(store, self.pieces) - 1))
        at.state.progress = True


# --- workshops ------------------------------------------------------------------------------------------------------


def slots_open(at: At) -> int:
    """Workshop slots of the State Board that this number of players may use (XK-STATE-2, XK-PREP-6)."""
    per_player: int = at["state.workshop_slots_per_player"]
    return min(per_player * len(at.state.players), len(at["state.workshop_extra"]))


def state_extra(at: At) -> dict[str, int]:
    """The additional cost of the next slot of the State Board (XK-STATE-1, -5)."""
    extras: list[dict[str, int]] = at["state.workshop_extra"]
    return price(extras, len(at.state.state_board.workshops) + 1, extras[-1]) if extras else {}


class Workshop(Building, frozen=True):
    """Place a workshop on the land, or on the State Board for popularity."""

    pieces = "workshops"
    rules = ("XK-WORKSHOP-1", "XK-WORKSHOP-2")
    to: Annotated[
        str, Destination("land", "state", spoken={"state board": "state", "board": "state"}, after=("onto", "into"))
    ] = ""
    at: Annotated[str, Quadrant(after=("to",))] = ""

    def to_options(self, at: At) -> Options:
        return ("land",) if self.at else ("land", "state")

    def at_options(self, at: At) -> Options:
        return None if self.to == "state" else land_graph(at).spaces

    def misplaced(self, at: At) -> Iterator[Breach]:
        taken, places = at.state.state_board.workshops, slots_open(at)
        if self.to == "state":
            if self.at:
                yield at.breach("XK-WORKSHOP-3", to=self.to, at=self.at)
            if next_slot(taken, places) is None:
                yield at.breach("XK-STATE-2", open=places, taken=len(taken))
        elif self.to or self.at:  # a quadrant alone says that it goes on the land
            yield from off_the_land(at, self.at)
            yield from not_empty(at, self.at, "XK-WORKSHOP-4")
            yield from without_worker(at, self.at, self.player, "XK-WORKSHOP-5")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        p = self.board(at)
        base = cost_of(at, "workshop")
        if self.to == "state" and not lacking(p.stored(), base):
            slot = len(at.state.state_board.workshops) + 1
            yield from unaffordable(at, "XK-STATE-1", self.player, together(base, state_extra(at)), slot=slot)

    def apply(self, at: At) -> None:
        s = at.state
        if self.to != "state":
            self.build(at)
            s.pieces[self.at] = Piece("workshop", self.player)
            at.note("XK-WORKSHOP-3.land", player=self.player, at=self.at)
            return
        extra, slot = state_extra(at), len(s.state_board.workshops) + 1
        self.build(at, **extra)
        s.state_board.workshops.append(self.player)
        at.note("XK-STATE-1", slot=slot, extra=extra)
        at.note("XK-WORKSHOP-3.state", player=self.player, slot=slot)
        if board := cat(at).state_board:
            at.run(board.effect, self.player, Source(board, self.player))


# --- churches -------------------------------------------------------------------------------------------------------


def track_open(at: At) -> int:
    """Slots of each Church Board track that this number of players may use (XK-CHURCH-10, XK-PREP-6)."""
    by_players = {int(n): int(slots) for n, slots in at["church_board.slots_per_track"].items()}
    return by_players.get(len(at.state.players), max(by_players.values()))


def tracks_left(at: At) -> list[str]:
    """Tracks with an open slot."""
    places = track_open(at)
    return [kind for kind in KINDS if next_slot(at.state.church_board[kind], places) is not None]


def reached(at: At, player: str, quadrant: str) -> bool:
    """True if a quadrant borders an area with a work disc of the player (XK-CHURCH-7)."""
    return any(quadrant in area.border and works_in(at, area, player) for area in land(at).all)


class Church(Building, frozen=True):
    """Place a church on the land, on a village or on a track of the Church Board."""

    pieces = "churches"
    rules = ("XK-CHURCH-1", "XK-CHURCH-2")
    to: Annotated[
        str, Destination("land", "village", "church_board", spoken={"board": "church_board"}, after=("onto", "into"))
    ] = ""
    at: Annotated[str, Quadrant(after=("to",))] = ""
    track: Annotated[str, OneOf(*KINDS, after=("to", "on", "onto"), of=("track", "line"))] = ""

    def place(self, at: At) -> str:
        """The place of the church, if known: a quadrant or a track tells it, too."""
        piece = at.state.pieces.get(self.at)
        on_quadrant = "village" if piece is not None and piece.kind in SETTLEMENTS else "land"
        return self.to or (on_quadrant if self.at else "church_board" if self.track else "")

    def to_options(self, at: At) -> Options:
        place = self.place(at)
        return (place,) if place else ("land", "village", "church_board")

    def at_options(self, at: At) -> Options:
        return None if self.to == "church_board" else land_graph(at).spaces

    def track_options(self, at: At) -> Options:
        return KINDS if self.to == "church_board" else None

    def misplaced(self, at: At) -> Iterator[Breach]:
        to = self.place(at)
        yield from off_the_land(at, self.at)
        if self.at and (self.track or to == "church_board"):
            places = [self.at, f"the {self.track} track" if self.track else "the Church Board"]
            yield at.breach("XK-CHURCH-9", to=to, at=self.at, track=self.track, places=places)
        if to == "village":
            yield from self._on_a_village(at)
        elif to == "church_board":
            yield from self._on_the_board(at)
        elif to:
            yield from not_empty(at, self.at, "XK-CHURCH-3")
            yield from without_worker(at, self.at, self.player, "XK-CHURCH-4")

    def _on_a_village(self, at: At) -> Iterator[Breach]:
        piece = at.state.pieces.get(self.at)
        if not self.at and not at.state.settlements:
            yield at.breach("XK-CHURCH-5.none")
        elif self.at and (piece is None or piece.kind not in SETTLEMENTS):
            yield at.breach(f"XK-CHURCH-5.{'other' if piece else 'bare'}", at=self.at, what=str(piece))
        elif piece is not None:
            if piece.kind == "town":
                yield at.breach("XK-CHURCH-6", at=self.at, owner=piece.owner)
            if not reached(at, self.player, self.at):
                yield at.breach("XK-CHURCH-7", at=self.at, player=self.player)

    def _on_the_board(self, at: At) -> Iterator[Breach]:
        free = tracks_left(at)
        if not free or self.track not in ("", *free):
            yield at.breach(f"XK-CHURCH-10.{'track' if self.track else 'every'}", track=self.track, open=track_open(at))

    def apply(self, at: At) -> None:
        s = at.state
        self.build(at)
        if self.to == "church_board":
            s.church_board[self.track].append(self.player)
            at.note("XK-CHURCH-9", player=self.player, track=self.track, slot=len(s.church_board[self.track]))
        elif self.to == "village":
            s.pieces[self.at] = Piece("town", self.player)
            at.note("XK-CHURCH-5", player=self.player, at=self.at)
            at.note("XK-CHURCH-8", at=self.at)
        else:
            s.pieces[self.at] = Piece("church", self.player)
            at.note("XK-CHURCH-3", player=self.player, at=self.at)


# --- villages -------------------------------------------------------------------------------------------------------


def beside_worker(at: At, player: str, quadrant: str) -> bool:
    """True if a quadrant borders a work disc of the player itself, not only its area (XK-VILLAGE-5)."""
    pieces = at.state.pieces
    around = (pieces.get(other) for other in land_graph(at).neighbours[quadrant])
    return any(piece is not None and piece.kind == "work" and piece.owner == player for piece in around)


class Village(Building, frozen=True):
    """Place a village next to a work disc: its quadrant loses its type and may split an area."""

    pieces = "villages"
    rules = ("XK-VILLAGE-1", "XK-VILLAGE-2")
    at: Annotated[str, Quadrant(after=("to",))] = ""

    def store(self, at: At) -> StateBoard:
        return at.state.state_board

    def misplaced(self, at: At) -> Iterator[Breach]:
        yield from off_the_land(at, self.at)
        if self.at in land_graph(at):
            yield from not_empty(at, self.at, "XK-VILLAGE-3")
            yield from occupied(at, self.at, "XK-VILLAGE-4")
            if not beside_worker(at, self.player, self.at):
                yield at.breach("XK-VILLAGE-5.none", "XK-LAND-7", at=self.at, player=self.player)
        elif not self.at:
            yield from without_any_worker(at, self.player, "XK-VILLAGE-5")

    def apply(self, at: At) -> None:
        before = land(at).of[self.at]
        self.build(at)
        at.state.pieces[self.at] = Piece("village")
        at.note("XK-VILLAGE-3", player=self.player, at=self.at, left=at.state.state_board.villages)
        of = land(at).of
        parts = list(dict.fromkeys(of[q].spaces for q in before.spaces if q in of))
        key = f"XK-VILLAGE-6.{'left' if parts else 'gone'}"
        at.note(key, parts=[" ".join(p) for p in parts], areas=[*map(list, parts)], **in_words(at, before))
