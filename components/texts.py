"""The texts of one game: which names they may read, and their rendering, with every fault put in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from components.errors import Problem
from components.phrasing import did_you_mean, number_said
from components.placeholders import Read, TemplateFault, is_template

PathKey = tuple[Any, ...]


class Texts:
    """Renders texts of YAML files. `names` is what they see, `params` the flat parameters among them.

    Faults are appended to `problems`; a text that has one comes out empty.
    """

    def __init__(self, params: Mapping[str, Any], names: dict[str, Any], problems: list[Problem]) -> None:
        self.params = params
        self.names = names
        self.problems = problems
        self.used: set[str] = set()
        """Parameters that some text reads."""
        self.unusable = 0
        """The number of texts that could not be rendered so far."""

    def of_piece(self, effect: Mapping[str, Any] | None) -> None:
        """Say what `own` is from now on: the verbs and arguments of a piece's effect; None if that has a fault."""
        self.names["own"] = effect

    @contextmanager
    def naming(self, name: str, value: Any) -> Iterator[None]:
        """Give texts one more name while the context lasts."""
        self.names[name] = value
        try:
            yield
        finally:
            del self.names[name]

    def text(self, text: str, source: Any, path: PathKey) -> str:
        """The rendered text without space around it."""
        if not is_template(text):
            return text.strip()
        if self.check(text, source, path):
            from components.templates import render

            try:
                return render(text, self.names).strip()
            except TemplateFault as fault:
                self.report(fault, source, path)
        self.unusable += 1
        return ""

    def asked(self, questions: Mapping[str, list[str]], sources: Mapping[str, Any]) -> dict[str, list[str]]:
        """The rendered questions of a glossary, by what answers them."""
        source = sources.get("glossary.yaml")
        return {
            name: [self.text(question, source, ("questions", name, i)) for i, question in enumerate(some)]
            for name, some in questions.items()
        }

    def value(self, value: Any, source: Any, path: PathKey) -> Any:
        """Plain data with its texts rendered; one that is exactly one `{{ expression }}` yields a typed value."""
        if isinstance(value, dict):
            return {key: self.value(item, source, (*path, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.value(item, source, (*path, i)) for i, item in enumerate(value)]
        if not isinstance(value, str) or not is_template(value):
            return value
        if self.check(value, source, path):
            from components.templates import native

            try:
                return native(value, self.names)
            except TemplateFault as fault:
                self.report(fault, source, path)
        self.unusable += 1
        return None

    def expression(self, text: str, source: Any, path: PathKey) -> Any:
        """The value of an expression, with or without braces; None after a fault."""
        from components.templates import evaluate, native

        braced = is_template(text)
        if not self.check(text, source, path, expression=not braced):
            return None
        try:
            return native(text, self.names) if braced else evaluate(text, self.names)
        except TemplateFault as fault:
            self.report(fault, source, path)
            return None

    def check(
        self, text: str, source: Any, path: PathKey, *, also: Iterable[str] = (), expression: bool = False
    ) -> bool:
        """True if the text can be compiled and every name in it exists (`also`: further names)."""
        if not expression and not is_template(text):
            return True
        from components.templates import reads

        try:
            found = reads(text, expression=expression)
        except TemplateFault as fault:
            self.report(fault, source, path)
            return False
        good = True
        for read in found:
            if read.path[0] == "own" and self.names["own"] is None:
                good = False  # the fault of the effect is told already
            elif read.path[0] not in also:
                self.used |= self.touched(read)
                good &= read.guarded or self._exists(read, source, path)
        return good

    def touched(self, read: Read) -> set[str]:
        """The parameters that a name stands for: the one it is in, or all below it."""
        path = read.path[1:] if read.path[0] == "params" else read.path
        for n in range(len(path), 0, -1):
            name = ".".join(path[:n])
            if name in self.params:
                return {name}
        return {name for name in self.params if name.startswith(".".join(path) + ".")}

    def parameters_of(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The parameters read by usable texts, sorted."""
        found: set[str] = set()
        for text in filter(is_template, texts):
            from components.templates import reads

            try:
                for read in reads(text):
                    found |= self.touched(read)
            except TemplateFault:
                continue
        return tuple(sorted(found))

    def _exists(self, read: Read, source: Any, path: PathKey) -> bool:
        at: Any = self.names
        for n, part in enumerate(read.path):
            inside = at if isinstance(at, Mapping) else getattr(at, "parts", None)
            if inside is None:
                return True  # a value of some other kind; rendering tells
            if part not in inside:
                if n and part in ("get", "items", "keys", "values"):
                    return True
                self._unknown(read, n, inside, source, path)
                return False
            at = inside[part]
        return True

    def _unknown(self, read: Read, n: int, inside: Mapping[str, Any], source: Any, path: PathKey) -> None:
        name = ".".join(read.path[: n + 1])
        prefix = ".".join(read.path[:n])
        if n == 0:
            near = did_you_mean(read.name, self.params if read.name != name else inside)
            near = near or did_you_mean(read.name, self.params)
            if not near and (number := number_said(name)) is not None:
                near = f"write the number: {number}"
            if not near:
                ends = [p for p in self.params if p.endswith("." + name)]
                near = did_you_mean(ends[0], ends) if len(ends) == 1 else ""
        else:
            near = did_you_mean(read.path[n], inside)
            near = near.replace("mean '", f"mean '{prefix}.") if near else did_you_mean(read.name, self.params)
        what = f"unknown {'parameter' if n else 'name'} '{name}'"
        self.problems.append(source.problem("DEF-020", what, path, hint=near, needle=name))

    def report(self, fault: TemplateFault, source: Any, path: PathKey, context: str = "") -> None:
        """A template's fault as a problem, at the words that are at fault if they can be found."""
        problem = source.problem(fault.code, fault.what + context, path, hint=fault.hint, needle=fault.needle)
        self.problems.append(problem)
