"""The one Jinja2 environment of the project."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()


def count(n: Any, singular: str, plural: str | None = None) -> str:
    return f"{n} {singular if n == 1 else plural or singular + 's'}"


def plural(n: Any, singular: str, plural: str | None = None) -> str:
    return singular if n == 1 else plural or singular + "s"


def number_word(n: Any) -> str:
    return WORDS[n] if isinstance(n, int) and 0 <= n < len(WORDS) else str(n)


def signed(n: Any) -> str:
    return f"+{n}" if n > 0 else f"\N{MINUS SIGN}{-n}" if n < 0 else "0"


def join_and(items: Any, word: str = "and") -> str:
    items = [str(i) for i in items]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}" if items else ""


environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=False)
environment.filters |= dict(count=count, plural=plural, number_word=number_word, signed=signed, join_and=join_and)


class Node(dict[str, Any]):
    """Parameters below a prefix; `{{ build.army_cost }}` reads `params["build.army_cost"]`."""


def namespace(params: Mapping[str, Any]) -> dict[str, Any]:
    """Flat dotted names to nested mappings."""
    out: dict[str, Any] = {}
    for name, value in params.items():
        *path, last = name.split(".")
        at = out
        for part in path:
            at = at.setdefault(part, Node())
        at[last] = value
    return out


@lru_cache(4096)
def _compiled(text: str) -> Template:
    return environment.from_string(text)


def render(text: str, names: Mapping[str, Any]) -> str:
    return _compiled(text).render(names) if "{" in text else text


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    return environment.compile_expression(expression, undefined_to_none=False)(names)


def deep(value: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return render(value, names)
    if isinstance(value, list):
        return [deep(v, names) for v in value]
    if isinstance(value, dict):
        return {k: deep(v, names) for k, v in value.items()}
    return value
