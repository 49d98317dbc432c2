"""The table of error codes: what each one means, how to fix it, and the exit status it leads to."""

from __future__ import annotations

import msgspec


class Code(msgspec.Struct, frozen=True):
    """One kind of fault. `status` is the exit status: 1 wrong content, 2 could not be read at all."""

    title: str
    text: str
    status: int = 1


CODES: dict[str, Code] = {
    "DEF-001": Code(
        "file missing or unreadable",
        "A required file is missing or may not be read. Check the name (games are folders of `components/` "
        "that hold a `game.yaml`; definition files end in `.yaml`) and the file's permissions.",
        2,
    ),
    "DEF-002": Code(
        "not YAML",
        "The text is not valid YAML, so its content cannot be checked. The usual causes: indentation with "
        "tabs, a colon or `#` in a text without quotes, a bracket or quote that is never closed.",
        2,
    ),
    "DEF-003": Code(
        "not UTF-8 text",
        'Definition files are UTF-8 text without control characters, not even as escapes (`"\\0"`). Save the '
        "file as UTF-8, and remove such characters.",
        2,
    ),
    "DEF-004": Code(
        "too large",
        "A file may have 2 MiB, 100,000 nodes (aliases counted as often as they are used), 50 aliases and 40 levels. "
        "Split it: each further file of a game's folder adds a piece set.",
    ),
    "DEF-005": Code(
        "tag",
        "YAML tags (`!name`, `!!type`) are not used here. Remove the tag; quotes make a text, no quotes a number.",
    ),
    "DEF-006": Code(
        "repeated key",
        "One mapping has the same key twice; YAML would silently keep only one. Remove or rename one of them.",
    ),
    "DEF-007": Code(
        "unusable key",
        "The key of a mapping must be a word or a whole number. Put a text that looks like something else in quotes.",
    ),
    "DEF-008": Code("several documents", "A file holds one YAML document: remove the other `---` lines."),
    "DEF-010": Code(
        "unknown key",
        "The mapping has a key that has no meaning here; usually it is misspelt. See `docs/yaml-reference.md`.",
    ),
    "DEF-011": Code("missing key", "A key that every entry of this kind needs is missing."),
    "DEF-012": Code(
        "wrong type",
        "The value is not of the type that the key needs: text instead of a number, a single value instead of a "
        "list. A text that looks like a number needs quotes. `yes`, `no`, `on`, `off` are texts.",
    ),
    "DEF-013": Code("value not allowed", "Only the words that the message lists are allowed here."),
    "DEF-014": Code("number out of range", "The number, or the length, is smaller or larger than allowed."),
    "DEF-020": Code(
        "unknown name in a template",
        "A template (`{{ … }}` or `{% … %}`) reads a name that does not exist. Parameters are written with their full "
        "dotted name as in `game.yaml`; the phrase of a verb also sees its arguments, and `body` if it is a scope.",
    ),
    "DEF-021": Code("template syntax", "The text between `{{ }}` or `{% %}` cannot be read as Jinja2."),
    "DEF-022": Code(
        "not allowed in a template",
        "Templates compute and choose; they can only `if`, `for` and `set`, use the listed filters and read the data "
        "they are given. Anything that reaches beyond that data "
        "(include, import, macros, names that begin with `_`, methods) "
        "is refused.",
    ),
    "DEF-023": Code(
        "template too expensive",
        "A template may have 20,000 characters, print 100,000, and take 20,000 steps in its loops; lists and texts "
        "made by it are limited likewise.",
    ),
    "DEF-024": Code("template failed", "The template is well-formed, but computing it failed, e.g. text plus number."),
    "DEF-030": Code("unknown verb", "The effect uses a verb that the game's `effects.yaml` does not define."),
    "DEF-031": Code("unknown argument", "The verb has no argument of that name; the message lists the ones it has."),
    "DEF-032": Code("missing argument", "The verb needs an argument that is not given and is not optional."),
    "DEF-033": Code("wrong argument", "The argument's value is not what `effects.yaml` allows for it."),
    "DEF-034": Code(
        "not an effect",
        "An effect is a mapping (or a list of mappings) from verbs to their arguments; a scope verb holds other verbs.",
    ),
    "DEF-040": Code(
        "unknown rule",
        "The rules catalogue has no rule with this id. Questions of the glossary may also name a ruling or a piece.",
    ),
    "DEF-041": Code(
        "rule id with the wrong prefix", "The rule ids of a game begin with the `prefix` given in its `game.yaml`."
    ),
    "DEF-042": Code("repeated id", "Two entries of one kind have the same id or name."),
    "DEF-043": Code("unknown section", "The rule's section is not among the `sections` of `game.yaml`."),
    "DEF-044": Code("unknown module", "The module is not among the `modules` of `game.yaml` or of a variant."),
    "DEF-045": Code(
        "parameter value not allowed",
        "The value breaks the parameter's own limits (`min`, `max`, `choices`, `keys`, `nullable`) or is of another "
        "kind than the value in `game.yaml`.",
    ),
    "DEF-046": Code(
        "unused parameter",
        "A warning: no template reads the parameter and it names no rule that does. Name the rules that depend on it "
        "(`rules: […]`) or remove it.",
    ),
    "DEF-047": Code("unknown piece or set", "The variant names a piece or a piece set that the game does not have."),
    "DEF-048": Code("unknown variant", "The game's folder has no `variants/NAME.yaml` of that name.", 2),
    "DEF-049": Code("variants extend each other", "Following `extends` leads back to where it started."),
    "DEF-050": Code(
        "unknown parameter",
        "No parameter has that name. Give its full dotted name, or "
        "enough of its last parts that only one parameter ends "
        "in them; `rules.ID` switches a rule (`--set rules.ID=off`).",
        2,
    ),
    "DEF-051": Code("ambiguous parameter", "Several parameters end in that name; give more of the name.", 2),
    "DEF-052": Code("wrong --set", "The setting cannot be read, or the parameter does not allow its value.", 2),
    "DEF-053": Code("wrong copies", "`copies` is a whole number, or an expression that yields one, from 0 to 10,000."),
    "DEF-054": Code("name differs from the file's", "The id inside the file must be the name of its file or folder."),
    "DEF-055": Code(
        "parameter names collide",
        "A parameter that is also the prefix of others must be a number or a text (or a mapping without these keys).",
    ),
    "DEF-056": Code("wrong number of players", "The game is not for that many players.", 2),
    "DEF-057": Code(
        "unknown parameter in a variant",
        "A variant changes a parameter that `game.yaml` does not have, or names it by an ending that fits several.",
    ),
    "DEF-058": Code("unknown variant", "A definition file names a variant that the game does not have."),
    "DEF-059": Code(
        "unusable parameter name",
        "A parameter's name is made of parts joined by dots; a part has letters, digits and `_`, and the name "
        "begins with a letter. Later parts may begin with a sign and are then read as `{{ modifier['+1'] }}`. Words "
        "that mean something in templates (`if`, `not`, `loop` …) cannot come first.",
    ),
    "DEF-060": Code("unknown seat", "A piece or set says that it belongs to a `seat` that `game.yaml` does not list."),
    "DEF-061": Code(
        "no such seats", "The seats asked for are not seats of the game, or one of them is named twice.", 2
    ),
    "DEF-068": Code("no such module", "A module asked for with `--modules` is one that the game does not have.", 2),
    "DEF-062": Code(
        "sentence with a wrong field",
        "Sentences of rules (`breaks`, `asks`, `says`) take facts as `{name}`, `{name's}`, `{name|noun}`, "
        "`{name|noun|plural}` or `{name:one|many}`.",
    ),
    "DEF-063": Code(
        "wrong field type",
        "A type in `field_types`, or of an argument in `effects.yaml`, cannot be read. Types are `text`, `whole`, "
        "`whole 1..5`, `number`, `true or false`, `one of a, b`, `anything`, `[TYPE]` for a list, and mappings of "
        "types.",
    ),
    "DEF-067": Code(
        "table that cannot be read",
        "A set's `rows` does not name a table in its folder, the table cannot be read, or a column has no place in a "
        "piece. See `docs/tables.md`.",
    ),
    "DEF-065": Code(
        "rule that cannot be switched off in a variant",
        "Only a rule that forbids something (it has `breaks`) can be switched off. What a rule does is governed by its "
        "parameters, its module or a variant.",
    ),
    "DEF-066": Code("rule that cannot be switched off", "As DEF-065, asked for with `--set rules.ID=off`.", 2),
    "DEF-070": Code(
        "part of a rulebook without content, or with several",
        "A part of a chapter in `rulebook.yaml` has exactly one of the keys that say what it is: `text`, `rules`, "
        "`example` … Write several parts, one below the other.",
    ),
    "DEF-071": Code("unknown ruling", "`rulebook.yaml` names a ruling that `rulings.yaml` does not have."),
    "DEF-072": Code(
        "example that does not hold",
        "The companion does not play an example or a figure of `rulebook.yaml` as it says: a move cannot be read, is "
        "not legal (or legal although it should not be), leaves a choice open, or the position afterwards differs from "
        "`expect`. Correct the position, the moves or what is expected.",
    ),
    "DEF-073": Code(
        "part of a rulebook higher than a page",
        "An example or another part of `rulebook.yaml` is never divided, and this one needs more room than a page of "
        "the paper has. Show less of it (`show: after`, a smaller `crop`, fewer `cards`, only some `rules`), or "
        "divide it.",
    ),
    "DEF-074": Code(
        "ruling that does not hold",
        "The companion disagrees with a ruling of `rulings.yaml`: its position is impossible, a move cannot be "
        "read, the verdict on the last move differs or rests on rules it does not name, or the figure or the "
        "position afterwards differs. Correct the ruling, or the rules module.",
    ),
    "DEF-075": Code(
        "fewer seats than players",
        "`max_players` of `game.yaml` allows more players than `seats` has entries (a warning). Add seats, or leave "
        "`seats` out: players are then called as they like.",
    ),
    "DEF-076": Code(
        "word that no rule has",
        "An entry of `glossary.yaml` leads from what players say to a word that stands in no rule and no ruling, so "
        "`ask` cannot find anything by it (a warning). Write the word that the rules use.",
    ),
    "DEF-077": Code(
        "formula without a result",
        "A cell of a workbook holds a formula, and the file does not say what comes out of it: programs that are no "
        "spreadsheet (scripts, exporters) leave that out. Open the workbook in a spreadsheet program and save it, or "
        "write the value. A text that looks like a formula gets a warning.",
    ),
    "DEF-078": Code(
        "number written another way",
        "A cell looks like a number with dots between thousands, or with a decimal comma (a warning). Numbers are "
        "written `1000` and `1.5`; a field of the type `text` keeps what the cell shows.",
    ),
    "DEF-079": Code(
        "rows of one name",
        "Two rows of a table have the same name and no `id` (a warning), so the second gets a number in its id, and a "
        "rules module that looks pieces up by name sees only one of them. Give them ids, different names, or make them "
        "one row with more `copies`.",
    ),
    "DEF-080": Code(
        "two numbers that differ",
        "A field of a piece repeats a number of its effect, as it does for the other pieces of the set, and here the "
        "two differ (a warning). Write the field once for the whole set, as the effect says it: "
        '`fields: {gold: "{{ own.pay.n }}"}`.',
    ),
    "DEF-081": Code(
        "rules module not run",
        "The rules module in the project's folder is a program, and the user has not allowed it to run (a warning): "
        "its rulings and examples were not played. Read it, then say `--trust`, or `--trust-mine` for a module of your "
        "own that you go on changing.",
    ),
    "DEF-082": Code(
        "speaks of a module",
        "A piece of the base game says something else when modules are in play, or a rule of the base game has a "
        "clause for a module that it does not name (a warning). Whoever prints everything and begins with the base "
        "game would play by it: let pieces of the base game speak of the base game, and name the module in rules.",
    ),
    "DEF-083": Code(
        "number in quotes",
        "The value of a parameter is a text that looks like a number (a warning). Rules that reckon with it fail; "
        "write it without quotes.",
    ),
    "DEF-064": Code(
        "the rules cannot follow the game",
        "The rules module that `engine` names is missing, fails, cannot read a piece, lacks an operation for a verb of "
        "`effects.yaml`, or names a rule, sentence, parameter, phase, step or move that does not exist. A game without "
        "a rules module leaves `engine` out.",
    ),
}


def errors_page() -> str:
    """`docs/errors.md`: the table as Markdown."""
    out = [
        "# Error codes",
        "",
        "Made from `components/error_codes.py` by `python -m components.docs`; do not edit by hand.",
        "",
        "A message names file, line and column, the code, what was found and how to fix it:",
        "",
        "```text",
        "components/tiles/cards.yaml:41:7: error DEF-010: unknown key 'cots' in piece 'kiln'",
        "  41 |     cots: 4",
        "  hint: did you mean 'cost'?",
        "```",
        "",
        "Exit status 1: the material was read, and something in it is wrong. Exit status 2: it could not be read.",
        "",
    ]
    for code, entry in CODES.items():
        out += [f"## {code}: {entry.title}", "", entry.text, "", f"Exit status {entry.status}.", ""]
    return "\n".join(out).rstrip() + "\n"
