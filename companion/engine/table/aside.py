"""A new file is made beside its final place, under a name nothing lists, and takes its own name when it is whole."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LEFTOVER = re.compile(r"\..+\.db(?:\.\w+)*\.(\d+)(?:-journal)?")


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


@contextmanager
def replaced(path: Path, old: Path) -> Iterator[Path]:
    """The place where a new version of the file `path` is to be made. When the block ends, the present file is kept as
    `old` and the new one is `path`; at no moment is there none."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    _remove(half)
    try:
        yield half
        _keep_as(path, old)
        half.replace(path)
        _synchronise(path.parent)
    finally:
        _remove(half)


def moved(path: Path, to: Path) -> None:
    """Give a file another name, for good. Raises FileExistsError if another one has that name."""
    to.parent.mkdir(parents=True, exist_ok=True)
    _publish(path, to)
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    _synchronise(path.parent)


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
    _synchronise(path.parent)


def _keep_as(path: Path, old: Path) -> None:
    """Let a file be found by a second name, or a copy of it where the file system knows no links."""
    try:
        old.hardlink_to(path)
    except FileExistsError:
        raise
    except OSError:
        copy = old.with_name(f".{old.name}.{os.getpid()}")
        shutil.copyfile(path, copy)
        copy.replace(old)


def _synchronise(folder: Path) -> None:
    """See to it that the names in a folder are on the disk."""
    with contextlib.suppress(OSError):  # not every system lets a folder be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove(half: Path) -> None:
    for file in (half, half.with_name(f"{half.name}-journal")):
        with contextlib.suppress(OSError):
            file.unlink()


__all__ = ["clear_leftovers", "made_aside", "moved", "replaced"]
