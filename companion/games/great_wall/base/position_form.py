"""Partial positions: what a position file may leave out, and what cannot be (the fields: `state.py`).

Who is named anywhere has a seat; pieces that are named bring their modules; what is left open never forbids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from inspect import signature
from typing import Any

import msgspec

from companion.engine.play.forms import numbered
from companion.engine.play.moves import acting
from companion.engine.things.paths import total
from companion.rules import Default, Fault, Form, Reading, Rules, Task

from . import brought, decks
from .catalogue import SPEARMAN, by_players, cat
from .hordes import is_full
from .soldiers import everywhere, has_shot, units_of, vital_spots
from .spring import hordes_of_slot
from .state import SECTIONS, WOUND, Pending, State
from .year import ENDED

At = Reading[State]
OWED, DYING = "take_shame", "save"


# --- who and what is there ----------------------------------------------------------------------------------------


def _mentioned(said: Any) -> Iterator[str]:
    """Every text in a form, keys included."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict):
        for key, value in said.items():
            yield str(key)
            yield from _mentioned(value)
    elif isinstance(said, list):
        for value in said:
            yield from _mentioned(value)


def players(at: At) -> list[str]:
    """Those in `players`, then everybody else who is named anywhere, in the order of the clans."""
    named = {text.partition(".")[0] for text in _mentioned(at.form)}
    said = list(at.state.players)
    return said if at.said("players") else [*said, *(clan for clan in cat(at).clans if clan in named)]


def modules(at: At) -> list[str]:
    """The base game, and what the named pieces need."""
    pieces = {piece.id: piece.module for piece in at.rules.game.pieces if piece.set in ("horde", "special-unit")}
    words = {text.rpartition(".")[2].partition("#")[0] for text in _mentioned(at.form)}
    needed = {pieces[word] for word in words if word in pieces}
    found = ["base"]
    for module in brought.modules(at):
        said = any(_is_said(at.form.get(field)) for field in module.fields)
        if said or module.name in needed or any(map(module.shown_by, at.state.player.values())):
            found.append(module.name)
    return found


def _is_said(value: Any) -> bool:
    """True if a form holds something (an empty row does not)."""
    if isinstance(value, dict):
        return any(_is_said(part) for part in value.values())
    return value not in (None, [], "east_end", 0, False, "")


def tea(at: At) -> list[str]:
    """Those named in the pile, then the others in the order of the clans."""
    clans = [clan for clan in cat(at).clans if clan in at.state.players]
    return [*at.state.tea, *(clan for clan in clans if clan not in at.state.tea)]


# --- when it is ---------------------------------------------------------------------------------------------------


def step(at: At) -> str:
    """The step, as far as it follows from what is said: a card or location resolves in Fall step 3."""
    s = at.state
    if s.active or s.active_card or s.resolving or s.clerk_uses:
        return "fall.3"
    return s.season if at.said("season") and s.season in ("setup", "ended") else ""


def season(at: At) -> str:
    named = at.state.step.partition(".")[0]
    return named or (at.state.season if at.said("season") else "")


EARLY = ("", "setup", "spring.1")
"""Steps in which the time token has not moved to the slot of the year."""


def year(at: At) -> int:
    if not at.said("time_slot"):
        return 1
    return max(1, at.state.time_slot + (at.state.step in EARLY))


def slot(at: At) -> int:
    return at.state.year - (at.state.step in EARLY) if at.said("year") else 0


def untold(at: At) -> list[str]:
    """The facts that the position leaves open."""
    s = at.state
    found = ["done"] if not at.said("done") and s.step != "setup" and not has_shot(s) else []
    found += ["generals"] if s.step in ("", "setup") and not any(p.general for p in s.player.values()) else []
    found += ["icon"] if s.step in ("", "fall.3") and not at.said("icon") else []
    found += ["part"] if s.season in ("winter", "") and not at.said("part") else []
    slot_said = at.said("time_slot") or at.said("year")
    found += ["hordes"] if not s.step or (s.step == "spring.2" and not slot_said) else []
    return found + [f"tactics:{clan}" for clan in s.players if not at.said("player", clan, "tactics")]


def hordes_due(at: At) -> int:
    s = at.state
    if s.step == "spring.2":
        return hordes_of_slot(at)
    if s.step == "setup" and s.players:
        due = int(at["setup.first_row_cards"]) + int(by_players(at, "setup.extra_hordes"))
        return max(0, due - sum(map(len, s.hordes.values())))
    return 0


# --- pieces that are nowhere else ---------------------------------------------------------------------------------


def supply(at: At, clan: str) -> dict[str, int]:
    """The clan's soldiers that stand nowhere else."""
    p = at.state.player[clan]
    left = {unit: cat(at).units[unit].per_clan - p.shamed.get(unit, 0) for unit in units_of(at, clan)}
    left[SPEARMAN] -= sum(level > 0 for level in p.overseers.values())
    for _, unit, n in everywhere(at, clan):
        if unit in left:
            left[unit] -= n
    return {unit: max(0, n) for unit, n in left.items()}


