"""The Event Phase: the card turned over, the rival named, what is lost or taken (rules WS-EVENT, WS-EV)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from companion.engine.play.moves import Breach, Choice, Move, OneOf, PieceName, Seat

from .catalogue import At, cards
from .domains import GeneralName
from .effects import lose_general, resolve_open, resolve_target, touches
from .frame import enter, wrong_phase
from .state import Owed
from .zones import reshuffle


def settle(at: At) -> None:
    """Go on to the Income Phase once the Event has nothing left to decide."""
    s = at.state
    if s.phase == "event" and s.event is not None and not s.owed and not awaits_target(at):
        enter(at, "income")


def awaits_target(at: At) -> bool:
    s = at.state
    if s.phase != "event" or s.event is None or s.event_target is not None:
        return False
    card = cards(at).events[s.event]
    return card.targets and at.on(card.rule)


def targets(at: At) -> list[str]:
    """Whom the active player may name (WS-EVENT-3)."""
    s = at.state
    himself = at["events.target_self"] or not at.on("WS-EVENT-3")
    return [p for p in s.seats if p != s.active or himself]


def presumed_choice(at: At) -> Move | None:
    """The next choice of the Event Phase that has only one answer."""
    s = at.state
    if awaits_target(at):
        only = targets(at)
        return ChooseTarget(only[0]) if len(only) == 1 else None
    for owed in s.owed:
        if owed.choice == "lose_general":
            kinds = sorted(set(s.players[owed.player].generals))
            if len(kinds) == 1 or len(s.players[owed.player].generals) <= owed.n:
                return ChooseGeneralLost(owed.player, s.players[owed.player].generals[0])
        elif len(answers := stealable(at, owed)) == 1:
            return ChooseStolen(general=answers[0]) if owed.what == "general" else ChooseStolen(side=answers[0])  # type: ignore[arg-type]
        return None
    return None


def _only_rival(at: At) -> Move | None:
    """Naming the only rival there is, where that leaves something to choose."""
    first = presumed_choice(at) if awaits_target(at) else None
    if first is None:
        return None
    trial = at.copy()
    trial.quiet = True
    first.apply(trial)
    return first if trial.state.owed else None


def choice_open(at: At) -> Choice | None:
    """The choice this turn's Event still waits for, when it has more than one answer (`presumed_choice`)."""
    s = at.state
    if awaits_target(at):
        rivals = targets(at)
        return Choice("player", s.active, "which rival?", rivals, ChooseTarget.name) if len(rivals) > 1 else None
    if not s.owed or presumed_choice(at):
        return None
    owed = s.owed[0]
    if owed.choice == "lose_general":
        kinds = sorted(set(s.players[owed.player].generals))
        return Choice("general", owed.player, f"which General does {owed.player} lose?", kinds, ChooseGeneralLost.name)
    field = "general" if owed.what == "general" else "side"
    question = f"which {owed.what} does {s.active} take?"
    return Choice(field, s.active, question, list(stealable(at, owed)), ChooseStolen.name)


def stealable(at: At, owed: Owed) -> list[str]:
    """What the thief may choose among."""
    victim = at.state.players[at.state.event_target or ""]
    if owed.what == "general":
        return sorted(set(victim.generals))
    return [side for side, n in (("intact", victim.provinces.intact), ("razed", victim.provinces.razed)) if n]


