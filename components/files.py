"""The one way files are written: whole or not at all, below a given folder, through no link. And digests of files."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from components.learning import learnt
from components.plainfiles import NotPlain, check_plain, read_plain

T = TypeVar("T")

UNFINISHED = ".part"
"""The suffix of files being written."""
HOUR = 3600.0


class UnsafePath(OSError):
    """A path that must not be written: it leads out of its folder, passes a link or names something other than a file.

    `filename` is the path, `strerror` the reason.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(errno.EPERM, why, str(path))


def digest(content: bytes) -> str:
    """SHA-256 of `content`, in hex."""
    return hashlib.sha256(content).hexdigest()


def digest_of(file: Path) -> str:
    """SHA-256 of a plain file's content, in hex; empty if there is no such file."""
    try:
        check_plain(file)
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError, NotPlain, ValueError):
        return ""


def read_at_most(file: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes. Raises OSError for a larger one, such as a device without end."""
    with file.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"the file is larger than {most // 2**20} MiB", str(file))
    return content


def digest_all(files: Iterable[Path]) -> str:
    """One digest of the names and contents of several files."""
    total = hashlib.sha256()
    for file in sorted(files):
        content = read_plain(file)
        total.update(f"{file.as_posix()}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def write_whole(
    file: Path,
    content: bytes | Iterable[bytes],
    *,
    below: Path | None = None,
    sync: bool = False,
    private: bool = False,
) -> None:
    """Write a file under a temporary name beside it and rename it, so that nobody ever sees half of it.

    `content` may come in parts, one after the other.
    `below` is a folder that the file must lie in or under, with no link on the way from there; the folders in between
    are made. What `below` itself passes through is the caller's choice. Without it the file's folder must be there.
    `sync` waits until the disk holds the file, for what cannot be made again; `private` lets nobody but its owner read
    it. Raises UnsafePath and other OSErrors, and then leaves what was there before.
    """
    if "\0" in str(file):
        raise UnsafePath(file, "a file name cannot hold a NUL")
    if below is not None:
        _check_below(file, below)
        file.parent.mkdir(parents=True, exist_ok=True)
    _check_replaceable(file)
    try:
        _write(file, [content] if isinstance(content, bytes) else content, sync, private)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None


def _write(file: Path, parts: Iterable[bytes], sync: bool, private: bool) -> None:
    mine = f".{file.name[:40]}."
    _sweep(file.parent, mine)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=mine, suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(parts)
            if sync:
                stream.flush()
                os.fsync(stream.fileno())
        os.chmod(temporary, 0o600 if private else 0o666 & ~_umask())
        os.replace(temporary, file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    if sync:
        _sync_folder(file.parent)


def _check_below(file: Path, below: Path) -> None:
    """Raises UnsafePath unless `file` lies below the folder, by its name and in truth."""
    if not file.is_relative_to(below) or ".." in file.relative_to(below).parts or file == below:
        raise UnsafePath(file, f"this would be written outside {below}")
    step = below
    for part in file.relative_to(below).parts[:-1]:
        step /= part
        if step.is_symlink():
            raise UnsafePath(step, f"this is a link; nothing is written through links below {below}")


def _check_replaceable(file: Path) -> None:
    """Raises UnsafePath if something other than a plain file has this name."""
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        kind = "a link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "a device"
        raise UnsafePath(file, f"this is {kind}, and only plain files are replaced")


def _sweep(folder: Path, prefix: str) -> None:
    """Remove what writers of this file left behind when they were killed, over an hour ago."""
    for name in os.listdir(folder):
        if name.startswith(prefix) and name.endswith(UNFINISHED):
            with contextlib.suppress(OSError):
                if (folder / name).lstat().st_mtime < time.time() - HOUR:
                    (folder / name).unlink()


def _sync_folder(folder: Path) -> None:
    """Wait until the disk holds the folder's entries; not every system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _umask() -> int:
    """The process's file mode mask (there is no way to read it without setting it)."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def keep(file: Path | None, value: Any) -> None:
    """Keep a value for `kept`: MessagePack in a file of a cache, behind the digest of it. A file that cannot be written
    does no harm."""
    if file is not None:
        content = msgspec.msgpack.encode(value)
        with contextlib.suppress(OSError):
            write_whole(file, (hashlib.sha256(content).digest(), content), below=file.parent)


def kept(file: Path | None, kind: type[T]) -> T | None:
    """The value that `keep` wrote; None if the file is missing, was changed in any byte or holds another kind
    of value."""
    if file is None:
        return None
    try:
        with file.open("rb") as stream:
            seal, content = stream.read(32), stream.read()
        return msgspec.msgpack.decode(content, type=learnt(kind)) if hashlib.sha256(content).digest() == seal else None
    except (OSError, msgspec.MsgspecError):
        return None
