"""The reference pages that are made from code: `python -m components.docs` writes them into `docs/`."""

from __future__ import annotations

from typing import Any

import msgspec

from components.error_codes import errors_page
from components.projects import project_root
from components.schema import KINDS, field_docs, records_of
from components.validate import expected

PLACES = {
    "game": "`game.yaml`",
    "rules": "`rules.yaml`",
    "rulings": "`rulings.yaml`",
    "glossary": "`glossary.yaml`",
    "effects": "`effects.yaml`",
    "rulebook": "`rulebook.yaml`",
    "pieces": "every other `.yaml` of the folder",
    "variant": "`variants/NAME.yaml`",
}

FILTERS = {
    "count": "`{{ 3 | count('army', 'armies') }}`: `3 armies`; without the second word, the game's `plurals` or "
    "the rules of English give the plural; `all armies`",
    "plural": "`{{ n | plural('army', 'armies') }}`: the noun alone",
    "amounts": "`1 wheat and 2 wood` for `{wheat: 1, wood: 2}`, with the game's `plurals`; zeros are left out, "
    "`nothing` if all are; or `amounts('free')`",
    "number_word": "`three` for 3, up to twenty",
    "signed": "`+2`, `−2`, `0`",
    "join_and": "`{{ ['a', 'b', 'c'] | join_and }}`: `a, b and c`; `join_and('or')` with another word",
    "join": "`{{ list | join(', ') }}`",
}


def yaml_reference() -> str:
    """`docs/yaml-reference.md`: every key of every file, from the typed model, and what templates can do."""
    from components import sandbox

    out = [
        "# YAML reference",
        "",
        "Made from `components/model.py` by `python -m components.docs`; do not edit by hand.",
        "",
        "A game is a folder of `components/`. Its files, all of them UTF-8 YAML:",
        "",
        *(f"- {place}: [{kind}](#{kind})" for kind, place in PLACES.items()),
        "",
        "Unknown and repeated keys are errors. Numbers, `true`, `false` and `null` are typed; everything else is text "
        "(`yes`, `off`, `012`, `2024-01-01`, `1:30` too). Whole numbers may be keys of mappings. Tags and merge keys "
        "are refused. `pnp schema` writes JSON Schemas of the same model for editors.",
        "",
    ]
    seen: set[type[msgspec.Struct]] = set()
    for kind in KINDS:
        first, *others = records_of(kind)
        about = _about(first)
        if kind == "pieces":
            about = f"Every other `.yaml` file of the folder. {about}"
        out += [f"## {kind}", "", about, "", *_table(first)]
        for record in others:
            if record not in seen:
                seen.add(record)
                out += [f"### {record.__name__}", "", _about(record), "", *_table(record)]
    out += _field_types() + _parameters() + _templates(sandbox.FILTERS) + _limits()
    return "\n".join(out).rstrip() + "\n"


def _about(record: type[msgspec.Struct]) -> str:
    return " ".join((record.__doc__ or "").split())


def _table(record: type[msgspec.Struct]) -> list[str]:
    info: Any = msgspec.inspect.type_info(record)
    docs = field_docs(record)
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for field in info.fields:
        meaning = docs.get(field.name, "").replace("|", "\\|")
        rows.append(f"| `{field.encode_name}` | {_type(field.type)} | {_default(field)} | {meaning} |")
    return [*rows, ""]


def _default(field: Any) -> str:
    if field.required:
        return "required"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    if value is None or value == "":
        return "none"
    if value in ([], {}):
        return "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`".replace("'", "")


def _type(info: Any) -> str:
    if isinstance(info, msgspec.inspect.AnyType):
        return "any value"
    if isinstance(info, msgspec.inspect.StructType):
        return f"[{info.cls.__name__}](#{info.cls.__name__.lower()})"
    if isinstance(info, msgspec.inspect.ListType):
        return f"list of {_type(info.item_type)}"
    if isinstance(info, msgspec.inspect.DictType):
        return f"mapping to {_type(info.value_type)}"
    if isinstance(info, msgspec.inspect.LiteralType):
        return ", ".join(f"`{value}`" for value in info.values)
    if isinstance(info, msgspec.inspect.UnionType):
        parts = [t for t in info.types if not isinstance(t, msgspec.inspect.NoneType)]
        return " or ".join(_type(t) for t in parts)
    return expected(info)


