"""The Event Phase: the Event, its target, and what is lost or taken (rules WS-EVENT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal

from companion.rules import Breach, Move, OneOf, Options, PieceName, Seat
from components.model import Effect

from .catalogue import At, cards, unit_words
from .decks import reshuffle
from .effects import WITH_TARGET, leave_play, move_province, resolve
from .state import Owed


def awaits_target(at: At) -> bool:
    s = at.state
    waits = s.phase == "event" and s.event is not None and s.event_target is None
    return waits and any(effect.verb in WITH_TARGET for effect in cards(at).events[s.event or ""].effect)


def pending_choice(at: At) -> Move | None:
    """The choice this turn's Event waits for."""
    if awaits_target(at):
        return ChooseTarget()
    for owed in at.state.owed:
        return ChooseGeneralLost(owed.player) if owed.choice == "lose_general" else ChooseStolen()
    return None


def leaves(effects: Iterable[Effect]) -> set[str]:
    """The choices that effects may leave: which General is lost, what is taken. (Armies are all alike.)"""
    found = {effect.verb for effect in effects if effect.args.get("what") != "army"}
    return found.union(*(leaves(effect.body) for effect in effects))


def takeable(at: At, what: str) -> list[str] | None:
    """The Generals or provinces that an Event lets the active player take; None if it does not."""
    s = at.state
    if not any(owed.choice == "steal" and owed.what == what for owed in s.owed):
        return None
    victim = s.players[s.event_target or ""]
    if what == "general":
        return sorted(set(victim.generals))
    return [side for side, n in (("intact", victim.provinces.intact), ("razed", victim.provinces.razed)) if n]


def takeable_words(what: str) -> str:
    """`an intact province`, `the Daring General`."""
    return f"{'an' if what == 'intact' else 'a'} {what} province" if what in ("intact", "razed") else unit_words(what)


def turnable(at: At) -> list[str]:
    """Events that can come up: those not discarded since the deck was shuffled, or of an empty deck the discards."""
    deck = at.state.decks.event
    return [event for event in cards(at).events if (event in deck.discard) != bool(deck.draw)]


class RevealEvent(Move, frozen=True):
    """The active player turns over the top Event card."""

    role = "event"
    words = ("reveal",)
    card: Annotated[str, PieceName("event", secret=True)] = ""

    def card_options(self, at: At) -> Options:
        return turnable(at)

    @classmethod
    def made_here_by(cls, at: At) -> str:
        return at.state.active

    def shows(self) -> dict[str, str]:
        return {"top of the Event deck": self.card}

    def forbidden(self, at: At) -> Iterator[Breach]:
        draw, event = at.state.decks.event.draw, at.state.event
        if event is not None:
            yield at.breach("WS-EVENT-1.turned", event=event)
        elif self.card and self.card not in turnable(at):
            key = "WS-INFO-4.event_discarded" if draw else "WS-INFO-4.event_gone"
            yield at.breach(key, card=self.card, draw=draw)

    def apply(self, at: At) -> None:
        s = at.state
        if not s.decks.event.draw:
            reshuffle(at, "event")
        s.decks.event.draw -= 1
        s.event, s.event_target, s.owed = self.card, None, []
        at.note("WS-EVENT-1", player=s.active, card=self.card)
        piece = cards(at).events[self.card]
        at.note(piece.rule, f"{piece.name}: {piece.text}", card=piece.name)
        resolve(at, target=False)


class ChooseTarget(Move, frozen=True):
    """The active player names the rival whom the Event hits."""

    role = "choice"
    words = ("target",)
    player: Annotated[str, Seat(actor=False, after=("against",))] = ""

    @classmethod
    def made_here_by(cls, at: At) -> str:
        return at.state.active

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        facts = {"event": s.event, "target": s.event_target}
        if s.event is None:
            yield at.breach("WS-EVENT-1.none", **facts)
        elif s.event_target:
            yield at.breach("WS-EVENT-3.named", **facts)
        elif not awaits_target(at):
            yield at.breach("WS-EVENT-3.nobody", **facts)
        elif self.player == s.active and not at["events.target_self"]:
            yield at.breach("WS-EVENT-3.self", player=self.player)

    def apply(self, at: At) -> None:
        s = at.state
        s.event_target = self.player
        at.note("WS-EVENT-3", player=s.active, target=self.player)
        resolve(at, target=True)


