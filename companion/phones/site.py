"""The pages of a table and what they may ask and say."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.errors import CompanionError, NoSuchName
from companion.engine.language import jsonmoves, notation
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.position import Position
from companion.engine.play.secrets import seen_by
from companion.engine.table.logbook import LogLine
from companion.engine.table.private import known_line
from companion.engine.table.replaying import in_words
from companion.engine.table.table import Table
from companion.engine.things.scenes import coloured
from companion.engine.things.sealed import without_seals
from companion.phones import answers
from companion.phones.chairs import GUEST, SEAT, WATCHER, Chairs, seat_of
from companion.phones.consent import Board
from companion.phones.evening import Evening
from companion.phones.host import Host
from companion.phones.inviting import Inviting
from companion.phones.mending import Mending
from companion.phones.scenery import Scenery
from companion.phones.unread import unread
from companion.phones.ways import Ways
from components.web.site import Asked, Ready, Refused, Site

PAGE = Path(__file__).parent / "page"
SCRIPTS = ("table", "views", "signs", "talk", "typing", "picking", "draw", "land", "sheet", "mend", "more")
FILES = {"/": "table.html", "/table.css": "table.css"} | {f"/{name}.js": f"{name}.js" for name in SCRIPTS}
TOLD = re.compile(r"[0-9a-f]{16,40}\Z")
"""A page's name for one of its lines: so many random hexadecimal digits."""
SECRETLY = "A secret of another player forbids that. Let them make the move on their own phone."
LONGEST = 4000
"""Characters of a line."""
MOST_MOVES = 20
"""Moves that are said at once."""
MOST = 64 * 1024
"""Bytes that a page says at once."""
REMEMBERED = 1000
"""Sayings whose answers are given again, word for word."""
Work = Callable[[Table, str, dict[str, Any]], Any]
NOTHING = Ways()


