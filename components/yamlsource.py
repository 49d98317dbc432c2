"""YAML text to plain data, with the line and column of every node.

The text is read as a stream of libyaml events (so nothing recurses and nothing is built before it was counted). Data is
what remains when the traps of YAML 1.1 are taken out: `true`, `false`, `null`, whole numbers and decimal numbers are
typed, everything else (`yes`, `off`, dates, `0x1F`, `012`, `1:30`) stays text. Tags, repeated keys, merge keys, several
documents and files beyond the limits are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from components.bounds import beyond
from components.errors import Problem
from components.plainfiles import read_plain
from components.yamlagain import again
from components.yamlhints import hint_for

MAX_BYTES = 2 * 1024 * 1024
MAX_UNFOLDED = 100_000
"""So many nodes may be had by aliases, beside those that stand in the file."""
MAX_ALIASES = 50
MAX_DEPTH = 40

_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]{1,3})?\Z")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""The characters that YAML forbids: controls, surrogates, non-characters. (Matching the allowed ones takes ten times
as long.)"""

PathKey = tuple[Any, ...]

UNUSABLE: Any = object()
"""Stands for a key that cannot be used; its value is left out."""


def plain_value(text: str) -> Any:
    """The value of a scalar without quotes."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-.0123456789":
        if _INT.match(text):
            return int(text)
        if _FLOAT.match(text) and math.isfinite(number := float(text)):
            return number
    return text


def leaves(value: Any, path: PathKey = ()) -> Iterator[tuple[PathKey, Any]]:
    """Every plain value inside a value of YAML, with the way to it."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for n, inner in enumerate(value):
            yield from leaves(inner, (*path, n))
    else:
        yield path, value