class RevealEvent(Move, frozen=True):
    """The active player turns over the top Event card."""

    name = "reveal_event"
    role = "event"
    words = ("reveal", "event", "flip")
    example = "reveal plague"
    card: Annotated[str, PieceName("event")] = ""

    def shows(self) -> dict[str, str]:
        return {"top of the Event deck": self.card}

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "event")
        if s.event is not None and s.phase == "event":
            yield Breach("WS-EVENT-1", f"{s.event} is this turn's Event already", {"event": s.event})
        elif self.card in s.decks.event.discard and s.decks.event.draw > 0:
            yield Breach(
                "WS-INFO-4",
                f"{self.card} lies in the Event discard pile, and {s.decks.event.draw} cards are still to come before it is shuffled",
                {"card": self.card, "draw": s.decks.event.draw},
            )
        elif s.decks.event.draw == 0 and self.card and self.card not in s.decks.event.discard and s.phase == "event":
            yield Breach(
                "WS-INFO-4", f"{self.card} is neither in the Event deck nor in its discard pile", {"card": self.card}
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.card:
            gone = set(at.state.decks.event.discard) if at.state.decks.event.draw else set()
            yield Choice(
                "card", at.state.active, "which Event came up?", [c for c in cards(at).events if c not in gone]
            )

    def apply(self, at: At) -> None:
        s = at.state
        if s.decks.event.draw == 0 and at.on("WS-DECK-2"):
            reshuffle(at, "event")
        s.decks.event.draw -= 1
        if self.card in s.decks.event.discard:
            s.decks.event.discard.remove(self.card)
        s.event = self.card
        s.event_target = None
        s.owed = []
        at.note("WS-EVENT-1", f"{s.active} turns over {self.card}", card=self.card, player=s.active)
        resolve_open(at, cards(at).events[self.card])
        if awaits_target(at):
            at.note("WS-EVENT-3", f"{s.active} names a rival", choose=targets(at))
        settle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "event" and at.state.event is None:
            yield from (cls(card) for card in cards(at).events)


class ChooseTarget(Move, frozen=True):
    """The active player names the rival whom the Event hits."""

    name = "choose_target"
    role = "choice"
    words = ("target",)
    example = "target chu"
    player: Annotated[str, Seat(actor=False)] = ""

    def filled(self, at: At) -> ChooseTarget:
        only = targets(at)
        return ChooseTarget(only[0]) if not self.player and len(only) == 1 else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "event")
        if s.phase != "event":
            return
        if not awaits_target(at):
            why = (
                "no Event has been turned over"
                if s.event is None
                else f"{s.event_target} has been named already"
                if s.event_target
                else f"{s.event} names nobody"
            )
            yield Breach(
                "WS-EVENT-1" if s.event is None else "WS-EVENT-3", why, {"event": s.event, "target": s.event_target}
            )
        elif self.player and self.player not in targets(at):
            yield Breach(
                "WS-EVENT-3",
                f"{self.player} is the active player and cannot be the target",
                {"player": self.player},
            )
        elif self.player and not at.on("WS-EVENT-10"):
            card = cards(at).events[s.event or ""]
            if not touches(at, card, self.player) and any(touches(at, card, p) for p in targets(at)):
                yield Breach("WS-EVENT-4", f"{card.name} would do nothing to {self.player}", {"player": self.player})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", at.state.active, "which rival?", targets(at))

    def apply(self, at: At) -> None:
        s = at.state
        if s.event is None:
            return
        s.event_target = self.player
        at.note("WS-EVENT-3", f"{s.active} names {self.player}", target=self.player)
        resolve_target(at, cards(at).events[s.event], self.player)
        settle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if awaits_target(at):
            yield from (cls(p) for p in at.state.seats)


class ChooseGeneralLost(Move, frozen=True):
    """The player hit by the Event chooses the General he loses."""

    name = "choose_general_lost"
    role = "choice"
    words = ("loses", "general lost")
    example = "loses chu daring"
    player: Annotated[str, Seat()] = ""
    general: Annotated[str, GeneralName()] = ""

    def filled(self, at: At) -> ChooseGeneralLost:
        owing = [o.player for o in at.state.owed if o.choice == "lose_general"]
        player = self.player or (owing[0] if len(set(owing)) == 1 else "")
        general = self.general
        if player and not general and len(set(at.state.players[player].generals)) == 1:
            general = at.state.players[player].generals[0]
        return ChooseGeneralLost(player, general)

    def presumes(self, at: At) -> Move | None:
        return _only_rival(at)

    def _owed(self, at: At) -> Owed | None:
        return next((o for o in at.state.owed if o.choice == "lose_general" and o.player == self.player), None)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "event")
        if s.phase != "event":
            return
        if self.player and self._owed(at) is None:
            yield Breach("WS-EVENT-8", f"{self.player} has no General to choose for this Event", {"event": s.event})
        if self.player and self.general and self.general not in s.players[self.player].generals:
            facts = {"in_play": list(s.players[self.player].generals)}
            if at.on("WS-EVENT-13"):
                yield Breach("WS-EVENT-8", f"{self.general} is none of the Generals {self.player} chooses among", facts)
            yield Breach("WS-EVENT-13", f"{self.player} has no {self.general} General in play", facts)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who loses a General?", [o.player for o in at.state.owed])
        elif not self.general:
            yield Choice("general", self.player, "which General?", sorted(set(at.state.players[self.player].generals)))

    def apply(self, at: At) -> None:
        s = at.state
        owed = self._owed(at)
        at.note(
            "WS-EVENT-8", f"{self.player} chooses the {self.general} General", player=self.player, general=self.general
        )
        rule = cards(at).events[s.event].rule if s.event else "WS-EVENT-8"
        lose_general(at, self.player, self.general, rule)
        if owed:
            owed.n -= 1
            if owed.n <= 0 or not s.players[self.player].generals:
                s.owed.remove(owed)
        settle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        for owed in at.state.owed:
            if owed.choice == "lose_general":
                yield from (cls(owed.player, g) for g in sorted(set(at.state.players[owed.player].generals)))


