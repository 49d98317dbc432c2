"""Games on a Dask cluster are the same games, whoever plays them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Companion

from companion.engine.play.position import Rules
from companion.games import load_rules
from companion.lab.playing import UNDEALT
from companion.lab.runs import Parts, Plan, Side, begun, run
from companion.lab.sums import Portion
from components.resolve import resolve_game

distributed: Any = pytest.importorskip(
    "distributed", reason="Dask is not installed; to try clusters: pip install 'tablewright[cluster]'"
)
pytestmark = [pytest.mark.lab, pytest.mark.filterwarnings("ignore")]  # the warnings are Dask's own


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of two workers in this process."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def plan(rules: Rules) -> Plan:
    return Plan((Side("as it is", rules, (UNDEALT,) * 2),), ("ana", "bo"), 1, 1_000)


def test_the_same_bytes_on_a_cluster(plan: Plan, address: str) -> None:
    from companion.lab.cluster import sharing

    here, there = begun(plan), begun(plan)
    assert run(plan, here, 45)
    told: list[str] = []
    with sharing(address, plan, load_rules, 2, told.append) as share:
        assert run(plan, there, 45, share=share)
    assert there.encoded() == here.encoded() and told == []


def test_who_has_other_rules_plays_nothing(plan: Plan, address: str) -> None:
    from companion.lab import cluster

    brief = cluster.brief_of(plan, load_rules)
    assert cluster.play_portion(brief._replace(digest="other"), 0, 1) is None
    assert cluster.digest_here(brief) == plan.digest
    assert "TypeError" in cluster.digest_here(brief._replace(digest="broken", load=None))  # type: ignore[arg-type]
    told: list[str] = []
    elsewhere = plan._replace(sides=(Side("as it was", plan.sides[0].rules, plan.sides[0].players),))
    cluster._plans[plan.digest] = elsewhere
    try:
        with (
            pytest.raises(cluster.NoCluster, match="no worker has these rules"),
            cluster.sharing(address, plan, load_rules, 2, told.append),
        ):
            pass
    finally:
        del cluster._plans[plan.digest]
    assert len(told) == 2 and all("plays nothing" in line for line in told)


@pytest.mark.torture
def test_two_workers_behind_a_certificate(tmp_path: Path) -> None:
    """The script of the docs, with its own scheduler and workers, gives what one process gives."""
    script = Path(__file__).parents[2] / "docs" / "two-workers.sh"
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    asked = ["dynasties", "--games", "25", "--json"]
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": programs, "PORT": port, "XDG_CACHE_HOME": str(tmp_path)}
    there = subprocess.run(["sh", str(script), *asked], env=env, capture_output=True, check=True, timeout=300)
    here = subprocess.run(
        [sys.executable, "-m", "companion.cli", "playtest", *asked],
        env=env,
        capture_output=True,
        check=True,
        timeout=300,
    )
    assert there.stdout == here.stdout != b""


@pytest.mark.torture
def test_a_lost_worker_changes_nothing() -> None:
    from companion.lab.cluster import sharing

    plan = Plan(
        (Side("as it is", load_rules(resolve_game("dynasties")), (UNDEALT,) * 2),), ("white", "black"), 1, 1_000
    )
    here, there = begun(plan), begun(plan)
    assert run(plan, here, 120)
    lost: list[int] = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        sharing(cluster.scheduler_address, plan, load_rules, 2, lambda line: None) as share,
    ):

        def losing_one(parts: Parts) -> Iterator[tuple[int, Portion]]:
            for found in share(parts):
                if len(parts) > 1 and not lost:
                    lost.append(cluster.workers[0].pid)
                    os.kill(lost[0], signal.SIGKILL)
                yield found

        assert run(plan, there, 120, share=losing_one)
    assert lost and there.encoded() == here.encoded()


def test_no_scheduler(companion: Companion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from companion.lab import cluster

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    told = companion("playtest", "orchard", "--games", "3", "--cluster", "tcp://127.0.0.1:9")
    assert told.status == 2 and "no scheduler answers at tcp://127.0.0.1:9" in told.err
