"""A battle from the reveal to its end: what has only one outcome goes on by itself (rules DY-REVEAL, DY-COMBAT, DY-PLAGUE)."""

from __future__ import annotations

from companion.engine.play.moves import Choice

from .catalogue import At, armies, borders, card_of, cat, name, spell
from .cleanup import clean_up
from .combat import compare, left_by_plague, value_of
from .dues import feigns, first_to_pay, pay_cost, pay_mark
from .state import COLOURS, Battle, Colour, Player, Sources, rival
from .supply import forced, placing, sources, take


def advance_battle(at: At) -> None:
    """Carry out what has only one outcome: forced payments, the comparison, a forced placing, the end of the phase."""
    s = at.state
    b = s.fighting
    if b is None:
        return
    for player in COLOURS:
        offer = sources(at, player)
        if player in b.mark_due and len(offer) == 1 and first_to_pay(b) == player:
            pay_mark(at, b, player, next(iter(offer)))
        elif player in b.mark_due and not offer:
            b.mark_due.remove(player)
        due = b.cost_due.get(player)
        if due is not None and first_to_pay(b) == player:
            offer = sources(at, player)
            if len(offer) <= 1 or due >= sum(offer.values()):
                pay_cost(at, b, player, {next(iter(offer)): due} if len(offer) == 1 else offer)
    if b.mark_due or b.cost_due:
        return
    if not b.resolved:
        resolve(at, b)
    if not b.resolved:
        return
    if b.to_place and (only := forced(at, placing(at, b))) is not None:
        place(at, b, only)
    elif not b.to_place:
        finish_province(at, b)


def choice_open(at: At) -> Choice | None:
    """A payment or placing that its owner still has to choose."""
    b = at.state.fighting
    if b is None:
        return None
    who = first_to_pay(b)
    if who in b.mark_due:
        return Choice(
            "source",
            who or "",
            f"from where does {name(who or '')} take the mark?",
            list(sources(at, who or "")),
            "pay_mark",
        )
    if who is not None:
        return Choice(
            "sources",
            who,
            f"from where does {name(who)} lose {armies(b.cost_due[who])}?",
            list(sources(at, who)),
            "pay_cost",
        )
    if b.to_place and b.resolved:
        offer = sorted({p for _, _, places in placing(at, b) for p in places if p != "reserve"})
        return Choice(
            "sources", b.winner or "", f"which armies does {name(b.winner or '')} move to {b.province}?", offer, "place"
        )
    return None


def resolve(at: At, b: Battle) -> None:
    """Plague or comparison, then removal; what is to be placed is noted in `b`."""
    s = at.state
    b.resolved = True
    white, black = (card_of(at, s.players[c].shown[b.province]) for c in COLOURS)
    if "plague" in (white.kind, black.kind) and at.on("DY-PLAGUE-1"):
        _plague(at, b, white.kind == black.kind)
        if at.on("DY-PLAGUE-5"):
            return
    values = [
        value_of(card, _counts_as(at, b, colour, card.label))
        for colour, card in zip(COLOURS, (white, black), strict=True)
    ]
    outcome = compare(at, values[0], values[1])
    b.resolved = outcome.rule != "DY-COMBAT-2" or at.on("DY-COMBAT-2")
    at.note(outcome.rule, outcome.words, d=outcome.by)
    if outcome.winner is None or not outcome.by:
        return
    winner: Colour = COLOURS[outcome.winner]
    loser = rival(winner)
    province = s.provinces[b.province]
    removed = min(outcome.by, province.of(loser)) if at.on("DY-COMBAT-3") else 0
    province.add(loser, -removed)
    send_home(at, loser, removed)
    at.note(
        "DY-COMBAT-3",
        f"{name(winner)} wins by {outcome.by}"
        + (f" and removes {armies(removed)} of {name(loser)}" if removed else f"; {name(loser)} has no army to remove"),
        removed=removed,
        winner=winner,
    )
    net = outcome.by - removed if at.on("DY-COMBAT-4") else 0
    if province.of(loser) and at.on("DY-ARMY-3"):
        net = 0
    elsewhere = sum(p.of(winner) for q, p in s.provinces.items() if q != b.province or not at.on("DY-PLACE-7"))
    available = s.players[winner].reserve + elsewhere
    if net > s.players[winner].reserve and province.of(winner):
        at.cite("DY-PLACE-7", f"armies that stand in {b.province} stay there")
    if net > available:
        at.note("DY-PLACE-6", f"{name(winner)} has only {armies(available)} to place", available=available, net=net)
    b.winner = winner
    b.to_place = min(net, available) if net <= available or at.on("DY-PLACE-6") else 0
    if net:
        sum_of = f"{outcome.by} - {removed} = " if removed else ""
        at.note("DY-COMBAT-4", f"{sum_of}{armies(net)} to place", net=net)
    else:
        at.note("DY-COMBAT-4", "nothing is left to place", net=net)


