"""The one way files of a project are read: plain files of bounded size, inside the project.

A folder that comes from somebody else can hold links to anywhere, pipes that nobody writes and devices without end.
They are refused before they are opened. Files that a user names on the command line may be links and pipes.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MIB = 2**20
MOST = 64 * MIB
"""Bytes of the largest file of a project that is read at all."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotPlain(OSError):
    """A file of a project that is not read. `filename` is its path, `strerror` the reason."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(errno.EPERM, why, str(file))


def check_plain(file: Path, inside: Path | None = None) -> os.stat_result:
    """The system's record of a plain file. Raises NotPlain for anything else, and for a file that does not lie in the
    folder `inside`, links followed; FileNotFoundError and other OSErrors."""
    if inside is not None and not _within(file, inside):
        raise NotPlain(file, "this is a link that leads out of the project; copy the file into the project")
    found = file.stat()
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(found.st_mode)), "something else")
        raise NotPlain(file, f"this is {kind}, not a file")
    return found


def read_plain(file: Path, most: int = MOST, inside: Path | None = None) -> bytes:
    """The content of a plain file (see `check_plain`): of one with more than `most` bytes, one byte more than that."""
    check_plain(file, inside)
    # Should a pipe take the file's place in between, opening it does not wait for anybody.
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        return stream.read(most + 1)


def is_plain(file: Path, inside: Path | None = None) -> bool:
    """True if `read_plain` would read it."""
    try:
        check_plain(file, inside)
    except (OSError, ValueError):
        return False
    return True


def _within(file: Path, folder: Path) -> bool:
    """True if a file lies below a folder when all links are followed. Links in the folder's own path are the caller's
    choice."""
    name, base = os.fspath(file), os.fspath(folder).rstrip(os.sep) + os.sep
    steps = name[len(base) :].split(os.sep) if name.startswith(base) else [os.pardir]
    if os.pardir not in steps:
        for step in steps:
            base = os.path.join(base, step)
            if os.path.islink(base):
                break
        else:
            return True  # by its name, with no link on the way: most files
    return os.path.realpath(file).startswith(os.path.realpath(folder).rstrip(os.sep) + os.sep)


__all__ = ["MOST", "NotPlain", "check_plain", "is_plain", "read_plain"]
