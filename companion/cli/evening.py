"""`companion summary` and `stats`: a table when the evening is over, and all evenings together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import common
from companion.cli.shelving import when
from companion.engine.answers import answers
from companion.engine.table import course
from companion.engine.table.plays import GameTally, Play, by_game, play_of, tallies, thoughts
from companion.engine.table.table import Table
from components.phrasing import count, join_and, plural

if TYPE_CHECKING:
    from companion.engine.answers.ledger import Ledger
    from companion.engine.language.people import People


def summary(table: common.TableName = "", json: common.AsJson = False) -> None:
    """Show a table on one page.

    It gives the places, who won and why, the score from round to round, the time played and the longest thoughts.

    Example: companion summary --table friday
    """
    with common.open_table(table) as at:
        ledger = _score(at)
        play = play_of(at, ledger)
        if json:
            form = {
                "version": answers.VERSION,
                **answers.plain(play),
                "winners": [seated.seat for seated in play.winners],
                "course": answers.plain(_course(ledger)),
                "thoughts": [
                    {key: value for key, value in row.items() if key != "words"} for row in answers.plain(thoughts(at))
                ],
            }
            common.say_json(form)
            return
        common.say(page(at))


def page(table: Table) -> str:
    """The summary of a table as text."""
    ledger = _score(table)
    play = play_of(table, ledger)
    people = table.named
    played = f"{span(play.seconds)} of play, {count(play.lines, 'line')}"
    day, _, hour = when(play.ended).rpartition(" ")
    ended = hour if when(play.began).startswith(day) else f"{day} {hour}"
    out = [f"{play.title}, table {play.table}: {when(play.began)} to {ended}, {played}", f"{play.unit}:"]
    for seated in sorted(play.seats, key=lambda seated: seated.place):
        before = f" (before: {join_and(seated.before)})" if seated.before else ""
        out.append(f"{seated.place}. {people.seat(seated.seat)}: {seated.score}{before}")
    if play.over:
        won = f"{join_and(people.called(seated.seat) for seated in play.winners)} won. " if play.winners else ""
        out.append(f"{won}{people.text(play.reason)}")
    else:
        out.append("The game is not over.")
    out += _ties(ledger, people)
    out += _grid(ledger, play, people)
    out += _thought(table)
    if play.overrides:
        n = play.overrides
        breaks = f"{plural(n, 'breaks', 'break')} the rules or {plural(n, 'was', 'were')} corrected by hand"
        out.append(f"{count(n, 'line')} of the log {breaks}.")
    return "\n".join(out)


def _score(table: Table) -> Ledger:
    """The score of a table, with the scorings on the way."""
    return course.score(table)


def _course(ledger: Ledger) -> list[Any]:
    """The scorings on the way."""
    return list(ledger.course)


def _ties(ledger: Ledger, people: People) -> list[str]:
    return [
        f"tie-break {tie.what}: {', '.join(f'{people.called(seat)} {n}' for seat, n in tie.figures.items())}"
        for tie in ledger.ties
    ]


def _grid(ledger: Ledger, play: Play, people: People) -> list[str]:
    """The score after each round, a column for each seat; nothing if there is only the last one."""
    course = _course(ledger)
    if not course:
        return []
    seats = [seated.seat for seated in play.seats]
    rows = [(stage.title, stage.totals) for stage in course]
    if ledger.standing is not None:
        rows.append(("Last scoring", ledger.totals()))
    rows.append(("End" if play.over else "Now", ledger.stands().totals))
    first = max(len(title) for title, _ in rows)
    heads = [*map(people.called, seats)]
    out = [f"{'':{first}}  {'  '.join(heads)}"]
    for title, totals in rows:
        cells = [f"{totals.get(seat, ''):>{len(head)}}" for seat, head in zip(seats, heads, strict=True)]
        out.append(f"{title:{first}}  {'  '.join(cells)}")
    return out


def _thought(table: Table) -> list[str]:
    """The moves that took the most thought, in the words of the log."""
    rows = [thought for thought in thoughts(table) if thought.seconds >= 60]
    return ["longest thought over:"] * bool(rows) + [
        f"  {span(row.seconds)} before line {row.line}: {row.words}" for row in rows
    ]


def span(seconds: int) -> str:
    """`2 h 5 min`, `12 min`, `40 s`."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds} s"
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


