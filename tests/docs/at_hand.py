"""The two programs at hand: a process that has loaded them, and copies itself for each command.

A command then costs what it does, and not half a second of start-up besides. Each runs in a process of its own with the
folder, the environment and the streams it is given, as if it had been started from a shell.

As a script it is that process: it reads one request a line (JSON: `argv`, `cwd`, `env`, `out`, `err`) and answers with
the exit status.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PROGRAMS = {"pnp": "generator.cli.main", "companion": "companion.cli.main"}
SHELL = set("|<>&;$`*?\\")
"""Signs of a line that only a shell can run."""


def simple(line: str) -> list[str] | None:
    """The words of a line that calls one of the programs and needs no shell; None for others."""
    words = shlex.split(line)
    if not hasattr(os, "fork") or not words or words[0] not in PROGRAMS:
        return None
    bare = "".join(part for n, part in enumerate(line.split("'")) if n % 2 == 0)
    bare = "".join(part for n, part in enumerate(bare.split('"')) if n % 2 == 0)
    return None if SHELL & set(bare) else words


class AtHand:
    """The process with the programs. `run` is like `subprocess.run`."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def run(
        self, words: list[str], folder: Path, environment: Mapping[str, str], scratch: Path
    ) -> tuple[int, str, str]:
        """Status, output and messages of a command. `scratch` is a folder for what it says."""
        out, err = scratch / "said.out", scratch / "said.err"
        request = {
            "argv": words,
            "cwd": str(folder),
            "env": dict(environment),
            "out": str(out),
            "err": str(err),
        }
        assert self._server.stdin is not None and self._server.stdout is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        answer = self._server.stdout.readline()
        assert answer, "the process with the programs has ended"
        return int(answer), out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")

    def close(self) -> None:
        """End the process."""
        assert self._server.stdin is not None and self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait()
        self._server.stdout.close()


def serve() -> None:
    """Load the programs, then run what is asked for, each in a copy of this process."""
    from importlib import import_module

    sys.path[0] = ""
    for name in PROGRAMS.values():
        program = import_module(name).PROGRAM
        for module in set(program.commands.values()):
            import_module(f"{program.package}.{module}")
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            os._exit(_run(request))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(request: dict[str, object]) -> int:
    """Run one command in this process, which ends with it."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(str(request[name]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    os.chdir(str(request["cwd"]))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.argv = list(request["argv"])  # type: ignore[call-overload]
    from importlib import import_module

    status = import_module(PROGRAMS[sys.argv[0]]).main()
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status)


if __name__ == "__main__":
    serve()
