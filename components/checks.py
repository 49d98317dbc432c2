"""Checks across the files of a game that hold for every variant: ids, names, and what refers to what."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from components.assemble import assemble
from components.book import edition
from components.bookchecks import check_book
from components.cache import Keeper
from components.errors import Problem, in_order
from components.figurehints import decimal, figure_for
from components.loader import Definition, load
from components.model import GameFile, Piece, ResolvedGame
from components.modulecheck import speaking_of_modules
from components.parameters import Parameters, in_files
from components.phrasing import count, did_you_mean, plural
from components.repeats import differing
from components.rulingsfile import Ruling
from components.variants import cycle

if TYPE_CHECKING:
    from components.yamlsource import Source

PathKey = tuple[Any, ...]

_NAME = re.compile(r"[A-Za-z]\w*(\.[+-]?\w+)*\Z")
_FIGURE = re.compile(r"[-+]?(\d+([.,]\d+)*|[.,]\d+)(\s*(%|mm|pt))?")
_RESERVED = frozenset(
    ("and", "else", "false", "if", "in", "is", "loop", "none", "not", "or", "range", "true", "False", "None", "True")
)

FurtherCheck = Callable[[Definition, ResolvedGame], Iterable[Problem]]
"""A check that another package adds, e.g. that the format and the face template of each piece exist. To put a problem
in its place: `source, path = piece_place(definition, set_name, piece_id)`, then `source.problem(code, what, path)`."""


def check_game(
    game_id: str,
    root: Path | None = None,
    further: Iterable[FurtherCheck] = (),
    reading: Iterable[FurtherCheck] = (),
    cache_dir: Path | None = None,
) -> list[Problem]:
    """Every problem and warning of a game: its files, its base game and each of its variants, sorted by place.

    `further` checks run on the base game and on each variant that could be resolved, without the pieces that have a
    fault themselves; `reading` checks, which work with the game as a whole, run where its files are in order. Raises
    `DefinitionError` only if there is no such game.

    A base game in order is kept in `cache_dir`, where `resolve_game` finds it.
    """
    keeper = Keeper(game_id, root, cache_dir) if cache_dir is not None else None
    definition = load(game_id, root)
    problems = [*definition.problems, *check_definition(definition)]
    used: set[str] = set()
    said: set[Problem] = set()
    """The problems of the base game, and so of each variant."""

    def add(found: Iterable[Problem], names: list[str]) -> None:
        for problem in found:
            if problem not in said:
                said.add(problem)
                problems.append(_in_variant(problem, names[0]) if names else problem)

    for names in ([], *([name] for name in definition.variants)):
        result = assemble(definition, variants=names)
        if keeper is not None and not names and not problems and not result.problems:
            keeper.keep(result.game)
        add(result.problems, names)
        used |= result.used
        if result.game is None:
            continue
        if not names:
            problems += differing(definition, result.game)
            problems += speaking_of_modules(definition, result.game, piece_place)
        sound = [piece for piece in result.game.pieces if f"{piece.set}/{piece.id}" not in result.faulty]
        game = msgspec.structs.replace(result.game, pieces=sound)
        for check in further:
            add(check(definition, game), names)
        if not any(problem.severity == "error" for problem in problems):
            for check in reading:
                add(check(definition, result.game), names)
        in_order_so_far = not any(problem.severity == "error" for problem in problems)
        if in_order_so_far and definition.book is not None and "rulebook.yaml" in definition.sources:
            add(edition(definition.book, definition.source("rulebook.yaml"), result.game)[1], names)
    wrong = {(problem.file, problem.line, problem.column) for problem in problems}
    remarks = (
        problem
        for source in definition.sources.values()
        for problem in source.remarks
        if (problem.file, problem.line, problem.column) not in wrong
    )
    return in_order(
        [
            *problems,
            *remarks,
            *unused(definition, used),
            *few_seats(definition),
            *unsaid(definition),
            *quoted_numbers(definition),
        ]
    )


def _in_variant(problem: Problem, name: str) -> Problem:
    """A fault that only a variant has, with its name, unless it stands in the variant's file."""
    if problem.file.endswith(f"variants/{name}.yaml") or f"'{name}'" in problem.what:
        return problem
    return msgspec.structs.replace(problem, what=f"{problem.what} (in the variant '{name}')")


