"""Files that are written whole or not at all, and digests of them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def digest(content: bytes) -> str:
    """SHA-256 of `content`, in hex."""
    return hashlib.sha256(content).hexdigest()


def digest_of(file: Path) -> str:
    """SHA-256 of a file's content, in hex; empty if there is no such file."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return ""


def digest_all(files: Iterable[Path]) -> str:
    """One digest of the names and contents of several files."""
    total = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        total.update(f"{file.as_posix()}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def write_whole(file: Path, content: bytes) -> None:
    """Write a file under a temporary name beside it and rename it, so that nobody ever sees half of it.

    Makes the folder. Raises OSError, and then leaves what was there before.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The process's file mode mask (there is no way to read it without setting it)."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
