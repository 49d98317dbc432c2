"""Moves for random playouts: probably legal, chosen without judging many.

Playouts check that no game gets stuck and that no piece is lost; they know nothing of playing well.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.engine.play.moves import Move
from companion.engine.play.options import legal_moves
from companion.engine.play.pending import Task

from . import (
    assault,
    attacking,
    beasts,
    command,
    decks,
    defeat,
    expansions,
    final,
    firing,
    hordes,
    iron_dragon,
    losses,
    preparation,
    rat,
    saving,
    shame,
    spring,
    summer,
    town,
)
from .catalogue import At, cat
from .passing import Pass
from .playout_fall import Proposer, cards, place_command, reveal_commands
from .state import GOODS, SECTIONS
from .year import ENDED, to_act


def propose(at: At, rng: Random) -> Move | None:
    """A move for what is owed or, if nothing is, for the step."""
    s = at.state
    if s.agenda:
        task = s.agenda[0]
        owed = DEBTS.get(task.move)
        return owed(at, rng, task) if owed else _one_of(at, rng, at.rules.moves[task.move])
    stage = at.rules.stage(s)
    proposer = STEPS.get(stage)
    return proposer(at, rng) if proposer else _one_of(at, rng, *at.rules.phase_table[stage].moves)


def _one_of(at: At, rng: Random, *kinds: type[Move]) -> Move | None:
    """One of the legal moves of some kinds."""
    legal = [move for kind in kinds for move in legal_moves(kind, at)]
    return rng.choice(legal) if legal else None


# --- setup --------------------------------------------------------------------------------------------------------


def _setup(at: At, rng: Random) -> Move | None:
    s = at.state
    if s.hordes_due:
        return _horde(at, rng)
    if not s.artifacts:
        return preparation.RevealArtifacts(cards=tuple(rng.sample(decks.hidden(at, "artifact"), at["setup.artifacts"])))
    if "genghis_khan" in s.modules and not s.khan.skills:
        return expansions.RevealSkills(cards=tuple(rng.sample(decks.hidden(at, "skill"), at["gk.skills"])))
    if "genghis_khan" in s.modules and s.khan.section is None:
        return hordes.SeeTopMark(mark=cat(at).hordes[rng.choice(decks.hidden(at, "horde"))].mark)
    for clan, p in s.player.items():
        if not p.general:
            return preparation.KeepGeneral(by=clan, card=rng.choice(decks.hidden(at, "general")))
        if not p.active:
            active, support = rng.sample(decks.hidden(at, "advisor"), 2)
            return preparation.PlaceAdvisors(by=clan, active=active, support=support)
    if len(s.advisor_track) < at["advisor.track_slots"]:
        return preparation.RevealAdvisor(card=rng.choice(decks.hidden(at, "advisor")))
    return _modules(at, rng)


def _modules(at: At, rng: Random) -> Move | None:
    s = at.state
    standing = expansions.standing(at)
    if left := [one for one in cat(at).of("machine") if one not in standing] if "black_powder" in s.modules else []:
        return expansions.PlaceMachine(by=s.tea[len(standing)], machine=rng.choice(left), section=rng.choice(SECTIONS))
    if "ancient_beasts" in s.modules and len(s.beasts) < len(s.players):
        beast = rng.choice([beast for beast in cat(at).of("beast") if beast not in s.beasts])
        place = rng.choice(beasts.legal_places(at, beast))
        return beasts.PlaceBeast(by=s.tea[len(s.beasts)], beast=beast, place=place)
    return rat.PlaceRat(by=s.tea[0], location=rng.choice(list(s.locations)))


# --- Spring and Summer --------------------------------------------------------------------------------------------


def _card(at: At, rng: Random, deck: str) -> str | None:
    """A card that may come up; None: the deck has to be renewed first."""
    return None if decks.is_empty(at, deck) else rng.choice(decks.hidden(at, decks.DECKS[deck].set))


def _horde(at: At, rng: Random) -> Move:
    if decks.is_empty(at, "horde"):
        return decks.Reshuffle(deck="horde")
    mark = at.state.horde_deck.top_mark
    able = [card for card in decks.hidden(at, "horde") if mark in (None, cat(at).hordes[card].mark)]
    return hordes.RevealHorde(card=rng.choice(able))


def _khan(at: At, rng: Random) -> Move:
    if at.state.hordes_due:
        return _horde(at, rng)
    goes = spring.khan_goes(at) or cat(at).hordes[rng.choice(decks.hidden(at, "horde"))].mark
    return spring.MoveKhan(section=goes)


def _refresh(at: At, rng: Random) -> Move:
    s, n = at.state, int(at["advisor.refresh"])
    leaving = s.advisor_track[:n]
    due = decks.drawable(at, "advisor", n, leaving)
    first = min(due, s.advisor_deck_count)
    found = rng.sample(decks.hidden(at, "advisor"), first)
    return spring.RefreshAdvisors(new=(*found, *rng.sample([*s.advisor_discard, *leaving], due - first)))


def _reveal(deck: str, kind: type[Move]) -> Proposer:
    def proposer(at: At, rng: Random) -> Move:
        card = _card(at, rng, deck)
        return kind(card=card) if card else decks.Reshuffle(deck=deck)

    return proposer


def _shame(at: At, rng: Random) -> Move:
    clan = to_act(at)[0]
    p = at.state.player[clan]
    able = [*(unit for unit, n in p.shamed.items() if n), *(one.card for one in p.claimed if one.shame)]
    cost = int(at.value("shame.remove_chi", clan))
    if able and p.res["chi"] >= cost and rng.random() < 0.7:
        return summer.RemoveShame(by=clan, carrier=rng.choice(able))
    return Pass(by=clan)


def _retire(at: At, rng: Random) -> Move:
    s = at.state
    if s.command_track:
        return summer.RetireCards()
    clan = to_act(at)[0]
    placed = [location for location, there in s.locations.items() if there.get(clan)]
    return summer.RecallClerks(by=clan, location=rng.choice(placed)) if placed and rng.random() < 0.5 else Pass(by=clan)


def _reclaim(at: At, rng: Random) -> Move:
    clan = to_act(at)[0]
    p = at.state.player[clan]
    return summer.Reclaim(by=clan, choice="honor" if p.hand and rng.random() < 0.5 else "cards")


# --- other steps --------------------------------------------------------------------------------------------------


def _move_rat(at: At, rng: Random) -> Move:
    s = at.state
    return rat.MoveRat(by=rat.mover(at), location=rng.choice([one for one in s.locations if one != s.rat.at]))


def _breath(at: At, rng: Random) -> Move:
    spots = list(iron_dragon.Breath().options(at, "spots") or ())[1:]
    return iron_dragon.Breath(spots=rng.choice(spots) if spots else ())


STEPS: dict[str, Proposer] = {
    "setup": _setup,
    "spring.1": lambda at, rng: spring.AdvanceTime(),
    "spring.2": _horde,
    "spring.3": _khan,
    "spring.4": _refresh,
    "spring.5": _reveal("dragon", iron_dragon.RevealDragonCard),
    "summer.1": lambda at, rng: summer.Income(),
    "summer.2": _shame,
    "summer.3": _retire,
    "summer.4": _reclaim,
    "summer.5": _reveal("rat", rat.RevealRatCard),
    "summer.6": _reveal("relic", beasts.RevealRelic),
    "fall.1": reveal_commands,
    "fall.2": place_command,
    "fall.3": cards,
    "fall.4": _move_rat,
    "winter.1.breath": _breath,
    "winter.3": lambda at, rng: final.EndCheck(),
    ENDED: lambda at, rng: final.FinalScore(),
}
"""Phase -> its move."""


# --- debts --------------------------------------------------------------------------------------------------------


def _take_shame(at: At, rng: Random, task: Task) -> Move:
    able = shame.carriers(at, task.who)
    return shame.TakeShame(by=task.who, carrier=rng.choice(able) if able and at.state.shame_pool > 0 else shame.NONE)


def _losses(at: At, rng: Random, task: Task) -> Move:
    found = losses.toll(at, task.who, str(task.args["card"]))
    assert found is not None
    return losses.ChooseLosses(by=task.who, soldiers=rng.choice(losses.choices(found)))


def _save(at: At, rng: Random, task: Task) -> Move:
    chi = at.state.player[task.who].res["chi"]
    cost = saving.price(at, task.who, str(task.args["unit"]), str(task.args.get("section", "")))
    return saving.Save(by=task.who, soldier=str(task.args["unit"]) if chi >= int(cost) and rng.random() < 0.5 else "")


def _gain(at: At, rng: Random, task: Task) -> Move:
    return command.Gain(by=task.who, goods=tuple(rng.choices(GOODS, k=task.n)))


def _wound(at: At, rng: Random, task: Task) -> Move:
    able = attacking.woundable(at, task.who, task.args)
    if not able:
        return attacking.Wound(by=task.who, card=attacking.NONE)
    card = rng.choice(list(able))
    return attacking.Wound(by=task.who, card=card, spot=rng.choice(able[card]))


def _shoot(at: At, rng: Random, task: Task) -> Move:
    section = str(task.args["section"])
    able = firing.targets(at, task.who, section)
    if not able:
        return firing.Shoot(by=task.who, section=section, skip=True)
    card, spot = rng.choice(able)
    return firing.Shoot(by=task.who, section=section, card=card, spot=spot)


DEBTS: dict[str, Callable[[At, Random, Task], Move]] = {
    "take_shame": _take_shame,
    "choose_losses": _losses,
    "save": _save,
    "gain": _gain,
    "wound": _wound,
    "shoot": _shoot,
    "defeat": lambda at, rng, task: defeat.Defeat(card=str(task.args["card"])),
    "assault": lambda at, rng, task: assault.Assault(section=str(task.args["section"])),
    "discard_tactic": lambda at, rng, task: town.DiscardTactic(
        by=task.who, card=rng.choice(decks.hidden(at, "tactic"))
    ),
    "reveal_advisor": lambda at, rng, task: _advisor(at, rng),
    "toll": lambda at, rng, task: rat.PayToll(by=task.who, goods=(rng.choice(rat.owned(at, task.who)),)),
}
"""Kind of debt -> its move; others are chosen among all legal ones."""


def _advisor(at: At, rng: Random) -> Move:
    card = _card(at, rng, "advisor")
    return preparation.RevealAdvisor(card=card) if card else decks.Reshuffle(deck="advisor")
