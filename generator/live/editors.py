"""Opening a file of the project where its designer edits it.

`PNP_EDITOR`, else `VISUAL`, names the program: a command, with `{file}`, `{line}` and `{column}` where it wants them,
or `vscode://` for the editor that answers to such links. Programs that need the terminal cannot be opened from a page.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import threading
import webbrowser
from collections.abc import Iterable, Mapping
from pathlib import Path

PLACED = "{file}:{line}:{column}"
KNOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("code", "codium", "cursor", "windsurf", "code-insiders"), ("--goto", PLACED)),
    **dict.fromkeys(("zed", "zeditor", "subl", "sublime_text", "hx-gui", "lapce"), (PLACED,)),
    **dict.fromkeys(("gvim", "mvim", "neovide"), ("+{line}", "{file}")),
    "kate": ("--line", "{line}", "--column", "{column}", "{file}"),
    "gedit": ("+{line}:{column}", "{file}"),
    "emacsclient": ("-n", "+{line}:{column}", "{file}"),
    "idea": ("--line", "{line}", "--column", "{column}", "{file}"),
    "pycharm": ("--line", "{line}", "--column", "{column}", "{file}"),
    "notepad++": ("-n{line}", "-c{column}", "{file}"),
}
"""Program -> how it is told the place."""
IN_TERMINALS = frozenset(("vi", "vim", "nvim", "nano", "emacs", "hx", "helix", "micro", "ed", "joe", "pico", "kak"))
LINKS = "vscode://"
HOW = "set PNP_EDITOR, for example to 'code --goto {file}:{line}:{column}' or to vscode://, and start pnp serve again"


class NoEditor(Exception):
    """No editor can be opened; the message says what to do."""


def command(file: Path, line: int, column: int, environment: Mapping[str, str]) -> list[str] | str:
    """The words of the command that opens an editor at a place, or the link. Raises NoEditor."""
    said = environment.get("PNP_EDITOR") or environment.get("VISUAL") or ""
    if not said:
        raise NoEditor(f"no editor is known: {HOW}")
    if said.startswith(LINKS):
        return f"{LINKS}file/{file.as_posix().lstrip('/')}:{line}:{column}"
    try:
        words = shlex.split(said, posix=os.name != "nt")
    except ValueError as error:
        raise NoEditor(f"PNP_EDITOR cannot be read ({error}): {HOW}") from None
    if not any("{file}" in word for word in words):
        name = Path(words[0]).stem.lower() if words else ""
        if name in IN_TERMINALS:
            raise NoEditor(f"{name} needs the terminal: {HOW}")
        words = [*words, *KNOWN.get(name, ("{file}",))]
    values = {"{file}": str(file), "{line}": str(line), "{column}": str(column)}
    return [_filled(word, values) for word in words]


def _filled(word: str, values: Mapping[str, str]) -> str:
    for hole, value in values.items():
        word = word.replace(hole, value)
    return word


def open_editor(name: str, line: int, column: int, project: Path, known: Iterable[Path]) -> None:
    """Open a file, as messages call it, at a line and column. It must be one of the `known` files. Raises NoEditor."""
    wanted = (project / name).resolve()
    if wanted not in {file.resolve() for file in known}:
        raise NoEditor("only files of the game can be opened")
    words = command(wanted, max(1, line), max(1, column), os.environ)
    if isinstance(words, str):
        webbrowser.open(words)
        return
    null = subprocess.DEVNULL
    try:
        process = subprocess.Popen(words, stdin=null, stdout=null, stderr=null, start_new_session=True)
    except OSError as error:
        raise NoEditor(f"{words[0]} cannot be started ({error.strerror}): {HOW}") from None
    threading.Thread(target=process.wait, daemon=True).start()  # or it would stay in the table of processes
