"""The uses of clerks in the location that resolves: their common parts, leaving uses, several uses in one report
(GW-LOC-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, ClassVar, Self

from companion.rules import Breach, Brings, Count, Move, PieceName, Rules
from components.model import BASE

from .catalogue import At, cat
from .fall import FallReport
from .hand import AdvisorsUp, Discards, Entry, Hand, Shots, Wounds, as_move
from .icons import STEP, in_step
from .locations import ends_use, left, moment, of_one_clerk, too_many, use
from .prices import FREE, Price, charge, misclaimed, unpaid
from .reports import Pass


class ClerkUse(FallReport, frozen=True):
    """The use of a clerk in the location that resolves. What a kind of use adds: what stands in its way, its price, and
    what is done."""

    opens = "use"
    repeats = ""
    counted: ClassVar[tuple[str, ...]] = ("clerk",)
    site: ClassVar[str] = ""

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        """The locations where clerks do it."""
        return (cls.site,)

    def where(self, at: At) -> str:
        """The location where it is done."""
        return self.site

    def clerks(self, at: At) -> int:
        """The number of clerk uses it takes."""
        return 1

    def obstacles(self, at: At) -> Iterator[Breach]:
        """The obstacles beside its moment and its price."""
        return iter(())

    def price(self, at: At) -> Price:
        """The price, as far as the fields are set."""
        return FREE

    def done(self, at: At, price: Price) -> None:
        """Carry it out, once it has been paid."""

    def moment(self, at: At) -> Iterator[Breach]:
        """The reasons why the player cannot use a clerk there now."""
        yield from moment(at, self.by, self.where(at))

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.moment(at)
        yield from self.obstacles(at)
        yield from self.too_many(at)
        yield from self.unpaid(at)

    def too_many(self, at: At) -> Iterator[Breach]:
        """The reasons why the player has no clerk left for it."""
        yield from too_many(at, self.by, self.clerks(at))

    def unpaid(self, at: At) -> Iterator[Breach]:
        """The reasons why it cannot be paid, or was not paid as reported."""
        price = self.price(at)
        yield from unpaid(at, self.by, price)
        yield from misclaimed(at, getattr(self, "pay", None), price) if price is not FREE else ()

    def apply(self, at: At) -> None:
        price = self.price(at)
        use(at, self.by, self.where(at), self.clerks(at))
        charge(at, self.by, price)
        self.done(at, price)
        at.kept(*price.rules)
        ends_use(at, self.by)


def uses_in(at: At, location: str) -> list[type[ClerkUse]]:
    """The possible uses of clerks in a location."""
    modules, brought = at.state.modules, at.rules.brought
    return [kind for kind in _kinds(at.rules) if location in kind.sites(at) and brought.get(kind, BASE) in modules]


@lru_cache(maxsize=8)
def _kinds(rules: Rules) -> list[type[ClerkUse]]:
    return [kind for kind in rules.moves.values() if issubclass(kind, ClerkUse)]


class Leave(ClerkUse, frozen=True):
    """Leave what is left of one clerk in the location; or so many recruits, builds or orders."""

    elsewhere = "GW-LOC-6"
    sampled = True
    n: Annotated[int, Count()] = 0

    def where(self, at: At) -> str:
        return at.state.resolving or ""

    def apply(self, at: At) -> None:
        use(at, self.by, self.where(at), self.n or of_one_clerk(at, self.by, self.where(at)))
        at.note("GW-GEN-4.passed", player=self.by)
        ends_use(at, self.by)

    def clerks(self, at: At) -> int:
        return self.n or 1


class TakeUses(FallReport, frozen=True):
    """All that the clerks of one player do in the location that resolves."""

    always_followed = True
    elsewhere = "GW-LOC-6"
    opens = "use"
    sampled = True
    location: Annotated[str, PieceName("location")] = ""
    uses: Annotated[tuple[Entry, ...], Brings()] = ()
    shot: Shots = None
    extra_wound: Wounds = None
    discard: Discards = None
    revealed: AdvisorsUp = ()

    def alone(self) -> Self | None:
        return None if self.uses else self

    def location_options(self, at: At) -> Iterable[str]:
        return [at.state.resolving] if at.state.resolving else cat(at).locations

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.location:
            return
        yield from moment(at, self.by, self.location)
        if at.state.resolving == self.location and not any(map(is_tactic, self.uses)):
            yield from too_many(at, self.by, len(self._done()))

    def _done(self) -> tuple[Entry, ...]:
        """The uses stated; a `pass` after them ends the player's uses, even if some are left."""
        n = next((n for n, entry in enumerate(reversed(self.uses)) if entry != Pass.name), len(self.uses))
        return self.uses[: len(self.uses) - n]

    def apply(self, at: At) -> None:
        use(at, self.by, self.location, 0)

    def further(self, at: At, hand: Hand) -> Iterator[Move]:
        reveal = at.rules.moves["reveal_advisor"]
        revealed = [self.revealed] if isinstance(self.revealed, str) and self.revealed else list(self.revealed)
        for entry in self._done():
            yield (move := as_move(at, self.by, entry))
            if revealed and getattr(move, "revealed", None) == "":
                yield reveal(card=revealed.pop(0))
        yield from (reveal(card=card) for card in revealed)
        s = at.state
        if not s.agenda and in_step(at) and s.resolving == self.location and s.order[:1] == [self.by]:
            yield Pass(by=self.by)


# --- entries of `uses` ----------------------------------------------------------------------------------------------


def is_tactic(entry: Entry) -> bool:
    return isinstance(entry, dict) and "play_tactic" in entry


def sites_of(at: At, entry: Entry) -> tuple[str, ...]:
    """The locations where an entry can be a use."""
    name = entry if isinstance(entry, str) else next((key for key in entry if key in at.rules.moves), "")
    kind = at.rules.moves.get(name)
    sites: tuple[str, ...] = kind.sites(at) if kind is not None and hasattr(kind, "sites") else ()
    said = entry.get("location", entry[name]) if isinstance(entry, Mapping) and len(sites) > 1 else None
    return sites if said is None else tuple(site for site in sites if site == said)


def next_use(at: At, clan: str, entries: list[Entry]) -> Move:
    """The next use of a player in the location that resolves: the next of the entries, which is taken off them; where it
    belongs elsewhere, the player passes."""
    if entries and (is_tactic(entries[0]) or left(at, clan)) and _fits(at, entries[0]):
        return as_move(at, clan, entries.pop(0))
    return Pass(by=clan)


def _fits(at: At, entry: Entry) -> bool:
    """True if an entry can be a use in the location that resolves."""
    resolving = at.state.resolving or ""
    if entry == Pass.name:
        return True
    if isinstance(entry, dict) and is_tactic(entry):
        piece = cat(at).of("tactic").get(str(entry["play_tactic"]))
        return piece is not None and piece.fields["window"] == f"resolve:{resolving}"
    return resolving in sites_of(at, entry)


MOVES = {STEP: (TakeUses, Leave)}
