"""Work that the page starts: sheets, rulebook, proof, export, playtest. Each is a run of a command of its own, so that
the page goes on and every core helps; one at a time."""

from __future__ import annotations

import json
import secrets
import subprocess
import threading
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from components.plainfiles import read_plain
from components.web.site import Asked, Made, Refused
from generator.build.manifest import BuildEntry, read_manifest
from generator.build.options import Options
from generator.live.asking import form
from generator.live.cards import Slot
from generator.live.desk import Desk

KINDS: dict[str, tuple[str, ...]] = {
    "sheets": ("build",),
    "one-pdf": ("build", "--one-pdf"),
    "changed": ("build", "--changed"),
    "rulebook": ("rulebook",),
    "proof": ("proof", "--format", "pdf"),
    "images": ("export", "images"),
    "tts": ("export", "tts"),
    "check": ("check",),
    "playtest": ("playtest", "--games", "200"),
}
"""The jobs, and the command of each."""
OWN = {"proof": "proofs", "playtest": "playtest"}
"""The jobs that write into a folder of their own below that of the game."""
REPORT = ("report.pdf", "report.html", "report.csv")
"""The files of a playtest."""
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".json": "application/json",
    ".csv": "text/csv",
}
MOST_FILES = 60
"""Files of one run that are offered to be opened."""
MOST_KEPT = 400
"""Files that can still be opened."""


class Wish(msgspec.Struct, frozen=True):
    """Work to do, and for which paper."""

    kind: Literal["sheets", "one-pdf", "changed", "rulebook", "proof", "images", "tts", "check", "playtest"]
    paper: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,19}\Z")] = "a4"
    backs: Literal["long", "short", "gutterfold", "none"] = "long"
    ink: Literal["normal", "low"] = "normal"