def check_definition(definition: Definition) -> list[Problem]:
    """All problems that do not depend on the variant. Files that could not be read cause no further ones."""
    game = definition.game
    if game is None:
        return []
    problems: list[Problem] = []
    for check in (_names, _parameters, _rules, _sets, _rulings, _glossary, _variants, _book):
        problems += check(definition, game)
    return problems


def piece_place(definition: Definition, set_name: str, piece_id: str, key: str = "") -> tuple[Any, PathKey]:
    """The `Source` and the path in it where a piece is written (its set's file before the variants'), or where its
    `key` is: in the set, if the piece leaves it to that.

    Raises KeyError if it is written nowhere.
    """
    for name, file, start, pieces in _written(definition):
        for i, piece in enumerate(pieces):
            if (name, piece.id) == (set_name, piece_id):
                if not key:
                    return definition.source(file), (*start, i)
                if getattr(piece, key, ""):
                    return definition.source(file), (*start, i, key)
                heads = (name for name, piece_set in definition.sets.items() if piece_set.set == set_name)
                return definition.source(next(heads)), (key,)
    raise KeyError(f"{set_name}/{piece_id}")


def _written(definition: Definition) -> Iterator[tuple[str, str, PathKey, list[Piece]]]:
    """Set, file, path and pieces wherever pieces are written."""
    for file, piece_set in definition.sets.items():
        yield piece_set.set, file, ("pieces",), piece_set.pieces
    for name, variant in definition.variants.items():
        for set_name, pieces in variant.pieces.items():
            yield set_name, f"variants/{name}.yaml", ("pieces", set_name), pieces


def unused(definition: Definition, used: set[str]) -> Iterator[Problem]:
    """A warning for each parameter that no text reads and that names no rule."""
    game = definition.game
    if game is None or definition.broken:
        return
    used = used | {game.min_players, game.max_players}
    source = definition.source("game.yaml")
    for name, parameter in game.parameters.items():
        if name not in used and not parameter.rules:
            what = f"nothing uses the parameter '{name}'"
            hint = "name the rules that depend on it (`rules: […]`), or remove it"
            problem = source.problem("DEF-046", what, ("parameters", name), hint=hint, key=True)
            yield msgspec.structs.replace(problem, severity="warning")


def quoted_numbers(definition: Definition) -> Iterator[Problem]:
    """A warning for each parameter whose value is a text that looks like a number, as one in quotes or with a comma:
    nothing can be reckoned with it."""
    game = definition.game
    if game is None or definition.broken:
        return
    for name, parameter in game.parameters.items():
        values = parameter.value if isinstance(parameter.value, dict) else {None: parameter.value}
        for key, value in values.items():
            if isinstance(value, str) and _FIGURE.fullmatch(value.strip()) and not parameter.choices:
                path = ("parameters", name, "value", *([] if key is None else [key]))
                what = f"'{name}' is the text \"{value}\", not a number"
                hint = figure_for(value) or f"without quotes: {decimal(value)}"
                problem = definition.source("game.yaml").problem("DEF-083", what, path, hint=hint)
                yield msgspec.structs.replace(problem, severity="warning")


