"""The Clash Round: Destiny cards, Battle Totals, the winner (rules WS-CLASH)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, Move, PieceName
from companion.engine.things.sums import Sum

from .campaign import campaign_of, decide, losable
from .catalogue import BONUS_RULE, At, BattleCard, cards
from .decks import impossible_battle
from .state import Campaign, Side
from .steps import out_of_round, presumed_step
from .tactics import has_to_fill

SIDES: tuple[Side, Side] = ("attacker", "defender")

# --- the Battle Total --------------------------------------------------------------------------------------------


def battle_total(at: At, c: Campaign, side: Side) -> Sum:
    """The Battle Total of a side (WS-CLASH-3); the attacker counts what is committed (WS-CLASH-17)."""
    player = c.principal(side)
    shown = c.destiny.get(player)
    card = cards(at).battle[shown] if shown else None
    own = c.committed if side == "attacker" else at.state.players[player]
    found = Sum()
    found.add("General" if len(own.generals) == 1 else "Generals", len(own.generals), "WS-CLASH-3")
    found.add("army" if own.armies == 1 else "armies", own.armies, "WS-CLASH-3")
    if side == "defender" and c.provincial_army:
        found.add("Provincial Army", 1, "WS-PROV-4")
    present = [(player, general) for general in own.generals]
    for aid in c.allies:
        if aid.side == side:
            found.add(f"from {aid.player}", len(aid.generals) + aid.armies, "WS-ALLY-7")
            present += [(aid.player, general) for general in aid.generals]
    if card:
        found.add(str(card), card.value, "WS-CLASH-3")
    elif c.shown:
        found.add("without a Destiny card", at["clash.empty_hand_value"], "WS-CLASH-7")
    _add_skills(at, found, side, player, present, card)
    for owner, general in present:
        bonus = at.value("battle.general", owner, base=0)
        found.add(f"{at.state.event} for {general}", bonus.value, "WS-CLASH-14", *bonus.rules)
    if card and card.kind == "T":
        bonus = at.value("battle.troops", player, base=0)
        found.add(f"{at.state.event} for a Troops card", bonus.value, "WS-CLASH-15", *bonus.rules)
    return found


def _add_skills(
    at: At, found: Sum, side: Side, player: str, present: list[tuple[str, str]], card: BattleCard | None
) -> None:
    """The bonuses of the Generals who take part (WS-CLASH-8 to -13, WS-ALLY-8)."""
    for owner, general in present:
        if owner != player and not at["allies.bonuses_apply"]:
            continue
        words = f"{general} General" if owner == player else f"{general} General of {owner}"
        for key, value, bonus in cards(at).generals[general].bonuses:
            if value == (side if key == "side" else card and card.kind):
                found.add(words, bonus, BONUS_RULE[key, value], *([] if owner == player else ["WS-ALLY-8"]))


# --- the moves ---------------------------------------------------------------------------------------------------


class RevealDestiny(Move, frozen=True):
    """Attacker and defender show their Destiny cards together."""

    name = "reveal_destiny"
    role = "event"
    words = ("clash", "destiny")
    example = "clash 12T 7S"
    sampled = True
    asks: ClassVar = {"attacker_card": "WS-CLASH-1.attacker", "defender_card": "WS-CLASH-1.defender"}
    attacker_card: Annotated[str | None, PieceName("battle", secret=True)] = None
    defender_card: Annotated[str | None, PieceName("battle", secret=True)] = None

    def played(self, at: At, c: Campaign) -> tuple[tuple[str, str | None], tuple[str, str | None]]:
        """Who plays which card. A single card is the defender's where the attacker has none (WS-CLASH-7)."""
        first, second = self.attacker_card, self.defender_card
        if first and not second and not at.state.players[c.attacker].battle_hand and not has_to_fill(at, c, c.attacker):
            first, second = None, first
        return (c.attacker, first), (c.defender, second)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        player = c.principal("attacker" if field == "attacker_card" else "defender") if c else ""
        if c is None or not at.state.players[player].battle_hand:
            return None
        return None if self.attacker_card and self.played(at, c)[1][1] else super().options(at, field)

    def presumes(self, at: At) -> Move | None:
        c = campaign_of(at)
        if c and c.round == "ally" and not all(at.state.players[p].battle_hand for p in c.belligerents):
            return None
        return presumed_step(at, "clash")

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = campaign_of(at)
        yield from out_of_round(at, c, "clash", "tactics")
        if c is None or c.round not in ("tactics", "clash"):
            return
        if c.shown:
            yield at.breach("WS-CLASH-1.shown", destiny=dict(c.destiny))
            return
        for player, card in self.played(at, c):
            facts = {"player": player, "battle_hand": at.state.players[player].battle_hand}
            if has_to_fill(at, c, player):
                yield at.breach("WS-TACT-4.fill" if c.round == "tactics" else "WS-CLASH-1.no_card", **facts)
            elif not facts["battle_hand"] and card is not None:
                yield at.breach("WS-CLASH-7", **facts)
            elif card is not None:
                yield from impossible_battle(at, player, card)
        if self.attacker_card and self.attacker_card == self.defender_card:
            yield at.breach("WS-INFO-4.twice", card=self.attacker_card)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        c.round = "clash"
        c.just_filled = []
        for player, card in self.played(at, c):
            c.destiny[player] = card
            if card is None:
                at.note("WS-CLASH-7", player=player)
                continue
            p = at.state.players[player]
            p.battle_hand -= 1
            if card in p.battle_known:
                p.battle_known.remove(card)
            at.note("WS-CLASH-1", player=player, card=card, shown=str(cards(at).battle[card]))
        settle_clash(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c is None or c.round not in ("tactics", "clash") or c.shown:
            return
        gone = at.state.decks.battle.discard
        left: list[str | None] = [name for name in cards(at).battle if name not in gone]
        first, second = (left if at.state.players[p].battle_hand else [None] for p in c.belligerents)
        for i, card in enumerate(first):
            yield cls(card, second[(i + 1) % len(second)])


def settle_clash(at: At) -> None:
    """Establish the winner as soon as nobody can change the Battle Totals any more by recalling units (WS-ALLY-6)."""
    c = campaign_of(at)
    if c is None or c.round != "clash" or c.winner is not None or not c.destiny:
        return
    if not (c.allies and c.shown):
        establish_winner(at, c)
        return
    for side in SIDES:
        lines = battle_total(at, c, side)
        at.note("WS-CLASH-3.so_far", player=c.principal(side), side=side, sum=str(lines), bt=lines.total)
    at.note("WS-ALLY-6.may", may_recall=sorted({a.player for a in c.allies}))


def establish_winner(at: At, c: Campaign) -> None:
    """Compare the Battle Totals (WS-CLASH-4, -5); the Destiny cards are discarded, and the loser has a loss to take."""
    totals: dict[str, int] = {}
    for side in SIDES:
        lines = battle_total(at, c, side)
        totals[side] = lines.total
        at.note_sum("WS-CLASH-3.total", lines, player=c.principal(side), side=side, bt=totals[side])
    attacker, defender = totals["attacker"], totals["defender"]
    level = attacker == defender
    c.winner = at["clash.tie_winner"] if level else "attacker" if attacker > defender else "defender"
    facts: dict[str, Any] = {"attacker": attacker, "defender": defender, "winner": c.winner}
    at.note("WS-CLASH-5" if level else "WS-CLASH-4", name=c.principal(c.winner), **facts)
    if c.winner == "defender" and c.provincial_army:
        at.note("WS-PROV-10", side=c.provincial_army, defender=c.defender)
    for player, card in c.destiny.items():
        if card is not None:
            at.state.decks.battle.discard.append(card)
            c.destiny[player] = None
            at.note("WS-CLASH-6", card=card)
    c.round = "casualties"
    if c.conquered or losable(at, c):
        at.note("WS-CAS-1", loser=c.loser, n=at["casualty.units"])
    else:
        decide(at, c)


class ResolveClash(Move, frozen=True):
    """Compare the Battle Totals and establish the winner."""

    name = "resolve_clash"
    role = "automatic"
    words = ("resolve",)
    example = "resolve"

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "clash")

    def already(self, at: At) -> bool:
        c = campaign_of(at)
        return c is not None and c.winner is not None and c.round in ("casualties", "decide")

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = campaign_of(at)
        yield from out_of_round(at, c, "clash")
        if c and c.round == "clash" and not c.shown:
            yield at.breach("WS-CLASH-1.not_shown", destiny=dict(c.destiny))

    def apply(self, at: At) -> None:
        if c := campaign_of(at):
            establish_winner(at, c)
