"""`companion new`, `export` and `import`: how tables begin, and what can be kept of them elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from companion.cli import beginning, common
from companion.engine.answers import answers
from companion.engine.table.table import Table
from components.phrasing import plural
from components.safe_text import escaped_json, printable

if TYPE_CHECKING:
    from companion.engine.table import transcript
    from companion.engine.table.salvage import Salvaged
    from components.model import ResolvedGame


def new(
    game: Annotated[
        str,
        typer.Argument(
            help="Id of a game, as `companion games` lists it. The only one of your project may be left out.",
            show_default=False,
        ),
    ] = "",
    seats: Annotated[
        list[str] | None, typer.Argument(help="SEAT=NAME for each player; or only the names (or seats), in seat order.")
    ] = None,
    table: Annotated[
        str, typer.Option("--table", "-t", help="Name of the new table. Default: the id of the game.")
    ] = "",
    position: common.PositionFile = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="Make a choice of the set-up, as key=value. Repeat for more.")
    ] = None,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Begin a new table, from the set-up of the game or from a position file.

    Example: companion new warring-states Qin=Ann Chu=Ben Zhao=Cem --table friday
    """
    made = beginning.begin(
        game, seats or [], table, position=position, options=option or [], variants=variant or [], sets=sets or []
    )
    for law in made.amiss:
        common.remark(f"  ! the pieces of {position} do not add up: {law}")
    opened, outcome, named = made.table, made.outcome, made.named
    if opened is None and outcome is not None:
        if json:
            common.say_json(answers.outcome_json(outcome, made.before))
        else:
            common.say(common.coloured_verdict(answers.outcome_text(outcome, made.before, people=named)))
        common.finish(common.UNABLE if outcome.verdict.legal is None else common.REFUSED)
    if opened is None:
        raise RuntimeError("the set-up was neither played nor refused")
    with opened:
        if json:
            form = {
                "version": answers.VERSION,
                "table": opened.about.table,
                "game": made.game.id,
                "fingerprint": made.game.fingerprint,
                "people": made.people,
                "events": answers.events_json(outcome.events if outcome else []),
                "state": opened.rules.dump(opened.position.state),
            }
            common.say_json(form)
            return
        common.say(f"Table {opened.about.table}: {made.game.title}")
        if any("=" not in word for word in seats or []) and (sit := _how_they_sit(made.people, made.game.seats)):
            common.say(f"  {sit}")
        for text in answers.events_text(outcome.events if outcome else [], named):
            common.say(text)


def _how_they_sit(people: dict[str, str], offered: list[str]) -> str:
    """The seat of each person, or the colour where people's names are the seats; "" if nobody was named."""
    if any(people.values()):
        return ", ".join(f"{seat} {person}".strip() for seat, person in people.items())
    if not offered or all(seat in offered for seat in people):
        return ""
    from companion.engine.things.scenes import coloured

    return ", ".join(f"{seat} has {colour}" for seat, colour in coloured(list(people), offered).items())


