"""The Tactics Round: the Provincial Army is settled, Battle hands are filled and redrawn (rules WS-PROV, WS-TACT)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from companion.engine.play.moves import Breach, Choice, Count, Move, OneOf, PieceName, Seat
from components.phrasing import count

from .campaign import campaign_of, provincial_open, provincial_sides
from .catalogue import At
from .frame import wrong_phase
from .state import Campaign, Face
from .steps import choice_open, out_of_round, presumed_step
from .totals import hand_size, redraws, spell
from .zones import discard_battle, draw, drawable, impossible_battle


class ChooseProvincial(Move, frozen=True):
    """A defender without units chooses the Province Token that acts as Provincial Army."""

    name = "choose_provincial"
    role = "choice"
    words = ("provincial",)
    example = "provincial razed"
    defender: Annotated[str, Seat()] = ""
    side: Annotated[Literal["", "intact", "razed"], OneOf("intact", "razed")] = ""

    def filled(self, at: At) -> ChooseProvincial:
        c = campaign_of(at)
        if c is None:
            return self
        sides = provincial_sides(at, c)
        return ChooseProvincial(self.defender or c.defender, self.side or (sides[0] if len(sides) == 1 else ""))

    def presumes(self, at: At) -> Move | None:
        c = campaign_of(at)
        return presumed_step(at, "tactics") if c and c.round == "ally" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        if c is None or not provincial_open(at, c):
            yield from out_of_round(at, c, "tactics")
        if c is None:
            return
        p = at.state.players[c.defender]
        if self.defender and self.defender != c.defender:
            yield Breach("WS-PROV-1", f"{c.defender} is the defender, not {self.defender}", {"defender": c.defender})
        elif p.has_unit:
            facts = {"generals": list(p.generals), "armies": p.armies}
            yield Breach("WS-PROV-1", f"{c.defender} has units in play", facts)
            yield Breach(
                "WS-PROV-2",
                f"{c.defender} owns {count(len(p.generals), 'General')} and {count(p.armies, 'army', 'armies')}",
                facts,
            )
        elif c.provincial_army is not None:
            yield Breach(
                "WS-PROV-8",
                f"a province that is {c.provincial_army} acts in this battle already",
                {"provincial_army": c.provincial_army},
            )
        elif self.side and self.side not in provincial_sides(at, c):
            yield Breach(
                "WS-PROV-3",
                f"{c.defender} has {p.provinces.intact} intact and {p.provinces.razed} razed; this one may not act",
                {
                    "intact": p.provinces.intact,
                    "razed": p.provinces.razed,
                    "razed_allowed": at["provincial.razed_allowed"],
                },
            )

    def needs(self, at: At) -> Iterator[Choice]:
        c = campaign_of(at)
        if c and not self.side:
            yield Choice("side", c.defender, "which province acts?", list(provincial_sides(at, c)))

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or not self.side:
            return
        side: Face = self.side
        c.provincial_army = side
        at.note("WS-PROV-1", f"a province of {c.defender} acts as Provincial Army", defender=c.defender)
        at.cite("WS-PROV-2", f"{c.defender} owns neither a General nor an Army")
        at.note("WS-PROV-3", f"{c.defender} puts up a province that is {side}", side=side)
        at.cite("WS-PROV-8", "settled for this battle only", battle=c.battle)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        yield from (cls(c.defender, side) for side in provincial_open(at, c)) if c else ()


class FillBattleHand(Move, frozen=True):
    """A belligerent with an empty Battle hand fills it."""

    name = "fill_battle_hand"
    role = "event"
    words = ("fill",)
    example = "fill chu"
    player: Annotated[str, Seat()] = ""
    count: Annotated[int | None, Count()] = None

    def filled(self, at: At) -> FillBattleHand:
        c = campaign_of(at)
        if c is None:
            return self
        empty = [p for p in (c.attacker, c.defender) if not at.state.players[p].battle_hand]
        player = self.player or (empty[0] if empty else "")
        count = self.count
        if count is None and c.side_of(player) and provincial_open(at, c) == []:
            count = self._due(at, c, player)
        return FillBattleHand(player, count)

    def _due(self, at: At, c: Campaign, player: str) -> int:
        full, _ = hand_size(at, c, player)
        return min(full, drawable(at, "battle")) if at.on("WS-DECK-4") else full

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "tactics")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "tactics")
        if c is None or not self.player or c.round != "tactics":
            return
        players = at.state.players
        if c.side_of(self.player) is None:
            yield Breach(
                "WS-TACT-2",
                f"{self.player} is neither attacker nor defender",
                {"attacker": c.attacker, "defender": c.defender},
            )
            return
        hand = players[self.player].battle_hand
        if hand:
            yield Breach("WS-TACT-3", f"{self.player} holds {count(hand, 'Battle card')}", {"battle_hand": hand})
        if self.player == c.defender and players[c.attacker].battle_hand == 0 and drawable(at, "battle"):
            yield Breach("WS-TACT-9", f"{c.attacker}, the attacker, fills first", {"next": c.attacker})
        if hand or self.count is None or choice_open(at):
            return
        due = self._due(at, c, self.player)
        if self.count != due and at.on("WS-TACT-4"):
            full, lines = hand_size(at, c, self.player)
            facts = {"count": self.count, "due": due, "hand_size": full}
            yield Breach("WS-TACT-4", f"{self.player} fills to {spell(lines)} = {full}, not {self.count}", facts)
            for line in lines[1:]:
                yield Breach(line.rule, f"{line.words}: {line.n}", {"cards": line.n})
            if due < full:
                yield Breach("WS-DECK-4", f"only {count(due, 'card')} can be drawn", facts)

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice
        c = campaign_of(at)
        if c and not self.player:
            yield Choice("player", "", "who fills the hand?", [c.attacker, c.defender])

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        _, lines = hand_size(at, c, self.player)
        n = draw(at, "battle", self.count or 0)
        p = at.state.players[self.player]
        p.battle_hand += n
        c.just_filled = [*(q for q in c.just_filled if q != c.attacker), self.player]
        at.cite("WS-TACT-3", f"the Battle hand of {self.player} is empty")
        at.note(
            "WS-TACT-4",
            f"{self.player} fills to {spell(lines)}: {count(n, 'card')}",
            player=self.player,
            count=n,
            battle_hand=p.battle_hand,
        )
        for line in lines[1:]:
            at.cite(line.rule, f"{line.words}: {line.n}", cards=line.n)
        if n < sum(line.n for line in lines):
            at.note(
                "WS-DECK-4",
                f"deck and discard hold no more: {count(n, 'card')} instead of {sum(line.n for line in lines)}",
                count=n,
            )
        if self.player == c.defender:
            at.cite("WS-DECK-5", f"{c.attacker} drew before {c.defender}")
            at.cite("WS-TACT-9", f"{c.attacker} has finished filling and redrawing")
        allowed, more = redraws(at, c, self.player)
        if allowed:
            at.note("WS-TACT-6", f"{self.player} may redraw up to {allowed}: {spell(more)}", allowance=allowed)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "tactics":
            for player in (c.attacker, c.defender):
                yield cls(player).filled(at)


class Redraw(Move, frozen=True):
    """A belligerent who has just filled his hand puts down Battle cards and draws as many."""

    name = "redraw"
    role = "event"
    words = ("redraw",)
    example = "redraw chu 2"
    player: Annotated[str, Seat()] = ""
    n: Annotated[int | None, Count(1)] = None
    cards: Annotated[tuple[str, ...], PieceName("battle", many=True)] = ()

    def filled(self, at: At) -> Redraw:
        c = campaign_of(at)
        player = self.player or (c.just_filled[0] if c and len(c.just_filled) == 1 else "")
        return Redraw(player, len(self.cards) if self.n is None and self.cards else self.n, self.cards)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "tactics")
        if c is None or not self.player or c.round != "tactics":
            return
        if c.side_of(self.player) is None:
            yield Breach(
                "WS-TACT-2",
                f"{self.player} is neither attacker nor defender",
                {"attacker": c.attacker, "defender": c.defender},
            )
            return
        if self.player not in c.just_filled:
            if self.player == c.attacker and c.defender in c.just_filled:
                yield Breach("WS-TACT-9", f"{c.defender} has begun to fill", {"just_filled": list(c.just_filled)})
            yield Breach(
                "WS-TACT-6",
                f"{self.player} has not just filled the hand, or has redrawn already",
                {"just_filled": list(c.just_filled)},
            )
            yield Breach(
                "WS-TACT-8", "the redraw is one operation, right after filling", {"just_filled": list(c.just_filled)}
            )
            return
        allowed, lines = redraws(at, c, self.player)
        if self.n is None and allowed:
            return
        if self.n is None or self.n > allowed or self.n < 1:
            facts = {"n": self.n, "allowance": allowed}
            why = (
                f"{self.player} may redraw {spell(lines)} = {allowed}"
                if allowed
                else f"{self.player} controls no General"
            )
            yield Breach("WS-TACT-6", why if self.n is None else f"{why}, not {self.n}", facts)
            if any(line.rule == "WS-TACT-7" for line in lines):
                yield Breach("WS-TACT-7", f"that is counted already: {spell(lines)}", facts)
            if any(line.rule == "WS-ALLY-9" for line in lines):
                yield Breach("WS-ALLY-9", "Generals of allies do not count for the redraw", facts)
        if self.n is None:
            return
        hand = at.state.players[self.player].battle_hand
        if self.n > hand or len(self.cards) > self.n:
            yield Breach(
                "WS-TACT-8",
                f"{self.player} holds {count(hand, 'card')}; {self.n} are put down, {len(self.cards)} named",
                {"battle_hand": hand},
            )
        for name in self.cards:
            yield from impossible_battle(at, self.player, name)

    def needs(self, at: At) -> Iterator[Choice]:
        c = campaign_of(at)
        if c and not self.player:
            yield Choice("player", "", "who redraws?", list(c.just_filled) or [c.attacker, c.defender])
        elif c and self.n is None:
            yield Choice(
                "n", self.player, "how many cards are redrawn?", list(range(1, redraws(at, c, self.player)[0] + 1))
            )

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        n = self.n or 0
        discard_battle(at, self.player, self.cards, n - len(self.cards))
        drawn = draw(at, "battle", n)
        at.state.players[self.player].battle_hand += drawn
        if at.on("WS-TACT-8"):
            c.just_filled = [p for p in c.just_filled if p != self.player]
        allowed, lines = redraws(at, c, self.player)
        at.note(
            "WS-TACT-6",
            f"{self.player} redraws {count(drawn, 'card')} of at most {allowed}",
            player=self.player,
            n=drawn,
            allowance=allowed,
        )
        for line in lines:
            if line.rule == "WS-TACT-7":
                at.note("WS-TACT-7", f"the {line.words} General counts {line.n}")
        at.cite("WS-TACT-8", "put down together, then drawn together; every General in play counts")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "tactics":
            for player in c.just_filled:
                yield from (cls(player, n) for n in range(1, redraws(at, c, player)[0] + 1))


__all__ = ["ChooseProvincial", "FillBattleHand", "Redraw"]
