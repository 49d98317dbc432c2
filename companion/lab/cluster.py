"""Games on the machines of a Dask cluster (extra `cluster`): the same portions, so the same bytes.

A worker plays only if the plan as it knows it, with its own code of the rules, is the plan that was asked for. A
portion that no worker brings back is played here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from distributed import Client, LocalCluster, as_completed

from companion.engine.errors import CompanionError
from companion.engine.play.position import Rules
from companion.lab.runs import Parts, Plan, Share, Side
from companion.lab.sums import Portion
from components.model import ResolvedGame

Load = Callable[[ResolvedGame], Rules]
LOCAL = "local"
PATIENCE = 20
"""Seconds to wait for a scheduler."""


class NoCluster(CompanionError):
    """There is no cluster to play on."""

    kind = "usage"


class Brief(NamedTuple):
    """A plan as it is sent: a worker makes the rules with its own code."""

    digest: str
    sides: tuple[tuple[str, ResolvedGame, tuple[str, ...]], ...]
    seats: tuple[str, ...]
    seed: int
    most: int
    load: Load


def brief_of(plan: Plan, load: Load) -> Brief:
    """A plan to be sent. `load`: a function of a module that makes the rules of a game."""
    sides = tuple((side.name, side.rules.game, side.players) for side in plan.sides)
    return Brief(plan.digest, sides, plan.seats, plan.seed, plan.most, load)


@contextmanager
def sharing(address: str, plan: Plan, load: Load, jobs: int, told: Callable[[str], None]) -> Iterator[Share]:
    """A share of a plan's portions among the workers at an address, `local` for those of this machine alone.

    `told` hears of workers that are refused. Raises NoCluster."""
    with _client(address, jobs) as client:
        brief = brief_of(plan, load)
        known: dict[str, str] = client.run(digest_here, brief)
        good = [worker for worker, digest in known.items() if digest == plan.digest]
        for worker in sorted(known.keys() - set(good)):
            told(f"! {worker} has other rules or another version of Tablewright, and plays nothing: {known[worker]}")
        if not good:
            raise NoCluster("no worker has these rules; install the same version of Tablewright there")
        sent = client.scatter([brief], broadcast=True, workers=good)[0]

        def share(parts: Parts) -> Iterator[tuple[int, Portion]]:
            numbers = {}
            for n, part in enumerate(parts):
                future = client.submit(play_portion, sent, *part, pure=False, workers=good, allow_other_workers=False)
                numbers[future] = n
            try:
                for future in as_completed(list(numbers), loop=client.loop):
                    n = numbers.pop(future)
                    yield n, _brought(future) or plan.portion(*parts[n])
            finally:
                client.cancel(list(numbers))

        yield share


@contextmanager
def _client(address: str, jobs: int) -> Iterator[Any]:
    """The cluster at an address. That of this machine listens to this machine alone, and ends with the run."""
    if address != LOCAL:
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise NoCluster(f"no scheduler answers at {address}: {error}") from None
        with client:
            if not client.scheduler_info()["workers"]:
                raise NoCluster(f"the scheduler at {address} has no workers")
            yield client
        return
    with (
        LocalCluster(
            n_workers=jobs, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def _brought(future: Any) -> Portion | None:
    """A worker's result for a portion; None if it was lost or failed."""
    if future.status != "finished":
        return None
    data = future.result()
    return None if data is None else msgspec.json.decode(data, type=Portion)


# --- on a worker -----------------------------------------------------------------------------------------------------

_plans: dict[str, Plan] = {}
_alone = threading.Lock()
"""The rules of a game count in one place what ran, so a process plays one portion at a time."""


def digest_here(brief: Brief) -> str:
    """The digest of a plan with the code of this process; why there is none."""
    try:
        with _alone:
            return _plan(brief).digest
    except Exception as error:  # of code that this process does not know
        return f"{type(error).__name__}: {error}"


def play_portion(brief: Brief, first: int, last: int) -> bytes | None:
    """The sums of some games as JSON; None: this process would play them by other rules."""
    with _alone:
        plan = _plan(brief)
        if plan.digest != brief.digest:
            return None
        return msgspec.json.encode(msgspec.to_builtins(plan.portion(first, last), str_keys=True), order="sorted")


def _plan(brief: Brief) -> Plan:
    found = _plans.get(brief.digest)
    if found is None:
        sides = tuple(Side(name, brief.load(game), players) for name, game, players in brief.sides)
        found = _plans[brief.digest] = Plan(sides, brief.seats, brief.seed, brief.most)
    return found


__all__ = ["LOCAL", "Brief", "NoCluster", "brief_of", "digest_here", "play_portion", "sharing"]
