"""Names that a rules module uses and the game's files do not have, found by reading the module, not by running it.

A playout reaches only a part of a game; a slip in the words of a refusal may wait for months. What a module names
literally (`at.breach("FL-COMB-5", …)`, `at["night.hand"]`, `at.enter("market")`) is looked up here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from companion.engine.play.rules import Rules
from companion.own.members import attributes_of, unknown_members
from components.phrasing import did_you_mean, join_and

SENTENCES = {"breach": "breaks", "note": "says", "tell": "says"}
"""Method of a position -> the sentences of a rule it takes its words from."""


SETS = ("PieceName", "Named")
"""The calls that take the name of a set first."""
_JUDGES = "it judges moves: it neither waits nor asks nor ends the program"
_PRINTS = "it would stand between the lines of the companion, and in its JSON; `at.note` tells the table"
_FILES = "it knows the game's files and the position; what it writes would be there at the next check"
NEVER = {
    **dict.fromkeys(("exit", "quit", "sys.exit", "os._exit", "input", "time.sleep", "sleep", "breakpoint"), _JUDGES),
    "print": _PRINTS,
    "open": _FILES,
}
"""Calls that a rules module never makes, and why."""


class Slip(NamedTuple):
    """A name that does not exist, and where the module uses it (lines and columns count from 1)."""

    file: Path
    line: int
    column: int
    excerpt: str
    what: str
    hint: str = ""


def slips(files: Collection[tuple[Path, bytes]], rules: Rules) -> Iterator[Slip]:
    """The slips in the files of a module, in the order in which they stand there."""
    texts = {file: content.decode("utf-8", "replace") for file, content in files}
    trees = {file: ast.parse(text) for file, text in texts.items()}
    used = {name for tree in trees.values() for name in attributes_of(tree)}
    for file, tree in trees.items():
        lines = texts[file].splitlines()
        found = [*_Reader(rules).found(tree), *unknown_members(tree, rules, used)]
        for node, what, hint in sorted(found, key=lambda one: (one[0].lineno, one[0].col_offset)):
            yield Slip(file, node.lineno, node.col_offset + 1, lines[node.lineno - 1], what, hint)


def sets_named(files: Collection[tuple[Path, bytes]]) -> set[str]:
    """The sets whose names the moves and records of a module take."""
    trees = (ast.parse(content.decode("utf-8", "replace")) for _, content in files)
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    return {_text(node.args[0]) for node in calls if isinstance(node.func, ast.Name) and node.func.id in SETS} - {""}


def texts_in(files: Collection[tuple[Path, bytes]]) -> set[str]:
    """All texts that stand in the files of a module, such as the names of parameters."""
    trees = (ast.parse(content.decode("utf-8", "replace")) for _, content in files)
    return {_text(node) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}


class _Reader:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.rule_id = re.compile(rf"({re.escape(self.game.prefix)}(?:-[A-Z0-9]+)+-\d+)(?:\.([\w.]+))?")

    def found(self, tree: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._rule(node, node.value)
            elif isinstance(node, ast.Subscript):
                yield from self._parameter(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield from self._call(node, node.func.attr)
                yield from self._waits(node, ast.unparse(node.func))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from self._set(node, node.func.id)
                yield from self._waits(node, node.func.id)

    def _waits(self, node: ast.Call, called: str) -> Iterator[tuple[ast.expr, str, str]]:
        if called in NEVER:
            yield node, f"`{called}` does not belong in a rules module", NEVER[called]

    def _set(self, node: ast.Call, called: str) -> Iterator[tuple[ast.expr, str, str]]:
        said = _text(node.args[0]) if called in SETS and node.args else ""
        if not said:
            return
        try:
            found = bool(self.rules.known(said))
        except Exception:  # the module finds its names in a way of its own
            return
        if not found:
            sets = {piece.set for piece in self.game.pieces}
            yield node, f"there is no set '{said}'", did_you_mean(said, sets, listing="there are")

    def _rule(self, node: ast.expr, said: str) -> Iterator[tuple[ast.expr, str, str]]:
        named = self.rule_id.fullmatch(said)
        if named and named[1] not in self.game.rules:
            yield node, f"there is no rule '{named[1]}'", did_you_mean(named[1], self.game.rules)

    def _parameter(self, node: ast.Subscript) -> Iterator[tuple[ast.expr, str, str]]:
        said = _text(node.slice)
        known = self.game.params
        if said and isinstance(node.value, ast.Name) and node.value.id == "at" and said not in known:
            yield node, f"there is no parameter '{said}'", did_you_mean(said, known)

    def _call(self, node: ast.Call, method: str) -> Iterator[tuple[ast.expr, str, str]]:
        first = _text(node.args[0]) if node.args else ""
        if method in SENTENCES and (named := self.rule_id.fullmatch(first)) and named[1] in self.game.rules:
            yield from self._sentence(node, method, named[1], named[2] or "")
        places: dict[str, tuple[str, Collection[str]]] = {
            "enter": ("phase", self.rules.phase_table),
            "then": ("step", self.rules.steps),
            "step": ("step", self.rules.steps),
            "owe": ("move", self.rules.moves),
        }
        if method not in places or not (isinstance(node.func, ast.Attribute) and _is_at(node.func.value)):
            return
        kind, known = places[method]
        said = _text(node.args[1]) if method == "owe" and len(node.args) > 1 else "" if method == "owe" else first
        if said and said not in known and (known or kind != "phase"):
            where = {"phase": "`phases`", "step": "`steps`", "move": "`moves`"}[kind]
            hint = did_you_mean(said, known) or f"add it to {where}"
            yield node, f"there is no {kind} '{said}'", hint

    def _sentence(self, node: ast.Call, method: str, rule: str, key: str) -> Iterator[tuple[ast.expr, str, str]]:
        field = SENTENCES[method]
        if method == "note" and len(node.args) > 1:  # in words of its own
            return
        words = self.game.rules[rule].words
        keys = [name.partition(".")[2] for name in words if name.partition(".")[0] == field]
        if key not in keys:
            if keys or key or field == "breaks":
                named = f" with the key '{key}'" if key else ""
                hint = did_you_mean(key, [k for k in keys if k], listing="keys") or f"write it under `{field}`"
                yield node, f"{rule} has no sentence{named} under `{field}`", hint
            return
        given = {one.arg for one in node.keywords}
        if None in given:  # facts that are handed on
            return
        lacking = self.rules.words(rule, field, key).names - given
        if lacking:
            names = join_and(f"{{{name}}}" for name in sorted(lacking))
            hint = f"it is “{words[f'{field}.{key}']}”"
            yield node, f"the sentence of {rule} under `{field}` needs {names}, which is not given here", hint


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_at(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "at"


__all__ = ["Slip", "slips"]