def overseers(at: At, clan: str) -> dict[str, int]:
    level = int(at["bp.start_overseer"]) if decks.has_towers(at) else 0
    return dict.fromkeys(cat(at).production, level)


def clerks(at: At, clan: str) -> int:
    bought = int(at["clerks.embassy"]) - at.state.player[clan].clerks.embassy
    return max(0, int(at["clerks.start"]) + bought - total(at.state, f"locations.*.{clan}"))


def on_embassy(at: At, clan: str) -> int:
    return max(0, int(at["clerks.embassy"]) - at.state.player[clan].clerks_bought)


def hand(at: At, clan: str) -> list[str]:
    """The command cards that lie neither in the discard pile nor on the track."""
    s = at.state
    gone = [*s.player[clan].discard, *(card.card for card in s.command_track.values() if card.player == clan)]
    gone += [s.active_card] if s.active == clan and s.active_card else []
    gone += [s.revealed[clan]] if clan in s.revealed else []
    return [card for card in cat(at).commands if card not in gone]


def pool(at: At) -> int:
    """The tokens in the pool: those that no soldier and no claimed card carries."""
    tokens = total(at.state, "player.*.shamed.* player.*.claimed.*.shame")
    return max(0, int(at["shame.pool_per_player"]) * len(at.state.players) - tokens)


def left_in(deck: decks.Deck) -> Callable[[At], int]:
    """A function for the number of a deck's cards that neither lie open nor are held."""
    held = "player.*.tactics" if deck.set == "tactic" else ""
    return lambda at: max(0, len(decks.hidden(at, deck.set)) - total(at.state, held))


def of_module(at: At, value: int, otherwise: int) -> dict[str, int]:
    return dict.fromkeys(SECTIONS, value if decks.has_towers(at) else otherwise)


# --- short forms, faults ------------------------------------------------------------------------------------------


def track_numbers(said: dict[str, Any]) -> dict[str, Any]:
    """In JSON the spots of the command track are texts."""
    if isinstance(track := said.get("command_track"), dict):
        said["command_track"] = numbered(track)
    return said


def card_alone(said: Any) -> Any:
    """A card on which nothing stands may be said by its id alone."""
    return {"card": said} if isinstance(said, str) else said


def impossible(at: At) -> Iterator[Fault]:
    """The faults of a position that no whole table could have: too many cards in a section, spots that are not vital,
    seats twice."""
    s = at.state
    if s.step and s.step not in at.rules.phase_table:
        yield Fault(("step",), f"there is no step {s.step}", "steps are called spring.1, fall.3, winter.2")
    elif s.part and not any(stage.endswith(f"{s.step}.{s.part}") for stage in at.rules.phase_table):
        what = f"{s.step} has no part {s.part}" if s.step else f"no step has a part {s.part}"
        yield Fault(("part",), what, "parts are called winter.1.shots, winter.2.assault, winter.2.barricades")
    covered: list[tuple[tuple[Any, ...], str, dict[str, str]]] = []
    for section, cards in s.hordes.items():
        covered += [(("hordes", section, n), horde.card, horde.spots) for n, horde in enumerate(cards)]
    covered += [(("khan", "skills", n), skill.card, skill.spots) for n, skill in enumerate(s.khan.skills)]
    for path, card, spots in covered:
        for spot, value in spots.items():
            if spot not in vital_spots(at, card):
                yield Fault((*path, "spots", spot), f"{card} has no vital spot {spot}")
            yield from _no_soldier(at, (*path, "spots", spot), value)
    for n, task in enumerate(s.agenda):
        yield from _bad_task(at, ("agenda", n), task)
    for n, value in enumerate(s.pending.kill):
        clan, _, unit = value.partition(".")
        if clan not in s.players or unit not in cat(at).units:
            yield Fault(("pending", "kill", n), f"{value} is not a soldier of the table", "write `plum.spearman`")
    for spot, value in s.khan.card.spots.items():
        yield from _no_soldier(at, ("khan", "card", "spots", spot), value)


def _bad_task(at: At, path: tuple[Any, ...], task: Task) -> Iterator[Fault]:
    """The faults of an entry among the debts and waiting steps."""
    kind, step = at.rules.moves.get(task.move), at.rules.steps.get(task.step)
    if step is not None:
        needs = {name: name for name, one in signature(step).parameters.items() if one.default is one.empty}
        needs.pop("at", None)
    elif kind is not None and (owes := getattr(kind, "owes", None)) is not None:
        needs = owes
        if acting(kind) and task.who not in at.state.players:
            yield Fault((*path, "who"), f"nobody at the table owes this: {task.who or 'no name'}", "name a player")
    elif kind is None and (task.move or task.step):
        return  # there is no such name, which is said of every game
    else:
        yield Fault(path, f"nobody can owe {task.move or 'nothing'}", "name a report that can be owed under `move`")
        return
    for name, names in needs.items():
        known = {"clan": at.state.players, "phase": at.rules.phase_table}.get(names) or tuple(at.rules.names(names))
        value = task.args.get(name)
        if value is None or (known and value not in known):
            said = "which is missing" if value is None else f"and {value!r} is none"
            yield Fault((*path, "args"), f"{task.move or task.step} needs its {name}, {said}", f"write `{name}: …`")


