"""What all moves of this game share, and where the values of their fields come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.engine.play.moves import Breach, Domain, Move, Tally

from .catalogue import At, cat, name


class ProvinceName(Domain):
    def __init__(self, *, many: bool = False, lead: tuple[str, ...] = ()) -> None:
        self.many = many
        self.lead = lead

    def values(self, at: At) -> Iterable[str]:
        return cat(at).provinces


class Label(Domain):
    """The label of an Action card, as printed: `6`, `+1`, `Plague`."""

    def values(self, at: At) -> Iterable[str]:
        return cat(at).cards


class TileLetter(Domain):
    """The letters of scoring tiles."""

    many = True

    def values(self, at: At) -> Iterable[str]:
        return cat(at).tiles


class Place(Domain):
    """`reserve` or a province."""

    def values(self, at: At) -> Iterable[str]:
        return ("reserve", *cat(at).provinces)


class WarlordId(Domain):
    """A Warlord by id (`ST-1`), name or the last word of it."""

    def values(self, at: At) -> Iterable[str]:
        return cat(at).warlords

    def spoken(self, at: At) -> dict[str, Any]:
        words: dict[str, Any] = {}
        for ident, card in cat(at).warlords.items():
            for word in (ident, ident.replace("-", ""), card.name, card.name.rsplit(" ", 1)[-1]):
                words[word] = ident
        return words


class SourceTally(Tally):
    """Where cubes are taken from: `2 reserve 1 tibet`."""

    def __init__(self) -> None:
        super().__init__("")

    def values(self, at: At) -> Iterable[str]:
        return ("reserve", *cat(at).provinces)

    def spoken(self, at: At) -> dict[str, Any]:
        return {word: word for word in self.values(at)}


def ending_rule(at: At) -> str:
    """The rule by which the game ended."""
    s = at.state
    if s.pawn:
        return "DY-WIN-1" if abs(s.pawn) >= at["track.red_distance"] else "DY-WIN-2"
    return "DY-WIN-4" if s.winner == "drawn" else "DY-WIN-3"


class TableMove(Move, frozen=True):
    """A move at the table: nothing is done after the end, and every move is followed by what happens by itself."""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.phase == "over":
            yield at.breach(f"{ending_rule(at)}.over", player=name(at.state.winner), winner=at.state.winner)
        else:
            yield from self.breaches(at)

    def breaches(self, at: At) -> Iterator[Breach]:
        """Every rule the move breaks while the game goes on."""
        raise NotImplementedError

    def apply(self, at: At) -> None:
        self.carry_out(at)
        at.rules.settle(at)  # type: ignore[attr-defined]

    def carry_out(self, at: At) -> None:
        """What the move itself changes; what follows from it is not its business."""