class TablePages:
    """A site for one table. `ways`: what the command line passes in."""

    def __init__(
        self,
        host: Host,
        chairs: Chairs,
        failed: Callable[[BaseException], None],
        ways: Ways = NOTHING,
    ) -> None:
        self.host = host
        self.chairs = chairs
        self.site = Site(chairs.tickets, failed)
        self.scenery = Scenery(host, ways.drawing)
        self.mending = Mending(ways.resolve, ways.load, self._told)
        self.board = Board(chairs, self._present, self._told, lambda: self.site.events.publish("board", {}))
        self.evening = Evening(host, ways)
        self.inviting = Inviting(host, chairs, ways.wifi)
        self._failed = failed
        self._colours = ways.colours
        self._rows = answers.Rows()
        self._shown = -1
        """The number of the position that was shown to every page last."""
        self._answered: OrderedDict[tuple[str, str], Any] = OrderedDict()
        for path, name in FILES.items():
            self.site.page(path, PAGE / name)
        for path, handler in (
            ("/state", self._state),
            ("/menu", self._menu),
            ("/log", self._log),
            ("/complete", self._complete),
            ("/ask", self._ask),
            ("/rule", self._rule),
            ("/scene", self.scenery.scene),
            ("/undoing", self._of_table(self.mending.undoing)),
            ("/fields", self._of_table(self.mending.fields)),
            ("/parameters", self._of_table(self.mending.parameters)),
            ("/evening", self.evening.summary),
            ("/export", self.evening.export),
            ("/book", self.evening.book),
            ("/links", self.inviting.links),
        ):
            self.site.ask(path, self._asked(handler))
        for path, work in (
            ("/field", self._field),
            ("/may", self._may),
            ("/say", self._say),
            ("/undo", self._undo),
            ("/redo", self._redo),
            ("/note", self._note),
            ("/amend", self.mending.amend),
            ("/correct", self.mending.correct),
            ("/people", self.mending.people),
            ("/house", self.mending.house),
            ("/propose", self._propose),
            ("/consent", self.board.answer),
            ("/dispute", self.board.dispute),
            ("/lock-out", self.inviting.lock_out),
        ):
            self.site.say(path, self._seated(work), most=MOST)
        self.site.say("/sit", self._sit, most=1000)
        self.site.say("/places", self._asked(self.scenery.places), most=MOST)
        self.site.say("/piece", self._asked(self.scenery.piece), most=1000)
        self.site.faces(self.evening.face, ".webp")
        host.changed = self._changed

    # --- asking ------------------------------------------------------------------------------------------------

    def _asked(self, handler: Callable[[Asked, str], Any]) -> Callable[[Asked], Any]:
        def answer(asked: Asked) -> Any:
            try:
                return handler(asked, seat_of(asked.holder))
            except CompanionError as error:
                raise Refused(str(error)) from error

        return answer

    def _state(self, asked: Asked, seat: str) -> Any:
        return self.host.run(lambda table: self._ready(table, asked.holder))

    def _ready(self, table: Table, holder: str) -> Ready:
        """The table as the pages of a holder show it, made once for all of them."""
        seat = seat_of(holder)
        board = self.board.form(table, seat)

        def made(table: Table) -> Ready:
            known = self.host.kept(
                ("state", seat), lambda at: answers.state(at, self._lines(at), self._rows, seat), table
            )
            own = {"run": self.site.events.run, "may_sit": holder == GUEST, "scene": self.scenery.drawn}
            return Ready({**known, "board": board, "colours": self._pieces(table), **own})

        return self.host.kept(("ready", holder, msgspec.json.encode(board)), made, table)

    def _pieces(self, table: Table) -> dict[str, tuple[str, str]]:
        """Seat -> what its pieces are called, and their colour."""
        if not self._colours:
            return {}
        own = coloured(table.seats, list(self._colours))
        return {seat: (seat if seat.lower() == name else name, self._colours[name]) for seat, name in own.items()}

    def _changed(self, table: Table) -> None:
        """Show the table to every page that listens: each seat's pages what that seat may know, with its menu."""
        number = table.history.last
        if number == self._shown:
            return  # changes in quick succession are shown at once
        try:
            now = {holder: self.shown_to(table, holder) for holder in self.site.events.holders}
        except Exception as error:
            self._failed(error)
            now = {}  # pages ask, and are told what is wrong
        self._shown = number
        self.site.events.publish("changed", {"number": number}, now=now)

    def shown_to(self, table: Table, holder: str) -> bytes:
        """The message, as JSON, for a holder's pages when the table has changed."""
        found = {"number": table.history.last, "state": msgspec.Raw(self._ready(table, holder).content)}
        if seat := seat_of(holder):
            found["menu"] = msgspec.Raw(self._menu_of(table, seat).content)
        return msgspec.json.encode(found)

    def _of_table(self, work: Callable[[Table, str], Any]) -> Callable[[Asked, str], Any]:
        def answer(asked: Asked, seat: str) -> Any:
            return self.host.run(lambda table: work(table, seat))

        return answer

    def _present(self) -> set[str]:
        """The seats whose pages are open."""
        return {seat_of(holder) for holder in self.site.events.holders} - {""}

    def _told(self, table: Table, seat: str, how: str, what: str) -> None:
        """Tell every page who did what."""
        self.site.events.publish("told", {"who": table.named.called(seat), "how": how, "what": what})

    def _propose(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Keep a line against the rules, if the others agree."""
        moves = self._moves(table, seen_by(table.position, seat), seat, said)
        return self.board.propose(table, seat, moves, str(said.get("line", ""))[:LONGEST], said.get("why"))

    def _menu(self, asked: Asked, seat: str) -> Any:
        self._needs_a_seat(seat)
        return self.host.run(lambda table: self._menu_of(table, seat))

    def _menu_of(self, table: Table, seat: str) -> Ready:
        """The moves of a seat, and those of everybody who sits here."""

        def form(whose: str) -> dict[str, Any]:
            found: dict[str, Any] = self.host.kept(("verbs", whose), lambda at: answers.menu_form(at, whose), table)
            return found

        def made(table: Table) -> Ready:
            return Ready({"number": table.history.last, "own": form(seat), "table": form("")})

        return self.host.kept(("menu", seat), made, table)

    def _log(self, asked: Asked, seat: str) -> Any:
        return self.host.run(lambda table: self._rows.of(self._lines(table), table.position, seat))

    def _lines(self, table: Table) -> list[LogLine]:
        return self.host.kept("log", Table.log, table)

    def _complete(self, asked: Asked, seat: str) -> Any:
        line = str(asked.data.get("line", ""))[:LONGEST]
        return self.host.run(lambda table: answers.completed(table, line, seat))

    def _ask(self, asked: Asked, seat: str) -> Any:
        words = str(asked.data.get("words", ""))[:LONGEST]
        return self.host.run(lambda table: answers.found_rules(table, words))

    def _rule(self, asked: Asked, seat: str) -> Any:
        found = self.host.run(lambda table: answers.rule(table, str(asked.data.get("id", ""))[:100]))
        self.evening.asked[found["id"]] += 1
        return found

    # --- saying ------------------------------------------------------------------------------------------------

    def _seated(self, work: Work) -> Callable[[Asked], Any]:
        def answer(asked: Asked) -> Any:
            seat = seat_of(asked.holder)
            self._needs_a_seat(seat)
            if not isinstance(asked.data, dict):
                raise Refused("say it as an object")
            try:
                return self.host.run(lambda table: work(table, seat, asked.data))
            except (CompanionError, NoSuchName) as error:
                raise Refused(str(error)) from error

        return answer

    @staticmethod
    def _needs_a_seat(seat: str) -> None:
        if not seat:
            raise Refused("take a seat first; those who only watch cannot say anything", 403)

    def _field(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """The next question of a menu."""
        steps = said.get("steps") or []
        if not (isinstance(steps, list) and all(isinstance(step, dict) for step in steps) and len(steps) <= 200):
            raise Refused("the steps of a menu are a list")
        whose = "" if said.get("table") else seat
        try:
            return answers.asked(answers.walked(table, whose, str(said.get("verb", "")), steps))
        except answers.BadStep as error:
            raise Refused(str(error)) from error

    def _may(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """The verdict of the rules on an unrecorded line, as far as the seat may know."""
        at = seen_by(table.position, seat)
        return answers.verdict(table, try_line(at, self._moves(table, at, seat, said), typed=True), at)

    def _say(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Record a line. The same saying is recorded once, however often it arrives, and answered alike."""
        told = str(said.get("told", ""))
        if not TOLD.match(told):
            raise Refused("a saying needs a name of its own (16 to 40 hexadecimal digits)")
        if (known := self._answered.get((seat, told))) is not None:
            return known
        with table.writing():
            if any(line.told == told for line in table.history.lines[-REMEMBERED:]):
                return {"legal": True, "recorded": True, "line": "", "events": [], "again": True}
            before, after = seen_by(table.position, seat), said.get("after")
            between = max(0, table.history.last - after) if isinstance(after, int) else 0
            moves = self._moves(table, before, seat, said)
            by = seat if any(maker(move) not in ("", seat) for move in moves) else ""
            outcome = table.do(moves, str(said.get("line", "")), typed=True, by=by, told=told)
        found = self._outcome(table, seat, moves, outcome, before)
        found |= {"recorded": bool(outcome.done and outcome.steps), "between": between}
        self.evening.cited(found)
        if outcome.done:
            self._answered[seat, told] = found
            if len(self._answered) > REMEMBERED:
                self._answered.popitem(last=False)
        return found

    def _outcome(
        self, table: Table, seat: str, moves: list[Move], outcome: Outcome, before: Position[Any]
    ) -> dict[str, Any]:
        """The outcome of a line, as far as the seat may know. `before`: the seat's view when it made the line."""
        if not outcome.done:
            tried = try_line(before, moves, typed=True)
            if tried.verdict.legal is not outcome.verdict.legal:
                raise Refused(SECRETLY, 409)
            return answers.verdict(table, tried, before)
        found = answers.verdict(table, outcome, before)
        newest = table.history.lines[-1:]
        if outcome.steps and newest and known_line(newest[0], table.position, seat) is not newest[0]:
            [row] = self._rows.of(self._lines(table)[-1:], table.position, seat)
            found["events"] = row["events"]
        return found

    def _moves(self, table: Table, at: Position[Any], seat: str, said: dict[str, Any]) -> list[Move]:
        """The moves that were said in a position, in words or by taps; what either leaves open is asked."""
        line, form = said.get("line"), said.get("move")
        if isinstance(form, dict):
            form = [form]
        if isinstance(form, list) and 0 < len(form) <= MOST_MOVES:
            return self._formed(form, at)
        if not isinstance(line, str) or not line.strip() or len(line) > LONGEST:
            raise Refused("say a line")
        try:
            return notation.read(line.strip(), at, people=table.people, me=seat)
        except notation.NotationError as error:
            raise unread(error, table.named) from None

    @staticmethod
    def _formed(forms: list[Any], at: Position[Any]) -> list[Move]:
        """Moves in their JSON form, each in the position to which those before it lead."""
        moves: list[Move] = []
        for form in forms:
            moves.append(jsonmoves.from_json(form, try_line(at, moves).after if moves else at))
        return moves

    def _undo(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Take the last line back, if it still is the one that the page shows; the log says who did."""
        return self._taken_back(table, seat, said, "undo")

    def _redo(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        return self._taken_back(table, seat, said, "redo")

    def _taken_back(self, table: Table, seat: str, said: dict[str, Any], how: str) -> Any:
        if said.get("after") != table.history.last:
            raise Refused("something has been said since: look again", 409)
        if how == "undo":
            what = self._openly(table, table.history.undoable)
            table.undo()
        else:
            redone = next(iter(table.history.redoable[-1:]), None)
            table.redo()
            what = self._openly(table, redone)
        self._told(table, seat, "took back" if how == "undo" else "brought back", what)
        return {"what": what}

    @staticmethod
    def _openly(table: Table, n: int | None) -> str:
        """An entry in the words that everybody may know; "" for none."""
        line = next((one for one in table.history.lines if one.key == n), None)
        if line is not None:
            return without_seals(in_words(known_line(line, table.position, ""), table.position, table.named))
        return table.describe(n, table.named) if n is not None else ""

    def _note(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        table.note(f"{table.named.called(seat)}: {str(said.get('text', ''))[:LONGEST]}")
        return {}

    # --- seats -------------------------------------------------------------------------------------------------

    def _sit(self, asked: Asked) -> Any:
        """A ticket for a seat, for a guest or for somebody who sits already and plays for another, too."""
        if asked.holder == WATCHER:
            raise Refused("this link is for watching", 403)
        wanted = asked.data.get("seat") if isinstance(asked.data, dict) else None
        if wanted not in self.host.run(lambda table: table.seats):
            raise Refused("there is no such seat")
        return {"ticket": self.chairs.of(SEAT + str(wanted)), "seat": wanted}


__all__ = ["TablePages"]
