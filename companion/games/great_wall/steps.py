"""The steps of the year as a table: season by season, with the modules that bring a step (brief: turn structure).

A step of Winter has parts (`winter.1.shots`: step `winter.1`, part `shots`). A position that names the step alone stands
in the step itself (`winter.1`), where the moves of all its parts are in place; those rows stand last, so that the year
never comes to them by itself. The moves of each phase are registered by the chapters (`MOVES`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from msgspec.structs import replace

from companion.engine.play.moves import Move
from companion.engine.play.phases import Phase, Who

from . import fall, firing
from .catalogue import At
from .preparation import is_set_up
from .year import ENDED, all_done, end_of_step, to_act

Moves = Mapping[str, tuple[type[Move], ...]]
"""Phase -> the moves that a chapter brings to it."""


def _never(at: At) -> bool:
    """The step ends by a report that leads on."""
    return False


reported = partial(Phase, who=Who.TABLE, done=_never)
"""A step that anybody at the table reports, and that ends by its report."""
in_turn = partial(Phase, awaited=to_act, done=all_done, run=end_of_step)
"""A step in which each player acts, and that ends when all have."""

PHASES = (
    Phase(name="setup", title="setup", rule="GW-SET-18", who=Who.TABLE, done=is_set_up, next="spring.1"),
    reported(name="spring.1", title="Spring step 1 (time)", rule="GW-SPR-1"),
    reported(name="spring.2", title="Spring step 2 (hordes)", rule="GW-SPR-2"),
    reported(
        name="spring.3",
        title="Spring step 3 (the Khan moves)",
        rule="GW-GK-3",
        module="genghis_khan",
    ),
    reported(name="spring.4", title="Spring step 4 (advisors)", rule="GW-SPR-6"),
    reported(
        name="spring.5",
        title="Spring step 5 (dragon)",
        rule="GW-ID-2",
        module="iron_dragon",
    ),
    reported(name="summer.1", title="Summer step 1 (income)", rule="GW-SUM-1"),
    in_turn(name="summer.2", title="Summer step 2 (shame)", rule="GW-SUM-3"),
    Phase(
        name="summer.3",
        title="Summer step 3 (used cards, clerks)",
        rule="GW-SUM-4",
        who=Who.EACH,
        done=all_done,
        run=end_of_step,
    ),
    in_turn(
        name="summer.4",
        title="Summer step 4 (cards or honor)",
        rule="GW-SUM-6",
    ),
    reported(name="summer.5", title="Summer step 5 (Rat card)", rule="GW-RAT-2", module="rat"),
    reported(
        name="summer.6",
        title="Summer step 6 (relic)",
        rule="GW-AB-8",
        module="ancient_beasts",
    ),
    reported(name="fall.1", title="Fall step 1 (command cards)", rule="GW-FALL-1"),
    in_turn(
        name="fall.2",
        title="Fall step 2 (the command track)",
        rule="GW-FALL-3",
    ),
    Phase(
        name="fall.3",
        title="Fall step 3 (cards resolve)",
        rule="GW-FALL-5",
        who=Who.EACH,
        awaited=fall.to_act,
        done=_never,
    ),
    reported(name="fall.4", title="Fall step 4 (the Rat moves)", rule="GW-RAT-3", module="rat"),
    reported(
        name="winter.1.breath",
        title="Winter step 1 (breath)",
        rule="GW-ID-4",
        module="iron_dragon",
    ),
    reported(
        name="winter.1.banners",
        title="Winter step 1 (bannermen)",
        rule="GW-GK-14",
        module="genghis_khan",
    ),
    Phase(
        name="winter.1.start",
        title="Winter step 1 (before the shots)",
        rule="GW-FIRE-7",
        who=Who.ORDER,
        awaited=firing.attackers,
        run=firing.started,
    ),
    reported(name="winter.1.shots", title="Winter step 1 (firing)", rule="GW-FIRE-1"),
    reported(name="winter.2.assault", title="Winter step 2 (assault)", rule="GW-ASLT-1"),
    reported(
        name="winter.2.barricades",
        title="Winter step 2 (barricades)",
        rule="GW-ASLT-13",
    ),
    reported(
        name="winter.2.towers",
        title="Winter step 2 (towers)",
        rule="GW-BP-10",
        module="black_powder",
    ),
    reported(
        name="winter.2.siege",
        title="Winter step 2 (siege damage)",
        rule="GW-BP-12",
        module="black_powder",
    ),
    reported(name="winter.3", title="Winter step 3 (end check)", rule="GW-END-7"),
    reported(name=ENDED, title="final scoring", rule="GW-END-5"),
    reported(name="", title="a step that was not said", rule="GW-END-3"),
    reported(name="winter.1", title="Winter step 1 (firing)", rule="GW-FIRE-1"),
    reported(name="winter.2", title="Winter step 2 (assault)", rule="GW-ASLT-1"),
)
"""Chapters of later seasons may replace what ends a phase and who acts in it."""


def with_moves(chapters: Iterable[Moves], enter: Mapping[str, Callable[[At], None]]) -> tuple[Phase, ...]:
    """The table with the moves of all chapters; a step has those of its parts, too. `enter`: phase -> how it begins."""
    found: dict[str, list[type[Move]]] = {phase.name: [] for phase in PHASES}
    for moves in chapters:
        for name, kinds in moves.items():
            step = ".".join(name.split(".")[:2])
            for phase in dict.fromkeys((name, step, "")):
                found[phase] += [kind for kind in kinds if kind not in found[phase]]
    return tuple(
        replace(phase, moves=tuple(found[phase.name]), enter=enter.get(phase.name, phase.enter)) for phase in PHASES
    )


__all__ = ["PHASES", "Moves", "with_moves"]
