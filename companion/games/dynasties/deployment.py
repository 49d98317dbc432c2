"""Phase 1 and 2: exchanges, five cards laid face down, and the order of the reveals (rules DY-EXP, DY-DEPLOY, DY-ORDER)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Count, Move, Seat

from .catalogue import At, board_total, card_of, cat, copies, name, yellow
from .domains import Label, ProvinceName
from .ending import presumed_end
from .setup import presumed_setup
from .state import COLOURS, STAGES, rival


def impossible(at: At, player: str, label: str) -> Iterator[Breach]:
    """A label all of whose copies have left the game or lie shown (DY-CARD-4)."""
    p = at.state.players[player]
    in_deck = copies(at).get(label, 0)
    out = p.removed.count(label)
    shown = [province for province, other in p.shown.items() if other == label]
    if out + len(shown) < in_deck:
        return
    places = [*(["out of the game"] if out else []), *(f"shown in {province}" for province in shown)]
    if in_deck == 0:
        why = "there is none in the deck"
    elif len(places) > 1:
        why = f"of {in_deck} copies {', '.join([f'{out} {places[0]}', *places[1:]] if out else places)}"
    else:
        why = f"{'the only copy is' if in_deck == 1 else f'all {in_deck} copies are'} {places[0]}"
    facts = {"label": label, "copies": in_deck, "gone": out + len(shown)}
    yield Breach("DY-CARD-4", f"{name(player)} cannot have {label}: {why}", facts)


class Exchange(Move, frozen=True):
    """Expert: discard a strong card for one of the armies set aside."""

    name = "exchange"
    words = ("exchange",)
    example = "white exchange 7"
    player: Annotated[str, Seat()] = ""
    card: Annotated[str, Label()] = ""

    def presumes(self, at: At) -> Move | None:
        return presumed_setup(at) or presumed_end(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not self.player:
            return
        p = s.players[self.player]
        if s.options.deck != "expert":
            yield Breach("DY-EXP-1", "cards are exchanged in the Expert game only", {"deck": s.options.deck})
        if s.phase != "deploy" or self.player in s.ready:
            yield Breach(
                "DY-EXP-5",
                "cards are exchanged at the start of deployment, before any card is laid",
                {"phase": s.phase, "ready": list(s.ready)},
            )
        elif self.player == "white" and "black" in s.exchanged:
            yield Breach("DY-EXP-5", "White exchanges before Black", {"exchanged": list(s.exchanged)})
        if p.set_aside < 1 and s.options.deck == "expert":
            yield Breach("DY-EXP-6", f"{name(self.player)} has no army set aside any more", {"set_aside": p.set_aside})
        if p.hand <= yellow(at) and self.player not in s.ready and s.options.deck == "expert":
            yield Breach(
                "DY-CARD-5",
                f"{name(self.player)} holds {p.hand} cards, and {yellow(at)} of them are yellow",
                {"hand": p.hand},
            )
        if self.card:
            yield from self._card(at)

    def _card(self, at: At) -> Iterator[Breach]:
        card = card_of(at, self.card)
        if card.yellow:
            yield Breach("DY-EXP-4", f"{card.label} is a yellow card", {"card": card.label})
        elif self.card not in [str(label) for label in at["expert.exchange_cards"]]:
            rule = "DY-EXP-1" if card.kind != "modifier" else "DY-EXP-2" if card.cost else "DY-EXP-3"
            yield Breach(
                rule,
                f"{card.label} cannot be exchanged",
                {"card": card.label, "allowed": list(at["expert.exchange_cards"])},
            )
        else:
            yield from impossible(at, self.player, self.card)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who exchanges?", list(COLOURS))
        if not self.card:
            yield Choice("card", self.player, "which card?", [str(label) for label in at["expert.exchange_cards"]])

    def apply(self, at: At) -> None:
        s = at.state
        p = s.players[self.player]
        p.removed.append(self.card)
        p.hand -= 1
        p.hand_at_deploy = p.hand
        if at.on("DY-EXP-1"):
            p.set_aside -= 1
            p.reserve += 1
        s.exchanged.append(self.player)
        at.note(
            "DY-EXP-1",
            f"{name(self.player)} discards {self.card} for 1 army",
            reserve=p.reserve,
            set_aside=p.set_aside,
            hand=p.hand,
        )
        at.cite("DY-EXP-5", "openly, before any card is laid")
        at.cite("DY-EXP-6", f"{p.set_aside} armies are left aside", set_aside=p.set_aside)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "deploy" and at.state.options.deck == "expert":
            for colour in COLOURS:
                yield from (cls(colour, str(label)) for label in at["expert.exchange_cards"])


class Ready(Move, frozen=True):
    """A player has laid a card at every province."""

    name = "ready"
    words = ("ready",)
    example = "white ready"
    player: Annotated[str, Seat()] = ""
    laid: Annotated[int | None, Count()] = None

    def presumes(self, at: At) -> Move | None:
        return presumed_setup(at) or presumed_end(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "deploy":
            yield Breach(
                "DY-DEPLOY-3", f"cards are laid in deployment, and this is {STAGES[s.phase]}", {"phase": s.phase}
            )
        elif self.player in s.ready:
            yield Breach("DY-DEPLOY-3", f"{name(self.player)} is ready", {"ready": list(s.ready)})
        due = _due(at)
        if self.laid is not None and self.laid != due:
            yield Breach(
                "DY-DEPLOY-2",
                f"{due} cards are laid, one at each province, not {self.laid}",
                {"laid": self.laid, "due": due},
            )
        elif self.player and s.players[self.player].hand < due:
            yield Breach(
                "DY-DEPLOY-2",
                f"{name(self.player)} holds {s.players[self.player].hand} cards",
                {"hand": s.players[self.player].hand},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who is ready?", [c for c in COLOURS if c not in at.state.ready])

    def apply(self, at: At) -> None:
        s = at.state
        p = s.players[self.player]
        p.hand -= _due(at) if at.on("DY-DEPLOY-1") else 0
        s.ready.append(self.player)
        at.note("DY-DEPLOY-1", f"{name(self.player)} has laid {_due(at)} cards", hand=p.hand)
        at.cite("DY-DEPLOY-2", "one at each province, from the own hand")
        if len(s.ready) == len(COLOURS) and at.on("DY-DEPLOY-3"):
            at.note("DY-DEPLOY-3", "both are ready: the cards are fixed")
            begin_order(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "deploy":
            yield from (cls(colour) for colour in COLOURS)


def _due(at: At) -> int:
    return len(cat(at).provinces) * int(at["deploy.cards_per_province"])


# --- the order of the reveals ------------------------------------------------------------------------------------


def begin_order(at: At) -> None:
    s = at.state
    s.phase = "order"
    white, black = (board_total(at, c) for c in COLOURS)
    at.cite("DY-ORDER-6", f"armies on the board: White {white}, Black {black}", white=white, black=black)
    _cite_totals(at)
    who, rule, why = chooser(at)
    if who is None:
        FixedOrder().apply(at)
    else:
        at.note(rule, f"{name(who)} chooses the order: {why}", chooser=who)


def _cite_totals(at: At) -> None:
    at.cite("DY-ARMY-5", "marks and reserve do not count")
    if any(at.state.marks(c) for c in COLOURS):
        at.cite("DY-SIX-6", "a mark is not an army")


def chooser(at: At) -> tuple[str | None, str, str]:
    """Who chooses the order (None: it is fixed), by which rule and why."""
    s = at.state
    if s.dynasty == 1 and at.on("DY-ORDER-1"):
        return None, "DY-ORDER-1", "the first Dynasty"
    white, black = (board_total(at, c) for c in COLOURS)
    if white != black and at.on("DY-ORDER-2"):
        return (
            ("white" if white < black else "black"),
            "DY-ORDER-2",
            f"{min(white, black)} armies on the board against {max(white, black)}",
        )
    if s.last_chooser and at.on("DY-ORDER-3"):
        return s.last_chooser, "DY-ORDER-3", f"{white} armies each, and {name(s.last_chooser)} chose last"
    return None, "DY-ORDER-4", f"{white} armies each, and nobody has chosen yet"


class FixedOrder(Move, frozen=True):
    """The provinces are revealed from west to east."""

    name = "fixed_order"
    role = "automatic"
    words = ("fixed order",)
    example = "fixed order"

    def already(self, at: At) -> bool:
        s = at.state
        none_revealed = not any(p.shown for p in s.players.values())
        return s.phase == "battles" and none_revealed and s.order == cat(at).provinces and chooser(at)[0] is None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "order":
            yield Breach(
                "DY-ORDER-6",
                f"the order is settled after deployment, and this is {STAGES[s.phase]}",
                {"phase": s.phase},
            )
        elif (found := chooser(at))[0] is not None:
            yield Breach(found[1], f"{name(found[0] or '')} chooses the order: {found[2]}", {"chooser": found[0]})

    def apply(self, at: At) -> None:
        s = at.state
        _, rule, why = chooser(at)
        s.order = list(cat(at).provinces)
        s.phase = "battles"
        at.note(
            rule if rule in ("DY-ORDER-1", "DY-ORDER-4") else "DY-ORDER-4",
            f"order: {', '.join(s.order)} ({why})",
            order=list(s.order),
        )

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "order":
            yield cls()


class ChooseOrder(Move, frozen=True):
    """The player who may choose announces the whole order of the reveals."""

    name = "choose_order"
    role = "choice"
    words = ("order",)
    example = "order tibet gansu mandarin qinghai xinjiang"
    player: Annotated[str, Seat()] = ""
    order: Annotated[tuple[str, ...], ProvinceName(many=True)] = ()

    def filled(self, at: At) -> ChooseOrder:
        who = chooser(at)[0] if at.state.phase == "order" else None
        return ChooseOrder(self.player or who or "", self.order)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "order":
            rule = "DY-ORDER-5" if s.phase == "battles" else "DY-ORDER-6"
            yield Breach(
                rule,
                "the order has been announced"
                if rule == "DY-ORDER-5"
                else f"the order is settled after deployment, and this is {STAGES[s.phase]}",
                {"phase": s.phase},
            )
            return
        who, rule, why = chooser(at)
        if who is None:
            yield Breach(rule, f"nobody chooses: {why}", {"dynasty": s.dynasty})
        elif self.player and self.player != who:
            yield Breach(
                rule,
                f"{name(who)} chooses: {why}",
                {"chooser": who, **{c: board_total(at, c) for c in COLOURS}},
            )
        if self.order and sorted(self.order) != sorted(cat(at).provinces):
            yield Breach(
                "DY-ORDER-5",
                f"the order names every province once, not {', '.join(self.order)}",
                {"order": list(self.order)},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.order:
            yield Choice("order", self.player, "in which order are the provinces revealed?", list(cat(at).provinces))

    def apply(self, at: At) -> None:
        s = at.state
        _, rule, why = chooser(at)
        s.order = list(self.order)
        if at.on("DY-ORDER-7"):
            s.last_chooser = self.player
        s.phase = "battles"
        at.note(rule, f"{name(self.player)} chooses {', '.join(self.order)} ({why})", order=list(self.order))
        at.cite("DY-ORDER-5", "every province once; it is not changed any more")
        _cite_totals(at)
        at.cite("DY-ORDER-7", f"{name(self.player)} chose last", last_chooser=s.last_chooser)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "order":
            provinces = cat(at).provinces
            for i in range(len(provinces)):
                yield cls("", tuple(provinces[i:] + provinces[:i])).filled(at)


__all__ = ["ChooseOrder", "Exchange", "FixedOrder", "Ready", "chooser", "impossible", "rival"]
