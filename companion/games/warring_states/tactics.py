"""The Tactics Round: the Provincial Army is settled, Battle hands are filled and redrawn (rules WS-PROV, WS-TACT)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from companion.rules import Breach, Count, Move, OneOf, Options, PieceName, Seat, Sum
from components.phrasing import count

from .campaign import provincial_open, provincial_sides, the_campaign
from .catalogue import At, cards
from .decks import discard, draw, drawable, impossible_hand
from .moves import BattleStep, presumed_step
from .state import Campaign, Player


def hand_size(at: At, c: Campaign, player: str) -> Sum:
    """The cards to which an empty Battle hand is filled (WS-TACT-4, -5, WS-PROV-4)."""
    armies, each = at.state.players[player].armies, at["tactics.cards_per_army"]
    found = Sum()
    found.add("for everybody", at["tactics.base_hand"], "WS-TACT-4")
    found.add(f"for {count(armies, 'army')}", armies * each, "WS-TACT-5")
    if player == c.defender and c.provincial_army and at["provincial.counts_for_hand"]:
        found.add("for the Provincial Army", each, "WS-PROV-4")
    return found


def redraws(at: At, player: str) -> Sum:
    """The Battle cards a player may redraw after filling (WS-TACT-6 to -8)."""
    found = Sum()
    for general in at.state.players[player].generals:
        weight = cards(at).generals[general].redraw_weight
        rule = "WS-TACT-6" if weight == 1 else "WS-TACT-7"
        found.add(f"for {general}", weight * at["tactics.redraw_per_general"], rule)
    return found


def has_to_fill(at: At, c: Campaign, player: str) -> bool:
    """True if a belligerent has no Battle card and would draw some (WS-TACT-3, -4)."""
    return bool(not at.state.players[player].battle_hand and drawable(at, "battle") and hand_size(at, c, player).total)


def rests_on(c: Campaign, player: str, lines: Sum, what: str) -> list[str]:
    """The rules behind a sum but for that of its first line; `WS-ALLY-9` where allies have sent armies or Generals,
    which count for nothing here."""
    lent = any(getattr(aid, what) for aid in c.allies if c.principal(aid.side) == player)
    return [*(rule for rule in lines.rules() if rule not in ("WS-TACT-4", "WS-TACT-6")), *["WS-ALLY-9"] * lent]


class ChooseProvincial(BattleStep, frozen=True):
    """A defender without units chooses the Province Token that acts as Provincial Army."""

    role = "choice"
    words = ("provincial",)
    rounds = ("tactics",)
    defender: Annotated[str, Seat()] = ""
    side: Annotated[
        Literal["", "intact", "razed"], OneOf("intact", "razed", after=("with",), of=("province", "token", "one"))
    ] = ""

    def defender_options(self, at: At) -> Options:
        return [at.state.campaign.defender] if at.state.campaign else at.seats

    def side_options(self, at: At) -> Options:
        return provincial_sides(at, the_campaign(at))

    def presumes(self, at: At) -> Move | None:
        early = presumed_step(at, "tactics")
        return None if isinstance(early, ChooseProvincial) else early

    def in_place(self, at: At, c: Campaign) -> bool:
        return super().in_place(at, c) or bool(provincial_open(at))

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        p = at.state.players[c.defender]
        if self.defender != c.defender:
            yield at.breach("WS-PROV-1.defender", player=self.defender, defender=c.defender)
        elif p.has_unit:
            facts = {"generals": p.generals[:], "armies": p.armies}
            yield at.breach("WS-PROV-1.units", "WS-PROV-2", defender=c.defender, **facts)
        elif c.provincial_army is not None:
            yield at.breach("WS-PROV-8", provincial_army=c.provincial_army)
        elif self.side and self.side not in provincial_sides(at, c):
            has = {"intact": p.provinces.intact, "razed": p.provinces.razed, "side": self.side}
            yield at.breach("WS-PROV-3", defender=c.defender, razed_allowed=at["provincial.razed_allowed"], **has)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        c.provincial_army = self.side or None
        at.note("WS-PROV-3", defender=c.defender, side=self.side)


class _Filling(BattleStep, frozen=True):
    """The common parts of filling and redrawing: they belong to the belligerents in the Tactics Round."""

    role = "event"
    rounds = ("tactics",)
    player: Annotated[str, Seat()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        if c.side_of(self.player) is None:
            yield at.breach("WS-TACT-2", player=self.player, attacker=c.attacker, defender=c.defender)
        else:
            yield from self.wrong(at, c, at.state.players[self.player])

    def wrong(self, at: At, c: Campaign, p: Player) -> Iterator[Breach]:
        """Every rule that it breaks for a belligerent."""
        return iter(())


class FillBattleHand(_Filling, frozen=True):
    """A belligerent with an empty Battle hand fills it."""

    words = ("fill",)
    count: Annotated[int | None, Count(of=("battle", "card"))] = None

    def count_options(self, at: At) -> Options:
        return None if provincial_open(at) else [self._due(at, the_campaign(at))]

    def _due(self, at: At, c: Campaign) -> int:
        return min(hand_size(at, c, self.player).total, drawable(at, "battle"))

    def wrong(self, at: At, c: Campaign, p: Player) -> Iterator[Breach]:
        if p.battle_hand:
            yield at.breach("WS-TACT-3", player=self.player, battle_hand=p.battle_hand)
        if self.player == c.defender and has_to_fill(at, c, c.attacker):
            yield at.breach("WS-TACT-9.first", next=c.attacker, player=self.player)
        due, lines = self._due(at, c), hand_size(at, c, self.player)
        if not p.battle_hand and self.count not in (None, due):
            facts = {"count": self.count, "due": due, "hand_size": lines.total, "sum": str(lines)}
            also = rests_on(c, self.player, lines, "armies")
            if self.count != lines.total:
                yield at.breach("WS-TACT-4.count", *also, player=self.player, **facts)
            if due < lines.total:
                yield at.breach("WS-DECK-4.draw", count=due, due=lines.total)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        p = at.state.players[self.player]
        lines, allowed = hand_size(at, c, self.player), redraws(at, self.player)
        if c.attacker in c.just_filled and redraws(at, c.attacker).total:
            at.note("WS-TACT-9", player=c.attacker)
        n = draw(at, "battle", self.count or 0, lines.total)
        p.battle_hand += n
        c.just_filled = [*(q for q in c.just_filled if q != c.attacker), self.player]
        at.note_sum("WS-TACT-4", lines, player=self.player, count=n, battle_hand=p.battle_hand)
        if allowed.total:
            at.note_sum("WS-TACT-6.may", allowed, player=self.player, allowance=allowed.total)


class Redraw(_Filling, frozen=True):
    """A belligerent who has just filled the hand discards Battle cards and draws as many."""

    n: Annotated[int | None, Count(1, of=("battle", "card"))] = None
    cards: Annotated[tuple[str, ...], PieceName("battle", many=True)] = ()

    def n_options(self, at: At) -> Options:
        return [len(self.cards)] if self.cards else range(1, redraws(at, self.player).total + 1)

    def wrong(self, at: At, c: Campaign, p: Player) -> Iterator[Breach]:
        if self.player not in c.just_filled:
            if self.player == c.attacker and c.defender in c.just_filled:
                yield at.breach("WS-TACT-9.over", player=self.player, defender=c.defender)
            yield at.breach("WS-TACT-6.not_filled", "WS-TACT-8", player=self.player, just_filled=list(c.just_filled))
            return
        lines, hand = redraws(at, self.player), p.battle_hand
        if not lines.total or (self.n is not None and not 1 <= self.n <= lines.total):
            also = rests_on(c, self.player, lines, "generals")
            facts = {"player": self.player, "n": self.n, "allowance": lines.total, "sum": str(lines)}
            yield at.breach(f"WS-TACT-6.{'number' if lines.total else 'no_general'}", *also, **facts)
        if self.n is not None and (self.n > hand or len(self.cards) > self.n):
            yield at.breach("WS-TACT-8.hand", player=self.player, battle_hand=hand, n=self.n, named=len(self.cards))
        yield from impossible_hand(at, "battle", self.player, self.cards, "WS-TACT-8")

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        n, lines = self.n or 0, redraws(at, self.player)
        discard(at, "battle", self.player, self.cards, n - len(self.cards))
        drawn = draw(at, "battle", n)
        at.state.players[self.player].battle_hand += drawn
        c.just_filled = [seat for seat in c.just_filled if seat != self.player]
        at.note_sum("WS-TACT-6.redraw", lines, player=self.player, n=drawn, allowance=lines.total)
