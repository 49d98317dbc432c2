"""Questions about prices: what a report would cost a player, and the rules it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.engine.errors import CompanionError
from companion.engine.play.position import Answer
from components.phrasing import suggest

from .building import BARRICADE, WALL
from .catalogue import At, cat
from .losses import Save, saving
from .prices import Price


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
    ("beast_action", "beast"): lambda at, clan: at.state.beasts,
}
"""(report, key) -> what has to be said under it."""


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
    beast = upgrade if upgrade and isinstance(upgrade, str) else beast
    where = {"unit": unit, "card": card, "section": section}
    said = {**where, "location": location, "what": what, "goods": goods, "beast": beast}
    paid = {name: one for name, one in at.rules.moves.items() if "price" in vars(one)}
    if of == Save.name:
        price = Price("GW-SAVE-1", "", {"chi": saving(at, clan, **{key: one for key, one in where.items() if one})})
    elif of in paid:
        for (report, key), known in NEEDS.items():
            if report == of:
                named(said, key, known(at, clan))
        fields = {name: value for name, value in said.items() if name in paid[of].__struct_fields__ and value}
        price = paid[of](by=clan, **fields).price(at)  # type: ignore[attr-defined]
    else:
        raise CompanionError(f"{of!r} has no price; prices are known of {', '.join((Save.name, *paid))}")
    value = price.cost if price.stores is None else {"own": price.own, "warehouse": dict(price.stores)}
    return Answer(value, [rule for rule in (price.rule, *price.rules) if rule])


QUERIES = {"cost": ask_cost}
