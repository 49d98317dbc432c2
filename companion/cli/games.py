"""`companion games`, `ask`, `rule` and `simulate`, which need a game but no table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import common
from companion.engine.answers import ask as asking
from companion.engine.answers.answers import VERSION, plain
from components.phrasing import span

if TYPE_CHECKING:
    from components.model import ResolvedGame

GameOption = Annotated[str, typer.Option("--game", help="Look in this game instead of the table's.")]


def games(json: common.AsJson = False) -> None:
    """List the games the companion knows.

    Example: companion games
    """
    from components.errors import DefinitionError
    from components.phrasing import count as numbered

    rows: list[dict[str, Any]] = []
    for name in common.known_games():
        try:
            game = common.resolve(name, None, None)
        except DefinitionError as error:  # a game that cannot be read hides no other
            problem = f"{numbered(len(error.problems), 'error')} in its files; to see them: pnp check {name}"
            rows.append({"id": name, "problem": problem})
            continue
        rows.append(
            {
                "id": game.id,
                "title": game.title,
                "players": list(game.players),
                "seats": game.seats,
                "variants": game.variant_names,
                "about": game.about,
            }
        )
    if json:
        common.say_json({"version": VERSION, "games": rows})
        return
    for row in rows:
        if "problem" in row:
            common.say(f"{row['id']}: {row['problem']}")
            continue
        common.say(f"{row['id']}: {row['title']}, {span(*row['players'])} players")
        if row["seats"]:
            common.say(f"    seats: {', '.join(row['seats'])}")
        if row["variants"]:
            common.say(f"    variants: {', '.join(row['variants'])}")


def _game(game: str, table: str, variant: list[str] | None, sets: list[str] | None, rule_id: str = "") -> ResolvedGame:
    """The game meant: the one named, the one whose prefix a rule id has, or the table's."""
    if game:
        return common.resolve(game, variant, sets)
    from companion.engine.table.shelf import ShelfError

    if not table and "-" in rule_id:
        here: ResolvedGame | None = None
        try:
            with common.open_table("") as at:
                here = at.rules.game
        except ShelfError:
            pass
        if here is None or not _begins(rule_id, here):
            found, prefixes = _by_prefix(rule_id)
            if found:
                return common.resolve(found, variant, sets)
            if here is None:
                known = ", ".join(prefixes) or "none"
                raise common.Failure(f"{rule_id!r} does not begin like the rule ids of any game; prefixes: {known}")
        return _changed(here, variant, sets)
    try:
        with common.open_table(table) as at:
            return _changed(at.rules.game, variant, sets)
    except ShelfError as error:
        if not table and (only := common.only_game()):
            return common.resolve(only, variant, sets)
        raise common.Failure(f"{error}, or name a game with --game") from None


def _changed(game: ResolvedGame, variant: list[str] | None, sets: list[str] | None) -> ResolvedGame:
    """A table's game, or that game with the variants and settings given."""
    return common.resolve(game.id, variant or list(game.variants), sets) if variant or sets else game


def _begins(rule_id: str, game: ResolvedGame) -> bool:
    return rule_id.upper().startswith(game.prefix + "-")


def _by_prefix(rule_id: str) -> tuple[str, list[str]]:
    """The game whose prefix `rule_id` begins with (or ""), and the prefixes of all games before it. Games are resolved
    without variants and settings: those given belong to one of them."""
    from components.errors import DefinitionError

    prefixes: list[str] = []
    for name in common.known_games():
        try:
            game = common.resolve(name, None, None)
        except DefinitionError:  # `companion games` says which
            continue
        if _begins(rule_id, game):
            return name, prefixes
        prefixes.append(f"{game.prefix} ({game.id})")
    return "", prefixes


