"""A new file is made beside its final place, under a name nothing lists, and takes its own name when it is whole."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LEFTOVER = re.compile(r"\.+.+\.db(?:\.(\d+))+(?:-journal)?")


@contextmanager
def made_aside(path: Path) -> Iterator[Path]:
    """The place where the file `path` is to be made: it becomes `path` when the block ends, and is gone if it fails.

    Whatever stops the process, `path` is whole or not there. Raises FileExistsError if there is a `path` by then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_leftovers(path.parent)
    half = path.with_name(f".{path.name}.{os.getpid()}")
    _remove(half)
    try:
        yield half
        _publish(half, path)
    finally:
        _remove(half)


def clear_leftovers(folder: Path) -> None:
    """Remove what processes that were killed have left in `folder`. Files of processes that still run stay."""
    for file in folder.glob(".*.db.*"):
        found = _LEFTOVER.fullmatch(file.name)
        if found and not _runs(int(found[1])):
            with contextlib.suppress(OSError):
                file.unlink()


def _runs(process: int) -> bool:
    if process == os.getpid():
        return True
    if os.name != "posix":
        return False  # another process that still writes it holds it open, and it cannot be removed
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _publish(half: Path, path: Path) -> None:
    """Give a whole file its name, for good: after a power loss it is still there. Never replaces another one."""
    try:
        path.hardlink_to(half)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        half.replace(path)
    with contextlib.suppress(OSError):  # not every system lets a folder be synchronised
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _remove(half: Path) -> None:
    for file in (half, half.with_name(f"{half.name}-journal")):
        with contextlib.suppress(OSError):
            file.unlink()


__all__ = ["clear_leftovers", "made_aside"]
