"""Fen Roads: a market of goods, hidden hands, huts on a land of hexes. Numbers and sentences are in the YAML."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.lab import dealing
from companion.rules import Breach, ByPlayer, Default, Each, Ending, Form, Grid, Ledger, Line, Named, Phase, PieceName
from companion.rules import Position, Reported, Rules, Seated, Seating, Source, Task, TieBreak, View, Who, lines, ranked

At = Position["State"]
SeatName = Annotated[str, Seated()]
Goods = Annotated[str, Named("goods", "card")]
Land = Annotated[str, Named("land", "land")]
BESIDE = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class Player(msgspec.Struct):
    coins: int = 0
    hand: int = 0


class State(msgspec.Struct):
    seats: list[str] = []
    phase: str = "setup"
    active: SeatName | None = None
    player: Annotated[dict[SeatName, Player], Each()] = {}
    market: list[Goods] = []
    discards: list[Goods] = []
    huts: dict[Land, SeatName] = {}
    pending: list[Task] = []


def all_unseen(at: At) -> dict[str, int]:
    """Card -> copies that may be in a hand or in the pile."""
    seen = Counter([*at.state.market, *at.state.discards])
    return {name: n for name, card in at.rules.cards.items() if (n := card.copies - seen[name]) > 0}


def unseen(at: At, card: str) -> int:
    return all_unseen(at).get(card, 0)


def pile(at: At) -> int:
    return sum(all_unseen(at).values()) - sum(player.hand for player in at.state.player.values())


def huts_of(at: At, player: str) -> list[str]:
    return [place for place, seat in at.state.huts.items() if seat == player]


class Setup(Seating, frozen=True):
    """Take your seats."""

    told = {"number": "FR-START-1", "seated": "FR-START-1.seated", "twice": "FR-START-1.twice"}

    def apply(self, at: At) -> None:
        s = at.state
        s.seats, s.active = list(self.seats), self.seats[0]
        s.player = {seat: Player(at["start.coins"], at["start.cards"]) for seat in self.seats}
        at.note("FR-START-1", n=len(self.seats))
        at.note("FR-START-2", coins=at["start.coins"], cards=at["start.cards"])
        at.enter("turns")
        for _ in at["market.prices"]:
            at.owe("", "reveal", rule="FR-START-2")


class Reveal(Reported, frozen=True):
    """A card is turned over for the market."""

    answers = True
    elsewhere = "FR-TAKE-1"
    card: Annotated[str, PieceName("goods", secret=True)] = ""

    def options(self, at: At, field: str) -> Any:
        return list(all_unseen(at))

    def apply(self, at: At) -> None:
        at.state.market.append(self.card)
        at.note("FR-TAKE-1.reveal", card=self.card)


class Take(ByPlayer, frozen=True):
    """Take a card from the market."""

    card: Annotated[str, PieceName("goods")] = ""

    def options(self, at: At, field: str) -> Any:
        return list(dict.fromkeys(at.state.market)) if field == "card" else super().options(at, field)

    def cost(self, at: At) -> int:
        return at["market.prices"][at.state.market.index(self.card)]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.card:
            return
        if self.card not in at.state.market:
            yield at.breach("FR-TAKE-1", card=self.card)
        elif (has := at.state.player[self.player].coins) < self.cost(at):
            yield at.breach("FR-TAKE-1.coins", player=self.player, card=self.card, has=has, cost=self.cost(at))

    def apply(self, at: At) -> None:
        me, cost = at.state.player[self.player], self.cost(at)
        me.coins -= cost
        me.hand += 1
        at.state.market.remove(self.card)
        at.note("FR-TAKE-1", player=self.player, card=self.card, cost=cost)
        end_turn(at, self.player)


class Draw(ByPlayer, frozen=True):
    """Draw the top card of the pile, unseen by the others."""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not pile(at):
            yield at.breach("FR-DRAW-1")

    def apply(self, at: At) -> None:
        me = at.state.player[self.player]
        me.hand += 1
        at.note("FR-DRAW-1", player=self.player, n=me.hand)
        end_turn(at, self.player)


class Build(ByPlayer, frozen=True):
    """Build a hut with a card of that land."""

    example = "build b2 with thatch"
    place: Annotated[str, PieceName("land")] = ""
    card: Annotated[str, PieceName("goods", secret=True, lead=("with",))] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        mine = huts_of(at, self.player)
        if not s.player[self.player].hand:
            yield at.breach("FR-BUILD-1.none", player=self.player)
        if len(mine) >= at["huts"]:
            yield at.breach("FR-BUILD-1.out", player=self.player)
        if self.place:
            if self.place in s.huts:
                yield at.breach("FR-BUILD-1.taken", place=self.place, other=s.huts[self.place])
            if mine and not set(mine) & at.rules.beside[self.place]:
                yield at.breach("FR-BUILD-2", place=self.place, player=self.player)
        if self.card:
            card = at.rules.cards[self.card]
            has, land = card.fields["land"], self.place and at.rules.land[self.place].fields["land"]
            if land and has != land:
                yield at.breach("FR-BUILD-1", card=self.card, has=has, place=self.place, land=land)
            if not unseen(at, self.card):
                yield at.breach("FR-BUILD-1.gone", card=self.card, n=card.copies)

    def apply(self, at: At) -> None:
        s, card = at.state, at.rules.cards[self.card]
        s.player[self.player].hand -= 1
        s.discards.append(self.card)
        s.huts[self.place] = self.player
        at.note("FR-BUILD-1", player=self.player, place=self.place, card=self.card)
        at.run(card.effect, self.player, Source(card, self.player))
        end_turn(at, self.player)


class Discard(ByPlayer, frozen=True):
    """Put a card of your hand away."""

    answers = True
    elsewhere = "FR-HAND-1"
    card: Annotated[str, PieceName("goods", secret=True)] = ""

    def options(self, at: At, field: str) -> Any:
        return list(all_unseen(at)) if field == "card" else super().options(at, field)

    def apply(self, at: At) -> None:
        at.state.player[self.player].hand -= 1
        at.state.discards.append(self.card)
        at.note("FR-HAND-1", player=self.player, card=self.card)


def end_turn(at: At, player: str) -> None:
    s = at.state
    if (more := s.player[player].hand - at["hand.limit"]) > 0:
        at.note("FR-HAND-1.over", player=player, n=s.player[player].hand, more=more)
        at.owe(player, "discard", more, rule="FR-HAND-1")
    if len(huts_of(at, player)) >= at["huts"] or not pile(at):
        at.enter("over")
        return
    if len(s.market) < len(at["market.prices"]):
        at.owe("", "reveal", rule="FR-TAKE-1")
    s.active = at.seats[(at.seats.index(player) + 1) % len(at.seats)]


def earn(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    at.state.player[who].coins += args["n"]
    at.note("FR-BUILD-1.coins", player=who, n=args["n"])


class FenRoads(Rules):
    state, free_seats = State, True
    form = Form(
        seats=Default("seats", "those named in `player`", lambda at: list(at.state.player)),
        defaults=(Default("phase", "", lambda at: "turns"), Default("active", "the first", lambda at: at.seats[0])),
    )
    ops = {"earn": earn}
    phases = (
        Phase(name="setup", title="the set-up", rule="FR-START-1", who=Who.TABLE, moves=(Setup,)),
        Phase(name="turns", title="a turn", rule="FR-TAKE-1", moves=(Take, Draw, Build, Discard, Reveal)),
        Phase(name="over", title="the end", rule="FR-END-1", who=Who.TABLE, last=True),
    )

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.cards = {p.name: p for p in game.pieces if p.set == "goods"}
        self.land = {p.name: p for p in game.pieces if p.set == "land"}
        where = {(p.fields["q"], p.fields["r"]): name for name, p in self.land.items()}
        near = {name: [(q + x, r + y) for x, y in BESIDE] for (q, r), name in where.items()}
        self.beside = {name: {where[spot] for spot in spots if spot in where} for name, spots in near.items()}

    def view(self, at: At) -> View:
        s = at.state
        rows = tuple((seat, p.coins, p.hand, " ".join(huts_of(at, seat))) for seat, p in s.player.items())
        table = Grid(("", "coins", "cards", "huts"), rows, marked=(s.active or "",))
        return View("Fen Roads", [table, lines("Market: " + ", ".join(s.market), f"Pile: {pile(at)}")], self.awaits(at))

    def score(self, at: At) -> Ledger:
        worth = [(seat, name, self.land[name].fields["worth"]) for name, seat in at.state.huts.items()]
        totals = {seat: sum(n for who, _, n in worth if who == seat) for seat in at.seats}
        ranking, ties = ranked(totals, TieBreak("FR-END-1", "coins", {s: p.coins for s, p in at.state.player.items()}))
        points = tuple(Line(seat, "FR-END-1", name, str(n), n) for seat, name, n in worth)
        ending = None
        if self.over(at.state):
            ending = Ending("FR-END-1", at.tell("FR-END-1", player=ranking[0][0], n=totals[ranking[0][0]]), ranking[0])
        return Ledger("points", points, ranking, ties, ending=ending)


class Dealer(dealing.Dealer):
    """Hands in simulated games, where nobody sits at a table who holds the cards."""

    hands = {"goods": dealing.Hand(lambda at, seat: at.state.player[seat].hand, lambda at, _: all_unseen(at))}
    choices = dict.fromkeys((Build, Discard), lambda deal, at, move: [dealing.held(deal, move.player, "goods", "card")])
    spends = dict.fromkeys((Build, Discard), lambda at, move: [("goods", move.player, move.card)])


rules = FenRoads