def export(
    table: common.TableName = "",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write. Default: standard output.")] = None,
    form: Annotated[
        Literal["jsonl", "yaml", "text", "bgstats"],
        typer.Option("--format", help="JSON lines, YAML, the summary as text, or a play for the app BG Stats."),
    ] = "jsonl",
    with_keys: Annotated[
        bool,
        typer.Option("--with-keys", help="Also write the keys of sealed cards: anybody with the file can see them."),
    ] = False,
    json: common.AsJson = False,
) -> None:
    """Write a whole table as text: a header, then one row for each line of the log. Overrides stay marked.

    `text` and `bgstats` give only the course of the game: as a page to send, or as a play for the app BG Stats.

    From a damaged table, every line that can still be read is written; the exit status is then 1.

    Example: companion export --table friday --out friday.jsonl
    """
    from companion.engine.table import transcript
    from companion.engine.table.journal import Damaged
    from components.files import write_whole

    saved: Salvaged | None = None
    try:
        with common.open_table(table) as at:
            if form in ("text", "bgstats"):
                _export_play(at, form, out)
                return
            whole = transcript.of_table(at, with_keys=with_keys)
        if hidden := len(whole.header.keys):
            common.remark(f"! whoever reads this can see {hidden} {plural(hidden, 'card')} that nobody has shown yet")
    except Damaged as error:
        from companion.engine.table.salvage import salvage

        shelf = common.shelf()
        saved = salvage(shelf.existing(table or shelf.last()))
        whole = saved.transcript
        common.remark(f"! {error.path}: damaged ({error.what})")
    text = transcript.to_json_lines(whole) if json or form == "jsonl" else transcript.to_yaml(whole)
    if out is None:
        sys.stdout.write(text)
    else:
        write_whole(out, text.encode(), sync=True)
        common.remark(f"wrote {out}")
    if saved is not None:
        common.remark(f"  lines saved: {len(whole.lines)}")
        if saved.lost:
            more = f" and {len(saved.lost) - 12} more" if len(saved.lost) > 12 else ""
            common.remark(f"  entries lost: {', '.join(map(str, saved.lost[:12]))}{more}")
        common.remark("  `companion import FILE --set-aside` begins a table with the saved lines that are still legal")
        common.finish(common.REFUSED)


def _export_play(table: Table, form: str, out: Path | None) -> None:
    """Write how the game went."""
    from components.files import write_whole

    if form == "bgstats":
        import json
        from urllib.parse import quote

        from companion.engine.table.plays import bgstats, play_of

        play = play_of(table)
        said = bgstats(play, table.named)
        text = escaped_json(json.dumps(said, ensure_ascii=False, indent=2))
        link = f"{CREATE_PLAY}?data={quote(json.dumps(said, ensure_ascii=False, separators=(',', ':')), safe='')}"
        if not play.over:
            common.remark("! the game is not over: nobody has won yet")
    else:
        from companion.cli.evening import page

        text, link = printable(page(table)), ""
    if out is None:
        common.say(text)
    else:
        write_whole(out, f"{text}\n".encode(), sync=True)
        common.remark(f"wrote {out}")
    if link:
        common.remark(f"this link, opened where BG Stats is installed, adds the play:\n{link}")


CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"
"""The address at which BG Stats takes a play from another program."""


def import_(
    file: Annotated[Path, typer.Argument(help="A transcript that `companion export` wrote.")],
    table: Annotated[str, typer.Option("--table", "-t", help="Name of the new table.")] = "",
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Leave out lines that are no longer legal, and list them.")
    ] = False,
    json: common.AsJson = False,
) -> None:
    """Begin a table from a transcript, judging every line again by today's rules.

    Example: companion import friday.jsonl --table friday-again
    """
    from companion.engine.table import transcript

    whole = transcript.read(file)
    header = whole.header
    resolved = _resolved(header.game, header)
    later = [_resolved(header.game, change) for change in header.changes]
    shelf = common.shelf()
    name = table or beginning.free_name(header.table, shelf)
    path = shelf.free(name)
    aside: list[str] | None = [] if set_aside else None
    with transcript.replay(whole, path, resolved, common.load, aside=aside, later=later) as at:
        shelf.remember(name)
        for what in aside or ():
            common.remark(f"! {what}")
        count = len(at.history.lines)
        then = [header.fingerprint, *(change.fingerprint for change in header.changes)]
        same = then == [game.fingerprint for game in (resolved, *later)]
        if json:
            form = {"version": answers.VERSION, "table": name, "lines": count, "same_rules": same}
            common.say_json({**form, "state": at.rules.dump(at.position.state)})
            return
        common.say(f"Table {name}: {resolved.title}, {count} {plural(count, 'line')}")
        if not same:
            common.remark(
                "the rules have changed since the transcript was written; every line here is legal by today's rules"
            )


def _resolved(game: str, chosen: transcript.Header | transcript.Change) -> ResolvedGame:
    """A game with the variants and settings that a transcript names."""
    from components.variants import written_set

    sets = [written_set(key, value) for key, value in chosen.sets.items()]
    return common.resolve(game, chosen.variants, sets)


__all__ = ["export", "import_", "new"]
