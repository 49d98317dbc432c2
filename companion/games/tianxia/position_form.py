"""Partial positions: what a position file may leave out, and what cannot be (the fields: `state.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.engine.play.forms import numbered
from companion.rules import Default, Fault, Form, Reading, Rules

from .catalogue import At
from .preparation import base_strength
from .soldiers import defence
from .state import GREY, Harbour, State

PASSING = ("this_turn", "used_up")
"""Fields that are empty between turns and no part of the form."""


def players(at: Reading[State]) -> list[str]:
    return list(at.state.player)


def placed_workers(at: At, who: str) -> int:
    """Workers of a player outside the supply."""
    s = at.state
    merchants = s.player[who].merchants if who in s.player else {}
    governors = sum(site.governors.count(who) for site in s.buildings.values())
    return s.on_barges(who) + governors + s.pieces("soldiers", who) + sum(merchants.values())


def _left(total: str, used: Any) -> Any:
    """A function for the number of a player's pieces of a kind that are not on the board."""
    return lambda at, who: at[total] - used(at, who)


COUNTED: dict[str, tuple[str, str, Any]] = {
    "workers": ("workers", "workers", placed_workers),
    "markers": ("action_markers", "action markers", lambda at, who: at.state.placed_markers(who) + _own(at, who, "discarded_markers")),
    "ship_markers": ("shipping.markers", "shipping markers", lambda at, who: at.state.moored(who)),
    "crates": ("crates", "crates", lambda at, who: _own(at, who, "delivered") or at.state.crates_aboard(who)),
}  # fmt: skip
"""Field of a player -> parameter with the number of pieces, their name, how many are elsewhere."""


def _own(at: At, who: str, field: str) -> int:
    p = at.state.player.get(who)
    return int(getattr(p, field)) if p is not None else 0


def discarded(at: Reading[State], who: str) -> int:
    """Action markers that must have been discarded this round."""
    if not at.said("player", who, "markers"):
        return 0
    left = at["action_markers"] - at.state.player[who].markers - at.state.placed_markers(who)
    return int(max(0, left))


def bonus_spaces(said: dict[str, Any]) -> dict[str, Any]:
    """In JSON the numbers of bonus spaces are texts."""
    crates = said.get("crates")
    if isinstance(crates, dict):
        said["crates"] = numbered(crates)
    return said


def impossible(at: Reading[State]) -> Iterator[Fault]:
    """More pieces than there are, rows that are too long, a defence marker that says otherwise than its section."""
    s = at.state
    low, high = at["players.min"], at["players.max"]
    if s.players and not low <= len(s.players) <= high:
        yield Fault(("players",), f"{len(s.players)} players; the game takes {low} to {high}")
        return
    if not s.players and at.said("phase") and s.phase != "prepare":
        yield Fault(("players",), f"nobody sits at the table in phase {s.phase}")
    unknown = not s.turn_order and at.said("phase") and s.phase == "prepare"
    if at.said("turn_order") and not unknown and sorted(s.turn_order) != sorted(s.players):
        yield Fault(("turn_order",), f"each player comes once: {', '.join(s.players)}")
    for barge, row in s.barges.items():
        if len(row) > at["barge.capacity"]:
            yield Fault(("barges", barge), f"{len(row)} workers; a barge holds {at['barge.capacity']}")
    for id, site in s.buildings.items():
        spaces = len(at.rules.catalogue.buildings[id].extra_wood)  # type: ignore[attr-defined]
        if len(site.governors) > spaces:
            yield Fault(("buildings", id, "governors"), f"{len(site.governors)} spaces; a building has {spaces}")
    for lane, section in s.sections.items():
        for name, most in at["section.slots"].items():
            if (n := len(getattr(section, name))) > most:
                yield Fault(("sections", lane, name), f"{n} spaces; a section has {most}")
        stands = defence(at, section)
        if at.said("sections", lane, "defence") and section.defence != stands:
            yield Fault(("sections", lane, "defence"), f"{section.defence}, but what stands there counts {stands}")
    for who in s.players:
        for field, (total, name, used) in COUNTED.items():
            if not at.said("player", who, field) and used(at, who) > at[total]:
                yield Fault(("player", who), f"{used(at, who)} {name} are in play; there are {at[total]}")


def settle(at: Reading[State]) -> None:
    """Rows as they are kept: meeple spaces of a building in full, the rows of a section without empty ends."""
    for id, site in at.state.buildings.items():
        spaces = len(at.rules.catalogue.buildings[id].extra_wood)  # type: ignore[attr-defined]
        site.governors += [None] * (spaces - len(site.governors))
    for section in at.state.sections.values():
        for row in (section.walls, section.towers, section.soldiers):
            while row and row[-1] is None:
                row.pop()
        section.defence = defence(at, section)


FORM = Form(
    seats=Default("players", "those named in `player`; with none, the table is not set up", players),
    defaults=(
        Default("phase", "`action`", lambda at: "action"),
        Default("turn_order", "`players`; in phase `prepare` not known yet", lambda at: [] if at.state.phase == "prepare" else list(at.state.players)),
        Default("player.*.walls_built", "those that stand in the sections", lambda at, who: at.state.pieces("walls", who)),
        Default("player.*.towers_built", "those that stand in the sections", lambda at, who: at.state.pieces("towers", who)),
        Default("player.*.delivered", "the crates on ships", lambda at, who: at.state.crates_aboard(who)),
        *(Default(f"player.*.{field}", f"all {name} that are not in play", _left(total, used)) for field, (total, name, used) in COUNTED.items()),
        Default("player.*.discarded_markers", "where `markers` is said: those that are neither there nor placed", discarded),
        Default("neutral_workers", "those that are on no barge", lambda at: max(0, at["neutral_workers"] - at.state.on_barges(GREY))),
        Default("nomads.*.strength", "as at the start of the track", lambda at, lane: base_strength(at)),
        Default("tiles_laid", "yes; in phase `setup` if there are `round_tiles`", lambda at: at.state.phase != "prepare" and (at.state.phase != "setup" or bool(at.state.round_tiles))),
        Default("untold_hands", "the players whose `objectives` are not said", lambda at: [who for who in at.state.players if not at.said("player", who, "objectives")]),
    ),
    readings={Harbour: bonus_spaces},
    faults=impossible,
    settle=settle,
)  # fmt: skip


def dump(rules: Rules, state: State) -> dict[str, Any]:
    """The position form."""
    form: dict[str, Any] = msgspec.to_builtins(state)
    for field in PASSING:
        del form[field]
    return form