def unsaid(definition: Definition) -> Iterator[Problem]:
    """A warning for each entry of the glossary that leads to a word which no rule and no ruling has. Endings may
    differ."""
    if definition.game is None or definition.broken or "glossary.yaml" not in definition.sources:
        return
    source = definition.source("glossary.yaml")
    texts = msgspec.json.encode(
        [definition.game, definition.rules, definition.rulings, list(definition.variants.values())]
    )
    known = set(re.findall(r"\w+", texts.decode().lower()))
    beginnings = {word[:n] for word in known for n in range(1, len(word) + 1)}
    for key, meant in definition.glossary.words.items():
        for i, said in enumerate(meant):
            missing = [
                word for word in re.findall(r"\w+", said.lower()) if word[: max(3, len(word) - 3)] not in beginnings
            ]
            if missing:
                what = f"no rule and no ruling says '{missing[0]}'"
                hint = did_you_mean(missing[0], known) or "name words that the rules use"
                problem = source.problem("DEF-076", what, ("words", key, i), hint=hint)
                yield msgspec.structs.replace(problem, severity="warning")


def few_seats(definition: Definition) -> Iterator[Problem]:
    """A warning where more players may play than there are seats."""
    game = definition.game
    most = game.parameters.get(game.max_players) if game is not None else None
    if (
        game is None
        or most is None
        or not game.seats
        or not isinstance(most.value, int)
        or most.value <= len(game.seats)
    ):
        return
    what = f"up to {most.value} may play, and there are only {count(len(game.seats), 'seat')}"
    hint = "add seats; or leave `seats` out, and players may be called anything"
    problem = definition.source("game.yaml").problem("DEF-075", what, ("seats",), hint=hint)
    yield msgspec.structs.replace(problem, severity="warning")


def _repeated(ids: Iterable[tuple[str, str, PathKey]], what: str, definition: Definition) -> Iterator[Problem]:
    """`ids` are (id, file, path of the entry)."""
    first: dict[str, tuple[str, PathKey]] = {}
    for name, file, path in ids:
        if name not in first:
            first[name] = (file, path)
            continue
        other = definition.source(first[name][0]).problem("", "", first[name][1])  # a row's is in its table
        hint = f"the first is in {other.file}, line {other.line}"
        yield definition.source(file).problem("DEF-042", f"{what} '{name}' occurs twice", path, hint=hint)


def _rule_ids(definition: Definition) -> set[str] | None:
    """All rule ids of the game, variants included; None if they cannot be known."""
    if any(file == "rules.yaml" or file.startswith("variants/") for file in definition.broken):
        return None
    ids = {rule.id for rule in definition.rules.rules}
    return ids | {rule.id for variant in definition.variants.values() for rule in variant.rules}


def _unknown_rules(
    definition: Definition, file: str, named: Iterable[tuple[str, PathKey]], key: bool = False
) -> Iterator[Problem]:
    """A problem for each rule that there is not; `key`: its id is the key at the path."""
    known = _rule_ids(definition)
    if known is None:
        return
    for rule_id, path in named:
        if rule_id not in known:
            hint = did_you_mean(rule_id, known)
            yield definition.source(file).problem("DEF-040", f"there is no rule '{rule_id}'", path, hint=hint, key=key)


class _Named(NamedTuple):
    """A place that names a section, a module or a seat, and the entry it is in (`rule 'WS-TAX-1': `)."""

    name: str
    source: Source
    path: PathKey
    entry: str = ""


def _unknown(code: str, kind: str, places: Iterable[_Named], known: Collection[str]) -> Iterator[Problem]:
    """One problem for each name that is not `known`, at the first place that has it."""
    missing: dict[str, list[_Named]] = {}
    for place in places:
        if place.name not in known:
            missing.setdefault(place.name, []).append(place)
    for name, (first, *others) in missing.items():
        hint = did_you_mean(name, known, listing=f"{kind}s")
        more = (
            f" ({count(len(others), 'other place')} {plural(len(others), 'names', 'name')} it, too)" if others else ""
        )
        yield first.source.problem(code, f"{first.entry}there is no {kind} '{name}'{more}", first.path, hint=hint)


