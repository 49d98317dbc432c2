"""The Clash Round: Destiny cards, Battle Totals, the winner (rules WS-CLASH)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Move, PieceName
from components.phrasing import count

from .campaign import campaign_of, decide, losable
from .catalogue import At, cards
from .frame import wrong_phase
from .state import Campaign, Side
from .steps import choice_open, out_of_round, presumed_step
from .totals import Line, battle_total, spell
from .zones import drawable, impossible_battle

SIDES: tuple[Side, Side] = ("attacker", "defender")


class RevealDestiny(Move, frozen=True):
    """Attacker and defender show their Destiny cards together."""

    name = "reveal_destiny"
    role = "event"
    words = ("clash", "destiny")
    example = "clash 12T 7S"
    attacker_card: Annotated[str | None, PieceName("battle")] = None
    defender_card: Annotated[str | None, PieceName("battle")] = None

    def presumes(self, at: At) -> Move | None:
        c = campaign_of(at)
        if c and c.round == "ally" and not all(at.state.players[p].battle_hand for p in (c.attacker, c.defender)):
            return None
        return presumed_step(at, "clash")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "clash", "tactics")
        if c is None or c.round not in ("tactics", "clash"):
            return
        if c.shown:
            yield Breach(
                "WS-CLASH-1", "the Destiny cards of this battle lie on the table", {"destiny": dict(c.destiny)}
            )
            return
        for player, card in ((c.attacker, self.attacker_card), (c.defender, self.defender_card)):
            hand = at.state.players[player].battle_hand
            if hand == 0 and drawable(at, "battle"):
                if c.round == "tactics":
                    yield Breach(
                        "WS-TACT-4", f"{player} has to fill the Battle hand first", {"player": player, "battle_hand": 0}
                    )
                else:
                    yield Breach("WS-CLASH-1", f"{player} holds no Battle card", {"player": player, "battle_hand": 0})
            elif hand == 0 and card is not None:
                yield Breach(
                    "WS-CLASH-7", f"{player} holds no Battle card and plays none", {"player": player, "battle_hand": 0}
                )
            elif card is not None:
                yield from impossible_battle(at, player, card)
        if self.attacker_card is not None and self.attacker_card == self.defender_card:
            yield Breach("WS-INFO-4", f"there is one {self.attacker_card} only", {"card": self.attacker_card})

    def needs(self, at: At) -> Iterator[Choice]:
        c = campaign_of(at)
        if open_choice := choice_open(at):
            yield open_choice
        if c is None:
            return
        gone = set(at.state.decks.battle.discard)
        for field, player in (("attacker_card", c.attacker), ("defender_card", c.defender)):
            if getattr(self, field) is None and at.state.players[player].battle_hand:
                yield Choice(
                    field,
                    player,
                    f"which Battle card does {player} show?",
                    [n for n in cards(at).battle if n not in gone],
                )

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        c.round = "clash"
        c.just_filled = []
        at.cite("WS-CLASH-1", "each plays one Battle card, the Destiny card")
        for player, card in ((c.attacker, self.attacker_card), (c.defender, self.defender_card)):
            c.destiny[player] = card
            if card is None:
                at.note("WS-CLASH-7", f"{player} has no Battle card to play", player=player)
                continue
            p = at.state.players[player]
            p.battle_hand -= 1
            if card in p.battle_known:
                p.battle_known.remove(card)
            at.note("WS-CLASH-1", f"{player} shows {cards(at).battle[card]}", player=player, card=card)
        at.cite("WS-CLASH-2", "shown together")
        if c.shown:
            settle_clash(at)
        else:
            ResolveClash().apply(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c is None or c.round not in ("tactics", "clash") or c.shown:
            return
        players = at.state.players
        if all(players[p].battle_hand or not drawable(at, "battle") for p in (c.attacker, c.defender)):
            gone = set(at.state.decks.battle.discard)
            left = [name for name in cards(at).battle if name not in gone]
            first: list[str | None] = [*left] if players[c.attacker].battle_hand else [None]
            second: list[str | None] = [*left] if players[c.defender].battle_hand else [None]
            for i, card in enumerate(first):
                yield cls(card, second[(i + 1) % len(second)])


def settle_clash(at: At) -> None:
    """Establish the winner as soon as nobody can change the Battle Totals any more by recalling units (WS-ALLY-6)."""
    c = campaign_of(at)
    if c is None or c.round != "clash" or not c.shown or c.winner is not None:
        return
    if c.allies and at.on("WS-ALLY-5"):
        for side in SIDES:
            total, lines = _total(at, c, side)
            at.note("WS-CLASH-3", f"{c.principal(side)}: {spell(lines)} = {total} as things stand", side=side, bt=total)
        owners = sorted({a.player for a in c.allies})
        at.note(
            "WS-ALLY-6",
            f"{' and '.join(owners)} may still recall units before the winner is established",
            may_recall=owners,
        )
    else:
        ResolveClash().apply(at)


def _total(at: At, c: Campaign, side: Side) -> tuple[int, list[Line]]:
    card = c.destiny.get(c.principal(side))
    return battle_total(at, c, side, cards(at).battle[card] if card else None)


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
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "clash")
        if c and c.round == "clash" and not c.shown:
            yield Breach("WS-CLASH-1", "the Destiny cards have not been shown", {"destiny": dict(c.destiny)})

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        totals: dict[str, int] = {}
        for side in SIDES:
            total, lines = _total(at, c, side)
            totals[side] = total
            player = c.principal(side)
            at.note("WS-CLASH-3", f"{player} ({side}): {spell(lines)} = {total}", player=player, side=side, bt=total)
            for line in lines:
                if line.rule != "WS-CLASH-3":
                    at.cite(line.rule, f"{line.words}: {line.n}", side=side, n=line.n)
        if not at.quiet:
            _note_units(at, c)
        attacker, defender = totals["attacker"], totals["defender"]
        if attacker == defender:
            c.winner = at["clash.tie_winner"] if at.on("WS-CLASH-5") else "attacker"
            at.note(
                "WS-CLASH-5",
                f"{attacker} against {defender}: the {c.winner} wins ties",
                attacker=attacker,
                defender=defender,
                winner=c.winner,
            )
        else:
            c.winner = "attacker" if attacker > defender and at.on("WS-CLASH-4") else "defender"
            winner = c.principal(c.winner)
            at.note(
                "WS-CLASH-4",
                f"{attacker} against {defender}: {winner} wins",
                attacker=attacker,
                defender=defender,
                winner=c.winner,
            )
        if c.winner == "defender" and c.provincial_army:
            at.note("WS-PROV-10", f"the Provincial Army won: the {c.provincial_army} province stays with {c.defender}")
        _discard_destiny(at, c)
        c.round = "casualties"
        loser = c.defender if c.winner == "attacker" else c.attacker
        if at.on("WS-CAS-1") and (c.provincial_army or losable(at, c)):
            at.note("WS-CAS-1", f"{loser} loses {count(at['casualty.units'], 'unit')}", loser=loser)
        else:
            decide(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "clash" and c.shown:
            yield cls()


def _note_units(at: At, c: Campaign) -> None:
    """Say which Generals fight, where a reader might expect others to (WS-CLASH-13, -16, -17)."""
    p = at.state.players[c.attacker]
    if p.armies > c.committed.armies or len(p.generals) > len(c.committed.generals):
        at.note(
            "WS-CLASH-17",
            f"{c.attacker} counts the committed units only",
            committed=len(c.committed.generals) + c.committed.armies,
        )
    if len(p.generals) > len(c.committed.generals):
        at.note("WS-CLASH-13", "Generals who take no part give no bonus")
    fighting = [
        *c.committed.generals,
        *at.state.players[c.defender].generals,
        *(g for a in c.allies for g in a.generals),
    ]
    if any(cards(at).generals[g].redraw_weight > 1 for g in fighting):
        at.note("WS-CLASH-16", "a Thoughtful General counts as 1 in the Battle Total")


def _discard_destiny(at: At, c: Campaign) -> None:
    for player, card in c.destiny.items():
        if card is None:
            continue
        if at.on("WS-CLASH-6"):
            at.state.decks.battle.discard.append(card)
        else:
            at.state.players[player].battle_hand += 1
        c.destiny[player] = None
    at.note("WS-CLASH-6", "both Destiny cards are discarded")


__all__ = ["ResolveClash", "RevealDestiny", "settle_clash"]
