"""Moves for random playouts while command cards are chosen, placed and resolved."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.engine.play.moves import Move

from . import (
    activation,
    attacking,
    bannermen,
    beasts,
    clerks,
    command,
    decks,
    embassy,
    icons,
    iron_dragon,
    locations,
    production,
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
from .year import to_act

Proposer = Callable[[At, Random], Move | None]


def reveal_commands(at: At, rng: Random) -> Move:
    return command.RevealCommands(cards={clan: rng.choice(p.hand) for clan, p in at.state.player.items()})


def place_command(at: At, rng: Random) -> Move:
    free = [spot for spot in command.spots(at) if spot not in at.state.command_track]
    return command.PlaceCommand(by=to_act(at)[0], spot=rng.choice(free))


def cards(at: At, rng: Random) -> Move | None:
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
    n = min(clerks.limit(at, clan), s.player[clan].clerks.supply)
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


__all__ = ["Proposer", "cards", "place_command", "reveal_commands"]
