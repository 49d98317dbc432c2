"""`companion.rules`: one import for whoever writes a rules module, with the same names for editors and at run time."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from companion import rules

MOST = 60
"""Names a newcomer may be expected to look through."""


def test_every_name_is_that_of_the_engine() -> None:
    for module, names in rules.MODULES.items():
        for name in names:
            assert getattr(rules, name) is getattr(import_module(f"companion.engine.{module}"), name)
    assert len(rules.__all__) <= MOST


def test_editors_are_told_the_same_names() -> None:
    tree = ast.parse(Path(rules.__file__).with_suffix(".pyi").read_text("utf-8"))
    told = {
        (str(node.module).removeprefix("companion.engine."), one.asname)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    assert told == {(module, name) for module, names in rules.MODULES.items() for name in names}


def test_a_name_it_does_not_have_is_told_with_those_it_has() -> None:
    with pytest.raises(ImportError):
        exec("from companion.rules import Mov", {})
    with pytest.raises(AttributeError, match=r"has no 'Mov'; it has .*Move"):
        rules.Mov  # noqa: B018


def test_only_what_is_used_is_loaded() -> None:
    script = "import sys, companion.rules as r; r.Move; print('companion.engine.things.scenes' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
