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
    activation,
    assault,
    attacking,
    bannermen,
    beasts,
    clerks,
    command,
    decks,
    defeat,
    embassy,
    expansions,
    final,
    firing,
    hordes,
    icons,
    iron_dragon,
    locations,
    losses,
    preparation,
    production,
    rat,
    saving,
    shame,
    spring,
    summer,
    tactics,
    targets,
    town,
    war_camp,
)
from .barracks import Recruit
from .building import BARRICADE, WALL, Build
from .catalogue import At, cat
from .passing import Pass
from .soldiers import is_shooter, shooters_on_wall, units_of
from .state import GOODS, SECTIONS
from .supplies import afford, cost_of
from .year import ENDED, to_act

Proposer = Callable[[At, Random], Move | None]


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


# --- Fall ---------------------------------------------------------------------------------------------------------


def _reveal_commands(at: At, rng: Random) -> Move:
    return command.RevealCommands(cards={clan: rng.choice(p.hand) for clan, p in at.state.player.items()})


def _place_command(at: At, rng: Random) -> Move:
    free = [spot for spot in command.spots(at) if spot not in at.state.command_track]
    return command.PlaceCommand(by=to_act(at)[0], spot=rng.choice(free))


def _fall(at: At, rng: Random) -> Move | None:
    s = at.state
    if s.resolving:
        return _use(at, rng, s.order[0])
    if s.active is None:
        return command.BeginCard(spot=icons.next_spot(at) or 0)
    if icons.all_done(at):
        return command.EndCard()
    if s.beasts and not icons.begun(at) and not s.beast_actions and rng.random() < 0.4:
        return _beast(at, rng)
    if tactic := _tactic(at, rng, s.active):
        return tactic
    now = icons.icon(at)
    return ICONS[now.verb](at, rng) if now else None


def _beast(at: At, rng: Random) -> Move:
    s = at.state
    beast = rng.choice(list(s.beasts))
    upgrade = s.beasts[beast].level < at["beast.max_level"] and s.player[s.active or ""].res["chi"] >= 3
    taken = {there.at for there in s.beasts.values()}
    places = [place for place in beasts.legal_places(at, beast) if place not in taken]
    to = rng.choice(places) if places and s.relic != "RL12" and (not upgrade or rng.random() < 0.5) else ""
    return beasts.BeastAction(by=s.active or "", beast=beast, upgrade=upgrade, to=to)


def _clerks(at: At, rng: Random) -> Move:
    s = at.state
    clan = s.order[0]
    most = clerks.most(at, clan)
    n = min(int(most) if most else 0, s.player[clan].clerks.supply)
    free = [
        place for place in s.locations for _ in range(locations.slots(at, place) - sum(s.locations[place].values()))
    ]
    return clerks.PlaceClerks(by=clan, to=tuple(rng.sample(free, min(n, len(free)))))


def _activate(at: At, rng: Random) -> Move:
    now = icons.icon(at)
    assert now is not None
    if now.args.get("list") is not None:
        listed = activation.listed(at, now)
        rng.shuffle(listed)
        return activation.Activate(by=at.state.active or "", order=tuple(listed))
    able = [location for location in cat(at).locations if activation.qualifies(at, location, now)]
    return activation.Activate(
        by=at.state.active or "", order=tuple(rng.sample(able, min(now.args["choose"], len(able))))
    )


def _attack(at: At, rng: Random) -> Move:
    return _sally(at, rng, at.state.active or "") or Pass(by=at.state.active or "")


def _sally(at: At, rng: Random, clan: str, sections: tuple[str, ...] = SECTIONS) -> Move | None:
    """An attack from a rest zone, if there is one."""
    for section in rng.sample(sections, len(sections)):
        for unit, n in at.state.player[clan].rest[section].items():
            able = list(targets.attackable(at, unit, (section,))) if n else []
            if able:
                card, spots = rng.choice(able)
                origin = targets.Origin(rest=section)
                return attacking.Attack(by=clan, unit=unit, origin=origin, card=card, spots=spots)
    return None


ICONS: dict[str, Proposer] = {
    icons.CLERKS: _clerks,
    icons.ACTIVATE: _activate,
    "attack": _attack,
}
"""Verb of an icon -> its move."""


def _tactic(at: At, rng: Random, clan: str) -> Move | None:
    """Now and then a tactic, whatever it leaves to choose."""
    if not at.state.player[clan].tactics or rng.random() > 0.1:
        return None
    able = decks.hidden(at, "tactic")
    return tactics.PlayTactic(by=clan, card=rng.choice(able)) if able else None


def _use(at: At, rng: Random, clan: str) -> Move | None:
    """What a player does in the location that resolves; passing where nothing comes to mind."""
    if tactic := _tactic(at, rng, clan):
        return tactic
    if not locations.left(at, clan):
        return Pass(by=clan)
    location = at.state.resolving or ""
    use = USES.get(location, _gather)
    return use(at, rng, clan) or Pass(by=clan)


