"""The truth of The Great Wall: eight decks in their order, hands of tactics, and what was dealt to choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.engine.play.moves import Move
from companion.lab import dealing
from companion.lab.dealing import Hand, Open, adds, held

from .base.catalogue import At, cat
from .base.command import RevealCommands
from .base.decks import hidden
from .base.hordes import RevealHorde, SeeTopMark
from .base.preparation import KeepGeneral, PlaceAdvisors
from .base.spring import RefreshAdvisors
from .base.tactics import PlayTactic
from .base.town import DiscardTactic
from .genghis_khan.khan import MoveKhan, khan_goes

DEALT = 2
"""Generals and advisors are dealt in pairs to choose from (GW-SET-10, GW-SET-11)."""

SETUP = frozenset(("setup",))

THINKS = 0.1
"""The chance to try a tactic: games propose any of them, and a hand has few."""

GOOD, SOLDIER, TACTIC = 0.3, 0.6, 0.5
"""Their worth, in honor."""


def _deck(name: str) -> Callable[[Any, str], list[str]]:
    return lambda at, clan: hidden(at, name)


def _tactics(at: At, clan: str) -> Iterator[PlayTactic]:
    """Every tactic that a player could play now, in every way."""
    return (one for one in PlayTactic.candidates(at) if isinstance(one, PlayTactic) and one.by == clan)


class Dealer(dealing.Dealer):
    hands: ClassVar = {
        "tactic": Hand(lambda at, clan: at.state.own(clan).tactics, _deck("tactic")),
        "general": Hand(lambda at, clan: DEALT * (at.state.own(clan).general is None), _deck("general"), during=SETUP),
        "advisor": Hand(
            lambda at, clan: 0 if at.state.own(clan).active + at.state.own(clan).support else DEALT,
            _deck("advisor"),
            during=SETUP,
        ),
    }

    def propose(self, at: At, rng: Random) -> Move | None:
        """Whoever holds tactics now and then thinks of them, out of turn, too."""
        if rng.random() < THINKS and (holders := [clan for clan in at.seats if at.state.own(clan).tactics]):
            return PlayTactic(by=rng.choice(holders))
        return super().propose(at, rng)

    def horde(self, at: At, move: RevealHorde) -> Move:
        return RevealHorde(card=self.one("horde", move.card_options(at), move.card))

    def mark(self, at: At) -> str:
        """The mark on the top card of the horde deck, which stays there."""
        top = self.one("horde", hidden(at, "horde"))
        self.decks["horde"].insert(0, top)
        return str(cat(at).hordes[top].mark)

    def refreshed(self, at: At, move: RefreshAdvisors) -> Move:
        due = next(iter(move.new_options(at) or ((),)))
        pile = [*at.state.advisor_discard, *move.leaving(at)]
        first = self.deal("advisor", self.unseen(at, "advisor"), min(len(due), at.state.advisor_deck_count), on=True)
        return replace(move, new=(*first, *self.deal("advisor discard", pile, len(due) - len(first))))

    def commands(self, at: At, move: RevealCommands) -> Iterator[Open]:
        """Command cards are chosen in secret and shown together."""
        for clan, p in at.state.player.items():
            yield Open(clan, p.hand, adds("cards", clan))

    def advisors(self, at: At, move: PlaceAdvisors) -> Iterator[Open]:
        first, second = self.hand("advisor", move.by)
        yield Open(
            move.by,
            [(first, second), (second, first)],
            lambda move, two: replace(move, active=two[0], support=two[1]),
        )

    def tactics(self, at: At, move: PlayTactic) -> Iterator[Open]:
        """Of those in hand, each in every way in which it may be played now, whichever was proposed."""
        mine = self.hand("tactic", move.by)
        able = [one for one in _tactics(at, move.by) if one.card in mine] if mine else []
        yield Open(move.by, able, lambda move, played: played)

    chance: ClassVar = {
        RevealHorde: horde,
        SeeTopMark: lambda dealer, at, move: replace(move, mark=dealer.mark(at)),
        MoveKhan: lambda dealer, at, move: replace(move, section=khan_goes(at) or dealer.mark(at)),
        RefreshAdvisors: refreshed,
    }
    choices: ClassVar = {
        RevealCommands: commands,
        KeepGeneral: lambda dealer, at, move: [held(dealer, move.by, "general", "card")],
        PlaceAdvisors: advisors,
        DiscardTactic: lambda dealer, at, move: [held(dealer, move.by, "tactic", "card")],
        PlayTactic: tactics,
    }
    spends: ClassVar = {
        kind: lambda at, move: [("tactic", move.by, getattr(move, "played", "") or move.card)]
        for kind in (DiscardTactic, PlayTactic)
    } | {
        PlaceAdvisors: lambda at, move: [("advisor", move.by, card) for card in (move.active, move.support)],
        KeepGeneral: lambda at, move: [("general", move.by, move.card)],
    }

    def worth(self, at: At, clan: str) -> float:
        """Honor as it would be, with something for goods and for soldiers before the wall."""
        p = at.state.own(clan)
        soldiers = sum(n for place in (p.rest, p.wall) for units in place.values() for n in units.values())
        return (
            self.rules.score(at).totals().get(clan, 0)
            + GOOD * sum(p.res.values())
            + SOLDIER * soldiers
            + TACTIC * p.tactics
        )
