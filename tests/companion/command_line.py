"""The companion as it is called from a command line, for tests: arguments in, status and what was printed out."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from companion.cli import main as cli


class Result:
    """How a command ended: exit status, standard output, standard error."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.out)
        return data


class Companion:
    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, stdin: str = "") -> Result:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = cli.main(list(arguments))
        captured = self.capsys.readouterr()
        return Result(status, captured.out, captured.err)