class ChooseStolen(Move, frozen=True):
    """The active player chooses the General, or the side of the Province Token, that he takes."""

    name = "choose_stolen"
    role = "choice"
    words = ("take", "steal")
    example = "take razed"
    general: Annotated[str, GeneralName()] = ""
    side: Annotated[Literal["", "intact", "razed"], OneOf("intact", "razed")] = ""

    def _owed(self, at: At) -> Owed | None:
        return next((o for o in at.state.owed if o.choice == "steal"), None)

    def presumes(self, at: At) -> Move | None:
        return _only_rival(at)

    def filled(self, at: At) -> ChooseStolen:
        owed = self._owed(at)
        if owed and not self.general and not self.side and len(answers := stealable(at, owed)) == 1:
            return ChooseStolen(general=answers[0]) if owed.what == "general" else ChooseStolen(side=answers[0])  # type: ignore[arg-type]
        return self

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "event")
        if s.phase != "event":
            return
        owed = self._owed(at)
        if owed is None:
            yield Breach("WS-EVENT-9", f"{s.event or 'no Event'} lets nobody take anything now", {"event": s.event})
            return
        said = self.general if owed.what == "general" else self.side
        wrong = self.side if owed.what == "general" else self.general
        if wrong or (said and said not in stealable(at, owed)):
            have = ", ".join(stealable(at, owed)) or "nothing"
            facts = {"target": s.event_target, "has": stealable(at, owed)}
            in_play = bool(self.general) and owed.what == "general"
            if not in_play or at.on("WS-EVENT-13"):
                why = f"{s.event} takes a {owed.what}, and {s.event_target} has {have}, not {wrong or said}"
                yield Breach("WS-EVENT-9", why, facts)
            if in_play:
                yield Breach("WS-EVENT-13", f"{s.event_target} has no {self.general} General in play", facts)

    def needs(self, at: At) -> Iterator[Choice]:
        owed = self._owed(at)
        if owed and not self.general and not self.side:
            field = "general" if owed.what == "general" else "side"
            yield Choice(
                field, at.state.active, f"which {owed.what} does {at.state.active} take?", list(stealable(at, owed))
            )

    def apply(self, at: At) -> None:
        s = at.state
        owed = self._owed(at)
        if owed is None or s.event_target is None or s.event is None:
            return
        rule = cards(at).events[s.event].rule
        thief, victim = s.players[s.active], s.players[s.event_target]
        if self.general:
            if self.general in victim.generals:
                victim.generals.remove(self.general)
                thief.generals.append(self.general)
            at.note(rule, f"{s.active} takes the {self.general} General of {s.event_target}", general=self.general)
            at.cite("WS-EVENT-9", "the General stays in play and costs nothing", general=self.general)
        elif self.side:
            setattr(victim.provinces, self.side, getattr(victim.provinces, self.side) - 1)
            setattr(thief.provinces, self.side, getattr(thief.provinces, self.side) + 1)
            at.note(rule, f"{s.active} takes 1 {self.side} province from {s.event_target}", side=self.side)
            at.cite("WS-EVENT-9", f"the token stays {self.side}", side=self.side)
        owed.n -= 1
        if owed.n <= 0 or not stealable(at, owed):
            s.owed.remove(owed)
        settle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        for owed in at.state.owed:
            if owed.choice == "steal":
                for answer in stealable(at, owed):
                    yield cls(general=answer) if owed.what == "general" else cls(side=answer)  # type: ignore[arg-type]


__all__ = [
    "ChooseGeneralLost",
    "ChooseStolen",
    "ChooseTarget",
    "RevealEvent",
    "awaits_target",
    "presumed_choice",
    "settle",
    "targets",
]
