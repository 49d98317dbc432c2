"""Effect data and a game's vocabulary: the checked `Effect` tree, the sentence printed for it and its icons.

Effect data is a mapping (or a list of mappings) from verbs to what they take:

    {raze: 1}                                  one value: the verb's first argument
    {steal: {what: army, n: 1}}                arguments by name
    {meld_multiplier: {rice: 0}}               the whole value, for a verb with `whole`
    {draw_again: true}                         a verb without arguments; the bare word `draw_again` means the same
    {each_player: {raze: 1, lose_army: 1}}     verbs inside a scope
    {passive: {when: train, cost: -1}}         a scope with arguments: known names are its arguments, the rest are verbs
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from components.errors import Problem
from components.fieldtypes import FieldTypes, TypeFault, read_types
from components.lasting import TAKES, TARGET, Lasting
from components.model import Effect, Icon, Verb, VocabularyFile
from components.phrasing import did_you_mean, join_clauses, nearest
from components.placeholders import TemplateFault, is_template
from components.validate import convert, describe, expected

PathKey = tuple[Any, ...]


Say = Callable[..., None]
"""Told of every fault: `say(code, what, path, hint=…, key=…)`, the path relative to the effect."""


class _Faults:
    """Places of an argument's value: what is wrong with it is told to `say`, with the argument's name."""

    def __init__(self, name: str, start: PathKey, say: Say) -> None:
        self.name = name
        self.start = start
        self.say = say

    def problem(
        self, code: str, what: str, path: PathKey = (), *, hint: str = "", key: bool = False, needle: str = ""
    ) -> Problem:
        what = f"{self.name}: {what}"
        self.say("DEF-033", what, (*self.start, *path), hint=hint, key=key)
        return Problem(code="DEF-033", what=what)


class Vocabulary:
    """The verbs of one game, ready to read effects."""

    def __init__(self, file: VocabularyFile, known: Collection[str] = ()) -> None:
        self.verbs = file.verbs
        self.args: dict[str, FieldTypes] = {}
        """Verb -> the types of its arguments."""
        self.faults: dict[str, TypeFault] = {}
        """Verb -> why those cannot be read."""
        for name, verb in file.verbs.items():
            try:
                self.args[name] = read_types(verb.args, lambda text, path: text)
            except TypeFault as fault:
                self.faults[name] = fault
                self.args[name] = read_types(dict.fromkeys(verb.args, "anything"), lambda text, path: text)
        self.lasting = Lasting(file, known)

    # --- data to tree ----------------------------------------------------------------------------------------------

    def parse(self, data: Any, say: Say) -> tuple[Effect, ...]:
        """The effect tree of `data`; what cannot be used is reported to `say` and left out."""
        return self._parse(data, (), say)

    def _parse(self, data: Any, path: PathKey, say: Say) -> tuple[Effect, ...]:
        if isinstance(data, str):
            effect = self._verb(data, True, path, say)
            return (effect,) if effect else ()
        if isinstance(data, list):
            return tuple(e for i, item in enumerate(data) for e in self._parse(item, (*path, i), say))
        if not isinstance(data, dict):
            say("DEF-034", f"expected a mapping of verbs, found {describe(data)}", path)
            return ()
        lasting = self.lasting.parse(data, path, say, self._parse)
        if lasting is not None:
            return tuple(lasting)
        found = (self._verb(name, value, (*path, name), say) for name, value in data.items())
        return tuple(effect for effect in found if effect)

    def _verb(self, name: Any, value: Any, path: PathKey, say: Say) -> Effect | None:
        verb = self.verbs.get(str(name))
        if verb is None:
            hint = did_you_mean(name, self.verbs, listing="verbs")
            say("DEF-030", f"unknown verb '{name}'", path, hint=hint, key=True)
            return None
        given, body = self._split(name, verb, value, path, say)
        types = self.args[str(name)]
        args: dict[str, Any] = {}
        meant: set[str] = set()
        for key, (where, item) in given.items():
            if key not in types.kinds:
                meant.update(nearest(key, types.kinds))
                hint = did_you_mean(key, types.kinds, listing="arguments") or "it takes no arguments"
                say("DEF-031", f"'{name}' has no argument '{key}'", where, hint=hint, key=True)
                continue
            faults = _Faults(f"'{key}' of '{name}'", where, say)
            if not convert(item, types.kinds[key], faults)[1]:
                args[key] = item
        for key, kind in types.kinds.items():
            if key not in given and key not in meant and key not in types.optional:
                wanted = expected(msgspec.inspect.type_info(kind))
                say("DEF-032", f"'{name}' needs '{key}'", path, hint=f"'{key}' is {wanted}", key=True)
        return Effect(str(name), args, body)

    def _split(
        self, name: Any, verb: Verb, value: Any, path: PathKey, say: Say
    ) -> tuple[dict[str, tuple[PathKey, Any]], tuple[Effect, ...]]:
        """The arguments given (name -> place and value) and, for a scope, what stands inside."""
        names = self.args[str(name)].kinds
        if verb.whole:
            return {verb.whole: (path, value)}, ()
        if verb.scope:
            if not isinstance(value, dict):
                return {}, self._parse(value, path, say)
            given = {str(k): ((*path, k), v) for k, v in value.items() if k in names}
            inside = {k: v for k, v in value.items() if k not in names}
            if not inside:
                say("DEF-034", f"'{name}' has nothing inside it", path, hint="it takes verbs", key=True)
            return given, self._parse(inside, path, say)
        if isinstance(value, dict) and not (len(names) == 1 and isinstance(next(iter(verb.args.values())), dict)):
            return {str(k): ((*path, k), v) for k, v in value.items()}, ()
        if value is None or (value is True and not names):
            return {}, ()
        first = next(iter(names), None)
        if first is None:
            say("DEF-033", f"'{name}' takes no arguments, found {describe(value)}", path, hint="write `true`")
            return {}, ()
        return {first: (path, value)}, ()

    # --- tree to sentence and icons ----------------------------------------------------------------------------------

    def phrase(self, tree: Iterable[Effect], names: Mapping[str, Any]) -> str:
        """The printed text: one sentence for each outer effect, with capital and full stop.

        Raises `VerbFault` if the phrase of a verb fails.
        """
        sentences = []
        for effect in tree:
            text = self._clause(effect, names)
            if text:
                sentences.append(text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else "."))
        return " ".join(sentences)

    def _clause(self, effect: Effect, names: Mapping[str, Any]) -> str:
        key, verb = self._wording(effect)
        inside = [text.rstrip(".") for part in effect.body if (text := self._clause(part, names))]
        scope = self._names(effect, key, names) | {"body": join_clauses(inside)}
        return " ".join(_rendered(key, ("phrase",), verb.phrase, scope).split())

    def icons(self, tree: Iterable[Effect], names: Mapping[str, Any]) -> tuple[Icon, ...]:
        """The icon row. Raises `VerbFault` if an icon of a verb fails."""
        out: list[Icon] = []
        for effect in tree:
            key, verb = self._wording(effect)
            scope: dict[str, Any] | None = None
            for i, form in enumerate(verb.icons):
                if form == "body":
                    out += self.icons(effect.body, names)
                    continue
                scope = scope or self._names(effect, key, names)
                name, _, label = _rendered(key, ("icons", i), form, scope).strip().partition(" ")
                if name:
                    out.append(Icon(name, label.strip()))
        return tuple(out)

    def _wording(self, effect: Effect) -> tuple[str, Verb]:
        lasting = effect.verb in TARGET and effect.verb not in self.verbs
        return (self.lasting.wording(effect) if lasting else None) or (effect.verb, self.verbs[effect.verb])

    def _names(self, effect: Effect, key: str, names: Mapping[str, Any]) -> dict[str, Any]:
        types = self.args.get(key)
        known = types.kinds if types else TAKES.get(effect.verb, ())
        given = {**names, **dict.fromkeys(known), **effect.args}
        if effect.verb in TARGET and effect.verb not in self.verbs:
            given["provided"] = effect.args.get("if") or {}  # a template cannot read a name that is a keyword
        return given


def flat(tree: Iterable[Effect]) -> Iterator[Effect]:
    """Every effect of a tree, the outer ones before those inside."""
    for effect in tree:
        yield effect
        yield from flat(effect.body)


class VerbFault(Exception):
    """The phrase or an icon of a verb failed: `fault`, and `path` inside the vocabulary file."""

    def __init__(self, path: PathKey, fault: TemplateFault) -> None:
        super().__init__(fault.what)
        self.path = path
        self.fault = fault


def _rendered(verb: str, where: PathKey, text: str, names: Mapping[str, Any]) -> str:
    if not is_template(text):
        return text
    from components.templates import render

    try:
        return render(text, names)
    except TemplateFault as fault:
        raise VerbFault(("phrases" if " " in verb else "verbs", verb, *where), fault) from None