# --- all evenings --------------------------------------------------------------------------------------------------


def stats(
    game: Annotated[str, typer.Argument(help="Only this game.", show_default=False)] = "",
    json: common.AsJson = False,
) -> None:
    """Count what was played at all tables.

    By game and person, with wins, scores, seats and time; archived tables count too. A table counts once a move was
    made at it; only finished games have winners and scores.

    Example: companion stats xarkant
    """
    if game and game not in common.known_games():
        from components.phrasing import suggest

        raise common.Failure(f"there is no game {game!r}{suggest(game, common.known_games(), 'games')}")
    plays, problems = played(game)
    games = by_game(plays)
    if json:
        form = {
            "version": answers.VERSION,
            "game": game or None,
            "plays": len(plays),
            "finished": sum(play.over for play in plays),
            "seconds": sum(play.seconds for play in plays),
            "games": answers.plain(games),
            "people": [
                {key: value for key, value in answers.plain(tally).items() if key not in ("mean", "best", "seats")}
                for tally in tallies(plays)
            ],
            "problems": problems,
        }
        common.say_json(form)
    else:
        for tally in games:
            common.say(_of_game(tally))
        if not games:
            common.remark("nothing has been played yet")
        elif len(games) > 1:
            common.say("all games")
            for one in tallies(plays):
                common.say(f"  {one.person}: {count(one.plays, 'play')}, {_won(one.wins, one.finished)}")
    for row in problems:
        common.remark(f"! {row['table']}: {row['problem']}")
    if problems:
        common.finish(common.REFUSED)


def played(game: str) -> tuple[list[Play], list[dict[str, str]]]:
    """Every play at a table of this user, copies once, in the order in which they began; and the tables that cannot be
    read, with the reasons. `game`: only of this one."""
    from companion.engine.errors import CompanionError

    shelf = common.shelf()
    files: list[tuple[str, Path]] = []
    for archived in (False, True):
        files += [(name, shelf.path(name, archived=archived)) for name in shelf.names(archived=archived)]
    found: dict[tuple[Any, ...], Play] = {}
    problems: list[dict[str, str]] = []
    for name, path in files:
        try:
            with common.opened(path, glance=True) as at:
                if game and at.about.game != game:
                    continue
                play = play_of(at)
        except CompanionError as error:
            problems.append({"table": name, "problem": str(error)})
            continue
        except Exception as error:
            problems.append({"table": name, "problem": f"cannot be read ({type(error).__name__}: {error})"})
            continue
        if play.moves:
            found.setdefault((play.id, play.ended, play.lines, *(seated.score for seated in play.seats)), play)
    return sorted(found.values(), key=lambda play: play.began), problems


def _of_game(tally: GameTally) -> str:
    length = f", {span(tally.length)} each" if tally.length else ""
    out = [f"{tally.title}: {count(tally.plays, 'play')}, {tally.finished} finished{length}"]
    for one in tally.people:
        scores = f", score {one.mean:g} on average, {one.best} at best" if one.mean is not None else ""
        seats = [seat if n == 1 else f"{seat} {n} times" for seat, n in one.seats.items() if seat != one.person]
        as_what = f", as {', '.join(seats)}" if seats else ""
        out.append(f"  {one.person}: {count(one.plays, 'play')}, {_won(one.wins, one.finished)}{scores}{as_what}")
    return "\n".join(out)


def _won(wins: int, finished: int) -> str:
    return f"won {wins} of {finished} finished" if finished else "none finished"


__all__ = ["page", "played", "span", "stats", "summary"]
