"""Placing a church, on the land, on a village or on the Church Board (rules XK-CHURCH)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, OneOf
from companion.engine.things.slots import next_slot
from components.phrasing import count

from .actions import ResourceAction
from .catalogue import At, cat, spell, track_open
from .domains import Destination, Quadrant
from .effects import carry_out
from .land import land, not_empty, off_the_land, without_worker, words_for, works_in
from .prices import cost_of, pay, unaffordable
from .state import KINDS, SETTLEMENTS, Piece
from .workshops import building_places, crowded, has_worker


def church_cost(at: At) -> dict[str, int]:
    return cost_of(at, "church", "XK-CHURCH-1", "XK-CHURCH-13")


def reached(at: At, player: str, quadrant: str) -> bool:
    """Whether a quadrant borders on an area with a work disc of the player (XK-CHURCH-7)."""
    return any(quadrant in area.border and works_in(at, area, player) for area in land(at).all)


def villages_in_reach(at: At, player: str) -> list[str]:
    """Villages without a church that a player may make towns."""
    pieces = at.state.pieces
    return [q for q, p in pieces.items() if p.kind == "village" and reached(at, player, q)]


class Church(ResourceAction, frozen=True):
    """Place a church on the land, on a village or on a track of the Church Board."""

    name = "church"
    words = ("church", "build church", "place church")
    example = "church wheat"
    to: Annotated[str, Destination("land", "village", "church_board", spoken={"board": "church_board"})] = ""
    at: Annotated[str, Quadrant()] = ""
    track: Annotated[str, OneOf(*KINDS)] = ""

    def filled(self, at: At) -> Church:
        to, track = self.to, self.track
        if not to and self.at:
            piece = at.state.pieces.get(self.at)
            to = "village" if piece is not None and piece.kind in SETTLEMENTS else "land"
        elif not to and track:
            to = "church_board"
        if to == "church_board" and not track:
            free = self._tracks(at)
            track = free[0] if len(free) == 1 or (free and not at.on("XK-CHURCH-14")) else ""
        return msgspec.structs.replace(super().filled(at), to=to, track=track)

    def _tracks(self, at: At) -> list[str]:
        """Tracks with a slot left."""
        places = track_open(at)
        return [kind for kind in KINDS if next_slot(at.state.church_board[kind], places) is not None]

    def breaks(self, at: At) -> Iterator[Breach]:
        yield from super().breaks(at)
        if not at.state.player[self.player].churches:
            why = f"{self.player} has no church left on the player board"
            yield Breach("XK-CHURCH-2", why, {"churches": 0})
        yield from off_the_land(at, self.at)
        if self.track and self.to in ("land", "village"):
            why = f"a church goes to {self.at or 'the land'} or to the {self.track} track, not to both"
            yield Breach("XK-CHURCH-9", why, {"to": self.to, "at": self.at, "track": self.track})
        if self.to == "village":
            yield from self._on_a_village(at)
        elif self.to == "church_board":
            yield from self._on_the_board(at)
        elif self.to in ("", "land"):
            if self.at:
                yield from not_empty(at, self.at, "XK-CHURCH-3")
                yield from without_worker(at, self.at, self.player, "XK-CHURCH-4")
                yield from crowded(at, self.at, "XK-CHURCH-3")
        else:
            why = f"a church goes to the land, to a village or to the Church Board, not to {self.to}"
            yield Breach("XK-CHURCH-9", why, {"to": self.to})
        yield from unaffordable(at, self.player, church_cost(at), "XK-CHURCH-1", what="a church")

    def _on_a_village(self, at: At) -> Iterator[Breach]:
        if not self.at:
            return
        piece = at.state.pieces.get(self.at)
        if piece is None or piece.kind not in SETTLEMENTS:
            stands = f"{words_for(piece)} stands" if piece else "no village stands"
            yield Breach("XK-CHURCH-5", f"{stands} on {self.at}", {"at": self.at})
            return
        if not at.on("XK-CHURCH-5"):
            yield Breach("XK-CHURCH-3", "a church goes on a quadrant of an area", {"at": self.at})
        if piece.kind == "town":
            why = f"the village on {self.at} has a church of {piece.owner}"
            yield Breach("XK-CHURCH-6", why, {"at": self.at, "owner": piece.owner})
        if not reached(at, self.player, self.at):
            why = f"no area next to {self.at} has a work disc of {self.player}"
            yield Breach("XK-CHURCH-7", why, {"at": self.at, "player": self.player})

    def _on_the_board(self, at: At) -> Iterator[Breach]:
        if self.at:
            why = f"a church goes to the Church Board or to {self.at}, not to both"
            yield Breach("XK-CHURCH-9", why, {"to": self.to, "at": self.at})
        if not at.on("XK-CHURCH-9"):
            yield Breach("XK-CHURCH-3", "a church goes on the land", {"to": self.to})
        if not at.on("XK-CHURCH-11") and not has_worker(at, self.player):
            yield Breach("XK-CHURCH-4", f"{self.player} has no work disc on the land", {"player": self.player})
        places = track_open(at)
        if self.track and next_slot(at.state.church_board[self.track], places) is None:
            why = f"all {places} open slots of the {self.track} track are taken"
            yield Breach("XK-CHURCH-10", why, {"track": self.track, "open": places})
        elif not self.track and not self._tracks(at):
            yield Breach("XK-CHURCH-10", f"all {places} open slots of every track are taken", {"open": places})

    def left_out(self, at: At) -> Iterator[Choice]:
        if self.to == "church_board":
            if not self.track:
                yield Choice("track", self.player, "on which track?", self._tracks(at))
        elif self.to == "village" and not self.at:
            options = villages_in_reach(at, self.player)
            yield Choice("at", self.player, "on which village?", options)
        elif not self.at:
            places = [*building_places(at, self.player), *villages_in_reach(at, self.player)]
            if self.to == "land":
                yield Choice("at", self.player, "on which quadrant?", building_places(at, self.player))
            else:
                yield Choice("to", self.player, "on which quadrant, village or track?", [*places, *self._tracks(at)])

    def carry_out(self, at: At) -> None:
        s = at.state
        p = s.player[self.player]
        cost = church_cost(at)
        pay(at, self.player, cost, "a church", "XK-CHURCH-1")
        at.cite("XK-CHURCH-13", f"a church costs {spell(cost)}", cost=cost)
        p.churches = max(0, p.churches - 1)
        left = count(p.churches, "church", "churches")
        at.cite("XK-CHURCH-2", f"{left} left on the player board", left=p.churches)
        if self.to == "church_board":
            row = s.church_board[self.track]
            row.append(self.player)
            what = f"{self.player} places a church on slot {len(row)} of the {self.track} track"
            at.note("XK-CHURCH-9", what, track=self.track, slot=len(row))
            at.cite("XK-CHURCH-10", f"{track_open(at)} slots of a track are open", open=track_open(at))
            at.cite("XK-CHURCH-11", "no disc on the land is needed")
            at.cite("XK-CHURCH-14", f"the {self.track} track was chosen", track=self.track)
        elif self.to == "village":
            s.pieces[self.at] = Piece("town" if at.on("XK-CHURCH-8") else "village", self.player)
            at.note("XK-CHURCH-5", f"{self.player} places a church on the village {self.at}", at=self.at)
            at.cite("XK-CHURCH-6", "the village had no church")
            at.cite("XK-CHURCH-7", f"it borders on an area with a work disc of {self.player}")
            at.note("XK-CHURCH-8", f"{self.at} is a town now", at=self.at)
        else:
            s.pieces[self.at] = Piece("church", self.player)
            at.note("XK-CHURCH-3", f"{self.player} places a church on {self.at}", at=self.at)
            at.cite("XK-CHURCH-4", f"a work disc of {self.player} lies in the area")
        at.cite("XK-CHURCH-12", "no immediate effect")
        if not at.on("XK-CHURCH-12"):
            carry_out(at, self.player, cat(at).state_board_gain)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        player = at.state.active
        if player is not None and at.state.player[player].churches:
            yield from (cls(player, "land", quadrant) for quadrant in building_places(at, player))
            yield from (cls(player, "village", quadrant) for quadrant in villages_in_reach(at, player))
            yield from (cls(player, "church_board", "", track) for track in KINDS)


__all__ = ["Church", "church_cost", "reached", "villages_in_reach"]
