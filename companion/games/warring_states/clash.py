"""The Clash Round: Destiny cards, Battle Totals, the winner (rules WS-CLASH)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.things.cards import forget
from companion.rules import Breach, Move, Options, Pairs, PieceName, Seat, Sum

from .campaign import decide, losable, the_campaign
from .catalogue import BONUS_RULE, At, cards
from .decks import impossible_hand
from .moves import BattleStep
from .state import Campaign, Player, Side, Units
from .tactics import has_to_fill
from .units import size

SIDES: tuple[Side, Side] = ("attacker", "defender")

# --- the Battle Total --------------------------------------------------------------------------------------------


def battle_total(at: At, c: Campaign, side: Side) -> Sum:
    """The Battle Total of a side (WS-CLASH-3); the attacker counts what is committed (WS-CLASH-17)."""
    player = c.principal(side)
    shown = c.destiny.get(player)
    card = cards(at).battle[shown] if shown else None
    own: Units | Player = c.committed if side == "attacker" else at.state.players[player]
    aid = [aid for aid in c.allies if aid.side == side]
    present = [(player, general) for general in own.generals]
    present += [(ally.player, general) for ally in aid for general in ally.generals]
    found = Sum()
    found.add("General" if len(own.generals) == 1 else "Generals", len(own.generals), "WS-CLASH-3")
    found.add("army" if own.armies == 1 else "armies", own.armies, "WS-CLASH-3")
    if side == "defender" and c.provincial_army:
        found.add("Provincial Army", 1, "WS-PROV-4")
    for ally in aid:
        found.add(f"from {ally.player}", size(ally), "WS-ALLY-7")
    if card:
        found.add(str(card), card.value, "WS-CLASH-3")
    elif c.shown:
        found.add("without a Destiny card", at["clash.empty_hand_value"], "WS-CLASH-7")
    for owner, general in present:  # the skills of those who take part (WS-CLASH-8 to -13, WS-ALLY-8)
        lent = owner != player
        words = f"{general} General of {owner}" if lent else f"{general} General"
        for key, value, bonus in cards(at).generals[general].bonuses if at["allies.bonuses_apply"] or not lent else ():
            if value == (side if key == "side" else card and card.kind):
                found.add(words, bonus, BONUS_RULE[key, value], *["WS-ALLY-8"] * lent)
    for owner, general in present:
        by_event = at.value("battle.general", owner, base=0)
        found.add(f"{at.state.event} for {general}", by_event.value, "WS-CLASH-14", *by_event.rules)
    if card and card.kind == "T":
        by_event = at.value("battle.troops", player, base=0)
        found.add(f"{at.state.event} for a Troops card", by_event.value, "WS-CLASH-15", *by_event.rules)
    return found


# --- the moves ---------------------------------------------------------------------------------------------------


def showable(at: At, side: Side) -> list[str] | None:
    """Battle cards that may be in a belligerent's hand; None: the hand is empty."""
    if not at.state.players[the_campaign(at).principal(side)].battle_hand:
        return None
    return [name for name in cards(at).battle if name not in at.state.decks.battle.discard]


