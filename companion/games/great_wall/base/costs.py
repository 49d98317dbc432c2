"""Questions about prices: what a report would cost a player, and the rules it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.engine.errors import CompanionError
from companion.engine.language.jsonmoves import from_json
from companion.rules import Answer
from components.phrasing import suggest

from .building import BARRICADE, WALL
from .catalogue import At, cat
from .losses import Save, saving
from .prices import Price


def named(said: dict[str, Any], key: str, known: Iterable[str | None]) -> str:
    """The value asked about under a key. Raises CompanionError if it is left out or unknown."""
    found, names = str(said.get(key, "")), [name for name in known if name]
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


def ask_cost(at: At, of: str, player: str = "", by: str = "", **said: Any) -> Answer:
    """The payment for a report with these parameters: resources; of a build who pays what."""
    clan = named({"player": player or by}, "player", at.seats)
    paid = {name: one for name, one in at.rules.moves.items() if "price" in vars(one)}
    if of == Save.name:
        where = {key: str(said[key]) for key in ("unit", "card", "section") if said.get(key)}
        price = Price("GW-SAVE-1", "", {"chi": saving(at, clan, **where)})
    elif of in paid:
        if isinstance(said.get("upgrade"), str):
            said["beast"] = said.pop("upgrade")
        for (report, key), known in NEEDS.items():
            if report == of:
                named(said, key, known(at, clan))
        price = from_json({"event": of, "by": clan, **said}, at).price(at)  # type: ignore[attr-defined]
    else:
        raise CompanionError(f"{of!r} has no price; prices are known of {', '.join((Save.name, *paid))}")
    value = price.cost if price.stores is None else {"own": price.own, "warehouse": dict(price.stores)}
    return Answer(value, [rule for rule in (price.rule, *price.rules) if rule])


QUERIES = {"cost": ask_cost}
