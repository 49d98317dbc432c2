"""What a card shown obliges to: a mark for a 6, permanent losses; and what it counts as (rules DY-SIX, DY-COMBAT-11, -12)."""

from __future__ import annotations

from .catalogue import At, armies, card_of, cat, name, spell
from .state import COLOURS, Battle, Sources, rival
from .supply import sources, take


def dues(at: At, battle: Battle, player: str) -> None:
    """What the card just shown by a player obliges him to."""
    s = at.state
    p = s.players[player]
    card = card_of(at, p.shown[battle.province])
    against = card_of(at, s.players[rival(player)].shown[battle.province])
    there = s.provinces[battle.province]
    marks = there.marks.of(player)
    if not at.on("DY-SIX-4") and card.mark and not there.of(player):
        battle.idle_six.append(player)
    elif card.mark and at.on("DY-SIX-1") and (against.kind != "plague" or at.on("DY-SIX-7")):
        extra = _extra_six(at, player, battle)
        if marks < at["six.uses_per_province"] or not at.on("DY-SIX-2"):
            battle.mark_due.append(player)
            at.note("DY-SIX-1", f"{name(player)} marks {battle.province}", player=player)
        elif extra and at.on("DY-WL-14"):
            battle.mark_due.append(player)
            at.note(
                "DY-WL-14", f"{name(player)} uses the 6 once more in {battle.province} and marks again", player=player
            )
        else:
            battle.idle_six.append(player)
            at.note("DY-SIX-2", f"{name(player)} has used the 6 in {battle.province} already", marks=marks)
            at.note("DY-SIX-9", f"it counts {at['six.illegal_value']}, and no mark is paid", player=player)
    if card.cost and at.on("DY-COMBAT-11"):
        battle.cost_due[player] = min(card.cost, sum(sources(at, player).values()))
        at.note(
            "DY-COMBAT-11",
            f"{card.label} costs {name(player)} {armies(card.cost)} for good",
            player=player,
            cost=card.cost,
        )
    if (counts := feigns(at, player, battle, card.label)) is not None:
        play_as = cat(at).warlords[p.warlord.card or ""].effects["play_as"]
        if play_as["after"] == "return":
            p.feigned = battle.province
        at.note("DY-WL-10", f"the {card.label} of {name(player)} counts as {counts}, without a mark", counts=counts)


def _extra_six(at: At, player: str, battle: Battle) -> bool:
    lord = at.state.players[player].warlord
    return (
        lord.armed == battle.province and lord.card is not None and "extra_six" in cat(at).warlords[lord.card].effects
    )


def feigns(at: At, player: str, battle: Battle, label: str) -> int | None:
    """The number a card counts as by Feigned Weakness (DY-WL-10); None: it counts as printed."""
    lord = at.state.players[player].warlord
    if lord.armed != battle.province or lord.card is None or not at.on("DY-WL-10"):
        return None
    play_as = cat(at).warlords[lord.card].effects.get("play_as")
    if play_as is None or label not in [str(c) for c in play_as["cards"]]:
        return None
    return int(play_as["value"])


def first_to_pay(b: Battle) -> str | None:
    """White pays before Black (DY-REVEAL-4)."""
    return next((c for c in COLOURS if c in b.mark_due or c in b.cost_due), None)


def pay_mark(at: At, b: Battle, player: str, source: str) -> None:
    take(at, player, source, 1)
    marks = at.state.provinces[b.province].marks
    setattr(marks, player, marks.of(player) + 1)
    if player in b.mark_due:
        b.mark_due.remove(player)
    b.marks_paid[player] = source
    at.note(
        "DY-SIX-3",
        f"the mark of {name(player)} comes from {'the reserve' if source == 'reserve' else source}",
        source=source,
    )
    at.cite("DY-SIX-4", f"own armies in {b.province} are not needed")
    at.cite("DY-SIX-5", "marking is not placing: the battle is fought with the value of the card")
    at.cite("DY-SIX-6", "a mark is not an army")


def pay_cost(at: At, b: Battle, player: str, paid: Sources) -> None:
    for place, n in paid.items():
        take(at, player, place, n)
        at.state.players[player].out += n
    b.cost_due.pop(player, None)
    b.costs_paid[player] = dict(paid)
    at.note(
        "DY-COMBAT-12",
        f"{name(player)} loses {spell(paid)} for good",
        sources=dict(paid),
        out=at.state.players[player].out,
    )


__all__ = ["dues", "feigns", "first_to_pay", "pay_cost", "pay_mark"]