class RevealDestiny(BattleStep, frozen=True):
    """Attacker and defender show their Destiny cards together."""

    role = "event"
    words = ("clash",)
    rounds = ("clash", "tactics")
    sampled = True
    attacker_card: Annotated[str | None, PieceName("battle", after=("attacker", "against"), secret=True)] = None
    defender_card: Annotated[
        str | None, PieceName("battle", after=("defender", "against", "vs", "versus"), secret=True)
    ] = None
    cards: Annotated[dict[str, str], Pairs(Seat(), PieceName("battle"), announced=True, aside=True)] = msgspec.field(
        default_factory=dict
    )
    """The same by whose card it is, whoever shows one: `{Qin: War Chariots}`."""

    @classmethod
    def of_seat(cls, at: At) -> dict[str, str]:
        c = at.state.campaign
        return {c.attacker: "attacker_card", c.defender: "defender_card"} if c else {}

    def attacker_card_options(self, at: At) -> Options:
        return None if the_campaign(at).attacker in self.cards else showable(at, "attacker")

    def defender_card_options(self, at: At) -> Options:
        said = self.is_defenders(at) or the_campaign(at).defender in self.cards
        return None if said else showable(at, "defender")

    def is_defenders(self, at: At) -> bool:
        """True if a single card is the defender's because the attacker has none (WS-CLASH-7)."""
        c, alone = the_campaign(at), self.attacker_card and not self.defender_card
        return bool(alone and not at.state.players[c.attacker].battle_hand and not has_to_fill(at, c, c.attacker))

    def played(self, at: At, c: Campaign) -> tuple[tuple[str, str | None], tuple[str, str | None]]:
        """The card of each belligerent."""
        said = (None, self.attacker_card) if self.is_defenders(at) else (self.attacker_card, self.defender_card)
        first, second = (card or self.cards.get(player) for player, card in zip(c.belligerents, said, strict=True))
        return (c.attacker, first), (c.defender, second)

    def presumes(self, at: At) -> Move | None:
        c = at.state.campaign
        unfilled = c and c.round == "ally" and not all(at.state.players[p].battle_hand for p in c.belligerents)
        return None if unfilled else super().presumes(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        if c.shown:
            yield at.breach("WS-CLASH-1.shown", destiny=dict(c.destiny))
            return
        for player in self.cards:
            if c.side_of(player) is None:
                yield at.breach("WS-TACT-2", player=player, attacker=c.attacker, defender=c.defender)
        for player, card in (both := self.played(at, c)):
            if (named := self.cards.get(player)) not in (None, card):
                yield at.breach("WS-CLASH-1.two", player=player, cards=[card, named])
            hand = at.state.players[player].battle_hand
            if has_to_fill(at, c, player):
                key = "WS-TACT-4.fill" if c.round == "tactics" else "WS-CLASH-1.no_card"
                yield at.breach(key, player=player, battle_hand=hand)
            elif not hand and card is not None:
                yield at.breach("WS-CLASH-7", player=player, battle_hand=hand)
            elif card is not None:
                yield from impossible_hand(at, "battle", player, [card], "WS-CLASH-1")
        (_, first), (_, second) = both
        if first and first == second:
            yield at.breach("WS-INFO-4.twice", card=first)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        c.round = "clash"
        c.just_filled = []
        for player, card in self.played(at, c):
            c.destiny[player] = card
            if card is None:
                at.note("WS-CLASH-7", player=player)
                continue
            p = at.state.players[player]
            p.battle_hand -= 1
            forget(p.battle_known, [card])
            at.note("WS-CLASH-1", player=player, card=card, shown=str(cards(at).battle[card]))
        settle_clash(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.campaign:
            first, second = (showable(at, side) or (None,) for side in SIDES)
            for i, card in enumerate(first):
                yield cls(card, second[(i + 1) % len(second)])


def settle_clash(at: At) -> None:
    """Establish the winner as soon as nobody can change the Battle Totals any more by recalling units (WS-ALLY-6)."""
    c = the_campaign(at)
    if c.round != "clash" or c.winner is not None or not c.destiny:
        return
    if not (c.allies and c.shown):
        establish_winner(at, c)
        return
    for side in SIDES:
        lines = battle_total(at, c, side)
        at.note("WS-CLASH-3.so_far", player=c.principal(side), side=side, sum=str(lines), bt=lines.total)
    at.note("WS-ALLY-6.may", may_recall=sorted({aid.player for aid in c.allies}))


def establish_winner(at: At, c: Campaign) -> None:
    """Compare the Battle Totals (WS-CLASH-4, -5); the Destiny cards are discarded, and the loser has a loss to take."""
    attacker, defender = (battle_total(at, c, side) for side in SIDES)
    if c.allies and c.shown:
        at.note("WS-ALLY-6.stay", players=sorted({aid.player for aid in c.allies}))
    for side, lines in zip(SIDES, (attacker, defender), strict=True):
        at.note_sum("WS-CLASH-3.total", lines, player=c.principal(side), side=side, bt=lines.total)
    lead = attacker.total - defender.total
    winner: Side = "attacker" if lead > 0 else "defender" if lead else at["clash.tie_winner"]
    c.winner = winner
    facts: dict[str, Any] = {"attacker": attacker.total, "defender": defender.total, "winner": winner}
    at.note("WS-CLASH-4" if lead else "WS-CLASH-5", name=c.principal(winner), **facts)
    if winner == "defender" and c.provincial_army:
        at.note("WS-PROV-10", side=c.provincial_army, defender=c.defender)
    for card in filter(None, c.destiny.values()):
        at.state.decks.battle.discard.append(card)
        at.note("WS-CLASH-6", card=card)
    c.destiny = dict.fromkeys(c.destiny)
    c.round = "casualties"
    if c.conquered or losable(at):
        at.note("WS-CAS-1", loser=c.loser, n=at["casualty.units"])
    else:
        decide(at, c)


class ResolveClash(BattleStep, frozen=True):
    """Compare the Battle Totals and establish the winner."""

    role = "automatic"
    words = ("resolve",)
    rounds = ("clash",)

    def already(self, at: At) -> bool:
        c = at.state.campaign
        return c is not None and c.winner is not None and c.round in ("casualties", "decide")

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        if not c.shown:
            yield at.breach("WS-CLASH-1.not_shown", destiny=dict(c.destiny))

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        establish_winner(at, c)