def _field_types() -> list[str]:
    return [
        "## Types of fields",
        "",
        "`field_types` of a piece set says what its fields hold, and `args` of a verb what it takes, in the shape of "
        "the data:",
        "",
        "| type | data |",
        "|---|---|",
        "| `text` | any text; a number in it is written in quotes |",
        "| `whole`, `whole 1..5`, `whole 0..` | a whole number, between bounds or from one on |",
        "| `number`, `number ..2.5` | any number |",
        "| `true or false` | a switch |",
        "| `one of nw, ne, sw, se` | one of these words or whole numbers |",
        "| `TYPE \\| TYPE` | the one or the other: `whole 1.. \\| one of all` |",
        "| `[TYPE]` | a list of any length; `[text, whole]` is a list of exactly these two |",
        "| `{name: TYPE, note?: TYPE}` | a mapping with these entries and no others |",
        "| `{<one of rice, silk>: TYPE}` | a mapping with any of these entries; `<text>`: of any names |",
        "| `anything` | is not checked |",
        "",
        "A `?` after a name means that it may be left out or be `null`. The type of a field is Jinja2 over the "
        "parameters (`\"one of {{ kinds | join(', ') }}\"`), and the values are checked after their templates have "
        "been worked out. A piece of such a set cannot have other fields.",
        "",
    ]


def _parameters() -> list[str]:
    return [
        "## Parameters, variants and `--set`",
        "",
        "A parameter has a flat dotted name. In `--set` and in a variant's `parameters` it may be named by its last "
        "parts, as long as only one fits: `--set army_cost=3`. A name may go on into a mapping "
        "(`--set tax.bronze.bu=4`), and a mapping may be given to a name that stands for several parameters or "
        "entries: `--set 'tax.bronze={cards: 2, bu: 4}'`, `--set 'setup={bu: 12, armies: 1}'`. The value is read as "
        "YAML and has to be of the parameter's kind and within its `min`, `max` and `choices`; a list is replaced as a "
        "whole.",
        "",
        "A mapping whose parameter has `keys` (a price in several kinds of goods, say) is replaced as a whole, too, "
        "and a name may give it an entry it has not yet: `--set 'cost={wood: 2}'`, `--set cost.stone=1`. The entries "
        "of a list go by their places, counted from 0: `--set steps.0=4`, `--set slots.3.stone=1`.",
        "",
        "`--set rules.ID=off` switches a rule off, `--set rules.ID=on` on again.",
        "",
        "Variants are applied in the order in which they are given, each after those it `extends`; `--set` comes last.",
        "",
    ]


def _templates(filters: tuple[str, ...]) -> list[str]:
    others = ", ".join(f"`{name}`" for name in filters if name not in FILTERS)
    return [
        "## Templates",
        "",
        "Texts marked Jinja2, and all texts in `fields` and `effect`, may contain `{{ expression }}`, `{% if %}`, "
        "`{% for %}` and `{% set %}`. They see:",
        "",
        "- every parameter by its name: `{{ build.army_cost }}`, `{{ tax.bronze.bu }}`; one that is also the prefix of "
        "others prints its value; `params['build.army_cost']` is the same by the flat name;",
        "- `players`: the number of players (the largest, when the contents of the box are meant; `copies` are "
        "then worked out for every number of players, and the most that any of them needs is in the box);",
        "- `modules`: the modules in play, e.g. `{% if 'siege' in modules %}`;",
        "- `effect('set/piece')`: the printed text of a piece; `copies('set/piece')`, `copies('set')`: how many there "
        "are (not in `copies` itself);",
        "- `own` in the name, flavour and fields of a piece: what it does, verb by verb; a card with the effect "
        "`{number: {value: 7}}` prints `{{ own.number.value }}`;",
        "- in the phrase and icons of a verb: its arguments, and `body` in a scope.",
        "",
        "A name that does not exist is an error, wherever it stands. In `fields` and `effect` a text that is exactly "
        "one `{{ expression }}` keeps the type of its value. Printed values: `true` is `yes`, `false` is `no`, "
        "`null` is `none`; lists and mappings cannot be printed. A filter takes what stands right before it: "
        "`{{ (2 * n) | count('card') }}`.",
        "",
        "| filter | |",
        "|---|---|",
        *(f"| `{name}` | {text} |" for name, text in FILTERS.items()),
        "",
        f"Also, as in Jinja2: {others}.",
        "",
    ]


def _limits() -> list[str]:
    from components import sandbox, yamlsource

    return [
        "## Limits",
        "",
        f"- a file: {yamlsource.MAX_BYTES // 1024 // 1024} MiB, {yamlsource.MAX_DEPTH} levels, "
        f"{yamlsource.MAX_ALIASES} aliases that unfold to {yamlsource.MAX_UNFOLDED:,} nodes;",
        f"- a template: {sandbox.MAX_TEMPLATE:,} characters, {sandbox.MAX_OUTPUT:,} characters printed, "
        f"{sandbox.MAX_STEPS:,} steps in loops, lists of {sandbox.MAX_ITEMS:,} entries.",
        "",
    ]


def pages() -> dict[str, str]:
    """Path below the project root -> text of every page that is made from code."""
    return {"docs/errors.md": errors_page(), "docs/yaml-reference.md": yaml_reference()}


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (project_root() / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