def _names(definition: Definition, game: GameFile) -> Iterator[Problem]:
    if game.id != definition.folder.name:
        what = f"the game's id is '{game.id}', its folder '{definition.folder.name}'"
        yield definition.source("game.yaml").problem("DEF-054", what, ("id",))
    for name, variant in definition.variants.items():
        if variant.id != name:
            what = f"the variant's id is '{variant.id}', its file '{name}.yaml'"
            yield definition.source(f"variants/{name}.yaml").problem("DEF-054", what, ("id",))


def _parameters(definition: Definition, game: GameFile) -> list[Problem]:
    source = definition.source("game.yaml")
    problems: list[Problem] = []

    def say(code: str, what: str, path: PathKey, *, hint: str = "") -> None:
        problems.append(source.problem(code, what, ("parameters", *path), hint=hint))

    for name in game.parameters:
        if not _NAME.match(name) or name.partition(".")[0] in _RESERVED:
            problem = source.problem("DEF-059", f"'{name}' cannot be read in templates", ("parameters", name), key=True)
            problems.append(problem)
    Parameters(game.parameters).check_declared(say)
    named = (
        (rule, ("parameters", name, "rules", i))
        for name, parameter in game.parameters.items()
        for i, rule in enumerate(parameter.rules)
    )
    return [*problems, *_unknown_rules(definition, "game.yaml", named)]


def _rules(definition: Definition, game: GameFile) -> Iterator[Problem]:
    modules = {*game.modules, *(m for v in definition.variants.values() for m in v.modules)}
    placed = [("rules.yaml", ("rules", i), rule) for i, rule in enumerate(definition.rules.rules)]
    yield from _repeated(((r.id, file, (*path, "id")) for file, path, r in placed), "the rule", definition)
    for name, variant in definition.variants.items():
        file = f"variants/{name}.yaml"
        own: list[tuple[str, tuple[str, int], Any]] = [(file, ("rules", i), r) for i, r in enumerate(variant.rules)]
        yield from _repeated(((r.id, file, (*path, "id")) for file, path, r in own), "the rule", definition)
        placed += own
    rules = [(rule, definition.source(file), path) for file, path, rule in placed]
    for rule, source, path in rules:
        if not rule.id.startswith(game.prefix + "-"):
            what = f"the rule id '{rule.id}' does not begin with '{game.prefix}-'"
            yield source.problem("DEF-041", what, (*path, "id"))
        for key in ("title", "text"):
            if not getattr(rule, key).strip():
                what, hint = f"the rule '{rule.id}' has no {key}", "the rulebook and the refusals print it"
                yield source.problem("DEF-011", f"{what}: nothing stands between the quotes", (*path, key), hint=hint)
    if rules and not game.sections:
        yield definition.source("game.yaml").problem("DEF-043", "the rules name sections, and `sections` lists none")
    else:
        named = (_Named(r.section, source, (*path, "section"), f"rule '{r.id}': ") for r, source, path in rules)
        yield from _unknown("DEF-043", "section", named, game.sections)
    named = (_Named(r.module, source, (*path, "module"), f"rule '{r.id}': ") for r, source, path in rules)
    yield from _unknown("DEF-044", "module", named, modules)


def _sets(definition: Definition, game: GameFile) -> Iterator[Problem]:
    sets = ((s.set, file, ("set",)) for file, s in definition.sets.items())
    yield from _repeated(sets, "the piece set", definition)
    modules = {*game.modules, *(m for v in definition.variants.values() for m in v.modules)}
    heads = [(piece_set, definition.source(file), ()) for file, piece_set in definition.sets.items()]
    pieces = []
    for _, file, start, written in _written(definition):
        ids = ((piece.id, file, (*start, i, "id")) for i, piece in enumerate(written))
        yield from _repeated(ids, "the piece", definition)
        rules = ((piece.rule, (*start, i, "rule")) for i, piece in enumerate(written) if piece.rule)
        yield from _unknown_rules(definition, file, rules)
        pieces += [(piece, definition.source(file), (*start, i)) for i, piece in enumerate(written)]
        for i, piece in enumerate(written):
            if piece.name is not None and not piece.name.strip():
                what, hint = f"the piece '{piece.id}' has no name", "sheets, messages and people call it by its name"
                yield definition.source(file).problem("DEF-011", what, (*start, i, "name"), hint=hint)
    for code, kind, known in (("DEF-044", "module", modules), ("DEF-060", "seat", game.seats)):
        named = [_Named(getattr(entry, kind), source, (*path, kind)) for entry, source, path in (*heads, *pieces)]
        yield from _unknown(code, kind, (place for place in named if place.name), known)


