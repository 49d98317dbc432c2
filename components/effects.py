"""Effect data and a vocabulary to an `Effect` tree, its sentence and its icons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from components import templates
from components.model import Effect, Icon, Verb


def parse(data: Any, verbs: Mapping[str, Verb]) -> tuple[Effect, ...]:
    out: list[Effect] = []
    for item in data if isinstance(data, list) else [data]:
        for name, value in item.items():
            verb = verbs[name]
            if verb.scope:
                out.append(Effect(name, {}, parse(value, verbs)))
            elif verb.whole:
                out.append(Effect(name, {verb.whole: value}))
            elif isinstance(value, dict):
                out.append(Effect(name, dict(value)))
            else:
                out.append(Effect(name, {next(iter(verb.args)): value} if verb.args else {}))
    return tuple(out)


def _phrases(tree: Iterable[Effect], verbs: Mapping[str, Verb], scope: Mapping[str, Any]) -> str:
    parts = []
    for e in tree:
        names = {**scope, **dict.fromkeys(verbs[e.verb].args), **e.args, "body": _phrases(e.body, verbs, scope)}
        parts.append(templates.render(verbs[e.verb].phrase, names).strip())
    return templates.join_and(parts)


def phrase(tree: tuple[Effect, ...], verbs: Mapping[str, Verb], scope: Mapping[str, Any]) -> str:
    text = " ".join(p[:1].upper() + p[1:] + "." for e in tree if (p := _phrases([e], verbs, scope)))
    return text.replace("..", ".")


def icons(tree: Iterable[Effect], verbs: Mapping[str, Verb], scope: Mapping[str, Any]) -> tuple[Icon, ...]:
    out: list[Icon] = []
    for e in tree:
        for form in verbs[e.verb].icons:
            if form == "body":
                out += icons(e.body, verbs, scope)
                continue
            names = {**scope, **dict.fromkeys(verbs[e.verb].args), **e.args}
            name, _, label = templates.render(form, names).strip().partition(" ")
            if name:
                out.append(Icon(name, label.strip()))
    return tuple(out)
