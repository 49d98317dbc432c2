"""Questions about prices: what a report would cost a player, and the rules it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.engine.errors import CompanionError
from companion.engine.play.position import Answer
from components.phrasing import suggest

from .beasts import level_cost
from .building import BARRICADE, WALL
from .catalogue import At, cat
from .prices import Price
from .uses import ClerkUse


def named(said: dict[str, Any], key: str, known: Iterable[str | None]) -> str:
    """What is asked about under a key. Raises CompanionError if it is left out, or not among those there are."""
    found, names = str(said[key]), [name for name in known if name]
    if found not in names:
        what = f"{key} {found!r} is not known" if found else f"it also needs {key}"
        raise CompanionError(f"query cost: {what}{suggest(found, names)}")
    return found


NEEDS: dict[tuple[str, str], Callable[[At, str], Iterable[str | None]]] = {
    ("recruit", "unit"): lambda at, clan: cat(at).units,
    ("upgrade_overseer", "location"): lambda at, clan: at.state.own(clan).overseers,
    ("buy_advisor", "card"): lambda at, clan: at.state.advisor_track,
    ("build", "what"): lambda at, clan: (WALL, BARRICADE, *cat(at).of("machine")),
    ("build", "section"): lambda at, clan: at.state.walls,
}
"""(report, key) -> what has to be said under it."""


def _save(at: At, clan: str, said: dict[str, Any]) -> Price:
    where = {key: said[key] for key in ("section", "unit", "card") if said[key]}
    before = at.state.own(clan).saves_this_year
    return Price("GW-SAVE-1", "", {"chi": at.value("save_soldier.chi", clan, before=before, **where)})


def _beast(at: At, clan: str, said: dict[str, Any]) -> Price:
    upgrade = said["upgrade"] if isinstance(said["upgrade"], str) else ""
    beast = named({"beast": upgrade or said["beast"]}, "beast", at.state.beasts)
    return Price("GW-AB-5", "", level_cost(at, clan, at.state.beasts[beast].level + 1))


COSTS: dict[str, Callable[[At, str, dict[str, Any]], Price]] = {
    "remove_shame": lambda at, clan, said: Price("GW-SUM-3", "", {"chi": at.value("shame.remove_chi", clan)}),
    "save": _save,
    "beast_action": _beast,
}
"""Report -> its price, where it is no use of a clerk that says its price itself."""


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
    uses = {name: one for name, one in at.rules.moves.items() if issubclass(one, ClerkUse) and "price" in vars(one)}
    if of in COSTS:
        price = COSTS[of](at, clan, {**said, "beast": beast, "upgrade": upgrade})
    elif of in uses:
        for (report, key), known in NEEDS.items():
            if report == of:
                named(said, key, known(at, clan))
        fields = {name: value for name, value in said.items() if name in uses[of].__struct_fields__ and value}
        price = uses[of](by=clan, **fields).price(at)
    else:
        raise CompanionError(f"{of!r} has no price; prices are known of {', '.join((*COSTS, *uses))}")
    value = price.cost if price.stores is None else {"own": price.own, "warehouse": dict(price.stores)}
    return Answer(value, [rule for rule in (price.rule, *price.rules) if rule])


QUERIES = {"cost": ask_cost}