def _counts_as(at: At, b: Battle, colour: Colour, label: str) -> int | None:
    """The number a card counts as here, where that is not the printed one."""
    if colour in b.idle_six and at.on("DY-SIX-9"):
        return int(at["six.illegal_value"])
    if colour in b.marks_paid and not at.on("DY-SIX-5"):
        return 0
    return feigns(at, colour, b, label)


def send_home(at: At, colour: Colour, removed: int) -> None:
    """Armies taken off the board go back to the reserve of their owner (DY-ARMY-2)."""
    player = at.state.players[colour]
    if not removed:
        return
    if at.on("DY-ARMY-2"):
        player.reserve += removed
    else:
        player.out += removed
    at.cite("DY-ARMY-2", f"{armies(removed)} back to the reserve of {name(colour)}", reserve=player.reserve)


def _halved(there: int, left: int) -> str:
    if there == left:
        return f"{armies(there)} {'stays' if there == 1 else 'stay'}"
    return f"{armies(there)} become{'s' if there == 1 else ''} {left}"


def _plague(at: At, b: Battle, both: bool) -> None:
    s = at.state
    at.note("DY-PLAGUE-1", f"a Plague: no combat in {b.province}")
    at.cite("DY-PLAGUE-5", "no card is compared with it")
    for player in b.marks_paid:
        at.cite("DY-SIX-7", f"the mark of {name(player)} has been paid all the same")
    to_one: int | None = None
    for p in s.players.values():
        lord = p.warlord
        if (
            lord.armed == b.province
            and lord.card
            and "plague_remaining" in cat(at).warlords[lord.card].effects
            and at.on("DY-WL-15")
        ):
            to_one = int(cat(at).warlords[lord.card].effects["plague_remaining"]["n"])
    province = s.provinces[b.province]
    for _ in range(2 if both and not at.on("DY-PLAGUE-4") else 1):
        for colour in COLOURS:
            there = province.of(colour)
            if not there and province.of(rival(colour)):
                continue
            left, rule = left_by_plague(at, there, to_one)
            province.add(colour, left - there)
            send_home(at, colour, there - left)
            if there or colour == "white":
                at.note(
                    rule,
                    _halved(there, left) if there else f"{b.province} stays empty",
                    left=left,
                    lost=there - left,
                )
            if rule == "DY-PLAGUE-3":
                at.cite("DY-PLAGUE-2", "half, rounded")
    if both:
        at.note("DY-PLAGUE-4", "two Plagues halve once")


def place(at: At, b: Battle, taken: Sources) -> None:
    s = at.state
    player = b.winner or ""
    for source, n in taken.items():
        take(at, player, source, n)
        s.provinces[b.province].add(player, n)
    b.placed = dict(taken)
    b.to_place = 0
    at.note(
        "DY-PLACE-1",
        f"{name(player)} places {armies(sum(taken.values()))} in {b.province}: {spell(taken)}",
        sources=dict(taken),
    )
    bordering = borders(at, b.province)
    if taken.get("reserve"):
        at.cite("DY-PLACE-2", "from the reserve first", reserve=s.players[player].reserve)
    if any(p in bordering for p in taken):
        at.note("DY-PLACE-3", "the reserve is empty: armies come from bordering provinces")
        at.cite("DY-BOARD-2", f"{b.province} borders on {', '.join(bordering)}")
    if any(p != "reserve" and p not in bordering for p in taken):
        at.note("DY-PLACE-4", "no army is left in bordering provinces: they come from farther off")
    finish_province(at, b)


def finish_province(at: At, b: Battle) -> None:
    s = at.state
    b.finished = True
    s.provinces[b.province].resolved = True
    for p in s.players.values():
        if p.warlord.armed == b.province:
            p.warlord.armed = None
            if not _fitted(at, b, p):
                at.note("DY-WL-7", "the declared Warlord does not fit the cards shown and is spent")
                if p.warlord.card and "extra_six" in cat(at).warlords[p.warlord.card].effects:
                    at.cite("DY-WL-14", "there was no second 6 to use")
    if all(p.resolved for p in s.provinces.values()):
        clean_up(at)


def _fitted(at: At, b: Battle, p: Player) -> bool:
    """Whether a declared Warlord had something to take hold of."""
    effects = cat(at).warlords[p.warlord.card or ""].effects if p.warlord.card else {}
    shown = [q.shown.get(b.province, "") for q in at.state.players.values()]
    if "plague_remaining" in effects:
        return any(label and card_of(at, label).kind == "plague" for label in shown)
    if "play_as" in effects:
        return p.feigned == b.province or p.shown.get(b.province) in [str(c) for c in effects["play_as"]["cards"]]
    return "extra_six" not in effects or at.state.provinces[b.province].marks.of("black") > at["six.uses_per_province"]


__all__ = ["advance_battle", "choice_open", "place"]
