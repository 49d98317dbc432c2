"""Write the pages of `docs/` that are made from the program itself: `python docs/generate.py` (or `make docs`).

Every generated page is a function of the code and of the games' YAML, so a test can tell whether it is current.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from elements import INTO, elements_page, examples, pictures
from reference import engine_reference

from companion.engine.language import notation, saying
from companion.engine.language.fields import Field, fields
from companion.engine.language.words import COURTESIES
from companion.engine.play.domains import Count, Flag, OneOf, PieceName, Seat, Tally
from companion.engine.play.forms import fields_of, left_out
from companion.engine.play.moves import Move
from companion.engine.play.parts import Parts
from companion.engine.play.position import Position, Rules
from companion.games import NoRules, load_rules
from components.docs import yaml_reference
from components.error_codes import errors_page
from components.errors import DefinitionError
from components.loader import list_games
from components.model import ResolvedGame
from components.phrasing import span
from components.resolve import resolve_game
from components.schema import field_docs, records_inside
from components.yamlsource import read_yaml
from generator.paper.formats import LAYOUTS, load_formats, load_papers

HERE = Path(__file__).resolve().parent
WIDTH = 80
"""Columns of help texts, whatever the terminal."""
MOST_WORDS = 20
"""Words of an argument that are all named."""
BY_HAND = "Made by `docs/generate.py`; do not edit by hand."


def pages() -> dict[str, str]:
    """File name -> text of every generated page."""
    made = {"yaml-reference.md": yaml_reference(), "errors.md": errors_page(), "commands.md": commands()}
    made["formats.md"] = formats_page()
    made["elements.md"] = elements_page(BY_HAND)
    made |= {f"{INTO}/{name}": drawn for name, drawn in pictures().items()}
    made["engine-reference.md"] = engine_reference(BY_HAND)
    games = list(followed_games())
    made["games.md"] = games_page([rules.game for rules in games])
    for rules in games:
        made[f"notation-{rules.game.id}.md"] = notation_page(rules)
        made[f"positions-{rules.game.id}.md"] = positions_page(rules)
    return made


def followed_games() -> Iterator[Rules]:
    """The rules of every game that the companion can follow. A game with faults in its files is left to `pnp check`."""
    for game in list_games():
        with contextlib.suppress(NoRules, DefinitionError):
            yield load_rules(resolve_game(game))


def games_page(games: list[ResolvedGame]) -> str:
    """`docs/games.md`: the games there are, and where their pages are."""
    out = [
        "# Games",
        "",
        f"{BY_HAND} A game begins with `companion new`, and is printed with `pnp build`.",
        "",
        "| game | id | players | how moves are typed | position files |",
        "|---|---|---|---|---|",
    ]
    for game in games:
        pages = f"[notation](notation-{game.id}.md) | [fields and defaults](positions-{game.id}.md)"
        out.append(f"| {game.title} | `{game.id}` | {span(*game.players)} | {pages} |")
    for game in games:
        out += ["", f"## {game.title}", "", game.about.strip()]
    return "\n".join(out) + "\n"


# --- formats -----------------------------------------------------------------------------------------------------

SHAPES = {"rect": "rectangle", "circle": "disc", "hex": "hex", "standee": "standee"}


def formats_page() -> str:
    """`docs/formats.md`: the papers, piece formats and icons that every game may use."""
    out = [
        "# Papers, piece formats and shared icons",
        "",
        f"{BY_HAND} Sizes are in millimetres.",
        "",
        "A project may have its own `layouts/papers.yaml`, `layouts/formats.yaml` and `layouts/icons.yaml`, and a game "
        "its own `layouts/<game>/icons.yaml`. They are read after the shared ones: a new name is added, and a name "
        "that is there already is replaced, as a whole. A `layouts/scenes.yaml` of a project replaces the shared one.",
        "",
        "## Papers",
        "",
        "For `--paper`. Cuts, marks and text keep `margin` off the edge.",
        "",
        "| name | size | margin |",
        "|---|---|---|",
        *(f"| `{p.name}` | {p.w:g} x {p.h:g} | {p.margin:g} |" for p in load_papers().values()),
        "",
        "## Piece formats",
        "",
        "For `format` of a piece file. Sizes are those of one trimmed face; pieces with the same `file` are printed "
        "into one document.",
        "",
        "| name | shape | size | corner | bleed | safe | file |",
        "|---|---|---|---|---|---|---|",
    ]
    for f in load_formats().values():
        size = f"{f.w:g}" if f.shape == "circle" else f"{f.w:g} x {f.h:g}"
        out.append(f"| `{f.name}` | {SHAPES[f.shape]} | {size} | {f.corner:g} | {f.bleed:g} | {f.safe:g} | {f.file} |")
    out += [
        "",
        "## Shared icons",
        "",
        "For [icon elements](face-templates.md) and icons inside text (`[name]`). Their shapes are in "
        "`layouts/icons.yaml`.",
        "",
        "![All shared icons with their names](pictures/icons.png)",
        "",
        ", ".join(f"`{name}`" for name in shared_icons()) + ".",
    ]
    return "\n".join(out) + "\n"


def shared_icons() -> list[str]:
    """The names of the icons that every game may use, in the order of their file."""
    return list(read_yaml(LAYOUTS / "icons.yaml").data)


# --- commands ----------------------------------------------------------------------------------------------------


def command_names() -> dict[str, list[str]]:
    """Program -> its commands, in the order in which its help lists them."""
    from companion.cli.main import COMMANDS as COMPANION
    from generator.cli.main import COMMANDS as PNP

    return {"pnp": list(PNP), "companion": list(COMPANION)}


def help_text(program: str, *words: str) -> str:
    """What `program words --help` prints, `WIDTH` columns wide and without colour."""
    import companion.cli.main
    import generator.cli.main

    run: dict[str, Callable[[list[str]], int]] = {"pnp": generator.cli.main.main, "companion": companion.cli.main.main}
    before = {name: os.environ.get(name) for name in ("COLUMNS", "TERMINAL_WIDTH", "NO_COLOR")}
    os.environ.update(COLUMNS=str(WIDTH), NO_COLOR="1")
    os.environ.pop("TERMINAL_WIDTH", None)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            run[program]([*words, "--help"])
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines())


def commands() -> str:
    """`docs/commands.md`: the help of every command."""
    out = [
        "# Commands",
        "",
        f"{BY_HAND} This is what `--help` prints.",
        "",
        "Exit status of both programs: **0** done, or legal. **1** it ran and found something wrong: an illegal "
        "move, a wrong definition, text that does not fit. **2** it "
        "could not run: an unknown option, a missing file or "
        "table, a line that is not a move, or a choice left out. **70** a bug in the program. Results go to standard "
        "output, progress and messages to standard error. The output has no colour if it is not a terminal or if "
        "`NO_COLOR` is set.",
    ]
    for program, names in command_names().items():
        out += ["", f"## {program}", "", "```text", help_text(program), "```"]
        for name in names:
            out += ["", f"### {program} {name}", "", "```text", help_text(program, name), "```"]
    return "\n".join(out) + "\n"


# --- notation ----------------------------------------------------------------------------------------------------


def example_position(rules: Rules) -> Position[Any]:
    """The table that the example line of the set-up lays out: typed lines are read in it."""
    at = Position(rules, rules.new_state())
    for move in notation.read(type(rules.setup_move([], {})).example, at):
        at.play(move)
    return at


def read_example(kind: type[Move], at: Position[Any]) -> Move:
    """The move that a class's example line is. Raises NotationError when the line is not of that class.

    A line that several moves share is left to what is legal at the table; here the move of this class is meant.
    """
    try:
        found = notation.read(kind.example, at)
    except notation.NotationError as error:
        if error.kind != "ambiguous" or kind.name not in str(error):
            raise
        return notation.read(kind.name, at)[0]
    if type(found[0]) is not kind:
        raise notation.NotationError("unreadable", f"{kind.example!r} is read as {found[0].name}, not {kind.name}")
    return found[0]


def notation_page(rules: Rules) -> str:
    """How every move of a game is typed, from its classes."""
    at = example_position(rules)
    out = [
        f"# How to type it: {rules.game.title}",
        "",
        BY_HAND,
        "",
        "Type one line for each thing that happens at the table. The order of words hardly matters: the verb comes "
        "first or after a seat, and the other words show what they are. Case does not matter, a unique beginning is "
        f"enough ({_beginning(at)}), a person's name stands for a seat, and `name=value` states anything exactly. You "
        "may leave out words in [brackets], and everything that has only one possible value. If the rules leave a "
        "choice, the companion asks.",
        "",
        "`pass all` ends the phase for everybody. One line may hold several actions, separated by commas, `and` or "
        "`then`, without repeating the player or the verb (`ben buys 2 armies and a general, cem 3 armies`). If a line "
        "could be two moves, the legal one is meant; if both are legal, the companion asks.",
        "",
        f"Every word counts, except these: {', '.join(sorted(COURTESIES))}.",
        "",
        *_shorthand(rules),
        "",
        "| move | as typed |",
        "|---|---|",
    ]
    out += [f"| [{name}](#{name}) | `{kind.example}` |" for name, kind in rules.moves.items()]
    for name, kind in rules.moves.items():
        try:
            example = read_example(kind, at)
        except notation.NotationError as error:
            error.add_note(f"in the example of {rules.game.id}, move {name}")
            raise
        out += [
            "",
            f"## {name}",
            "",
            " ".join((kind.__doc__ or "").split()),
            "",
            f"    {saying.usage(kind)}",
            "",
            f"Verbs: {', '.join(f'`{word}`' for word in saying.verbs(kind))}.",
        ]
        rows = [f"| `{field.name}` | {_said(field, at)} |" for field in fields(kind)]
        if rows:
            out += ["", "| argument | typed as |", "|---|---|", *rows]
        if steps := saying.steps_of(kind, at):
            out += ["", f"{saying.STEPS_ARE}.", "", "| step | other words | what it does |", "|---|---|---|"]
            for step in steps:
                out.append(f"| {_code(step.usage)} | {', '.join(map(_code, step.words[1:]))} | {step.about} |")
        out += ["", f"`{kind.example}` is `{json.dumps(example.to_json(), ensure_ascii=False)}`"]
    return "\n".join(out) + "\n"


def _code(text: str) -> str:
    """Text as code in a table, where a bar would end the cell."""
    return f"`{text}`".replace("|", "\\|")


def _beginning(at: Position[Any]) -> str:
    """A seat by its first letter, as an example."""
    seat = next(iter(at.seats))
    return f"`{seat[0].lower()}` for {seat}, if no other seat begins so"


def _shorthand(rules: Rules) -> list[str]:
    """What a game reads besides its moves, as its own `shorthand` says."""
    own = type(rules).shorthand
    return [] if own is Rules.shorthand else [f"Also read: {' '.join((own.__doc__ or '').split())}", ""]


MOST_WORDS = 16
"""A longer list of words says less than the name of their set."""


def _own_words(domain: PieceName, at: Position[Any]) -> str:
    """The words of a set that is not one of the printed sets, but the game's own; "" for a printed or a large set."""
    if any(piece.set == domain.set for piece in at.rules.game.pieces):
        return ""
    first: dict[Any, str] = {}
    for word, value in domain.spoken(at).items():
        first.setdefault(value, word)
    return ", ".join(f"`{word}`" for word in first.values()) if len(first) <= MOST_WORDS else ""


