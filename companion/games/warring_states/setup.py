"""Set-up: States, tokens, Bu, and the cut for the first active player (rules WS-SETUP)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, PieceName, Seat
from components.phrasing import count

from .catalogue import At, cards
from .frame import enter, wrong_phase
from .state import BattleDeck, Decks, EventDeck, Player, Provinces, ResourceDeck


class Setup(Move, frozen=True):
    """Lay out the game: the States in clockwise order, each with its Province Tokens and Bu."""

    name = "setup"
    words = ("setup",)
    example = "setup qin chu zhao"
    seats: Annotated[tuple[str, ...], PieceName("state", many=True, loose=True)] = ()
    states: Annotated[tuple[str, ...] | dict[str, str], PieceName("state", many=True, loose=True)] = ()
    chosen: dict[str, Any] = msgspec.field(default_factory=dict, name="options")
    generals: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """With `setup.generals` above 0: which Generals each player starts with."""

    @property
    def taken(self) -> tuple[str, ...]:
        """The States in seat order: `seats`, or `states` (in the same order, or by seat) where the seats are people's
        names."""
        if isinstance(self.states, dict):
            return tuple(self.states.get(seat, "") for seat in self.seats or self.states)
        return self.states or self.seats

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.phase != "setup" or at.state.players:
            yield Breach("WS-TURN-5", "the game has been set up already", {"phase": at.state.phase})
            return
        low, high = at["game.min_players"], at["game.max_players"]
        n = len(self.taken)
        if not low <= n <= high:
            yield Breach(
                "WS-SETUP-1",
                f"{count(n, 'player')}; the game takes {low} to {high}",
                {"players": n, "min": low, "max": high},
            )
        if self.seats and n != len(self.seats):
            facts = {"players": len(self.seats), "states": n}
            yield Breach("WS-SETUP-2", f"{count(len(self.seats), 'player')} and {count(n, 'State')}", facts)
        for state in sorted(set(self.taken)):
            if state not in cards(at).states:
                yield Breach(
                    "WS-SETUP-2",
                    f"{state or 'nothing'} is none of the {len(cards(at).states)} States",
                    {"state": state},
                )
            elif self.taken.count(state) > 1:
                yield Breach("WS-SETUP-2", f"{state} is taken by {self.taken.count(state)} players", {"state": state})

    def needs(self, at: At) -> Iterator[Choice]:
        wanted = at["setup.generals"]
        for state in self.taken:
            if wanted and len(self.generals.get(state, [])) != wanted:
                yield Choice(
                    "generals",
                    state,
                    f"which {count(wanted, 'General')} does {state} start with?",
                    list(cards(at).generals),
                )

    def apply(self, at: At) -> None:
        s = at.state
        cat = cards(at)
        s.seats = list(self.taken)
        n = len(s.seats)
        total = at["provinces.total"]
        share, left = divmod(total, n)
        extra = 0 if at.on("WS-SETUP-5") else left
        started: list[str] = []
        for i, state in enumerate(s.seats):
            tokens = (share if at.on("WS-SETUP-4") else 0) + (1 if i < extra else 0)
            generals = list(self.generals.get(state, [])) if at["setup.generals"] else []
            started += [cat.generals[g].card for g in generals]
            s.players[state] = Player(
                bu=at["setup.bu"] if at.on("WS-SETUP-6") else 0,
                provinces=Provinces(tokens, 0) if at.on("WS-SETUP-7") else Provinces(0, tokens),
                armies=at["setup.armies"],
                generals=generals,
            )
        s.decks = Decks(
            EventDeck(cat.event_total if at.on("WS-DECK-7") else 0),
            ResourceDeck((cat.resource_total if at.on("WS-DECK-6") else 0) - len(started)),
            BattleDeck(cat.battle_total if at.on("WS-DECK-8") else 0),
        )
        s.cutting = list(s.seats)
        at.note("WS-SETUP-1", f"{count(n, 'player')}: {', '.join(s.seats)}", players=n)
        at.cite("WS-SETUP-2", "every player has a State of their own", states=list(s.seats))
        at.note(
            "WS-SETUP-4", f"{total} / {n} = {count(share, 'Province Token')} each", total=total, players=n, each=share
        )
        at.cite("WS-SETUP-5", f"{count(left, 'Province Token')} left out", left_out=left)
        at.note("WS-SETUP-6", f"{at['setup.bu']} Bu each", bu=at["setup.bu"])
        at.cite(
            "WS-SETUP-7",
            "all tokens intact, no armies, no Generals, no cards in hand"
            if not started and not at["setup.armies"]
            else f"all tokens intact, {at['setup.armies']} armies and {at['setup.generals']} Generals each",
        )
        at.cite("WS-SETUP-8", "the three decks are shuffled, each by itself")
        at.cite("WS-DECK-7", f"the Event deck has {count(cat.event_total, 'card')}", cards=cat.event_total)
        at.cite("WS-DECK-6", f"the Resource deck has {count(cat.resource_total, 'card')}", cards=cat.resource_total)
        at.cite("WS-DECK-8", f"the Battle deck has {count(cat.battle_total, 'card')}", cards=cat.battle_total)


class Cut(Move, frozen=True):
    """A player cuts the Battle deck; the highest card makes its player the first active player."""

    name = "cut"
    role = "event"
    words = ("cut",)
    example = "cut qin 12T"
    player: Annotated[str, Seat()] = ""
    card: Annotated[str, PieceName("battle")] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "setup")
        if s.phase != "setup" or not self.player:
            return
        if self.player not in s.cutting:
            yield Breach(
                "WS-SETUP-10",
                f"only {', '.join(s.cutting)} tied for the highest card and cut again",
                {"cutting": list(s.cutting)},
            )
        elif self.player in s.cuts:
            yield Breach(
                "WS-SETUP-9",
                f"{self.player} has cut a {s.cuts[self.player]} in this round",
                {"cut": s.cuts[self.player]},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who cuts?", [p for p in at.state.cutting if p not in at.state.cuts])
        if not self.card:
            yield Choice("card", self.player, "which Battle card was cut?", list(cards(at).battle))

    def apply(self, at: At) -> None:
        s = at.state
        card = cards(at).battle[self.card]
        s.cuts[self.player] = card.value
        at.note("WS-SETUP-9", f"{self.player} cuts {card}", player=self.player, value=card.value)
        if len(s.cuts) < len(s.cutting):
            return
        best = max(s.cuts.values())
        tied = [p for p in s.seats if s.cuts.get(p) == best]
        s.cuts = {}
        if len(tied) > 1 and at.on("WS-SETUP-10"):
            s.cutting = tied
            at.note("WS-SETUP-10", f"{' and '.join(tied)} tie with {best} and cut again", tied=tied, value=best)
            return
        s.cutting = []
        s.active = tied[0] if at.on("WS-SETUP-9") else s.seats[0]
        at.note("WS-SETUP-9", f"{s.active} is the first active player with {best}", active=s.active, value=best)
        at.cite("WS-SETUP-11", f"{s.active} takes the marker", active=s.active)
        enter(at, "event")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        if s.phase == "setup":
            for player in s.cutting:
                if player not in s.cuts:
                    for card in cards(at).battle:
                        yield cls(player, card)


__all__ = ["Cut", "Setup"]
