"""Values of parameters as they stand in files: read apart, and written with everything around them left as it was."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from components.loader import Definition
from components.model import Parameter
from components.web.site import Refused
from components.yamlsource import parse_yaml

PathKey = tuple[Any, ...]


def said(value: Any) -> str:
    """A value on one line of YAML."""
    if (
        isinstance(value, str)
        and re.fullmatch(r"[A-Za-z][\w-]*", value)
        and value.lower() not in ("null", "true", "false")
    ):
        return value
    return json.dumps(value, ensure_ascii=False)


def path_of(definition: Definition, name: str) -> PathKey:
    """The path in `game.yaml` of the value with a full name."""
    assert definition.game is not None
    declared: dict[str, Parameter] = definition.game.parameters
    known = max((word for word in declared if name == word or name.startswith(f"{word}.")), key=len, default=None)
    if known is None:
        raise Refused(f"game.yaml has no parameter {name}")
    value: Any = declared[known].value
    path: list[Any] = ["parameters", known, "value"]
    for step in name[len(known) + 1 :].split(".") if name != known else ():
        keys = range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
        found = next((key for key in keys if str(key) == step), None)
        if found is None:
            raise Refused(f"{name} stands nowhere in game.yaml")
        value = value[found]
        path.append(found)
    return tuple(path)


def changed_text(text: str, path: PathKey, value: Any) -> str:
    """A YAML text with another plain value at `path`, and every other letter as it was. Raises Refused."""
    by_hand = Refused(
        f"{'.'.join(map(str, path[1:]))} is written in a way that only you can change; open the file", 409
    )
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        for step in path:
            if isinstance(node, yaml.MappingNode):
                node = next(inner for key, inner in node.value if key.value == str(step))
            elif isinstance(node, yaml.SequenceNode):
                node = node.value[step]
    except (yaml.YAMLError, StopIteration, IndexError):
        raise by_hand from None
    if not isinstance(node, yaml.ScalarNode):
        raise by_hand
    made = text[: node.start_mark.index] + said(value) + text[node.end_mark.index :]
    before, after = parse_yaml(text).data, parse_yaml(made).data
    if before is None or after is None or not _differs_at(before, after, path, value):
        raise by_hand
    return made


def _differs_at(before: Any, after: Any, path: PathKey, value: Any) -> bool:
    """True if two data are the same but for the value at `path`."""
    if not path:
        return bool(after == value)
    step, *rest = path
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [key for key in before if key == step or str(key) == str(step)]
        if list(before) != list(after) or len(keys) != 1:
            return False
        others = all(before[key] == after[key] for key in before if key != keys[0])
        return others and _differs_at(before[keys[0]], after[keys[0]], tuple(rest), value)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and isinstance(step, int):
        others = all(one == two for n, (one, two) in enumerate(zip(before, after, strict=True)) if n != step)
        return others and _differs_at(before[step], after[step], tuple(rest), value)
    return False