def _rulings(definition: Definition, game: GameFile) -> Iterator[Problem]:
    if "rulings.yaml" not in definition.sources:
        return
    rulings = definition.rulings.rulings
    source = definition.source("rulings.yaml")
    placed = ((r.id, "rulings.yaml", ("rulings", i, "id")) for i, r in enumerate(rulings))
    yield from _repeated(placed, "the ruling", definition)
    named = ((rule, ("rulings", i, "rules", j)) for i, r in enumerate(rulings) for j, rule in enumerate(r.rules))
    yield from _unknown_rules(definition, "rulings.yaml", named)
    for i, ruling in enumerate(rulings):
        for j, name in enumerate(ruling.variants):
            yield from _known_variant(definition, name, source, ("rulings", i, "variants", j))
        yield from _ruling_settings(definition, game, i, ruling)


def _glossary(definition: Definition, game: GameFile) -> Iterator[Problem]:
    rules = _rule_ids(definition)
    if "glossary.yaml" not in definition.sources or rules is None or definition.broken:
        return
    known = rules | {ruling.id for ruling in definition.rulings.rulings}
    known |= {f"{name}/{piece.id}" for name, _, _, pieces in _written(definition) for piece in pieces}
    for name in definition.glossary.questions:
        if name not in known:
            what, hint = f"there is no rule, ruling or piece '{name}'", did_you_mean(name, known)
            yield definition.source("glossary.yaml").problem("DEF-040", what, ("questions", name), hint=hint, key=True)


def _book(definition: Definition, game: GameFile) -> Iterator[Problem]:
    yield from check_book(definition, game, lambda file, named: _unknown_rules(definition, file, named))


def _ruling_settings(definition: Definition, game: GameFile, number: int, ruling: Ruling) -> list[Problem]:
    """The problems of the settings a ruling is played with."""
    source = definition.source("rulings.yaml")
    problems: list[Problem] = []
    params = Parameters(game.parameters if ruling.set else {})
    for key, value in ruling.set.items():
        if key.startswith("rules."):
            named = [(key.removeprefix("rules."), ("rulings", number, "set", key))]
            problems.extend(_unknown_rules(definition, "rulings.yaml", named))
            continue

        def say(code: str, what: str, path: PathKey, *, hint: str = "", key: str = key) -> None:
            problems.append(source.problem(in_files(code), what, ("rulings", number, "set", key, *path), hint=hint))

        params.assign(key, value, say)
    return problems


def _known_variant(definition: Definition, name: str, source: Any, path: PathKey) -> Iterator[Problem]:
    if name not in definition.variants and f"variants/{name}.yaml" not in definition.broken:
        hint = did_you_mean(name, definition.variants, listing="variants")
        problem: Problem = source.problem("DEF-058", f"there is no variant '{name}'", path, hint=hint)
        yield problem


def _variants(definition: Definition, game: GameFile) -> Iterator[Problem]:
    for name, variant in definition.variants.items():
        source = definition.source(f"variants/{name}.yaml")
        for i, base in enumerate(variant.extends):
            yield from _known_variant(definition, base, source, ("extends", i))
        if way := cycle(definition, name):
            yield source.problem("DEF-049", f"variants extend each other: {' -> '.join(way)}", ("extends",))