class Work:
    """Starts one piece of work at a time and tells the pages how it goes. `command`: how `pnp` is called;
    `companion`: how the companion is."""

    def __init__(
        self, desk: Desk, publish: Callable[[str, Any], None], command: Sequence[str], companion: Sequence[str] = ()
    ) -> None:
        self._desk = desk
        self._publish = publish
        self._command = list(command)
        self._companion = list(companion)
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        self._made: dict[str, tuple[Path, Path]] = {}
        """Token -> a file that was made, and the folder it has to lie in."""

    def start(self, asked: Asked) -> Any:
        """Begin. Raises Refused while something else is being done."""
        wish: Wish = form(asked.data, Wish)
        options = self._desk.options
        called = self._companion if wish.kind == "playtest" else self._command
        if not called:
            raise Refused("nothing here plays games")
        words = [*called, *KINDS[wish.kind], self._desk.id]
        if wish.kind in ("sheets", "one-pdf", "changed"):
            words += ["--paper", wish.paper, "--backs", wish.backs]
        if wish.kind in ("sheets", "one-pdf", "changed", "proof", "images", "tts"):
            words += ["--ink", wish.ink]
        if wish.kind not in ("check", "rulebook"):
            words += _given(options)
        if wish.kind != "check":
            own = options.out / self._desk.id / OWN[wish.kind] if wish.kind in OWN else options.out
            words += ["--out", str(own.absolute())]
        with self._lock:
            if self._running is not None:
                raise Refused("something else is being made; wait for it", 409)
            pipe = subprocess.PIPE
            self._running = subprocess.Popen(
                [*words, "--json"], stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
            )
        threading.Thread(target=self._follow, args=(self._running, wish.kind), daemon=True).start()
        return {}

    def stop(self, _asked: Asked | None = None) -> Any:
        """Give up what is being made. Files are written whole or not at all."""
        with self._lock:
            if self._running is not None:
                self._running.terminate()
        return {}

    def made(self, token: str) -> Made | None:
        """A file that was made here."""
        found = self._made.get(token)
        if found is None:
            return None
        file, folder = found
        try:
            content = read_plain(file, inside=folder)
        except OSError:
            return None
        return Made(content, MEDIA.get(file.suffix, "application/octet-stream"), file.name)

    def reports(self, _asked: Asked) -> Any:
        """The reports that `companion playtest --out` wrote below the folder of builds, newest first, with the time
        they were written, in seconds, and their files."""
        folder = self._desk.options.out / self._desk.id
        found = {file.parent: file.stat().st_mtime for file in islice(folder.glob("**/report.json"), MOST_FILES)}
        return [
            {
                "name": own.relative_to(folder).as_posix(),
                "when": when,
                "files": [
                    {"name": name, "at": self._link(own / name, folder)} for name in REPORT if (own / name).is_file()
                ],
            }
            for own, when in sorted(found.items(), key=lambda one: one[1], reverse=True)
            if (own / REPORT[0]).is_file()
        ]

    def _link(self, file: Path, folder: Path) -> str:
        """The address at which the page opens a file."""
        wanted = file.resolve(), folder.resolve()
        token = next((known for known, one in self._made.items() if one == wanted), "") or secrets.token_urlsafe(16)
        self._made[token] = wanted
        for old in list(self._made)[:-MOST_KEPT]:
            del self._made[old]
        return f"/made/{token}"

    def builds(self, _asked: Asked) -> Any:
        """The builds there are, with the number of pieces that look otherwise now."""
        folder = self._desk.options.out / self._desk.id
        manifest = read_manifest(folder, self._desk.id)
        return [
            {"name": name, "paper": entry.paper, "sheets": entry.leaves, "changed": self._changed(entry)}
            for name, entry in reversed(manifest.builds.items())
        ]

    def _changed(self, entry: BuildEntry) -> int | None:
        """The number of pieces of a build that look different on the page; None if the page does not show its ink."""
        ink = entry.options.get("ink", "normal")
        if ink not in self._desk.inks:
            return None
        shown = {}
        for one in entry.pieces:
            shown[one.piece] = (
                self._desk.hash(Slot(one.piece), ink),
                self._desk.hash(Slot(one.piece, True), ink),
            ) != (one.front, one.back)
        return sum(shown.values())

    def _follow(self, process: subprocess.Popen[str], kind: str) -> None:
        """Tell how it goes, and what it made."""
        said: list[str] = []
        assert process.stdout is not None and process.stderr is not None
        out: list[str] = []
        reader = threading.Thread(target=lambda: out.append(process.stdout.read()), daemon=True)  # type: ignore[union-attr]
        reader.start()
        with process.stderr:
            for line in process.stderr:
                said.append(line.rstrip())
                self._publish("work", {"kind": kind, "running": True, "says": said[-1][:200]})
        reader.join()
        process.stdout.close()
        status = process.wait()
        with self._lock:
            self._running = None
        self._publish(
            "work", {"kind": kind, "running": False, "status": status, **self._result(kind, out[0], said, status)}
        )

    def _result(self, kind: str, out: str, said: list[str], status: int) -> dict[str, Any]:
        try:
            found = json.loads(out)
        except ValueError:
            found = {}
        if kind == "playtest" and status == 0:
            return {"report": OWN[kind], "says": ""}
        if not isinstance(found, dict) or "files" not in found:
            error = found.get("error", {}) if isinstance(found, dict) else {}
            message = error.get("message") if isinstance(error, dict) else ""
            return {"says": message or "\n".join(said[-12:]), "problems": _problems(found)}
        folder = Path(found["folder"])
        files = []
        for entry in found["files"][:MOST_FILES]:
            file = folder / entry["name"]
            if entry.get("state") == "removed" or not file.is_file():
                continue
            files.append({"name": entry["name"], "state": entry.get("state", ""), "at": self._link(file, folder)})
        away = found.get("throw_away") or {}
        more = max(0, len(found["files"]) - MOST_FILES)
        return {
            "files": files,
            "more": more,
            "sheets": found.get("leaves"),
            "throw_away": sum(away.values()),
            "says": "",
        }


def _problems(found: Any) -> list[dict[str, Any]]:
    """The findings of `pnp check`, for all games named."""
    if not isinstance(found, dict):
        return []
    games = [one.get("problems", []) for one in found.values() if isinstance(one, dict)]
    return [problem for one in games if isinstance(one, list) for problem in one][:200]


def _given(options: Options) -> list[str]:
    """The options with which the page is served, for a command."""
    words = [word for name in options.variants for word in ("--variant", name)]
    words += [word for name, value in options.sets.items() for word in ("--set", f"{name}={json.dumps(value)}")]
    return words + (["--players", str(options.players)] if options.players else [])
