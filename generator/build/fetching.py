"""A table of cards from the address at which it is published, kept as a file."""

from __future__ import annotations

from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from components.files import write_whole
from components.workbooks import MAX_BOOK

SECONDS = 30
"""So long an answer may take to begin."""
BINARY = (".xlsx", ".ods")


class NotFetched(Exception):
    """Failure to fetch a table, with the reason."""


def fetched(link: str, file: Path, project: Path) -> bool:
    """Write what stands at an address into a file of the project; whether that changed it. Raises NotFetched, and then
    leaves the file as it was, and OSError."""
    address = urlsplit(link)
    if address.scheme != "https" and not (address.scheme == "http" and address.hostname in ("localhost", "127.0.0.1")):
        raise NotFetched(f"{file.name}: the link '{link[:120]}' does not begin with https://")
    try:
        with urlopen(Request(link, headers={"User-Agent": "Tablewright"}), timeout=SECONDS) as answer:
            content = answer.read(MAX_BOOK + 1)
    except (URLError, OSError, ValueError) as error:
        raise NotFetched(f"{file.name}: {link[:120]} cannot be read: {getattr(error, 'reason', error)}") from None
    if len(content) > MAX_BOOK:
        raise NotFetched(f"{file.name}: what stands at {link[:120]} is larger than {MAX_BOOK // 1024 // 1024} MiB")
    book = content.startswith(b"PK\x03\x04")
    if content.lstrip()[:15].lower().startswith((b"<!doctype", b"<html")):
        hint = "publish the sheet as CSV and give that address"
        raise NotFetched(f"{file.name}: {link[:120]} is a page to look at, not a table; {hint}")
    if book is not (file.suffix.lower() in BINARY):
        kind = "a workbook" if book else "text"
        raise NotFetched(f"{file.name}: what stands at {link[:120]} is {kind}; name the file of `rows` accordingly")
    if file.is_file() and file.read_bytes() == content:
        return False
    write_whole(file, content, below=project)
    return True


__all__ = ["NotFetched", "fetched"]
