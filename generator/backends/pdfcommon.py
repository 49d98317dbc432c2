"""Drawing shared by several faces of a document: kept once in the file, and named where it is drawn.

A part is a run of operations that stand together wherever they stand: paths, and groups of them. Texts and pictures are
no such part, because they depend on the document, and neither is a group that is not opaque.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from generator.faces.display import DisplayList, Op, PathOp, Pop, Push, UseOp

WORTH = 1500
"""A part whose repetitions have fewer letters of path data takes less room where it stands than as an object of its
own."""
SMALL = 60
"""Neither is a part of fewer letters worth the words that draw it."""


class Common(msgspec.Struct, frozen=True):
    """Operations, some of them perhaps `Common` themselves, that are drawn in several places."""

    number: tuple[int, ...]
    ops: tuple[Op | Common, ...]


Named = dict[tuple[str, Any], str]
"""What a drawing shows of other objects (its kind, and which one), and the name of each in it."""


class Shared(msgspec.Struct):
    """What documents of the same faces need to make only once."""

    drawn: dict[str, list[Op | Common]]
    """The drawing of each face, with the parts that several of them share."""
    parts: dict[tuple[int, ...], Common]
    streams: dict[object, tuple[bytes, Named]] = {}
    """Finished drawings: of faces by their key, of parts by their number."""


class Kept:
    """What documents of the same faces share, by which faces they show."""

    def __init__(self) -> None:
        self._known: dict[frozenset[str], Shared] = {}

    def shared(self, keys: Sequence[str], faces: Mapping[str, DisplayList]) -> Shared:
        """What documents with these faces share. `keys` may come in any order."""
        among = frozenset(keys)
        if among not in self._known:
            self._known[among] = Shared(*commons({key: faces[key].ops for key in keys}))
        return self._known[among]


class _Node(msgspec.Struct):
    """An operation, or a group with what is in it. Equal ones have one `number`, -1: it cannot be shared."""

    number: int
    weight: int
    op: Op
    inside: list[_Node] = []
    end: Op | None = None


def reached(keys: Iterable[str], faces: Mapping[str, DisplayList]) -> list[str]:
    """These faces and those that are drawn in them, in the order in which they are met."""
    found: dict[str, None] = {}
    waiting = list(keys)[::-1]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found[key] = None
            waiting += [op.key for op in faces[key].ops if type(op) is UseOp]
    return list(found)


def commons(
    faces: Mapping[str, Sequence[Op]],
) -> tuple[dict[str, list[Op | Common]], dict[tuple[int, ...], Common]]:
    """The operations of each face, with what they have in common as `Common`; and all of those, by their numbers."""
    numbers: dict[object, int] = {}
    trees = {key: _tree(ops, numbers) for key, ops in faces.items()}
    single: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    known: set[int] = set()
    for nodes in trees.values():
        _count(nodes, single, pairs, known)
    made: dict[tuple[int, ...], Common] = {}
    return {key: _shared(nodes, single, pairs, made) for key, nodes in trees.items()}, made


def _tree(ops: Sequence[Op], numbers: dict[object, int]) -> list[_Node]:
    levels: list[list[_Node]] = [[]]
    for op in ops:
        if type(op) is PathOp:
            levels[-1].append(_Node(numbers.setdefault(op, len(numbers)), len(op.d), op))
        elif type(op) is Push:
            node = _Node(-1, 0, op)
            levels[-1].append(node)
            levels.append(node.inside)
        elif type(op) is Pop:
            inside = levels.pop()
            node = levels[-1][-1]
            node.end = op
            node.weight = len(op_clip(node.op)) + sum(child.weight for child in inside)
            if op_alike(node.op) and all(child.number >= 0 for child in inside):
                name = (node.op, *[child.number for child in inside])
                node.number = numbers.setdefault(name, len(numbers))
        else:
            levels[-1].append(_Node(-1, 0, op))
    return levels[0]


def op_clip(op: Op) -> str:
    return op.clip if isinstance(op, Push) else ""


def op_alike(op: Op) -> bool:
    """True if a group may be drawn once for several places: it is opaque, and has no words for one place only."""
    return isinstance(op, Push) and op.opacity >= 1 and not op.role


def _count(nodes: list[_Node], single: Counter[int], pairs: Counter[tuple[int, int]], known: set[int]) -> None:
    """Count each operation, and each two beside one another; the contents of a group met before are not counted again:
    it is drawn once."""
    before = -1
    for node in nodes:
        if node.number >= 0:
            single[node.number] += 1
            if before >= 0:
                pairs[before, node.number] += 1
        before = node.number
        if node.inside and (node.number < 0 or node.number not in known):
            known.add(node.number)
            _count(node.inside, single, pairs, known)


def _shared(
    nodes: list[_Node],
    single: Counter[int],
    pairs: Counter[tuple[int, int]],
    made: dict[tuple[int, ...], Common],
) -> list[Op | Common]:
    out: list[Op | Common] = []
    at = 0
    while at < len(nodes):
        run = [nodes[at]]
        many = single[run[0].number] if run[0].number >= 0 else 0
        if many > 1:
            for node in nodes[at + 1 :]:
                if node.number < 0 or not many == single[node.number] == pairs[run[-1].number, node.number]:
                    break
                run.append(node)
        at += len(run)
        weight = sum(node.weight for node in run)
        if weight >= SMALL and (many - 1) * weight >= WORTH:
            name = tuple(node.number for node in run)
            if name not in made:
                made[name] = Common(name, tuple(_plain(run, single, pairs, made)))
            out.append(made[name])
        else:
            out += _plain(run, single, pairs, made)
    return out


def _plain(
    nodes: list[_Node],
    single: Counter[int],
    pairs: Counter[tuple[int, int]],
    made: dict[tuple[int, ...], Common],
) -> list[Op | Common]:
    """The nodes as operations; within groups, what is common is shared."""
    out: list[Op | Common] = []
    for node in nodes:
        out.append(node.op)
        if node.end is not None:
            out += _shared(node.inside, single, pairs, made)
            out.append(node.end)
    return out
