"""The pages of the live server and what they may ask; every path stands here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from components.web.room import Room
from components.web.site import Asked, Refused, Site
from components.web.tickets import Tickets
from generator.build.options import Options
from generator.build.places import Places
from generator.live.asking import Asking, form
from generator.live.desk import INKS, Desk
from generator.live.leaves import LeafMaker, Pages
from generator.live.moves import Explained, Judge, Moves
from generator.live.trying import Trying
from generator.live.watching import Watcher
from generator.live.work import Work
from generator.proofing.colour import EYES

PAGE = Path(__file__).resolve().parent / "page"
DESIGNER = "designer"
MOST_IN_VIEW = 500
NO_PAGES: Mapping[str, Pages] = MappingProxyType({})


class View(msgspec.Struct, frozen=True):
    """The view of one reader."""

    cards: list[str] = []
    ink: str = "normal"


class Chosen(msgspec.Struct, frozen=True):
    """The variants to show the game with."""

    variants: list[str] = []


class Live:
    """One game served: its desk, its watcher, and the site in front of them."""

    def __init__(
        self,
        game: str,
        options: Options,
        places: Places,
        failed: Callable[[BaseException], None],
        *,
        judge: Judge | None = None,
        explained: Explained = lambda _error: None,
        command: Sequence[str] = (),
        companion: Sequence[str] = (),
        pages: Mapping[str, Pages] = NO_PAGES,
    ) -> None:
        """`judge` judges moves, `explained` says what its failures mean; `command` is how `pnp` is called for work,
        `companion` how the companion is;
        `pages` makes the pages of the rulebook (`book`) and pictures of the table (`table`). Without them the page
        has no place for these."""
        self.tickets = Tickets()
        self.ticket = self.tickets.new(DESIGNER)
        self.site = Site(self.tickets, failed)
        self.desk = Desk(game, options, places, self.site.events.publish, failed)
        self.watcher = Watcher(game, places, self.desk.changed, self.desk.inputs)
        for file in sorted(PAGE.iterdir()):
            if file.suffix in (".js", ".css", ".html"):
                self.site.page("/" if file.name == "index.html" else f"/{file.name}", file)
        self.leaves = LeafMaker(self.desk, dict(pages))
        self.site.faces(lambda digest: self.desk.picture(digest) or self.leaves.picture(digest))
        self.site.ask("/leaves", self.leaves.ask)
        self.site.ask("/gallery", self._gallery)
        self.site.ask("/eyes", lambda _asked: EYES)
        self.site.say("/view", self._view)
        self.site.say("/variants", self._variants)
        asking = Asking(self.desk)
        self.site.ask("/marks", asking.marks)
        self.site.ask("/mark", asking.mark)
        self.site.say("/boxes", asking.boxes)
        self.site.say("/open", asking.open)
        trying = Trying(self.desk)
        self.site.ask("/parameters", trying.parameters)
        self.site.say("/try", trying.try_)
        self.site.say("/try-more", trying.more)
        self.site.say("/write", trying.write)
        self.site.say("/keep", trying.keep)
        self._can = ["judge"] * bool(judge) + ["work"] * bool(command)
        self.work: Work | None = None
        if judge is not None:
            self.site.say("/judge", Moves(trying, judge, explained).judge)
        if command:
            self.work = Work(self.desk, self.site.events.publish, command, companion)
            self.site.say("/work", self.work.start)
            self.site.say("/work-stop", self.work.stop)
            self.site.ask("/builds", self.work.builds)
            self.site.ask("/reports", self.work.reports)
            self.site.made(self.work.made)

    def run(self, room: Room, ready: Callable[[], None]) -> None:
        """Serve until Ctrl-C or `room.stop`."""
        self.desk.start()
        self.watcher.start()
        try:
            room.run(ready)
        finally:
            self.watcher.stop()
            if self.work is not None:
                self.work.stop()
            self.desk.stop()

    def _gallery(self, asked: Asked) -> Any:
        ink = asked.data.get("ink", "normal")
        if ink not in INKS:
            raise Refused("there is no such ink")
        return {
            **self.desk.gallery(ink),
            "can": self._can,
            "kinds": self.leaves.kinds(),
            "papers": self._papers(),
            "run": self.site.events.run,
            "number": self.site.events.last,
        }

    def _papers(self) -> dict[str, str]:
        state = self.desk.state
        return {name: paper.title for name, paper in state.layouts.papers.items()} if state else {}

    def _variants(self, asked: Asked) -> Any:
        chosen = form(asked.data, Chosen).variants
        state = self.desk.state
        if state is None or not set(chosen) <= set(state.game.variant_names):
            raise Refused("there is no such variant")
        self.desk.variants.choose(list(dict.fromkeys(chosen)))
        return {}

    def _view(self, asked: Asked) -> Any:
        view = form(asked.data, View)
        self.desk.look_at(view.cards[:MOST_IN_VIEW], view.ink)
        return {}
