"""The Tactics Round: the Provincial Army is settled, Battle hands are filled and redrawn (rules WS-PROV, WS-TACT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal

from companion.engine.play.moves import Breach, Count, Move, OneOf, PieceName, Seat
from companion.engine.things.sums import Sum
from components.phrasing import count

from .campaign import campaign_of, provincial_open, provincial_sides
from .catalogue import At, cards
from .decks import discard_battle, draw, drawable, impossible_battle
from .state import Campaign, Face
from .steps import out_of_round, presumed_step


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
    """Whether a belligerent has no Battle card and would draw some (WS-TACT-3, -4)."""
    return bool(not at.state.players[player].battle_hand and drawable(at, "battle") and hand_size(at, c, player).total)


def _lent(c: Campaign, player: str, what: str) -> list[str]:
    """`WS-ALLY-9` where allies of `player` have sent armies or Generals, which count for nothing here."""
    sent = [getattr(aid, what) for aid in c.allies if c.principal(aid.side) == player]
    return ["WS-ALLY-9"] if any(sent) else []


class ChooseProvincial(Move, frozen=True):
    """A defender without units chooses the Province Token that acts as Provincial Army."""

    name = "choose_provincial"
    role = "choice"
    words = ("provincial",)
    example = "provincial razed"
    asks: ClassVar = {"side": "WS-PROV-3"}
    defender: Annotated[str, Seat()] = ""
    side: Annotated[Literal["", "intact", "razed"], OneOf("intact", "razed")] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        if c is None:
            return None
        return [c.defender] if field == "defender" else provincial_sides(at, c)

    def presumes(self, at: At) -> Move | None:
        c = campaign_of(at)
        return presumed_step(at, "tactics") if c and c.round == "ally" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = campaign_of(at)
        if c is None or not provincial_open(at, c):
            yield from out_of_round(at, c, "tactics")
        if c is None:
            return
        p = at.state.players[c.defender]
        if self.defender and self.defender != c.defender:
            yield at.breach("WS-PROV-1.defender", player=self.defender, defender=c.defender)
        elif p.has_unit:
            yield at.breach(
                "WS-PROV-1.units", "WS-PROV-2", defender=c.defender, generals=p.generals[:], armies=p.armies
            )
        elif c.provincial_army is not None:
            yield at.breach("WS-PROV-8", provincial_army=c.provincial_army)
        elif self.side and self.side not in provincial_sides(at, c):
            facts = {"intact": p.provinces.intact, "razed": p.provinces.razed, "side": self.side}
            yield at.breach("WS-PROV-3", defender=c.defender, razed_allowed=at["provincial.razed_allowed"], **facts)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or not self.side:
            return
        side: Face = self.side
        c.provincial_army = side
        at.note("WS-PROV-3", defender=c.defender, side=side)


class _Filling(Move, frozen=True):
    """What filling and redrawing share: they belong to the belligerents in the Tactics Round."""

    def _round(self, at: At) -> Iterator[Breach]:
        c = campaign_of(at)
        yield from out_of_round(at, c, "tactics")
        player: str = self.player  # type: ignore[attr-defined]
        if c and c.round == "tactics" and player and c.side_of(player) is None:
            yield at.breach("WS-TACT-2", player=player, attacker=c.attacker, defender=c.defender)

    def _campaign(self, at: At) -> Campaign | None:
        """The campaign in whose Tactics Round the player may act; None: there is no such."""
        c = campaign_of(at)
        player: str = self.player  # type: ignore[attr-defined]
        return c if c and c.round == "tactics" and player and c.side_of(player) else None


class FillBattleHand(_Filling, frozen=True):
    """A belligerent with an empty Battle hand fills it."""

    name = "fill_battle_hand"
    role = "event"
    words = ("fill",)
    example = "fill chu"
    player: Annotated[str, Seat()] = ""
    count: Annotated[int | None, Count()] = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        if c is None:
            return None
        if field == "player":
            return [p for p in c.belligerents if not at.state.players[p].battle_hand][:1]
        return [self._due(at, c)] if c.side_of(self.player) and provincial_open(at, c) == [] else None

    def _due(self, at: At, c: Campaign) -> int:
        return min(hand_size(at, c, self.player).total, drawable(at, "battle"))

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "tactics")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self._round(at)
        c = self._campaign(at)
        if c is None:
            return
        hand = at.state.players[self.player].battle_hand
        if hand:
            yield at.breach("WS-TACT-3", player=self.player, battle_hand=hand)
        if self.player == c.defender and has_to_fill(at, c, c.attacker):
            yield at.breach("WS-TACT-9.first", next=c.attacker, player=self.player)
        if hand or self.count is None:
            return
        due, lines = self._due(at, c), hand_size(at, c, self.player)
        if self.count != due:
            facts = {"count": self.count, "due": due, "hand_size": lines.total, "sum": str(lines)}
            rests_on = [rule for rule in lines.rules() if rule != "WS-TACT-4"]
            yield at.breach("WS-TACT-4.count", *rests_on, *_lent(c, self.player, "armies"), player=self.player, **facts)
            if due < lines.total:
                yield at.breach("WS-DECK-4.draw", count=due, due=lines.total)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        lines = hand_size(at, c, self.player)
        n = draw(at, "battle", self.count or 0, lines.total)
        p = at.state.players[self.player]
        p.battle_hand += n
        c.just_filled = [*(q for q in c.just_filled if q != c.attacker), self.player]
        at.note_sum("WS-TACT-4", lines, player=self.player, count=n, battle_hand=p.battle_hand)
        allowed = redraws(at, self.player)
        if allowed.total:
            at.note_sum("WS-TACT-6.may", allowed, player=self.player, allowance=allowed.total)


class Redraw(_Filling, frozen=True):
    """A belligerent who has just filled the hand discards Battle cards and draws as many."""

    name = "redraw"
    role = "event"
    words = ("redraw",)
    example = "redraw chu 2"
    asks: ClassVar = {"player": "WS-TACT-6.player", "n": "WS-TACT-6.n"}
    player: Annotated[str, Seat()] = ""
    n: Annotated[int | None, Count(1)] = None
    cards: Annotated[tuple[str, ...], PieceName("battle", many=True)] = ()

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        if c is None or field == "cards":
            return None
        if field == "player":
            return list(c.just_filled)
        return [len(self.cards)] if self.cards else range(1, at.state.players[self.player].battle_hand + 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self._round(at)
        c = self._campaign(at)
        if c is None:
            return
        if self.player not in c.just_filled:
            if self.player == c.attacker and c.defender in c.just_filled:
                yield at.breach("WS-TACT-9.over", player=self.player, defender=c.defender)
            yield at.breach("WS-TACT-6.not_filled", "WS-TACT-8", player=self.player, just_filled=list(c.just_filled))
            return
        lines = redraws(at, self.player)
        allowed = lines.total
        facts = {"n": self.n, "allowance": allowed, "sum": str(lines)}
        if not allowed or (self.n is not None and not 1 <= self.n <= allowed):
            rests_on = [rule for rule in lines.rules() if rule != "WS-TACT-6"]
            key = "WS-TACT-6.number" if allowed else "WS-TACT-6.no_general"
            yield at.breach(key, *rests_on, *_lent(c, self.player, "generals"), player=self.player, **facts)
        hand = at.state.players[self.player].battle_hand
        if self.n is not None and (self.n > hand or len(self.cards) > self.n):
            yield at.breach("WS-TACT-8.hand", player=self.player, battle_hand=hand, n=self.n, named=len(self.cards))
        for name in self.cards:
            yield from impossible_battle(at, self.player, name)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        n = self.n or 0
        discard_battle(at, self.player, self.cards, n - len(self.cards))
        drawn = draw(at, "battle", n)
        at.state.players[self.player].battle_hand += drawn
        c.just_filled = [p for p in c.just_filled if p != self.player]
        lines = redraws(at, self.player)
        at.note_sum("WS-TACT-6.redraw", lines, player=self.player, n=drawn, allowance=lines.total)
