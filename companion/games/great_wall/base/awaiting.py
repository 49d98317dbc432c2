"""The next thing to happen, in one sentence with lines that may be typed now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from companion.engine.language import notation
from companion.engine.play.options import legal_moves
from companion.engine.play.phases import awaited as seats_awaited
from companion.rules import Position, Task
from components.phrasing import count, join_and, plural

from . import fall, icons, locations, spring, summer
from .assault import due
from .brought import Next
from .catalogue import At, name_of
from .preparation import lacking
from .reports import May, step_over
from .state import SECTIONS
from .uses import uses_in
from .year import ENDED

ANYTHING = Next("whatever the step allows")


def awaited(at: At) -> str:
    """The next thing to happen, with a legal line of each kind that reports it, where lines are typed."""
    here = _what_is_open(at)
    found = _next(here)
    lines = [] if at.tapped else typed(here, found.kinds)
    return found.sentence + (f" (type: {', or: '.join(lines)})" if lines else "") + found.more


def typed(at: At, kinds: Iterable[str]) -> list[str]:
    """A legal report of each kind, as it is typed: the first, or a player's second where that says more."""
    here = Position(at.rules, at.state, quiet=True)
    lines = []
    for kind in map(at.rules.moves.__getitem__, kinds):
        some = islice(legal_moves(kind, here), 1 if kind.role == "event" else 2)
        if said := [notation.write(move, here) for move in some]:
            lines.append(max(said, key=lambda line: len(line.split())))
            lines += [_left_as_typed(kind, here)] if issubclass(kind, May) and at.state.agenda else []
    return lines


def _left_as_typed(kind: type[May], at: At) -> str:
    """The line by which a player leaves an optional debt: `pine pass`, if that means nothing else."""
    who = at.state.agenda[0].who
    left = kind(by=who, none=True)
    try:
        plainly = notation.read(f"{who} pass", at) == [left]
    except notation.NotationError:
        plainly = False
    return f"{who} pass" if plainly else notation.write(left, at)


def _what_is_open(at: At) -> At:
    """The position behind choices that have no effect (cards that come back from an empty pile), and behind a step that
    is visibly over."""
    here = at
    while (move := summer.piles_empty(here) or step_over(here)) is not None:
        here = here.copy() if here is at else here
        here.quiet = True
        here.perform(move)
    return here


def _next(at: At) -> Next:
    s = at.state
    if s.scored:
        return Next("nothing: the game is over")
    if debts := [task for task in s.agenda if task.move]:
        return _owed(at, debts)
    says = NEXT.get(at.rules.stage(s) if s.players else "setup")
    return says(at) if says else ANYTHING


# --- what is owed ---------------------------------------------------------------------------------------------------

OWED = {
    "take_shame": "takes a shame token",
    "choose_losses": "chooses who dies",
    "save": "may save a soldier",
    "gain": "chooses goods",
    "wound": "places a wound",
    "shoot": "shoots",
    "machine_shot": "may fire a war machine",
    "attack_khan": "may send survivors to the Khan",
    "toll": "pays the Rat",
    "bannerman_attack": "may attack with the bannerman",
    "discard_tactic": "discards a tactic",
}
"""Kind of debt -> what its player does."""


def _owed(at: At, debts: list[Task]) -> Next:
    task = debts[0]
    if task.move == "defeat":
        return Next(f"the horde {name_of(at, 'horde', str(task.args.get('card', '')))} is defeated", ("defeat",))
    if not task.who:
        return NEXT[at.rules.stage(at.state)](at)
    words = OWED.get(task.move, f"does this: {task.move.replace('_', ' ')}")
    later = list(dict.fromkeys(one.who for one in debts if one.who and one.who != task.who))
    return Next(f"{task.who} {words}", (task.move,), f"; then {join_and(later)}" if later else "")


# --- the year -------------------------------------------------------------------------------------------------------


def _time(at: At) -> Next:
    slot = at.state.time_slot + 1
    left = len(spring.slots(at)) - 1 - slot
    return Next(f"the time token moves to slot {slot}, with {count(left, 'slot')} after it", ("advance_time",))


def _hordes(at: At) -> Next:
    first = [section for section in SECTIONS if not at.state.hordes[section]]
    where = f"; the next fills {first[0]}" if first else ""
    due = count(at.state.hordes_due, "horde card") if at.state.hordes_due else "horde cards"
    return Next(f"{due} to reveal{where}", ("reveal_horde",))