def ask(
    words: Annotated[list[str], typer.Argument(help="A question, or a few words.")],
    game: GameOption = "",
    table: common.TableName = "",
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=50, help="How many answers to show.")] = 5,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Search the rules and rulings.

    Example: companion ask "may an ally's general be lost?"
    """
    text = " ".join(words)
    found = asking.search(_game(game, table, variant, sets), text, count, common.cache_folder("asked"))
    _say_found(text, found, json)
    if not found:
        common.remark(f"the rules say nothing about {text!r}")
        common.finish(common.REFUSED)


def _say_found(text: str, found: list[asking.Found], json: bool) -> None:
    """Say what was found for a question."""
    if json:
        common.say_json({"version": VERSION, "question": text, "found": plain(found)})
        return
    for one in found:
        common.say(f"{one.id}  {one.title}\n    {one.text}")
        if one.kind != "rule" and one.rules:
            common.say(f"    rules: {', '.join(one.rules)}")


def rule(
    said: Annotated[
        list[str], typer.Argument(metavar="ID", help="The id of a rule, as verdicts cite it; or words, as for `ask`.")
    ],
    game: GameOption = "",
    table: common.TableName = "",
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Show one rule: its text with the current numbers, its origin, its parameters and the rulings that cite it. Words
    that are not an id find rules, as `ask` does.

    Example: companion rule WS-WAR-9
    """
    from companion.engine.answers.queries import in_words

    rule_id = " ".join(said)
    known_game = _game(game, table, variant, sets, rule_id)
    try:
        view = asking.view(known_game, rule_id)
    except asking.NoSuchRule:
        found = asking.searched_instead(known_game, rule_id, common.cache_folder("asked"))
        if not found:
            raise
        _say_found(rule_id, found, json)
        return
    known = view.rule
    if json:
        form = {
            **rule_form(view),
            "parameters": plain(view.parameters),
            "rulings": view.rulings,
            "pieces": view.pieces,
        }
        common.say_json({"version": VERSION, **form})
        return
    common.say(f"{known.id}  {known.title}{'  (switched off)' if view.off else ''}")
    common.say(f"    {known.text}")
    source = f" ({known.source})" if known.source else ""
    common.say(f"    {known.origin}{source}{': ' + known.reason if known.reason else ''}")
    if known.kept_by == "table":
        common.say("    the players keep this rule themselves; the companion does not judge it")
    for name, value in view.parameters.items():
        common.say(f"    {name} = {in_words(value)}")
    if view.pieces:
        common.say(f"    on: {', '.join(view.pieces)}")
    for ruling in view.rulings:
        common.say(f"    {ruling['id']}: {ruling['question']} {ruling['answer']}")


def rule_form(view: asking.RuleView) -> dict[str, Any]:
    """The record of a rule as plain data; every key is always present."""
    known = view.rule
    return {
        "rule": known.id,
        "title": known.title,
        "text": known.text,
        "origin": known.origin,
        "source": known.source,
        "reason": known.reason,
        "section": known.section,
        "module": known.module,
        "kept_by": known.kept_by,
        "off": view.off,
    }


def simulate(
    game: Annotated[
        str, typer.Argument(help="The game. Default: the only one of your project.", show_default=False)
    ] = "",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games to play.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the first game; each further game adds 1.")] = 1,
    players: Annotated[
        int, typer.Option("--players", help="Number of players. Default: the fewest the game takes.")
    ] = 0,
    laws: Annotated[
        bool, typer.Option("--laws", help="Check after every move that no piece is lost or gained.")
    ] = False,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Play random games and report their lengths, the wins by seat and the moves per second.

    Example: companion simulate warring-states --games 50 --players 4
    """
    from companion.engine.play.playout import simulate as run
    from companion.engine.play.rules import Rules

    rules = common.rules_of(common.named(game or common.only_game()), variant, sets)
    low, high = rules.game.players
    n = players or low
    if not low <= n <= high:
        raise common.Failure(f"{rules.game.title} is for {span(low, high)} players, not {n}")
    seats = (rules.game.seats or [f"seat{i + 1}" for i in range(n)])[:n]
    found = run(rules, seats, games, seed, laws=laws)
    if json:
        common.say_json({"version": VERSION, "game": game, "seed": seed, **plain(found)})
        return
    shortest, median, longest = found.length
    ends = ", ".join(f"{count} {end}" for end, count in found.ends.items())
    common.say(f"{found.games} games, {found.players} players: {ends}")
    listed = type(rules).propose is Rules.propose
    why = "no move is legal there" if listed else "`Rules.propose` proposed nothing legal there"
    for phase, count in found.stuck.items():
        common.say(f"  {count} stuck in {phase or 'play'}: {why}")
    common.say(f"moves: {shortest} to {longest}, median {median}")
    common.say("wins: " + ", ".join(f"{seat} {wins}" for seat, wins in found.wins.items()))
    common.say(f"{found.moves} moves in {found.seconds:.2f} s: {found.rate:,.0f} per second; {found.refused} refused")


__all__ = ["ask", "games", "rule", "rule_form", "simulate"]
