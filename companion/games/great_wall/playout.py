"""Random games: which kinds of moves are worth trying, how often, and cards and clerks that options alone do not say.

Playouts check that no game gets stuck and that no piece is lost; they know nothing of playing well.
"""

from __future__ import annotations

from random import Random

from companion.engine.play.playout import Proposer, by_chance
from companion.rules import Move

from .ancient_beasts.beasts import BeastAction
from .base import decks, locations, town
from .base.activation import Activate, PlaceClerks, most
from .base.attacking import Attack
from .base.barracks import March, Orders
from .base.catalogue import At, cat
from .base.command import BeginCard, ChooseCommand, EndCard, RevealCommands
from .base.embassy import SwapAdvisors
from .base.going_on import NextStep
from .base.hordes import SeeTopMark
from .base.icons import ACTIVATE, CLERKS, STEP, all_done, begun, icon
from .base.preparation import PlaceAdvisors, RevealArtifacts
from .base.reports import Pass, is_over
from .base.spring import RefreshAdvisors
from .base.state import GOODS
from .base.tactics import PlayTactic
from .base.uses import Leave, TakeUses, uses_in
from .genghis_khan.khan import AttackKhan, MoveKhan, RevealSkills, khan_goes

WEIGHTS: dict[type[Move], float] = {
    Pass: 0.1,
    PlayTactic: 0.03,
    Leave: 0.02,
    March: 0.2,
    SwapAdvisors: 0.1,
    decks.Reshuffle: 0.001,
    SeeTopMark: 0.001,
}
"""The weights of kinds of moves, beside 1 for the others."""
NEVER = (ChooseCommand, TakeUses, Orders)
"""Cards chosen in secret are revealed at once, and what clerks do is reported one by one."""
ICONS: dict[str, list[type[Move]]] = {CLERKS: [PlaceClerks], ACTIVATE: [Activate], "attack": [Attack, Pass]}


def likely(at: At) -> list[type[Move]]:
    """The kinds of moves that are probably in place here."""
    s, stage = at.state, at.rules.stage(at.state)
    if is_over(at):
        return [NextStep]
    if stage != STEP:
        here = (kind for kind in at.rules.phase_table[stage].moves if kind is not NextStep)
        return [*here, decks.Reshuffle, *([SeeTopMark] if stage == "setup" else [])]
    if s.resolving:
        return [*(uses_in(at, s.resolving) if locations.left(at, s.order[0]) else ()), Pass, PlayTactic]
    if s.active is None:
        return [BeginCard]
    now = icon(at)
    if all_done(at) or now is None:
        return [EndCard]
    beast = [] if begun(at) or not s.beasts or s.beast_actions else [BeastAction]
    return [*ICONS[now.verb], *beast, PlayTactic]


def propose(at: At, rng: Random) -> Move | None:
    """A move for what is owed or, if nothing is, for the step."""
    kinds = () if at.state.agenda else (kind for kind in likely(at) if kind not in NEVER)
    return by_chance(at, rng, {kind: WEIGHTS.get(kind, 1.0) for kind in kinds}, DRAWN)


# --- what options do not say --------------------------------------------------------------------------------------


def _cards(at: At, rng: Random, set_name: str, n: int) -> tuple[str, ...]:
    """So many cards that may have come up."""
    left = decks.hidden(at, set_name)
    return tuple(rng.sample(left, min(n, len(left))))


def _advisors(at: At, rng: Random) -> Move | None:
    waiting = [clan for clan, p in at.state.player.items() if not p.active]
    return PlaceAdvisors(waiting[0], *_cards(at, rng, "advisor", 2)) if waiting else None


def _refresh(at: At, rng: Random) -> Move:
    s, leaving = at.state, RefreshAdvisors().leaving(at)
    due = decks.drawable(at, "advisor", at["advisor.refresh"], leaving)
    first = min(due, s.advisor_deck_count)
    found = _cards(at, rng, "advisor", first)
    return RefreshAdvisors(new=(*found, *rng.sample([*s.advisor_discard, *leaving], due - first)))


def _clerks(at: At, rng: Random) -> Move:
    s = at.state
    clan = s.order[0]
    n = min(int(most(at, clan) or 0), s.player[clan].clerks.supply)
    free = [one for one in s.locations for _ in range(locations.free_slots(at, one))]
    return PlaceClerks(by=clan, to=tuple(rng.sample(free, min(n, len(free)))))


def _donate(at: At, rng: Random) -> Move | None:
    clan = at.state.order[0]
    n, p = int(at.value("warehouse.max_per_clerk", clan)), at.state.player[clan]
    able = [kind for kind in GOODS for _ in range(min(p.res[kind], town.room(at, kind)))]
    given = rng.sample(able, min(len(able), rng.randint(1, n)))
    return town.Donate(by=clan, resources={kind: given.count(kind) for kind in set(given)}) if able else None


def _khan(at: At, rng: Random) -> Move:
    return MoveKhan(section=khan_goes(at) or cat(at).hordes[rng.choice(decks.hidden(at, "horde"))].mark)


DRAWN: dict[type[Move], Proposer] = {
    RevealArtifacts: lambda at, rng: RevealArtifacts(cards=_cards(at, rng, "artifact", at["setup.artifacts"])),
    RevealSkills: lambda at, rng: RevealSkills(cards=_cards(at, rng, "skill", at["gk.skills"])),
    PlaceAdvisors: _advisors,
    RefreshAdvisors: _refresh,
    MoveKhan: _khan,
    RevealCommands: lambda at, rng: RevealCommands(
        cards={who: rng.choice(p.hand) for who, p in at.state.player.items()}
    ),
    PlaceClerks: _clerks,
    town.Donate: _donate,
    decks.Reshuffle: lambda at, rng: next(
        (decks.Reshuffle(deck=deck) for deck in decks.DECKS if decks.is_empty(at, deck)), None
    ),
    AttackKhan: lambda at, rng: rng.choice(list(AttackKhan.candidates(at))),
}
