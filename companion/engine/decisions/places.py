"""The thing or place on the scene that stands for a value: what is touched there is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.engine.play.domains import Domain, PieceName, Seat

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Places:
    """The scene of a table as menus point to it."""

    def __init__(self, at: Position[Any], seat: str) -> None:
        self.at = at
        self.seat = seat
        scene = at.rules.scene(at)
        things = scene.pieces if scene is not None else []
        self.names = {name for thing in things for name in (thing.id, thing.piece, thing.mat) if name}
        self.lying = {thing.piece: thing.id or thing.piece for thing in things if thing.piece}
        """Piece -> what references call it, where it lies."""

    def of(self, value: Any, domain: Domain | None) -> str:
        """The place of a value, from its domain, the game, or its piece; "" for nowhere."""
        if domain is None or value == "" or not isinstance(value, str | int) or isinstance(value, bool):
            return ""
        said = domain.place(self.at, value) or self._of_set(str(value), domain)
        if said:
            return said if said.partition("#")[0] in self.names else ""
        return self.lying.get(f"{domain.set}/{value}", "") if isinstance(domain, PieceName) else ""

    def _of_set(self, value: str, domain: Domain) -> str:
        known = self.at.rules.places
        name = "seat" if isinstance(domain, Seat) else domain.set if isinstance(domain, PieceName) else ""
        return known.get(f"{name}/{value}", known.get(name, "")).format(v=value, seat=self.seat)


__all__ = ["Places"]