class _Choice(Move, frozen=True):
    """A choice that the Event leaves to a player; it says that the rival has been chosen, if that can be only one."""

    role = "choice"
    choice: ClassVar[str]

    def presumes(self, at: At) -> Move | None:
        hits = awaits_target(at) and self.choice in leaves(cards(at).events[at.state.event or ""].effect)
        return ChooseTarget() if hits else None

    def owed(self, at: At, player: str = "") -> Owed | None:
        """The open choice of the Event."""
        return next((o for o in at.state.owed if o.choice == self.choice and player in ("", o.player)), None)

    def settle(self, at: At, player: str = "") -> None:
        """One of what was owed is there."""
        if owed := self.owed(at, player):
            owed.n -= 1
        at.state.owed = [one for one in at.state.owed if one.n]


class ChooseGeneralLost(_Choice, frozen=True):
    """The player hit by the Event chooses which General to lose."""

    words = ("loses",)
    choice = "lose_general"
    player: Annotated[str, Seat()] = ""
    general: Annotated[str, PieceName("general")] = ""

    def general_options(self, at: At) -> Options:
        owed, has = self.owed(at, self.player), sorted(at.state.players[self.player].generals)
        return has[:1] if owed and len(has) <= owed.n else list(dict.fromkeys(has))

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.owed(at, self.player) is None:
            yield at.breach("WS-EVENT-8.nothing", player=self.player, event=at.state.event)
        if self.general and self.general not in (has := at.state.players[self.player].generals):
            yield at.breach("WS-EVENT-13", "WS-EVENT-8", player=self.player, general=self.general, in_play=has[:])

    def apply(self, at: At) -> None:
        at.note("WS-EVENT-8.chosen", player=self.player, general=self.general)
        leave_play(at, self.player, self.general, cards(at).events[at.state.event or ""].rule)
        self.settle(at, self.player)


class ChooseStolen(_Choice, frozen=True):
    """The active player chooses the General, or the side of the Province Token, to take."""

    words = ("take",)
    choice = "steal"
    general: Annotated[str, PieceName("general")] = ""
    side: Annotated[Literal["", "intact", "razed"], OneOf("intact", "razed", of=("province", "token", "one"))] = ""

    @classmethod
    def made_here_by(cls, at: At) -> str:
        return at.state.active

    def general_options(self, at: At) -> Options:
        return takeable(at, "general")

    def side_options(self, at: At) -> Options:
        return takeable(at, "province")

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, owed = at.state, self.owed(at)
        if owed is None:
            yield at.breach("WS-EVENT-9.nothing", event=s.event)
            return
        said, wrong = (self.general, self.side) if owed.what == "general" else (self.side, self.general)
        has = takeable(at, owed.what) or []
        if wrong or (said and said not in has):
            rests_on = ["WS-EVENT-13"] if owed.what == "general" and self.general else []
            thing = "a General" if owed.what == "general" else "a province"
            key = "WS-EVENT-9.other" if has else "WS-EVENT-9.none"
            words = {"has": [*map(takeable_words, has)], "said": takeable_words(wrong or said)}
            facts = {"event": s.event, "thing": thing, "target": s.event_target, "general": self.general}
            yield at.breach(key, *rests_on, player=s.event_target, **facts, **words)

    def apply(self, at: At) -> None:
        s = at.state
        thief, victim = s.players[s.active], s.players[s.event_target or ""]
        if self.general:
            victim.generals.remove(self.general)
            thief.generals.append(self.general)
        else:
            move_province(at, s.event_target or "", s.active, self.side)
        words = at.rules.words("WS-EVENT-9", "says", "general" if self.general else "province")
        facts = {"player": s.active, "target": s.event_target, "general": self.general, "side": self.side}
        at.note(cards(at).events[s.event or ""].rule, words, **facts)
        self.settle(at)