def _no_soldier(at: At, path: tuple[Any, ...], value: str) -> Iterator[Fault]:
    clan, _, unit = value.partition(".")
    known = value == WOUND or (clan in cat(at).clans and unit.partition("#")[0] in cat(at).units)
    if not known:
        yield Fault(path, f"{value} is neither a wound nor a soldier", "write `wound`, or `plum.spearman`")


def settle(at: At) -> None:
    """The whole tea pile, debts as they are kept, the end that is reached, and what a full board owes."""
    s = at.state
    s.tea = tea(at)
    if not at.said("agenda") or _owed(s.agenda) != s.pending.shame:
        rest = [task for task in s.agenda if task.move != OWED]
        order = [clan for clan in s.tea if clan in s.pending.shame]
        s.agenda = [Task(who=clan, move=OWED, n=s.pending.shame[clan], rule="GW-SHAME-1") for clan in order] + rest
    if _killed(s.agenda) != s.pending.kill:
        kills = (said.partition(".") for said in s.pending.kill)
        dying = [Task(who=clan, move=DYING, rule="GW-SAVE-1", args={"unit": unit}) for clan, _, unit in kills]
        s.agenda = dying + [task for task in s.agenda if task.move != DYING]
    s.pending = Pending()
    if s.end_trigger and s.unit_finished and not (s.agenda or s.resolving or s.order or s.queue):
        at.rules.set_stage(s, ENDED)  # the unit in which the end was triggered is over (GW-END-5)
    if s.step == "spring.2" and not s.agenda and s.hordes_due and is_full(at) and not s.spring_shame:
        s.hordes_due, s.spring_shame = 0, True
        n = int(at["grid.full_board_shame"])
        s.agenda = [Task(who=clan, move=OWED, n=n, rule="GW-GRID-5") for clan in s.tea] + [Task(step="next_step")]


def _owed(agenda: Iterable[Task]) -> dict[str, int]:
    found: dict[str, int] = {}
    for task in agenda:
        if task.move == OWED:
            found[task.who] = found.get(task.who, 0) + task.n
    return found


def _killed(agenda: Iterable[Task]) -> list[str]:
    return [f"{task.who}.{task.args['unit']}" for task in agenda if task.move == DYING]


FORM = Form(
    seats=Default("players", "those who are named anywhere; with none, the table is not set up", players),
    defaults=(
        Default("modules", "`base`, and what the named pieces need", modules),
        Default("side", "by the number of players", lambda at: by_players(at, "board.face")),
        Default("step", "not said, and no report of the season is out of place; `fall.3` where a card or location resolves", step),
        Default("season", "that of the step", season),
        Default("year", "that of the time slot", year),
        Default("time_slot", "that of the year; without a year the start", slot),
        Default("tea", "the clans in their order", tea),
        Default("walls", "as at the start", lambda at: of_module(at, int(at["bp.start_level"]), 0)),
        Default("barricades", "as at the start", lambda at: of_module(at, 0, int(at["barricade.setup_per_section"]))),
        Default("player.*.overseers", "as at the start", overseers),
        Default("player.*.clerks_bought", "those no longer on the Embassy", lambda at, clan: int(at["clerks.embassy"]) - at.state.player[clan].clerks.embassy if at.said("player", clan, "clerks", "embassy") else 0),
        Default("player.*.clerks.embassy", "those not bought", on_embassy),
        Default("player.*.clerks.supply", "those that work nowhere", clerks),
        Default("player.*.hand", "the cards neither in the discard pile nor on the track", hand),
        Default("player.*.shamed", "none", lambda at, clan: dict.fromkeys(units_of(at, clan), 0)),
        Default("player.*.supply", "the soldiers that stand nowhere else", supply),
        Default("shame_pool", "the tokens that nobody has", pool),
        *(Default(deck.size, "the cards that lie open nowhere and are in no hand", left_in(deck)) for deck in decks.DECKS.values()),
        Default("hordes_due", "in `spring.2` the number on the slot", hordes_due),
        Default("untold", "whatever the position does not say", untold),
    ),
    readings={State: track_numbers},
    faults=impossible,
    settle=settle,
)  # fmt: skip


def read_position(form: dict[str, Any]) -> dict[str, Any]:
    """A position may have what belongs to the table under `game`."""
    inner = form.get("game")
    form = (
        {**inner, **{key: value for key, value in form.items() if key != "game"}} if isinstance(inner, dict) else form
    )
    hordes = form.get("hordes")
    if not isinstance(hordes, dict):
        return form
    alone = {s: [*map(card_alone, cards)] if isinstance(cards, list) else cards for s, cards in hordes.items()}
    return {**form, "hordes": alone}


def dump(rules: Rules, state: State) -> dict[str, Any]:
    """The position form, with what is owed as positions write it."""
    form: dict[str, Any] = msgspec.to_builtins(state)
    if not state.season:  # a position that does not say them
        del form["season"], form["step"]
    form["pending"] = {"shame": _owed(state.agenda), "kill": _killed(state.agenda)}
    return form