def _said(field: Field, at: Position[Any]) -> str:
    """How one argument is typed, in words."""
    domain = field.domain
    if domain is None:
        return f"`{field.name}=…`"
    leads = dict.fromkeys((*domain.lead, *domain.after))
    lead = f" after `{'` or `'.join(leads)}`" if leads else ""
    if isinstance(domain, Seat):
        said = "seats" if domain.many else "a seat"
    elif isinstance(domain, Count):
        said = "a number" + (f" from {domain.least}" if domain.least else "")
    elif isinstance(domain, Flag):
        said = " or ".join(f"`{word}`" for word in domain.words)
    elif isinstance(domain, Parts):
        said = "the steps below"
    elif isinstance(domain, Tally) and not domain.set:
        said = f"{', '.join(f'`{word}`' for word in domain.values(at))}, each with a number before it"
    elif isinstance(domain, Tally) and domain.people:
        said = "seats, each with a number before it"
    elif isinstance(domain, Tally):
        bare = ", or a number alone" if domain.bare else ""
        said = f"{_own_words(domain, at) or f'pieces of the {domain.set} set'}, each with a number before it{bare}"
    elif isinstance(domain, PieceName):
        said = _own_words(domain, at) or f"{'names' if domain.many else 'a name'} from the {domain.set} set"
    elif isinstance(domain, OneOf):
        also: dict[Any, list[str]] = {}
        for word, value in domain.spoken(at).items():
            also.setdefault(value, []).append(word)
        said = ", ".join(" = ".join(f"`{word}`" for word in words) for words in also.values())
    else:
        said = _listed(list(domain.values(at)) or list(domain.spoken(at)))
    return said + lead


