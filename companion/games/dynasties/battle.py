"""Phase 3, one province: reveal, payments, Plague or combat, removal, placing (rules DY-REVEAL, DY-SIX, DY-PLACE …)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.engine.moves import Breach, Choice, Move, Seat

from .catalogue import At, Card, armies, card_of, cat, copies, name, spell, yellow
from .cleanup import clean_up
from .combat import compare, left_by_plague, value_of
from .deployment import impossible
from .domains import Label, Place, ProvinceName, SourceTally
from .state import COLOURS, Battle, Colour, Player, Sources, rival

# --- what can be taken from where --------------------------------------------------------------------------------


def sources(at: At, player: str) -> Sources:
    """Own cubes that may pay a mark or a permanent loss: reserve and armies of any province (DY-SIX-3, DY-COMBAT-12)."""
    s = at.state
    found = {"reserve": s.players[player].reserve}
    found.update({p: province.of(player) for p, province in s.provinces.items()})
    return {place: n for place, n in found.items() if n}


def placing(at: At, battle: Battle) -> list[tuple[str, int, Sources]]:
    """The steps in which armies come into the province: (rule, how many from this step, what it offers)."""
    s = at.state
    player = battle.winner or ""
    left = battle.to_place if at.on("DY-PLACE-1") else 0
    reserve = min(left, s.players[player].reserve) if at.on("DY-PLACE-2") else 0
    steps: list[tuple[str, int, Sources]] = [("DY-PLACE-2", reserve, {"reserve": reserve} if reserve else {})]
    left -= reserve
    bordering = cat(at).borders[battle.province]
    for rule, near in (("DY-PLACE-3", True), ("DY-PLACE-4", False)):
        offer = {
            p: province.of(player)
            for p, province in s.provinces.items()
            if p != battle.province and (p in bordering) == near and province.of(player)
        }
        n = min(left, sum(offer.values())) if at.on(rule) else 0
        steps.append((rule, n, offer if n else {}))
        left -= n
    return steps


def forced(steps: list[tuple[str, int, Sources]]) -> Sources | None:
    """The only way to take the armies, None if the owner has a choice."""
    taken: Sources = {}
    for _, n, offer in steps:
        if not n:
            continue
        if len(offer) > 1 and n < sum(offer.values()):
            return None
        for place, most in offer.items():
            taken[place] = min(n, most)
            n -= taken[place]
    return taken


# --- the reveal --------------------------------------------------------------------------------------------------


class Reveal(Move, frozen=True):
    """Both cards of the next province are shown."""

    name = "reveal"
    role = "event"
    words = ("reveal", "show")
    example = "reveal tibet 7 +1"
    province: Annotated[str, ProvinceName()] = ""
    white: Annotated[str, Label()] = ""
    black: Annotated[str, Label()] = ""

    def presumes(self, at: At) -> Move | None:
        return presumed_in_battle(at)

    def filled(self, at: At) -> Reveal:
        s = at.state
        left = s.to_come() if s.phase == "battles" else []
        sure = bool(s.order) or len(left) == 1
        return Reveal(left[0], self.white, self.black) if not self.province and left and sure else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "battles":
            facts = {"phase": s.phase, "ready": list(s.ready)}
            if s.phase == "deploy":
                waiting = " and ".join(name(c) for c in COLOURS if c not in s.ready)
                yield Breach("DY-DEPLOY-3", f"{waiting} may still rearrange cards", facts)
            yield Breach("DY-ORDER-5", f"cards are shown once the order is announced, and this is {s.phase}", facts)
            return
        fighting = s.fighting
        if fighting is not None and choice_open(at) is None:
            yield Breach("DY-REVEAL-3", f"{fighting.province} is not finished", {"province": fighting.province})
        elif fighting is None and self.province:
            left = s.to_come()
            if self.province not in left:
                yield Breach("DY-ORDER-5", f"{self.province} has had its turn in this Dynasty", {"left": left})
            elif s.order and self.province != left[0]:
                yield Breach(
                    "DY-ORDER-5", f"{left[0]} comes before {self.province}", {"order": list(s.order), "next": left[0]}
                )
        for player, label in (("white", self.white), ("black", self.black)):
            if label:
                yield from self._card(at, player, label)

    def _card(self, at: At, player: str, label: str) -> Iterator[Breach]:
        p = at.state.players[player]
        if label not in copies(at):
            yield Breach(
                "DY-SETUP-7",
                f"{label} is not in the {at.state.options.deck} deck",
                {"deck": at.state.options.deck, "card": label},
            )
            return
        yield from impossible(at, player, label)
        shown = [other for other in p.shown.values() if not card_of(at, other).yellow]
        white_cards = p.hand_at_deploy - yellow(at)
        if not card_of(at, label).yellow and len(shown) + 1 > white_cards:
            yield Breach(
                "DY-CARD-5",
                f"{name(player)} had {p.hand_at_deploy} cards, {yellow(at)} of them yellow, and has shown {', '.join(shown) or 'no'} white",
                {"hand_at_deploy": p.hand_at_deploy, "white_cards": white_cards, "shown": shown},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice
            return
        if not self.province:
            yield Choice("province", "", "which province comes next?", at.state.to_come())
        for field, label in (("white", self.white), ("black", self.black)):
            if not label:
                yield Choice(
                    field, field, f"which card does {name(field)} show in {self.province}?", list(copies(at))
                )

    def apply(self, at: At) -> None:
        s = at.state
        battle = Battle(self.province)
        s.battle = battle
        at.note("DY-REVEAL-1", f"{self.province}: White {self.white}, Black {self.black}", province=self.province)
        at.cite("DY-REVEAL-2", "show, pay, compare, remove, place")
        for player, label in (("white", self.white), ("black", self.black)):
            s.players[player].shown[self.province] = label
            _dues(at, battle, player, card_of(at, label))
        advance_battle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        left = s.to_come() if s.phase == "battles" and not s.fighting else []
        if left:
            labels = list(copies(at))
            for i, white in enumerate(labels):
                yield cls(left[0], white, labels[(i * 5 + 3) % len(labels)])
                yield cls(left[0], white, white)


def feigns(at: At, player: str, battle: Battle, label: str) -> int | None:
    """The number a card counts as by Feigned Weakness (DY-WL-10); None: it counts as printed."""
    lord = at.state.players[player].warlord
    if lord.armed != battle.province or lord.card is None or not at.on("DY-WL-10"):
        return None
    play_as = cat(at).warlords[lord.card].effects.get("play_as")
    if play_as is None or label not in [str(c) for c in play_as["cards"]]:
        return None
    return int(play_as["value"])


def _dues(at: At, battle: Battle, player: str, card: Card) -> None:
    s = at.state
    p = s.players[player]
    marks = s.provinces[battle.province].marks.of(player)
    if card.mark and at.on("DY-SIX-1"):
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


# --- going on by itself ------------------------------------------------------------------------------------------


def advance_battle(at: At) -> None:
    """Carry out what has only one outcome: forced payments, the comparison, a forced placing, the end of the phase."""
    s = at.state
    b = s.fighting
    if b is None:
        return
    for player in COLOURS:
        offer = sources(at, player)
        if player in b.mark_due and len(offer) == 1 and _first_to_pay(b) == player:
            pay_mark(at, b, player, next(iter(offer)))
        elif player in b.mark_due and not offer:
            b.mark_due.remove(player)
        due = b.cost_due.get(player)
        if due is not None and _first_to_pay(b) == player:
            offer = sources(at, player)
            if len(offer) <= 1 or due >= sum(offer.values()):
                pay_cost(at, b, player, {next(iter(offer)): due} if len(offer) == 1 else offer)
    if b.mark_due or b.cost_due:
        return
    if not b.resolved:
        resolve(at, b)
    if b.to_place and (only := forced(placing(at, b))) is not None:
        place(at, b, only)
    elif not b.to_place:
        finish_province(at, b)


def _first_to_pay(b: Battle) -> str | None:
    """White pays before Black (DY-REVEAL-4)."""
    return next((c for c in COLOURS if c in b.mark_due or c in b.cost_due), None)


def presumed_in_battle(at: At) -> Move | None:
    """Forced steps of a loaded position are carried out by the next action."""
    b = at.state.fighting
    if b is None or b.finished:
        return None
    if not b.mark_due and not b.cost_due and not b.resolved:
        return Resolve()
    return None


def choice_open(at: At) -> Choice | None:
    """A payment or placing that its owner still has to choose."""
    b = at.state.fighting
    if b is None:
        return None
    who = _first_to_pay(b)
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
            "sources", who, f"from where does {name(who)} take {b.cost_due[who]}?", list(sources(at, who)), "pay_cost"
        )
    if b.to_place and b.resolved:
        offer = sorted({p for _, _, places in placing(at, b) for p in places if p != "reserve"})
        return Choice(
            "sources", b.winner or "", f"which armies does {name(b.winner or '')} move to {b.province}?", offer, "place"
        )
    return None


def take(at: At, player: str, place: str, n: int) -> None:
    if place == "reserve":
        at.state.players[player].reserve -= n
    else:
        at.state.provinces[place].add(player, -n)


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
    at.cite("DY-SIX-8", "it stays to the end of the game")


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


def resolve(at: At, b: Battle) -> None:
    """Plague or comparison, then removal; what is to be placed is noted in `b`."""
    s = at.state
    b.resolved = True
    white, black = (card_of(at, s.players[c].shown[b.province]) for c in COLOURS)
    if "plague" in (white.kind, black.kind) and at.on("DY-PLAGUE-1"):
        _plague(at, b, white.kind == black.kind)
        return
    values = []
    for colour, card in zip(COLOURS, (white, black), strict=True):
        counts = (
            at["six.illegal_value"] if colour in b.idle_six and at.on("DY-SIX-9") else feigns(at, colour, b, card.label)
        )
        values.append(value_of(card, counts))
    outcome = compare(at, values[0], values[1])
    at.note(outcome.rule, outcome.words, d=outcome.by)
    if outcome.winner is None or not outcome.by:
        return
    winner: Colour = COLOURS[outcome.winner]
    loser = rival(winner)
    province = s.provinces[b.province]
    removed = min(outcome.by, province.of(loser)) if at.on("DY-COMBAT-3") else 0
    province.add(loser, -removed)
    _send_home(at, loser, removed)
    at.note(
        "DY-COMBAT-3",
        f"{name(winner)} wins by {outcome.by} and removes {armies(removed)} of {name(loser)}",
        removed=removed,
        winner=winner,
    )
    net = outcome.by - removed if at.on("DY-COMBAT-4") else 0
    if province.of(loser) and at.on("DY-ARMY-3"):
        net = 0
    available = s.players[winner].reserve + sum(p.of(winner) for q, p in s.provinces.items() if q != b.province)
    if net > available:
        at.note("DY-PLACE-6", f"{name(winner)} has only {armies(available)} to place", available=available, net=net)
    b.winner = winner
    b.to_place = min(net, available)
    at.note("DY-COMBAT-4", f"{outcome.by} - {removed} = {armies(net)} to place", net=net)


def _send_home(at: At, colour: Colour, removed: int) -> None:
    """Armies taken off the board go back to the reserve of their owner (DY-ARMY-2)."""
    player = at.state.players[colour]
    if not removed:
        return
    if at.on("DY-ARMY-2"):
        player.reserve += removed
    else:
        player.out += removed
    at.cite("DY-ARMY-2", f"{armies(removed)} back to the reserve of {name(colour)}", reserve=player.reserve)


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
            _send_home(at, colour, there - left)
            if there or colour == "white":
                at.note(
                    rule,
                    f"{armies(there)} become {left}" if there else f"{b.province} stays empty",
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
    bordering = cat(at).borders[b.province]
    if taken.get("reserve"):
        at.cite("DY-PLACE-2", "from the reserve first", reserve=s.players[player].reserve)
    if any(p in bordering for p in taken):
        at.note("DY-PLACE-3", "the reserve is empty: armies come from bordering provinces")
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


# --- payments and placing, as moves ------------------------------------------------------------------------------


class PayMark(Move, frozen=True):
    """The owner of a 6 takes its mark from the reserve or from a province."""

    name = "pay_mark"
    role = "choice"
    words = ("mark", "pay mark")
    example = "black mark reserve"
    player: Annotated[str, Seat()] = ""
    source: Annotated[str, Place()] = ""

    def filled(self, at: At) -> PayMark:
        b = at.state.fighting
        return PayMark(b.mark_due[0], self.source) if b and b.mark_due and not self.player else self

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and self.player in b.marks_paid and b.marks_paid[self.player] == self.source

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None or (self.player and self.player not in b.mark_due):
            if b is not None and self.player in b.idle_six:
                yield Breach(
                    "DY-SIX-9",
                    f"the 6 of {name(self.player)} counts for nothing here, and no mark is paid",
                    {"province": b.province},
                )
            else:
                yield Breach(
                    "DY-SIX-1", f"{name(self.player)} has no mark to pay", {"mark_due": list(b.mark_due) if b else []}
                )
            return
        if self.player and _first_to_pay(b) != self.player:
            yield Breach(
                "DY-REVEAL-4",
                f"{name(_first_to_pay(b) or '')} pays before {name(self.player)}",
                {"first": _first_to_pay(b)},
            )
        if self.source and self.source not in sources(at, self.player):
            where = "in the reserve" if self.source == "reserve" else f"in {self.source}"
            yield Breach("DY-SIX-3", f"{name(self.player)} has no army {where}", {"sources": sources(at, self.player)})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.source:
            yield Choice("source", self.player, "from where?", list(sources(at, self.player)))

    def apply(self, at: At) -> None:
        b = at.state.fighting
        if b is not None:
            pay_mark(at, b, self.player, self.source)
            advance_battle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        for player in b.mark_due if b else ():
            yield from (cls(player, source) for source in sources(at, player))


class PayCost(Move, frozen=True):
    """The owner of a costly modifier says which armies leave the game."""

    name = "pay_cost"
    role = "choice"
    words = ("cost", "pay cost")
    example = "white cost 1 reserve"
    player: Annotated[str, Seat()] = ""
    sources: Annotated[Sources, SourceTally()] = msgspec.field(default_factory=dict)

    def filled(self, at: At) -> PayCost:
        b = at.state.fighting
        return PayCost(next(iter(b.cost_due)), self.sources) if b and len(b.cost_due) == 1 and not self.player else self

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and self.player in b.costs_paid and b.costs_paid[self.player] == self.sources

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None or (self.player and self.player not in b.cost_due):
            yield Breach(
                "DY-COMBAT-11", f"{name(self.player)} has nothing to pay", {"cost_due": dict(b.cost_due) if b else {}}
            )
            return
        if self.player and _first_to_pay(b) != self.player:
            yield Breach(
                "DY-REVEAL-4",
                f"{name(_first_to_pay(b) or '')} pays before {name(self.player)}",
                {"first": _first_to_pay(b)},
            )
        if not self.sources or not self.player:
            return
        due, offer = b.cost_due[self.player], sources(at, self.player)
        if sum(self.sources.values()) != due:
            yield Breach(
                "DY-COMBAT-11",
                f"{armies(due)} are lost, not {sum(self.sources.values())}",
                {"due": due, "sources": dict(self.sources)},
            )
        wrong = [p for p, n in self.sources.items() if n > offer.get(p, 0)]
        if wrong:
            yield Breach("DY-COMBAT-12", f"{name(self.player)} has {spell(offer)}", {"sources": offer})

    def needs(self, at: At) -> Iterator[Choice]:
        b = at.state.fighting
        if b and not self.player:
            yield Choice("player", "", "who pays?", list(b.cost_due))
        if not self.sources:
            yield Choice("sources", self.player, "from where?", list(sources(at, self.player)) if self.player else [])

    def apply(self, at: At) -> None:
        b = at.state.fighting
        if b is not None:
            pay_cost(at, b, self.player, {p: n for p, n in self.sources.items() if n})
            advance_battle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        for player, due in b.cost_due.items() if b else ():
            for place, n in sources(at, player).items():
                if n >= due:
                    yield cls(player, {place: due})


class Resolve(Move, frozen=True):
    """Compare the cards (or apply the Plague) and remove armies."""

    name = "resolve"
    role = "automatic"
    words = ("resolve",)
    example = "resolve"

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and b.resolved

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None:
            yield Breach("DY-REVEAL-2", "no cards lie open", {})
        elif b.mark_due or b.cost_due:
            yield Breach(
                "DY-REVEAL-2",
                f"{name(_first_to_pay(b) or '')} has to pay first",
                {"mark_due": list(b.mark_due), "cost_due": dict(b.cost_due)},
            )

    def apply(self, at: At) -> None:
        advance_battle(at)


class PlaceArmies(Move, frozen=True):
    """The winner says from where the armies come that he has to place."""

    name = "place"
    role = "choice"
    words = ("place",)
    example = "white place 1 tibet 2 gansu"
    player: Annotated[str, Seat()] = ""
    sources: Annotated[Sources, SourceTally()] = msgspec.field(default_factory=dict)

    def filled(self, at: At) -> PlaceArmies:
        b = at.state.fighting
        if b is None or not b.to_place:
            return self
        understood: Sources = {}
        for _, n, offer in placing(at, b) if self.sources else ():
            if n == sum(offer.values()) and not set(offer) & set(self.sources):
                understood.update(offer)
        return PlaceArmies(self.player or b.winner or "", {**understood, **self.sources})

    def already(self, at: At) -> bool:
        b = at.state.battle
        if b is None or not b.finished or self.player not in ("", b.winner) or not b.placed:
            return False
        return self.sources in (b.placed, {p: n for p, n in b.placed.items() if p != "reserve"})

    def presumes(self, at: At) -> Move | None:
        return presumed_in_battle(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None or not b.to_place:
            why = (
                f"{name(_first_to_pay(b) or '')} has to pay first"
                if b and (b.mark_due or b.cost_due)
                else "nobody has armies to place"
            )
            yield Breach("DY-REVEAL-2", why, {"to_place": b.to_place if b else 0})
            return
        if self.player and self.player != b.winner:
            yield Breach("DY-COMBAT-4", f"{name(b.winner or '')} has won and places", {"winner": b.winner})
            return
        if not self.sources:
            return
        yield from self._sources(at, b)

    def _sources(self, at: At, b: Battle) -> Iterator[Breach]:
        steps = placing(at, b)
        said = {p: n for p, n in self.sources.items() if n}
        due = sum(n for _, n, _ in steps)
        facts = {
            "due": due,
            "sources": said,
            "steps": [{"rule": rule, "n": n, "from": offer} for rule, n, offer in steps],
        }
        if b.province in said:
            yield Breach("DY-PLACE-7", f"armies that stand in {b.province} cannot be placed there", facts)
        reserve = steps[0][1]
        if said.get("reserve", 0) != reserve:
            yield Breach("DY-PLACE-2", f"{armies(reserve)} come from the reserve, not {said.get('reserve', 0)}", facts)
        elif sum(said.values()) != due:
            yield Breach("DY-PLACE-1", f"{armies(due)} are placed, not {sum(said.values())}", facts)
        have = {q: p.of(b.winner or "") for q, p in at.state.provinces.items()}
        short = [p for p, n in said.items() if p != "reserve" and n > have.get(p, 0)]
        if short:
            yield Breach("DY-PLACE-7", f"{name(b.winner or '')} has only {have.get(short[0], 0)} in {short[0]}", facts)
        near = sum(n for p, n in said.items() if p in cat(at).borders[b.province])
        right_share = said.get("reserve", 0) == reserve
        if right_share and sum(said.values()) == due and not short and near != steps[1][1]:
            why = f"{armies(steps[1][1])} come from bordering provinces, not {near}"
            yield Breach("DY-PLACE-3", why, facts)
            yield Breach("DY-PLACE-4", why, facts)

    def needs(self, at: At) -> Iterator[Choice]:
        b = at.state.fighting
        if b and not self.sources:
            offer = sorted({p for _, _, places in placing(at, b) for p in places if p != "reserve"})
            yield Choice("sources", b.winner or "", "from which provinces?", offer)

    def apply(self, at: At) -> None:
        b = at.state.fighting
        if b is not None:
            at.cite("DY-PLACE-5", "the owner chooses within a step")
            place(at, b, {p: n for p, n in self.sources.items() if n})

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        if b is None or not b.to_place or not b.resolved:
            return
        steps = placing(at, b)
        for turn in range(4):
            taken: Sources = {}
            for _, n, offer in steps:
                places = sorted(offer)
                for p in places[turn % len(places) :] + places[: turn % len(places)] if places else ():
                    k = min(n, offer[p])
                    if k:
                        taken[p] = k
                    n -= k
            move = cls(b.winner or "", taken)
            yield move


__all__ = [
    "PayCost",
    "PayMark",
    "PlaceArmies",
    "Resolve",
    "Reveal",
    "advance_battle",
    "choice_open",
    "forced",
    "placing",
    "sources",
]
