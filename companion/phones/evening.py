"""The evening so far, and texts to read at the table: score, course, longest thoughts, most asked rules, the rulebook's
pages."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from companion.engine.play.secrets import seen_by
from companion.engine.table import course
from companion.engine.table.plays import bgstats, play_of, thoughts
from companion.engine.table.table import Table
from companion.phones import answers
from companion.phones.host import Host
from companion.phones.ways import Ways
from components.errors import DefinitionError
from components.web.site import Asked, Refused

MOST_ASKED = 6
CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"


class Evening:
    """The requests of pages about the whole of a table."""

    def __init__(self, host: Host, ways: Ways) -> None:
        self.host, self.ways = host, ways
        self.asked: Counter[str] = Counter()
        """The number of times each rule was looked up or cited against somebody while the server ran."""

    def cited(self, found: dict[str, Any]) -> None:
        """Remember the rules that a verdict named."""
        self.asked.update(row["rule"] for row in found.get("reasons", ()) if "rule" in row)

    def summary(self, asked: Asked, seat: str) -> Any:
        """The evening so far, as far as the seat may know; all of it once the game is over."""
        return self.host.run(lambda table: self._summary(table, seat))

    def _summary(self, table: Table, seat: str) -> dict[str, Any]:
        over, people = table.rules.over(table.position.state), table.named
        ledger = course.score(table) if over else table.rules.score(seen_by(table.position, seat))
        play = play_of(table, ledger)
        rows = [{"title": stage.title, "totals": stage.totals} for stage in ledger.course]
        game = table.rules.game
        return {
            "title": play.title,
            "over": play.over,
            "seconds": play.seconds,
            "lines": play.lines,
            "moves": play.moves,
            "overrides": play.overrides,
            "score": answers.score_form(table, ledger),
            "seats": [{"seat": one.seat, "person": people.called(one.seat)} for one in play.seats],
            "course": [*rows, {"title": "End" if play.over else "Now", "totals": ledger.totals()}],
            "thoughts": [{"line": one.line, "words": one.words, "seconds": one.seconds} for one in thoughts(table)],
            "rules": [
                {"id": rule, "title": game.rules[rule].title, "n": n}
                for rule, n in self.asked.most_common(MOST_ASKED)
                if rule in game.rules
            ],
            "text": over and self.ways.summary is not None,
        }

    def export(self, asked: Asked, seat: str) -> Any:
        """The play as a file: `text` or `bgstats`."""
        form = asked.data.get("form")
        return self.host.run(lambda table: self._export(table, form))

    def _export(self, table: Table, form: Any) -> dict[str, str]:
        name = table.about.table
        if not table.rules.over(table.position.state):
            raise Refused("once the game is over: before that, a score may tell what somebody keeps hidden")
        if form == "bgstats":
            said = msgspec.json.encode(bgstats(play_of(table), table.named))
            return {"name": f"{name}.bgsplay", "text": msgspec.json.format(said).decode()}
        if form == "text" and self.ways.summary is not None:
            return {"name": f"{name}.txt", "text": f"{self.ways.summary(table)}\n"}
        raise Refused("as text, or for BG Stats")

    def book(self, asked: Asked, seat: str) -> Any:
        """The pages of the rulebook: digest and title of each."""
        book = self.ways.book
        if book is None:
            raise Refused("there is no rulebook here", 404)
        table = self.host.run(lambda table: table)
        try:
            return [{"face": face, "title": title} for face, title in book.pages(table)]
        except DefinitionError as error:
            raise Refused(str(error)) from error

    def face(self, digest: str) -> bytes | None:
        """A picture by its digest: a face of the table, or a page of the book."""
        for one in (self.ways.drawing, self.ways.book):
            if one is not None and (found := one.face(digest)) is not None:
                return found
        return None


__all__ = ["Evening"]