def _gather(at: At, rng: Random, clan: str) -> Move | None:
    location, p = at.state.resolving or "", at.state.player[clan]
    level = p.overseers[location] + 1
    higher = level <= at["overseer.max_level"] and (level > 1 or p.supply.get(cat(at).tower_unit))
    if higher and rng.random() < 0.3 and not afford(at, clan, production.overseer_cost(at, clan, level)):
        return production.UpgradeOverseer(by=clan, location=location)
    return production.Gather(by=clan, location=location)


def _recruit(at: At, rng: Random, clan: str) -> Move | None:
    p = at.state.player[clan]
    if at.state.khan.section and p.bannerman == "supply" and p.res["gold"] and rng.random() < 0.2:
        return bannermen.RaiseBanner(by=clan, section=rng.choice(SECTIONS))
    able = [unit for unit in units_of(at, clan) if p.supply.get(unit)]
    able = [unit for unit in able if not afford(at, clan, cost_of(at, f"recruit.{unit}.cost", clan, unit=unit))]
    if not able:
        return None
    unit, section = rng.choice(able), rng.choice(SECTIONS)
    places = [targets.Target(rest=section)]
    if is_shooter(at, unit) and shooters_on_wall(at, clan, section) < at["wall.shooters_per_player"]:
        places = [targets.Target(wall=section)]
    elif attackable := list(targets.attackable(at, unit, (section,))):
        card, spots = rng.choice(attackable)
        places += [targets.Target(card=card, spots=spots)] * 2
    return Recruit(by=clan, unit=unit, to=rng.choice(places))


def _order(at: At, rng: Random, clan: str) -> Move | None:
    if rng.random() < 0.6 and (sally := _sally(at, rng, clan)):
        return sally
    for section in rng.sample(SECTIONS, len(SECTIONS)):
        for unit, n in at.state.player[clan].rest[section].items():
            if n and is_shooter(at, unit) and shooters_on_wall(at, clan, section) < at["wall.shooters_per_player"]:
                here, there = targets.Origin(rest=section), targets.Destination(wall=section)
                return war_camp.Man(by=clan, unit=unit, origin=here, to=there)
            if n and rng.random() < 0.3:
                other = rng.choice([one for one in SECTIONS if one != section])
                here, there = targets.Origin(rest=section), targets.Destination(rest=other)
                return war_camp.March(by=clan, unit=unit, origin=here, to=there)
    return None


def _build(at: At, rng: Random, clan: str) -> Move | None:
    s, section = at.state, rng.choice(SECTIONS)
    machines = [one for one in cat(at).of("machine") if one not in s.machines[section]]
    whats = [WALL] * (s.walls[section] < at["wall.max_level"]) + [BARRICADE] * (
        s.barricades[section] < at["barricade.max_per_section"]
    )
    if "black_powder" in s.modules and len(s.machines[section]) < at["machine.max_per_section"] and machines:
        whats.append(rng.choice(machines))
    return Build(by=clan, what=rng.choice(whats), section=section) if whats and rng.random() < 0.9 else None


def _tea(at: At, rng: Random, clan: str) -> Move | None:
    if at.state.dragon.card and at.state.player[clan].res["chi"] >= 2 and rng.random() < 0.3:
        return iron_dragon.Appease(by=clan)
    return town.TakeChi(by=clan) if rng.random() < 0.6 else town.TeaUp(by=clan)


def _buy(at: At, rng: Random, clan: str) -> Move | None:
    p = at.state.player[clan]
    gold, choice = p.res["gold"], rng.random()
    if p.clerks.embassy and choice < 0.5 and int(embassy.clerk_cost(at, clan)) <= gold:
        return embassy.BuyClerk(by=clan)
    able = [card for card in at.state.advisor_track if int(embassy.advisor_cost(at, clan, card)) <= gold]
    if able and choice < 0.9:
        place = rng.choice((embassy.ACTIVE, embassy.SUPPORT))
        return embassy.BuyAdvisor(by=clan, card=rng.choice(able), place=place)
    if p.active and p.support:
        return embassy.SwapAdvisors(by=clan, active=rng.choice(p.active), support=rng.choice(p.support))
    return None


def _donate(at: At, rng: Random, clan: str) -> Move | None:
    most, p = int(at.value("warehouse.max_per_clerk", clan)), at.state.player[clan]
    able = [kind for kind in GOODS for _ in range(min(p.res[kind], town.room(at, kind)))]
    if not able:
        return None
    given = rng.sample(able, min(len(able), rng.randint(1, most)))
    return town.Donate(by=clan, resources={kind: given.count(kind) for kind in set(given)})


USES: dict[str, Callable[[At, Random, str], Move | None]] = {
    "barracks": _recruit,
    "builders_encampment": _build,
    "war_camp": _order,
    "tea_house": _tea,
    "embassy": _buy,
    "warehouse": _donate,
    "scholars_hall": lambda at, rng, clan: town.DrawTactic(by=clan),
}
"""Location -> what a clerk does there; the others gather."""


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
    "fall.1": _reveal_commands,
    "fall.2": _place_command,
    "fall.3": _fall,
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


__all__ = ["propose"]