class Source:
    """One YAML file: its text, its data, the place of every node, and what was wrong with it as YAML.

    A path is a tuple of keys and list positions, e.g. `("pieces", 3, "name")`. `data` is None if the file is unusable;
    `readable` is what could be read of it all the same, good for finding further problems only.
    """

    __slots__ = ("_lines", "beyond", "data", "file", "problems", "readable", "remarks", "spots", "text", "typed")

    def __init__(self, file: str, text: str = "") -> None:
        self.file = file
        self.text = text
        self.data: Any = None
        self.readable: Any = None
        self.problems: list[Problem] = []
        self.remarks: list[Problem] = []
        """Warnings: the file can be used all the same."""
        self.spots: Any = None
        """A scalar's spot is its mark; a mapping's (mark, {key: (key mark, spot)}); a list's (mark, [spot, …])."""
        self.beyond = False
        """True if a number may be out of bounds."""
        self.typed: dict[Any, Any] = {}
        """The records made of the data, by their type."""
        self._lines: list[str] | None = None

    def _spot(self, path: PathKey) -> tuple[Any, Any]:
        """(mark of the key or None, spot) of the deepest existing node along `path`."""
        key_mark, spot = None, self.spots
        for step in path:
            if not isinstance(spot, tuple):
                break
            inside = spot[1]
            if isinstance(inside, dict):
                found = inside.get(step)
                if found is None and isinstance(step, str) and step.lstrip("-").isdigit():
                    found = inside.get(int(step))
                if found is None:
                    break
                key_mark, spot = found
            elif isinstance(step, int) and 0 <= step < len(inside):
                key_mark, spot = None, inside[step]
            else:
                break
        return key_mark, spot

    def at(self, path: PathKey) -> tuple[int, int]:
        """Line and column (from 1) of the value at `path`, or of the deepest node on the way there."""
        return _place(self._spot(path)[1]) if self.spots is not None else (1, 1)

    def key_at(self, path: PathKey) -> tuple[int, int]:
        """Line and column of the key that `path` ends in (of the value, for a list entry)."""
        key_mark = self._spot(path)[0]
        return _place(key_mark) if key_mark is not None else self.at(path)

    def find(self, path: PathKey, needle: str) -> tuple[int, int]:
        """Place of the first `needle` in the text from the value at `path` on; the value's place if it is not there."""
        line, column = self.at(path)
        lines = self.lines
        if needle and line:
            for number in range(line - 1, len(lines)):
                start = lines[number].find(needle, column - 1 if number == line - 1 else 0)
                if start >= 0:
                    return number + 1, start + 1
        return line, column

    @property
    def lines(self) -> list[str]:
        if self._lines is None:
            self._lines = self.text.splitlines()
        return self._lines

    def excerpt(self, line: int) -> str:
        """The text of a line (from 1), at most 160 characters of it."""
        return self.lines[line - 1].rstrip()[:160] if 0 < line <= len(self.lines) else ""

    def problem(
        self, code: str, what: str, path: PathKey = (), *, hint: str = "", key: bool = False, needle: str = ""
    ) -> Problem:
        """A problem at the value at `path` (`key`: at its key; `needle`: at that word inside the value)."""
        table = _table(self._spot(path)[1]) if self.spots is not None else None
        if table is not None:
            return table.place(code, what, *self.at(path), hint)
        line, column = self.key_at(path) if key else self.find(path, needle)
        return self._problem(code, what, line, column, hint)

    def place(self, code: str, what: str, line: int, column: int, hint: str = "") -> Problem:
        """A problem at a line and column."""
        return self._problem(code, what, line, column, hint)

    def graft(self, key: str, entries: list[tuple[Any, Any]]) -> None:
        """Add entries, each with its spots, to the list under `key`: what another file says of this one."""
        mark, spots = self.spots
        listed = self.readable.get(key)
        if listed is not None and not isinstance(listed, list):
            return
        begins = spots.get(key, (mark, (mark, [])))
        spots[key] = (begins[0], (begins[1][0], [*begins[1][1], *(spot for _, spot in entries)]))
        self.readable[key] = [*(listed or []), *(entry for entry, _ in entries)]
        self.typed, self.beyond = {}, True

    def copied(self) -> Source:
        """The same file for somebody who may graft something onto it."""
        made = Source(self.file, self.text)
        made.readable = dict(self.readable) if isinstance(self.readable, dict) else self.readable
        made.data = made.readable if self.data is not None else None
        made.problems = list(self.problems)
        made.typed, made.beyond = self.typed, self.beyond
        spots = self.spots
        made.spots = (spots[0], dict(spots[1])) if isinstance(spots, tuple) and isinstance(spots[1], dict) else spots
        return made

    def _problem(self, code: str, what: str, line: int, column: int, hint: str = "") -> Problem:
        return Problem(
            code=code, what=what, file=self.file, line=line, column=column, hint=hint, excerpt=self.excerpt(line)
        )


def _table(spot: Any) -> Source | None:
    """The table in which a spot lies, if it lies in one."""
    mark = spot[0] if isinstance(spot, tuple) else spot
    found: Source | None = getattr(mark, "table", None)
    return found


def _place(spot: Any) -> tuple[int, int]:
    mark = spot[0] if isinstance(spot, tuple) else spot
    return (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)


def read_yaml(path: Path, file: str = "", inside: Path | None = None) -> Source:
    """Read a file; never raises for its content. `file` is how messages call it (default: the path as given).

    A file of a project is a plain file in the project's folder, `inside`. Without that the user named the file, and it
    may be a link or a pipe.
    """
    name = file or str(path)
    try:
        raw = content_of(path) if inside is None else read_plain(path, MAX_BYTES, inside)
    except OSError as error:
        source = Source(name)
        reason = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        source.problems.append(Problem(code="DEF-001", what=f"the file {reason}", file=name))
        return source
    return yaml_of(raw, name)


def content_of(path: Path) -> bytes:
    """The content of a file that a user named, for `yaml_of`: of one that is too large, enough to tell. Raises
    OSError."""
    with path.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


_remembered: dict[str, tuple[bytes, Source]] | None = None


