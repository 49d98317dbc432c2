"""Placing a church, on the land, on a village or on the Church Board (rules XK-CHURCH)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, OneOf, default_options
from companion.engine.things.slots import next_slot

from .catalogue import At
from .domains import Destination, Quadrant
from .land import land, not_empty, off_the_land, without_worker, works_in
from .state import KINDS, SETTLEMENTS, Piece, Player
from .storage import cost_of, pay, unaffordable
from .turns import Action


def track_open(at: At) -> int:
    """Slots of each Church Board track that this number of players may use (XK-CHURCH-10, XK-PREP-6)."""
    by_players = {int(n): int(slots) for n, slots in at["church_board.slots_per_track"].items()}
    return by_players.get(len(at.state.players), max(by_players.values()))


def tracks_left(at: At) -> list[str]:
    """Tracks with an open slot."""
    places = track_open(at)
    return [kind for kind in KINDS if next_slot(at.state.church_board[kind], places) is not None]


def reached(at: At, player: str, quadrant: str) -> bool:
    """Whether a quadrant borders an area with a work disc of the player (XK-CHURCH-7)."""
    return any(quadrant in area.border and works_in(at, area, player) for area in land(at).all)


def villages_in_reach(at: At, player: str) -> list[str]:
    """Villages without a church that a player may make towns."""
    pieces = at.state.pieces
    return [q for q, p in pieces.items() if p.kind == "village" and reached(at, player, q)]


class Church(Action, frozen=True):
    """Place a church on the land, on a village or on a track of the Church Board."""

    words = ("church", "build church", "place church")
    example = "church wheat"
    asks: ClassVar[dict[str, str]] = {"to": "XK-CHURCH-9.to", "at": "XK-CHURCH-3.at", "track": "XK-CHURCH-14.track"}
    to: Annotated[str, Destination("land", "village", "church_board", spoken={"board": "church_board"})] = ""
    at: Annotated[str, Quadrant()] = ""
    track: Annotated[str, OneOf(*KINDS)] = ""

    def place(self, at: At) -> str:
        """Where the church goes, as far as it was said: a quadrant or a track says it, too."""
        piece = at.state.pieces.get(self.at)
        on_quadrant = "village" if piece is not None and piece.kind in SETTLEMENTS else "land"
        return self.to or (on_quadrant if self.at else "church_board" if self.track else "")

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "to" and (place := self.place(at)):
            return (place,)
        if field == ("at" if self.to == "church_board" else "track"):
            return None
        return default_options(self, at, field)

    def broken(self, at: At, p: Player) -> Iterator[Breach]:
        if not p.churches:
            yield at.breach("XK-CHURCH-2", player=self.player, churches=0)
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
        yield from unaffordable(at, "XK-CHURCH-1", self.player, cost_of(at, "church"))

    def _on_a_village(self, at: At) -> Iterator[Breach]:
        if not self.at:
            if not at.state.settlements:
                yield at.breach("XK-CHURCH-5.none")
            return
        piece = at.state.pieces.get(self.at)
        if piece is None or piece.kind not in SETTLEMENTS:
            yield at.breach(f"XK-CHURCH-5.{'other' if piece else 'bare'}", at=self.at, what=str(piece))
            return
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
        p = self.board(at)
        pay(at, "XK-CHURCH-1", self.player, cost_of(at, "church"))
        p.churches = max(0, p.churches - 1)
        s.progress = True
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
