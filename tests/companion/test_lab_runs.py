"""Many games: added up, shared among processes, stopped and resumed, and always the same bytes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.engine.play.playout import PlayoutError
from companion.engine.play.position import Rules
from companion.games import load_rules
from companion.lab import runs
from companion.lab.playing import UNDEALT
from companion.lab.runs import Kept, Plan, Progress, Side, begun, run
from companion.lab.sums import Portion, nothing
from components.resolve import resolve_game

pytestmark = pytest.mark.lab

SEATS = ("ana", "bo", "cai")
BOTS = (UNDEALT,) * 3


@pytest.fixture
def plan(rules: Rules, toy: Path) -> Plan:
    dear = load_rules(resolve_game("orchard", sets={"ladder.cost": 4}, root=toy))
    return Plan((Side("as it is", rules, BOTS), Side("ladder.cost=4", dear, BOTS)), SEATS, seed=1, most=1_000)


def played(plan: Plan, games: int, **asked: object) -> Kept:
    kept = begun(plan)
    assert run(plan, kept, games, **asked)  # type: ignore[arg-type]
    return kept


def test_sums_do_not_depend_on_the_order(plan: Plan) -> None:
    parts = [plan.portion(n, n + 5) for n in range(0, 20, 5)]
    whole, shuffled = nothing(2), nothing(2)
    for part in parts:
        whole.add(part)
    for part in Random(3).sample([plan.portion(n, n + 5) for n in range(0, 20, 5)], 4):
        shuffled.add(part)
    assert Kept(plan="", portion=whole).encoded() == Kept(plan="", portion=shuffled).encoded()
    assert Kept(plan="", portion=plan.portion(0, 20)).encoded() == Kept(plan="", portion=whole).encoded()
    one, two = whole.sides
    assert one.games == two.games == whole.pairs[0].games == 20
    assert sum(place.wins for place in one.seats.values()) == one.wins >= 20 - one.ends.get("stuck", 0)
    assert one.figures["moves"].total.n == 20


def test_one_process_or_three_give_the_same(toy: Path) -> None:
    """In a program of its own, without other threads, so that there are other processes indeed."""
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
import companion.games
companion.games.__path__.append({str(toy / "games")!r})
from companion.lab.runs import Plan, Side, begun, run
from components.resolve import resolve_game
from pathlib import Path
rules = companion.games.load_rules(resolve_game("orchard", root=Path({str(toy)!r})))
plan = Plan((Side("as it is", rules, ("undealt",) * 3),), ("ana", "bo", "cai"), 1, 1000)
found = []
for jobs in (1, 3):
    kept = begun(plan)
    run(plan, kept, 25, jobs=jobs)
    found.append(kept.encoded())
assert found[0] == found[1]
sys.stdout.buffer.write(found[0])
"""
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, env={"PYTHONHASHSEED": seed}, check=True)
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout != b""


def test_a_run_that_was_stopped_is_resumed(plan: Plan, tmp_path: Path) -> None:
    file = tmp_path / "lab" / "kept.json"

    def stop(progress: Progress) -> None:
        if progress.done >= 20:
            raise KeyboardInterrupt

    half = begun(plan, file)
    assert not run(plan, half, 30, told=stop, file=file)
    assert half.games == 20
    again = begun(plan, file)
    assert again.games == 20
    assert run(plan, again, 30, file=file)
    assert again.encoded() == played(plan, 30).encoded()
    assert again.done == [(0, 30)]
    file.write_bytes(b"{")
    assert begun(plan, file).games == 0
    assert begun(plan._replace(seed=2), tmp_path / "none").games == 0


def test_what_is_missing() -> None:
    kept = Kept(plan="", portion=nothing(1), done=[(0, 10), (25, 30)])
    assert list(kept.missing(45)) == [(10, 20), (20, 25), (30, 40), (40, 45)]
    assert list(kept.missing(8)) == []
    assert list(kept.missing(27)) == [(10, 20), (20, 25)]


def test_a_run_stops_when_it_is_exact_enough(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LOOK", 20)
    asked: list[int] = []

    def enough(portion: Portion) -> bool:
        asked.append(portion.sides[0].games)
        return len(asked) == 2

    kept = played(plan, 1_000, enough=enough)
    assert asked == [20, 40] and kept.games == 40


def test_the_first_player_goes_round(plan: Plan) -> None:
    side = Side("x", plan.sides[0].rules, ("greedy", "random", "random"))
    assert [plan.seated(side, number).index("greedy") for number in range(4)] == [0, 1, 2, 0]


def test_what_a_plan_depends_on(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [plan._replace(seed=2), plan._replace(most=9), plan._replace(sides=plan.sides[:1])]
    assert len({other.digest for other in [plan, *others]}) == 4
    before = plan.digest
    monkeypatch.setattr(runs, "program", lambda: "another version")
    assert plan.digest != before


def test_a_fault_of_the_set_up_is_told(plan: Plan) -> None:
    with pytest.raises(PlayoutError, match="1 farmer cannot play"):
        run(plan._replace(seats=("ana",)), begun(plan), 1)