def remember_files() -> None:
    """Keep what was read of each file from now on, for a program that reads the same files again and again: one that
    did not change is not parsed again."""
    global _remembered
    _remembered = _remembered or {}


def yaml_of(raw: bytes, name: str) -> Source:
    """Parse the content of a file; never raises for it. `name` is how messages call the file."""
    if _remembered is None:
        return _parsed(raw, name)
    known = _remembered.get(name)
    if known is None or known[0] != raw:
        read = again(known[1], raw, parse_yaml) if known is not None and len(raw) <= MAX_BYTES else None
        known = _remembered[name] = (raw, read or _parsed(raw, name))
    return known[1].copied()


def _parsed(raw: bytes, name: str) -> Source:
    if len(raw) > MAX_BYTES:
        source = Source(name)
        source.problems.append(Problem(code="DEF-004", what="the file is larger than 2 MiB", file=name))
        return source
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        source = Source(name, raw[: error.start].decode("utf-8", "replace"))
        line, column = _line_column(source.text, len(source.text))
        what = f"byte {raw[error.start]:#04x} is not UTF-8 text"
        source.problems.append(source._problem("DEF-003", what, line, column, "save the file as UTF-8"))
        return source
    return parse_yaml(text, name)


def _line_column(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1


def parse_yaml(text: str, file: str = "") -> Source:
    """Parse a text; never raises for its content."""
    source = Source(file, text)
    if len(text) > MAX_BYTES:
        source.problems.append(Problem(code="DEF-004", what="the text is larger than 2 MiB", file=file))
    elif found := _NOT_TEXT.search(text):
        what = f"the character U+{ord(found.group()):04X} is not allowed in a text file"
        source.problems.append(source._problem("DEF-003", what, *_line_column(text, found.start())))
    else:
        _Composer(source).run()
    return source


class _Stop(Exception):
    """The rest of the file is not worth reading."""


class _Composer:
    """Events to data and spots, iteratively. `open` holds the containers that are not closed yet."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Any, Any, int]] = {}
        self.aliases = 0
        self.nodes = 0
        """Nodes read so far, those of aliases unfolded."""
        self.unfolded = 0
        self.documents = 0
        self.top: tuple[Any, Any] | None = None

    def fault(self, code: str, what: str, mark: Any, hint: str = "") -> None:
        line, column = _place(mark)
        self.source.problems.append(self.source._problem(code, what, line, column, hint))

    def run(self) -> None:
        import yaml

        loader_type: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        loader = loader_type(self.source.text)
        try:
            self.read(loader, yaml)
        except _Stop:
            return
        except yaml.MarkedYAMLError as error:
            self.syntax(error)
            return
        except RecursionError:
            self.fault("DEF-004", f"more than {MAX_DEPTH} levels", None)
            return
        finally:
            loader.dispose()
        if self.top is not None:
            self.source.readable, self.source.spots = self.top
            if not self.source.problems:
                self.source.data = self.source.readable

    def syntax(self, error: Any) -> None:
        mark = error.problem_mark or error.context_mark
        line, _ = _place(mark)
        what = f"not YAML: {error.problem or 'unreadable'}"
        if error.context and error.context_mark:
            what += f" ({error.context} that began in line {error.context_mark.line + 1})"
        began = _place(error.context_mark) if error.context_mark else None
        self.fault("DEF-002", what, mark, hint_for(self.source.excerpt, line, what, began))

    def read(self, loader: Any, yaml: Any) -> None:
        scalar, map_start, list_start = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent
        map_end, list_end, alias = yaml.MappingEndEvent, yaml.SequenceEndEvent, yaml.AliasEvent
        document, end = yaml.DocumentStartEvent, yaml.StreamEndEvent
        get_event = loader.get_event
        while True:
            event = get_event()
            kind = type(event)
            if kind is scalar:
                self.count(event)
                if event.style == '"' and (found := _NOT_TEXT.search(event.value)):
                    what = f"the character U+{ord(found.group()):04X} is not allowed in a text"
                    self.fault("DEF-003", what, event.start_mark)
                value = plain_value(event.value) if event.implicit[0] else event.value
                if type(value) in (int, float) and beyond(value):
                    self.source.beyond = True
                self.add(value, event.start_mark, event.anchor, 1)
            elif kind is map_start or kind is list_start:
                self.count(event)
                if len(self.open) >= MAX_DEPTH:
                    self.fault("DEF-004", f"more than {MAX_DEPTH} levels", event.start_mark)
                    raise _Stop
                self.open.append(_Open(kind is map_start, event.start_mark, event.anchor, self.nodes))
            elif kind is map_end or kind is list_end:
                closed = self.open.pop()
                self.add(closed.data, (closed.mark, closed.spots), closed.anchor, self.nodes - closed.nodes + 1)
            elif kind is alias:
                self.alias(event)
            elif kind is document:
                self.documents += 1
                if self.documents > 1:
                    self.fault("DEF-008", "a second document begins here", event.start_mark)
                    raise _Stop
            elif kind is end:
                return

    def count(self, event: Any) -> None:
        self.nodes += 1
        if event.tag is not None:
            self.fault("DEF-005", f"the tag '{event.tag}' is not allowed", event.start_mark, "remove the tag")

    def alias(self, event: Any) -> None:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self.fault("DEF-004", f"more than {MAX_ALIASES} aliases", event.start_mark)
            raise _Stop
        if event.anchor not in self.anchors:
            self.fault("DEF-002", f"the alias '*{event.anchor}' names no anchor before it", event.start_mark)
            raise _Stop
        value, spot, size = self.anchors[event.anchor]
        self.nodes += size
        self.unfolded += size
        if self.unfolded > MAX_UNFOLDED:
            self.fault("DEF-004", f"aliases unfold to more than {MAX_UNFOLDED:,} nodes", event.start_mark)
            raise _Stop
        self.add(value, spot, None, size)

    def add(self, value: Any, spot: Any, anchor: str | None, size: int) -> None:
        if anchor is not None:
            self.anchors[anchor] = (value, spot, size)
        if not self.open:
            self.top = (value, spot)
            return
        box = self.open[-1]
        if not box.is_map:
            box.data.append(value)
            box.spots.append(spot)
        elif box.key is None:
            self.key(box, value, spot)
        else:
            if box.key is not UNUSABLE:
                box.data[box.key] = value
                box.spots[box.key] = (box.key_mark, spot)
            box.key = None

    def key(self, box: _Open, value: Any, spot: Any) -> None:
        mark = spot[0] if isinstance(spot, tuple) else spot
        box.key_mark = mark
        if isinstance(value, bool) or not isinstance(value, str | int):
            template = isinstance(value, dict)  # `{{ players }}` is a mapping in a mapping
            hint = 'put a template in quotes: "{{ … }}"' if template else "put the key in quotes"
            self.fault("DEF-007", "a key must be a word or a whole number", mark, hint)
            value = UNUSABLE
        elif value in box.data:
            first = _place(box.spots[value][0])[0]
            hint = f"line {first} already has it" if first != mark.line + 1 else ""
            self.fault("DEF-006", f"repeated key '{value}'", mark, hint)
            value = UNUSABLE
        elif value == "<<":
            self.fault("DEF-010", "merge keys ('<<') are not available", mark, "write the keys out")
            value = UNUSABLE
        box.key = value


class _Open:
    """A mapping or list whose end was not read yet; `key` waits for its value."""

    __slots__ = ("anchor", "data", "is_map", "key", "key_mark", "mark", "nodes", "spots")

    def __init__(self, is_map: bool, mark: Any, anchor: str | None, nodes: int) -> None:
        self.is_map = is_map
        self.mark = mark
        self.anchor = anchor
        self.nodes = nodes
        self.data: Any = {} if is_map else []
        self.spots: Any = {} if is_map else []
        self.key: Any = None
        self.key_mark: Any = None
