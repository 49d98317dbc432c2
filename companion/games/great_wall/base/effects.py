"""The effects of cards: for whom they are in force, their conditions (`if`), and the operation of each verb in
effects.yaml (GW-CARD).

What an effect leaves to a player's choice is owed as a report of its own: `gain` for goods, `wound` for the spot. What it
allows without demanding it (attacks, marches, recruits, clerks) stands in `State.allowed` until the unit is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.things.effects import Condition
from companion.rules import Op, Source
from components.model import ResolvedPiece

from . import decks
from .brought import Bearers
from .catalogue import At, Catalogue, cat
from .prices import gain as supply
from .shame import lift_shame, owe_shame
from .soldiers import covered_card, in_section, soldiers_in, soldiers_on
from .state import State
from .year import first_in_tea, in_tea_order, is_last, raise_tea

CHOSEN = "chosen:"
"""Prefix of the entries of `State.effects_now` that say what a tactic was played on."""
SAVED = "saved"
"""The entry that says which goods a card was played to save."""


# --- for whom a piece is in force ---------------------------------------------------------------------------------


def _special(catalogue: Catalogue, s: State, piece: ResolvedPiece) -> Bearers:
    """For the clan; on horde cards once for each unit there, with the card as its place."""
    clan = next((clan for clan, unit in catalogue.special.items() if unit == piece.id and clan in s.player), None)
    if clan is None:
        return []
    on_cards = (one for cards in s.hordes.values() for horde in cards for one in soldiers_in(horde))
    return [(clan, ""), *((clan, one.place.card) for one in on_cards if (one.clan, one.unit) == (clan, piece.id))]


def _tactic(catalogue: Catalogue, s: State, piece: ResolvedPiece) -> Bearers:
    """For whoever has played it in this unit; its place is what it was played on."""
    chosen = s.effects_now.get(f"{CHOSEN}{piece.id}", [""])[0]
    return [(clan, chosen) for clan, played in s.played_this_unit.items() if piece.id in played]


BEARERS: dict[str, Callable[[Catalogue, State, ResolvedPiece], Bearers]] = {
    "general": lambda found, s, piece: [(clan, "") for clan, p in s.player.items() if p.general == piece.id],
    "advisor": lambda found, s, piece: [(clan, "") for clan, p in s.player.items() if piece.id in p.active],
    "support": lambda found, s, piece: [
        (clan, one) for clan, p in s.player.items() for one in p.support if found.supports.get(one) == piece.id
    ],
    "tactic": _tactic,
    "special-unit": _special,
}


def concerns(at: At, scope: str, source: Source, who: str, where: dict[str, Any]) -> bool:
    """True if an effect with this scope concerns `who` now. Without a scope, a figure of the table (no `who`) is
    everybody's. A piece without an owner that stands in a place works there only. `before`: the number of earlier
    occasions of the kind in the year (GW-CARD-8)."""
    owner = source.owner
    if not owner and source.where and _place(where) not in (None, source.where):
        return False
    if scope == "highest":
        return bool(who) and first_in_tea(at, at.state.players) == who
    if source.piece.set == "tactic" and source.piece.id in at.state.own(owner).used_this_unit:
        return False
    if scope in ("one_build", "one_purchase"):
        return owner == who
    if scope == "this_soldier":
        return owner == who and where.get("unit") == source.piece.id and not source.where
    if source.limit == "first_each_year" and where.get("before"):
        return False
    return not owner or owner == who or (not scope and not who)


# --- conditions ---------------------------------------------------------------------------------------------------


def _place(where: dict[str, Any]) -> Any:
    return where.get("section") or where.get("location")


def _at_least(number: Callable[[At, str, dict[str, Any]], int]) -> Condition:
    return lambda at, owner, arg, where: number(at, owner, where) >= arg["min"]


def _is(what: str) -> Condition:
    return lambda at, owner, arg, where: where.get(what) == arg


def _on_card(at: At, owner: str, where: dict[str, Any]) -> int:
    on_it = covered_card(at, where.get("card", ""))
    return len(soldiers_on(on_it).get(owner, ())) if on_it else 0


def _in_section(at: At, owner: str, where: dict[str, Any]) -> int:
    return in_section(at, owner, _place(where)) if _place(where) else 0


def _donated(at: At, owner: str, where: dict[str, Any]) -> int:
    return at.state.clerk_uses[owner].donated if owner in at.state.clerk_uses else 0


def _beast_here(at: At, owner: str, arg: Any, where: dict[str, Any]) -> bool:
    """A beast stands in the place."""
    return _place(where) in [beast.at for beast in at.state.beasts.values()]


def _card(at: At, owner: str, arg: Any, where: dict[str, Any]) -> bool:
    """`same`: the card the unit stands on; `chosen`: the card named when the tactic was played."""
    return bool(where["source"].where) and where.get("card") == where["source"].where


CONDITIONS: dict[str, Condition] = {
    "tea_position": lambda at, owner, arg, where: is_last(at, owner),
    "own_soldiers_on_card": _at_least(_on_card),
    "own_soldiers_in_section": _at_least(_in_section),
    "donated": _at_least(_donated),
    "overseer_levels_total": _at_least(lambda at, owner, where: sum(at.state.own(owner).overseers.values())),
    "beast_here": _beast_here,
    "khan_here": lambda at, owner, arg, where: where.get("section") == at.state.khan.section,
    "card": _card,
    **{what: _is(what) for what in ("unit", "row", "to")},
}


# --- verbs --------------------------------------------------------------------------------------------------------


def rule_of(source: Source) -> str:
    """The rule under which it is told what a card does."""
    return source.piece.rule or ("GW-FALL-6" if source.piece.set == "command" else "GW-CARD-1")


def gain(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Resources and honor at once; goods are owed as a choice (GW-GEN-10)."""
    what = dict(args["what"])
    if same := what.pop("same", 0):
        kind = cat(at).production[str(source.about.get("location") or at.state.resolving)]
        what[kind] = what.get(kind, 0) + same
    goods = what.pop("goods", 0)
    if what:
        supply(at, who, what)
        words = at.rules.words("GW-CARD-1", "says", "gain")
        at.note(rule_of(source), words, player=who, gains=what, card=source.name)
    if goods:
        at.owe(who, "gain", goods, rule="GW-GEN-10", card=source.piece.id)


