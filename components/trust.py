"""Programs in folders of projects that the user allows to run: remembered by place and content."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from components.files import write_whole

ALWAYS = "always"
"""In place of a digest: whatever stands there, for it is the user's own work."""


class Trust:
    """The user's trusted programs, kept in one file. A file that cannot be read trusts nothing."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def knows(self, place: Path, digest: str) -> bool:
        """True if the user allowed the file or folder at `place`, with content of this digest, to run."""
        return self._read().get(str(place.resolve())) in (digest, ALWAYS)

    def remember(self, place: Path, digest: str = ALWAYS) -> None:
        """Allow the file or folder at `place` to run: this version, or all later ones. Raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        known = {**self._read(), str(place.resolve()): digest}
        write_whole(self.file, json.dumps(known, indent=1, sort_keys=True).encode(), below=self.file.parent, sync=True)

    def _read(self) -> dict[str, str]:
        with suppress(OSError, ValueError, RecursionError):
            known = json.loads(self.file.read_bytes())
            if isinstance(known, dict):
                return known
        return {}
