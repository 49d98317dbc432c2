"""Effects that last or wait, in every game: a figure changed, something done at a moment, forbidden or permitted.

    {modify: {param: build.cost.stone, by: -1, min: 0, limit: first_each_turn}}
    {when: "resolve:quarry", limit: first_each_activation, do: [{gain: {stone: 1}}]}
    {forbid: attack}         {permit: {ship: true, where: {port: wave}}}

`effects.yaml` names what they may touch (`figures` beside the parameters, `moments`, `spans`) and the words printed for
them (`phrases`: `modify build.cost.stone`, `when delivery`, `forbid attack`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from components.model import Effect, Verb, VocabularyFile
from components.phrasing import did_you_mean

PathKey = tuple[Any, ...]
Say = Callable[..., None]

TARGET = {"modify": "param", "when": "when", "forbid": "what", "permit": "what"}
"""The verbs that every game has -> the argument that names what they touch."""
SHARED = ("if", "limit", "scope", "for")
"""Arguments that all of them take: conditions, how often, whom it concerns."""
TAKES = {
    "modify": ("param", "set", "times", "by", "min", "max", *SHARED),
    "when": ("when", "do", "cost", *SHARED),
    "forbid": ("what", "where", *SHARED),
    "permit": ("what", "where", *SHARED),
}
CHANGES = ("set", "times", "by")


class Lasting:
    """The lasting effects one game may have. `known`: the names of its parameters."""

    def __init__(self, file: VocabularyFile, known: Collection[str]) -> None:
        self.figures = (*known, *file.figures)
        self.moments = file.moments
        self.own = frozenset(file.verbs)
        """A game may define a verb of the same name; then it is the game's."""
        self.limits = [f"{word}_{span}" for span in file.spans for word in ("first_each", "once_per")]
        self.wordings = {
            key: text if isinstance(text, Verb) else Verb(about="", phrase=text) for key, text in file.phrases.items()
        }

    def parse(
        self, data: Mapping[Any, Any], path: PathKey, say: Say, inside: Callable[..., tuple[Effect, ...]]
    ) -> list[Effect] | None:
        """The lasting effects of a mapping; None if there are none in it. `inside` reads the verbs under `do`."""
        if "when" in data and "when" not in self.own:
            body = inside(data.get("do", []), (*path, "do"), say)
            found = self._one("when", dict(data), path, say, body)
            return [found] if found else []
        verbs = [verb for verb in ("modify", "forbid", "permit") if verb in data and verb not in self.own]
        if not verbs:
            return None
        effects: list[Effect] = []
        for verb, value in data.items():
            if verb not in verbs:
                effects += inside({verb: value}, path, say)
                continue
            for item in value if isinstance(value, list) else [value]:
                given = {TARGET[verb]: item} if isinstance(item, str) else item
                if not isinstance(given, dict):
                    say("DEF-033", f"'{verb}' takes a mapping or a name", (*path, verb))
                elif (effect := self._one(verb, dict(given), (*path, verb), say)) is not None:
                    effects.append(effect)
        return effects

    def wording(self, effect: Effect) -> tuple[str, Verb] | None:
        """The key and the words of a lasting effect: its own (`when resolve:quarry`), else those of its kind of moment
        (`when resolve:*`)."""
        name = str(effect.args[TARGET[effect.verb]])
        for key in (f"{effect.verb} {name}", f"{effect.verb} {name.partition(':')[0]}:*"):
            if key in self.wordings:
                return key, self.wordings[key]
        return None

    def _one(
        self, verb: str, given: dict[str, Any], path: PathKey, say: Say, body: tuple[Effect, ...] = ()
    ) -> Effect | None:
        before: list[str] = []

        def fault(code: str, what: str, *more: Any, hint: str = "") -> None:
            before.append(what)
            say(code, what, (*path, *more), hint=hint, key=bool(more))

        for key in given:
            if key not in TAKES[verb]:
                fault("DEF-031", f"'{verb}' has no argument '{key}'", key, hint=did_you_mean(key, TAKES[verb]))
        name = given.get(TARGET[verb])
        if not isinstance(name, str):
            fault("DEF-032", f"'{verb}' needs '{TARGET[verb]}'")
            return None
        if verb == "modify":
            if name not in self.figures:
                hint = did_you_mean(name, self.figures, listing="figures")
                fault("DEF-033", f"'{name}' is not a parameter or figure of this game", "param", hint=hint)
            if not any(isinstance(given.get(change), int) for change in CHANGES):
                fault("DEF-032", f"'modify' needs one of {', '.join(CHANGES)}, a whole number")
        if verb == "when" and name not in self.moments and f"{name.partition(':')[0]}:*" not in self.moments:
            hint = did_you_mean(name, self.moments, listing="moments")
            fault("DEF-033", f"'{name}' is not a moment of this game", "when", hint=hint)
        if (limit := given.get("limit")) is not None and limit not in self.limits:
            hint = did_you_mean(limit, self.limits, listing="limits")
            fault("DEF-033", f"'{limit}' is not a limit of this game", "limit", hint=hint)
        effect = Effect(verb, {key: value for key, value in given.items() if key != "do"}, body)
        if not before and self.wording(effect) is None:
            fault("DEF-030", f"effects.yaml has no phrase for '{verb} {name}'", TARGET[verb])
        return None if before else effect


__all__ = ["TARGET", "Lasting"]