def up(at: At, who: str, n: int | str, rule: str) -> None:
    """Move a tea marker up, or to the top (GW-TEA-4)."""
    raise_tea(at, who, len(at.state.tea) if n == "top" else int(n))
    at.note("GW-TEA-4", player=who, tea=list(at.state.tea))
    at.kept(rule, "GW-TEA-5")


def draw(at: At, clan: str, n: int, rule: str) -> None:
    """Draw tactics; an empty deck is renewed, and what exceeds the hand limit is discarded at once (GW-CARD-5, -6)."""
    p = at.state.own(clan)
    drawn = decks.drawable(at, "tactic", n)
    decks.draw(at, "tactic", drawn)
    p.tactics += drawn
    words = at.rules.words("GW-TOWN-11", "says", "drawn")
    at.note(rule, words, player=clan, n=drawn, hand=p.tactics)
    limit = at.value("tactic.hand_limit", clan)
    if p.tactics > int(limit):
        at.owe(clan, "discard_tactic", p.tactics - int(limit), rule="GW-CARD-5")


def allow(at: At, who: str, what: str, n: int) -> None:
    """Let a player do something `n` times until the unit is over."""
    may = at.state.allowed.setdefault(who, {})
    may[what] = may.get(what, 0) + n


def _allows(what: str) -> Op:
    return lambda at, who, args, source: allow(at, who, what, args["n"])


def remove_shame(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    lift_shame(at, who, str(source.about["carrier"]))


def cancel_shame(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Tokens that the player is about to gain are not gained."""
    for _ in range(args["n"]):
        task = next(task for task in at.rules.agenda(at.state) if task.move == "take_shame" and task.who == who)
        at.rules.settle_task(at.state, task)
    at.note("GW-CARD-3.cancelled", player=who, n=args["n"], card=source.name)


def shame_each(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    owe_shame(at, dict.fromkeys(at.state.players, args["n"]), source.piece.rule or "GW-SHAME-11")


def each_in_section(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Every player with a soldier in the section, in tea order."""
    section = source.about["section"]
    for clan in in_tea_order(at):
        if in_section(at, clan, section):
            at.run(source.body, clan, source)


def swap_hordes(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Two rows of one section change places, with everything on the cards."""
    cards = at.state.hordes[source.about["section"]]
    one, other = (row - 1 for row in args["rows"])
    cards[one], cards[other] = cards[other], cards[one]


def swap_command_spots(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The owner's command card and one on a neighbouring occupied spot change places."""
    track, there = at.state.command_track, source.about["spot"]
    mine = next(spot for spot, card in track.items() if card.player == who)
    track[mine], track[there] = track[there], track[mine]


ALLOWANCES = ("attack", "march", "recruit", "place_clerks")
"""The actions that icons and tactics allow, as reports of their own."""
OPS: dict[str, Op] = {
    "gain": gain,
    "tea": lambda at, who, args, source: up(at, who, args["n"], rule_of(source)),
    "draw_tactic": lambda at, who, args, source: draw(at, who, args["n"], rule_of(source)),
    **{what: _allows(what) for what in ALLOWANCES},
    "remove_shame": remove_shame,
    "cancel_shame": cancel_shame,
    "shame_each": shame_each,
    "each_in_section": each_in_section,
    "swap_hordes": swap_hordes,
    "swap_command_spots": swap_command_spots,
}
VERBS = ("clerks", "activate")
"""Icons that the chapter of the command cards carries out."""
