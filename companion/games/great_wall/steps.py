"""The steps of the year as a table: season by season, with the modules that bring a step (brief: turn structure).

A step of Winter has parts (`winter.1.shots`: step `winter.1`, part `shots`). A position that names the step alone, or the
season alone, stands in the step or season itself (`winter.1`, `winter`), where the moves of all its parts are in place;
those rows stand last, so that the year never comes to them by itself. The moves of each phase are registered by the chapters (`MOVES`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.rules import Move, Phase, Who

from .base import fall, firing, going_on, summer
from .base.catalogue import At
from .base.preparation import is_set_up
from .base.year import ENDED, all_done, end_of_step, to_act

Moves = Mapping[str, tuple[type[Move], ...]]
"""Phase -> the moves that a chapter brings to it."""


def reported(name: str, title: str, rule: str, module: str = "") -> Phase:
    """A step that anybody at the table reports, and that ends by its report."""
    return Phase(name=name, title=title, rule=rule, module=module, who=Who.TABLE, done=lambda at: False)


def by_all(name: str, title: str, rule: str, who: Who = Who.ACTIVE, **more: Any) -> Phase:
    """A step in which each player acts (one after the other, unless `who` says otherwise), and that ends when all have."""
    return Phase(name=name, title=title, rule=rule, who=who, **({"done": all_done, "run": end_of_step} | more))


def whole(name: str, title: str, rule: str) -> Phase:
    """A step or season of which a position did not say how far it has got: what belongs to any part of it is in place."""
    return Phase(name=name, title=title, rule=rule, who=Who.TABLE, done=lambda at: False, whole=True)


PHASES = (
    Phase(name="setup", title="setup", rule="GW-SET-18", who=Who.TABLE, done=is_set_up, next="spring.1"),
    reported("spring.1", "Spring step 1 (time)", "GW-SPR-1"),
    reported("spring.2", "Spring step 2 (hordes)", "GW-SPR-2"),
    reported("spring.3", "Spring step 3 (the Khan moves)", "GW-GK-3", "genghis_khan"),
    reported("spring.4", "Spring step 4 (advisors)", "GW-SPR-6"),
    reported("spring.5", "Spring step 5 (dragon)", "GW-ID-2", "iron_dragon"),
    reported("summer.1", "Summer step 1 (income)", "GW-SUM-1"),
    by_all("summer.2", "Summer step 2 (shame)", "GW-SUM-3", awaited=to_act),
    by_all("summer.3", "Summer step 3 (used cards, clerks)", "GW-SUM-4", Who.EACH, run=summer.recall_over),
    by_all("summer.4", "Summer step 4 (cards or honor)", "GW-SUM-6", awaited=to_act),
    reported("summer.5", "Summer step 5 (Rat card)", "GW-RAT-2", "rat"),
    reported("summer.6", "Summer step 6 (relic)", "GW-AB-8", "ancient_beasts"),
    reported("fall.1", "Fall step 1 (command cards)", "GW-FALL-1"),
    by_all("fall.2", "Fall step 2 (the command track)", "GW-FALL-3", awaited=going_on.to_place),
    by_all("fall.3", "Fall step 3 (cards resolve)", "GW-FALL-5", Who.EACH, awaited=fall.to_act, done=lambda at: False),
    reported("fall.4", "Fall step 4 (the Rat moves)", "GW-RAT-3", "rat"),
    reported("winter.1.breath", "Winter step 1 (breath)", "GW-ID-4", "iron_dragon"),
    reported("winter.1.banners", "Winter step 1 (bannermen)", "GW-GK-14", "genghis_khan"),
    by_all("winter.1.start", "Winter step 1 (before the shots)", "GW-FIRE-7", Who.ORDER, awaited=firing.attackers, done=None, run=firing.started),
    reported("winter.1.shots", "Winter step 1 (firing)", "GW-FIRE-1"),
    reported("winter.2.assault", "Winter step 2 (assault)", "GW-ASLT-1"),
    reported("winter.2.barricades", "Winter step 2 (barricades)", "GW-ASLT-13"),
    reported("winter.2.towers", "Winter step 2 (towers)", "GW-BP-10", "black_powder"),
    reported("winter.2.siege", "Winter step 2 (siege damage)", "GW-BP-12", "black_powder"),
    reported("winter.3", "Winter step 3 (end check)", "GW-END-7"),
    Phase(name=ENDED, title="final scoring", rule="GW-END-5", who=Who.TABLE, done=lambda at: False, last=True),
    whole("", "a step that was not said", "GW-END-3"),
    *(whole(season, season.capitalize(), "GW-END-3") for season in ("spring", "summer", "fall", "winter")),
    whole("winter.1", "Winter step 1 (firing)", "GW-FIRE-1"),
    whole("winter.2", "Winter step 2 (assault)", "GW-ASLT-1"),
)  # fmt: skip


def with_moves(chapters: Iterable[Moves], enter: Mapping[str, Callable[[At], None]]) -> tuple[Phase, ...]:
    """The table with the moves of all chapters; a step has those of its parts, too. `enter`: phase -> how it begins."""
    found: dict[str, list[type[Move]]] = {phase.name: [] for phase in PHASES}
    for moves in chapters:
        for name, kinds in moves.items():
            season, step = name.partition(".")[0], ".".join(name.split(".")[:2])
            for phase in dict.fromkeys((name, step, season, "")):
                found[phase] += [kind for kind in kinds if kind not in found[phase]]
    return tuple(
        replace(phase, moves=tuple(found[phase.name]), enter=enter.get(phase.name, phase.enter)) for phase in PHASES
    )
