"""The command check."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from components.phrasing import count
from generator.cli.common import game_ids, known_game, parsed_sets, plain, settings, words
from generator.cli.options import AsJson, Sets, Variants

if TYPE_CHECKING:
    from components.checks import FurtherCheck
    from components.errors import Problem
    from generator.build.places import Places
    from generator.proofing.inkuse import InkUse


UNTRUSTED = "DEF-081"


def check(
    names: Annotated[list[str] | None, typer.Argument(metavar="GAME…", help="Games to check. Default: all.")] = None,
    variant: Variants = None,
    set: Sets = None,
    ink: Annotated[bool, typer.Option("--ink", help="Show how much ink the faces of each deck take.")] = False,
    json: AsJson = False,
) -> None:
    """Check every file of a game: that it is valid, that the rules module can read it, that its rulings and the
    examples of its rulebook hold, that every face can be drawn, and that it meets the bars of print (warnings): type
    size, contrast, room to the cut, backs, colours that merge.

    Checks every variant on its own, and with --variant or --set also the game as they change it.

    \b
    Examples:
      pnp check warring-states
      pnp check
      pnp check warring-states --variant siege --set army_cost=3
      pnp check dynasties --ink
    """
    from components.errors import format_problems, problems_json, status_of
    from generator.build.check import check_game

    chosen = [known_game(name) for name in dict.fromkeys(names)] if names else game_ids()
    how = (words(variant), parsed_sets(set), whole_reading(settings.places))
    found = {name: check_game(name, settings.places, *how) for name in chosen}
    errors = [problem for problems in found.values() for problem in problems if problem.severity == "error"]
    taken = {name: ink_of(name, words(variant), parsed_sets(set)) for name in chosen if ink and not errors}
    for name, used in taken.items():
        found[name] += too_much(name, used)
    if json:
        further = {name: {"ink": used} for name, used in taken.items()}
        print(plain({name: problems_json(problems) | further.get(name, {}) for name, problems in found.items()}))
    else:
        for name, problems in found.items():
            if problems:
                print(format_problems(problems), file=sys.stderr)
            wrong = sum(problem.severity == "error" for problem in problems)
            unplayed = any(problem.code == UNTRUSTED for problem in problems)
            fine = "in order, as far as it goes without the rules module" if unplayed else "in order"
            print(f"{name}: {count(wrong, 'error') if wrong else fine}")
            for line in ink_lines(taken.get(name, [])):
                print(line)
    if errors:
        raise SystemExit(max(status_of(problem) for problem in errors))


def whole_reading(places: Places) -> list[FurtherCheck]:
    """The checks that work with a game as a whole."""
    from generator.cli.iconwords import icons_meant
    from generator.cli.reading import rules_read
    from generator.cli.remembering import remembered
    from generator.cli.rulings import rulings_hold
    from generator.cli.telling import examples_hold

    return [remembered([rules_read, icons_meant(places), examples_hold(places), rulings_hold(places)], places)]


def ink_of(game: str, variants: Sequence[str], sets: dict[str, object]) -> list[InkUse]:
    """The ink that the sets of a game take."""
    from components.resolve import resolve_game
    from generator.build.project import read_layouts
    from generator.proofing.inkuse import ink_use

    places = settings.places
    resolved = resolve_game(game, variants=variants, sets=sets, root=places.project, cache_dir=places.resolved)
    return ink_use(resolved, read_layouts(game, places).faces(resolved))


def too_much(game: str, used: list[InkUse]) -> list[Problem]:
    """A warning for every set whose fronts or backs take more than the bar."""
    from components.errors import Problem
    from generator.proofing.bars import read_standard

    bar = read_standard(game, settings.places.layouts).bars.ink
    return [
        Problem(
            code="LAY-036",
            what=f"the {side} of {one.set} take {value:.1f} % of ink on an average; the bar is {bar:g} %",
            file=f"components/{game}/{one.set}.yaml",
            hint="lighten the grounds of its face template",
            severity="warning",
        )
        for one in used
        for side, value in (("fronts", one.front), ("backs", one.back))
        if value is not None and value > bar
    ]


def ink_lines(used: list[InkUse]) -> list[str]:
    """A table of it: per cent of the four inks, added up, mean of a face."""
    if not used:
        return []
    wide = max(len(one.set) for one in used)
    lines = ["  ink in % (C + M + Y + K, mean of a face; black takes what the three have in common)"]
    lines.append(f"  {'':<{wide}}  {'fronts':>6}  {'backs':>6}  most")
    for one in used:
        back = f"{one.back:6.0f}" if one.back is not None else "     -"
        lines.append(f"  {one.set:<{wide}}  {one.front:6.0f}  {back}  {one.most:.0f} ({one.piece})")
    return lines
