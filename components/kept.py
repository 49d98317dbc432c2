"""The last resolution of a game, for a program that resolves it again at every save: an unchanged piece or rule is not
worked out anew, unless an answer it got from others has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from components.model import Piece, PieceSetFile, ResolvedPiece, ResolvedRule, Rule
from components.variants import PlacedPiece, PlacedRule, PlacedSet

Heard = dict[tuple[str, str], Any]
"""(`effect` or `copies`, piece or set) -> the answer."""


class Kept:
    """Pieces and rules of one game as they were resolved last."""

    def __init__(self) -> None:
        self._read = b""
        self._heads: dict[str, PieceSetFile] = {}
        self._pieces: dict[str, tuple[Piece, ResolvedPiece]] = {}
        self._rules: dict[str, tuple[Rule, ResolvedRule]] = {}
        self.heard: dict[str, Heard] = {}
        """The answers that each piece or rule got from others when it was resolved."""

    def begin(self, read: Any) -> None:
        """A game is resolved. `read` is what every text of it may read; nothing is kept if that is no longer the
        same."""
        now = msgspec.msgpack.encode(read)
        if now != self._read:
            self._read, self._heads, self._pieces, self._rules = now, {}, {}, {}
            self.heard = {}

    def pieces(self, placed: Iterable[tuple[PlacedSet, PlacedPiece]]) -> dict[str, ResolvedPiece]:
        """`set/piece` -> the piece as it was resolved, of those that say the same, as do their sets."""
        same: dict[str, bool] = {}
        found: dict[str, ResolvedPiece] = {}
        for piece_set, one in placed:
            set_name = piece_set.head.set
            if set_name not in same:
                old = self._heads.get(set_name)
                same[set_name] = old is not None and alike(_alone(old), _alone(piece_set.head))
            name = f"{set_name}/{one.piece.id}"
            known = self._pieces.get(name) if same[set_name] else None
            if known is not None and alike(known[0], one.piece):
                found[name] = known[1]
        return found

    def rule(self, rule: Rule) -> ResolvedRule | None:
        """The rule as it was resolved, if it says the same."""
        found = self._rules.get(rule.id)
        return found[1] if found is not None and alike(found[0], rule) else None

    def take(
        self,
        sets: Mapping[str, PlacedSet],
        pieces: Collection[ResolvedPiece],
        placed: Mapping[str, PlacedRule],
        rules: Mapping[str, ResolvedRule],
        asking: Collection[str],
        heard: Mapping[str, Heard],
    ) -> None:
        """Keep what was resolved without a fault. `asking`: sets and pieces that are not to be kept, since they asked
        others for what was not known in full yet."""
        self._heads = {name: one.head for name, one in sets.items()}
        self._pieces = {
            f"{one.set}/{one.id}": (sets[one.set].pieces[one.id].piece, one)
            for one in pieces
            if one.set not in asking and f"{one.set}/{one.id}" not in asking
        }
        self._rules = {id_: (placed[id_].rule, one) for id_, one in rules.items()}
        self.heard.update(heard)


def _alone(head: PieceSetFile) -> PieceSetFile:
    return msgspec.structs.replace(head, pieces=[])


def alike(one: msgspec.Struct, other: msgspec.Struct) -> bool:
    """True if two records have the same content; `==` would take `true` for 1."""
    return one is other or msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)