def _turn(words: str, *kinds: str) -> Callable[[At], Next]:
    return lambda at: Next(f"{join_and(seats_awaited(at) or at.state.players, 'or')} {words}", kinds)


def _command(at: At) -> Next:
    missing = [clan for clan in at.state.players if clan not in at.state.chosen]
    if not missing:
        says = (
            ": say reveal, and each player with a card" if any(at.state.chosen.values()) else ""
        )  # sealed: no example
        return Next(f"the command cards are revealed{says}", ("reveal_commands",))
    chooses = plural(len(missing), "chooses", "choose")
    return Next(f"{join_and(missing)} {chooses} a command card in secret", ("choose_command", "reveal_commands"))


def _card(at: At) -> Next:
    """The next decision about the card that resolves, and its player."""
    s = at.state
    seats = fall.to_act(at)
    if s.resolving:
        n = locations.left(at, seats[0])
        left = count(n, locations.gives(s.resolving).kind) if n else "nothing more"
        uses = [kind.name for kind in uses_in(at, s.resolving) if kind.name != "leave"]
        return Next(f"{seats[0]} uses {left} in the {name_of(at, 'location', s.resolving)}", (*uses, "pass"))
    if s.active is None:
        spot = icons.next_spot(at)
        return Next(f"the card on spot {spot} resolves" if spot else "the cards are over", ("begin_card",))
    if icons.all_done(at):
        return Next("the card is over", ("end_card",))
    now = icons.icon(at)
    words, kinds = ICONS.get(now.verb if now else "", ("goes on with the card, or passes", ("attack", "gain", "pass")))
    return Next(f"{join_and(seats, 'or')} {words}", kinds)


ICONS = {
    "clerks": ("places clerks", ("place_clerks", "pass")),
    "activate": ("activates locations", ("activate",)),
}
"""Verb of an icon -> what its player does, and how it is reported."""


def _assault(at: At) -> Next:
    return Next(f"the assault on {at.state.section or due(at) or SECTIONS[0]}", ("assault",))


NEXT: dict[str, Callable[[At], Next]] = {
    "setup": lambda at: next(lacking(at), ANYTHING),
    "spring.1": _time,
    "spring.2": _hordes,
    "spring.3": lambda at: (
        _hordes(at) if at.state.hordes_due else Next("the Khan moves to the mark on top of the horde deck", ("move_khan",))
    ),
    "spring.4": lambda at: Next(count(at["advisor.refresh"], "new advisor"), ("refresh_advisors",)),
    "spring.5": lambda at: Next("a dragon card comes up", ("reveal_dragon_card",)),
    "summer.1": lambda at: Next("everybody has income", ("income",)),
    "summer.2": _turn("removes shame or passes", "remove_shame", "pass"),
    "summer.3": lambda at: Next("used cards are retired, and clerks may be recalled", ("retire_cards", "recall_clerks", "pass")),
    "summer.4": _turn("takes the cards back, or honor", "reclaim"),
    "summer.5": lambda at: Next("a Rat card comes up", ("reveal_rat_card",)),
    "summer.6": lambda at: Next("a relic comes up", ("reveal_relic",)),
    "fall.1": _command,
    "fall.2": _turn("places the command card", "place_command"),
    "fall.3": _card,
    "fall.4": _turn("moves the Rat", "move_rat"),
    "winter.1.breath": lambda at: Next("the dragon breathes", ("breath",)),
    "winter.1.banners": _turn("attacks with the bannerman, or passes", "bannerman_attack", "pass"),
    "winter.1.start": _turn("attacks before the shots, or passes", "attack", "pass"),
    "winter.1.shots": lambda at: Next("the shooters shoot", ("shoot",)),
    "winter.2.assault": _assault,
    "winter.2.barricades": lambda at: Next("all barricades are discarded", ("discard_barricades",)),
    "winter.2.towers": lambda at: Next("the towers are scored", ("score_towers",)),
    "winter.2.siege": lambda at: Next("siege damage", ("siege_damage",)),
    "winter.3": lambda at: Next("the last check of the year", ("end_check",)),
    ENDED: lambda at: Next("final scoring", ("final_score",)),
}  # fmt: skip
"""Phase -> what has to happen in it."""
