"""The keys of sealed choices: they lie beside the tables, readable by this user alone, until the choices are shown.

A journal, and whatever is made of it, holds only seals. The line that shows a choice holds its key, so that anybody can
check it then. Each key is a file of its own, named after its seal: tables may be copied and renamed, and two of them
never write the same file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.play.moves import Event
from companion.engine.play.position import Position
from companion.engine.table.digests import form_of
from companion.engine.table.texts import TableError
from companion.engine.things.sealed import LOCKED, keys_of, learn, locked
from components.files import write_whole

FOLDER = ".seals"


class Key(msgspec.Struct):
    """A key that opens a seal, and the seat whose choice it is."""

    seat: str
    seal: str
    key: str


def keep(path: Path, seals: Mapping[str, str], keys: Mapping[str, str]) -> None:
    """Keep `keys` (seal -> key) beside the table in the file `path`. `seals`: seal -> the seat whose choice it is.

    They are on the disk when this returns. Raises OSError.
    """
    folder = path.parent / FOLDER
    for seal, key in keys.items():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = msgspec.json.encode(Key(seals.get(seal, ""), seal, key))
        write_whole(folder / _name(seal), content, sync=True, private=True)


def find(path: Path, form: bytes) -> None:
    """Know the keys of the seals in a state of the table in the file `path`, as far as they lie beside it."""
    if LOCKED.encode() not in form:
        return
    seals = {seal for _, seal in locked(msgspec.json.decode(form))}
    for seal in seals - keys_of(seals).keys():
        with suppress(OSError, msgspec.MsgspecError):
            found = msgspec.json.decode((path.parent / FOLDER / _name(seal)).read_bytes(), type=Key)
            if found.seal == seal:
                learn({seal: found.key})


def unshown(form: bytes) -> dict[str, str]:
    """Seal -> key of the choices in a state that were not shown yet, as far as their keys are known here."""
    return keys_of(seal for _, seal in locked(msgspec.json.decode(form)))


def opened(before: bytes, after: bytes) -> tuple[dict[str, str], list[str]]:
    """The choices that a line opens: seal -> key, and the seats whose keys nobody here knows."""
    if LOCKED.encode() not in before:
        return {}, []
    left = {seal for _, seal in locked(msgspec.json.decode(after))}
    shown = {seal: seat for seat, seal in locked(msgspec.json.decode(before)) if seal not in left}
    keys = keys_of(shown)
    return keys, [seat for seal, seat in shown.items() if seal not in keys]


def made(steps: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Seal -> seat of the choices that the moves of a line have sealed. The seat is what the move says first."""
    found: dict[str, str] = {}
    for step in steps:
        for _, seal in locked(step["move"]):
            found[seal] = next((str(step["move"][key]) for key in ("by", "player") if key in step["move"]), "")
    return found


def sealing(
    path: Path, steps: Sequence[Mapping[str, Any]], before: bytes, after: Position[Any]
) -> tuple[dict[str, str], list[Event]]:
    """Keep the keys of what a line of the table in the file `path` seals, before it is recorded. Returns the keys of
    what it shows, and a remark for each choice that cannot be proved here. Raises TableError if a key cannot be kept.
    """
    if seals := made(steps):
        try:
            keep(path, seals, keys_of(seals))
        except OSError as error:
            raise TableError(f"the key of a sealed choice cannot be kept: {error.strerror}") from None
    shown, unknown = opened(before, form_of(after.state))
    what = "what {seat} had sealed cannot be compared: its key is not on this machine"
    return shown, [Event("", what.format(seat=seat), {"seat": seat}, warns=True) for seat in unknown]


def _name(seal: str) -> str:
    return os.path.basename(seal.removeprefix(LOCKED))


__all__ = ["FOLDER", "find", "keep", "made", "opened", "sealing", "unshown"]