def _listed(words: list[str]) -> str:
    """Words of a domain; of a long row, such as the squares of a board, its beginning and its end."""
    shown = [f"`{word}`" for word in words]
    return ", ".join(shown if len(shown) <= MOST_WORDS else [*shown[:3], "…", shown[-1]])


# --- position files ----------------------------------------------------------------------------------------------


def positions_page(rules: Rules) -> str:
    """The fields of a game's position files, and what is taken for those left out."""
    told = hasattr(rules, "form")
    defaults = left_out(rules) if told else {}
    out = [
        f"# Position files: {rules.game.title}",
        "",
        f"{BY_HAND} What position files are for stands in [position-files.md](position-files.md).",
        "",
        "A whole number is at least 0 unless its field says otherwise. `null` says nothing.",
        *([] if told else ["", *_defaults(rules)]),
    ]
    for record in records_inside(rules.state):
        docs, values = field_docs(record), fields_of(record)
        about = " ".join((record.__doc__ or "").split())
        out += ["", f"## {record.__name__}", *(["", about] if about else []), ""]
        out += ["| field | value | left out | meaning |", "|---|---|---|---|"]
        for info in msgspec.structs.fields(record):
            taken = defaults.get((record, info.name)) or _taken(info)
            out.append(f"| `{info.name}` | {values[info.name]} | {taken} | {docs.get(info.name, '')} |")
    if rules.derived:
        named = ", ".join(f"`{name}`" for name in sorted(rules.derived))
        out += ["", f"Read-only, written beside the fields: {named}. A file that states one of them must agree."]
    return "\n".join(out) + "\n"


def _defaults(rules: Rules) -> list[str]:
    """The defaults as a game with a reader of its own states them: what follows the first paragraph of its module."""
    module = importlib.import_module(type(rules).complete.__module__)
    form = f"{module.__name__}.position_form"
    text = (importlib.import_module(form) if hasattr(module, "position_form") else module).__doc__ or ""
    return text.strip().partition("\n\n")[2].splitlines()


def _taken(info: msgspec.structs.FieldInfo) -> str:
    """What a record holds where a field is left out, in words."""
    if info.required:
        return "must be said"
    default = info.default_factory() if callable(info.default_factory) else info.default
    if isinstance(default, bool):
        return "yes" if default else "no"
    return f"`{default}`" if isinstance(default, int) or (default and isinstance(default, str)) else "none"


__all__ = ["examples", "pages"]


def main() -> None:
    """Write the pages that changed."""
    for name, text in pages().items():
        file = HERE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"docs/{name} written")


if __name__ == "__main__":
    main()
