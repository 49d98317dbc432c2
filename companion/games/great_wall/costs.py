"""Questions about prices: what a report would cost a player, and the rules it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.engine.errors import CompanionError
from companion.engine.play.position import Answer
from companion.engine.things.figures import Figure
from components.phrasing import suggest

from .beasts import level_cost
from .building import BARRICADE, WALL, price
from .catalogue import At, cat
from .embassy import advisor_cost, clerk_cost
from .production import overseer_cost
from .supplies import cost_of, plain

Asked = dict[str, Any]
Price = Callable[[At, str, Asked], tuple[Mapping[str, Figure], str]]
"""(position, clan, what was asked) -> the price, and the rule that says it."""


def named(said: Asked, key: str, known: Iterable[str | None]) -> str:
    """What is asked about under a key. Raises CompanionError if it is left out, or not among those there are."""
    found, names = str(said[key]), [name for name in known if name]
    if found not in names:
        what = f"{key} {found!r} is not known" if found else f"it also needs {key}"
        raise CompanionError(f"query cost: {what}{suggest(found, names)}")
    return found


def _recruit(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    unit = named(said, "unit", cat(at).units)
    return cost_of(at, f"recruit.{unit}.cost", clan, unit=unit), "GW-REC-3"


def _overseer(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    overseers = at.state.own(clan).overseers
    level = overseers[named(said, "location", overseers)] + 1
    return overseer_cost(at, clan, min(level, int(at["overseer.max_level"]))), "GW-PROD-3"


def _clerk(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    return {"gold": clerk_cost(at, clan)}, "GW-TOWN-3"


def _advisor(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    return {"gold": advisor_cost(at, clan, named(said, "card", at.state.advisor_track))}, "GW-TOWN-4"


def _shame(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    return {"chi": at.value("shame.remove_chi", clan)}, "GW-SUM-3"


def _save(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    where = {key: said[key] for key in ("section", "unit", "card") if said[key]}
    return {"chi": at.value("save_soldier.chi", clan, **where)}, "GW-SAVE-1"


def _priced(name: str, rule: str) -> Price:
    """The price that a parameter says."""
    return lambda at, clan, said: (cost_of(at, name, clan), rule)


def _beast(at: At, clan: str, said: Asked) -> tuple[Mapping[str, Figure], str]:
    beast = named({"beast": said["upgrade"] or said["beast"]}, "beast", at.state.beasts)
    return level_cost(at, clan, at.state.beasts[beast].level + 1), "GW-AB-5"


COSTS: dict[str, Price] = {
    "recruit": _recruit,
    "upgrade_overseer": _overseer,
    "buy_clerk": _clerk,
    "buy_advisor": _advisor,
    "remove_shame": _shame,
    "save": _save,
    "raise_banner": _priced("gk.bannerman_cost", "GW-GK-13"),
    "appease": _priced("dragon.appease", "GW-ID-6"),
    "beast_action": _beast,
}
"""Event -> its price for a player, and the rule that says it."""


def ask_cost(
    at: At,
    of: str,
    player: str = "",
    by: str = "",
    unit: str = "",
    location: str = "",
    card: str = "",
    place: str = "",
    what: str = "",
    section: str = "",
    carrier: str = "",
    soldier: Any = "",
    to: Any = None,
    goods: Any = (),
    beast: str = "",
    upgrade: Any = "",
) -> Answer:
    """The payment for a report: resources; of a build who pays what."""
    clan = named({"player": player or by}, "player", at.seats)
    said = {"unit": unit, "location": location, "card": card, "what": what, "section": section, "goods": goods}
    said |= {"beast": beast, "upgrade": upgrade if isinstance(upgrade, str) else ""}
    if of not in (*COSTS, "build"):
        raise CompanionError(f"{of!r} has no price; prices are known of {', '.join((*COSTS, 'build'))}")
    if of == "build":
        named(said, "what", (WALL, BARRICADE, *cat(at).of("machine")))
        named(said, "section", at.state.walls)
        cost = price(at, clan, what, section, goods)
        rules = [rule for figure in (*cost.figures.values(), cost.discount) for rule in figure.rules]
        return Answer({"own": cost.own, "warehouse": cost.stores}, ["GW-BUILD-3", *rules])
    figures, rule = COSTS[of](at, clan, said)
    return Answer(plain(figures), [rule, *(one for figure in figures.values() for one in figure.rules)])


QUERIES = {"cost": ask_cost}

__all__ = ["COSTS", "QUERIES", "ask_cost"]
