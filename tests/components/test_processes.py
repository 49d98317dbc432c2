"""Work shared among processes: all of it comes back, whatever becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from components.processes import shared

PARTS = list(range(20))
HERE = os.getpid()
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are only copied on Linux")


@pytest.mark.parametrize("jobs", [1, 2, 3, 50])
def test_every_part_comes_back_once(jobs: int) -> None:
    assert sorted(shared(lambda n: n * n, PARTS, jobs)) == [(n, n * n) for n in PARTS]


@LINUX
def test_other_processes_do_the_work() -> None:
    """In a program of its own: a thread that another test left would keep the work here."""
    program = (
        "import os; from components.processes import shared; "
        f"print(os.getpid(), *{{process for _, process in shared(lambda _: os.getpid(), range({len(PARTS)}), 2)}})"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    here, *done = said.stdout.split()
    assert here not in done and 1 <= len(done) <= 2


def test_large_results_come_back_whole() -> None:
    assert all(result == bytes([n]) * 3_000_000 for n, result in shared(lambda n: bytes([n]) * 3_000_000, PARTS[:5], 2))


def test_what_fails_elsewhere_is_told_here() -> None:
    def work(n: int) -> int:
        if n == 7:
            raise LookupError("no seven")
        return n

    found: list[int] = []
    with pytest.raises(LookupError, match="no seven"):
        found.extend(result for _, result in shared(work, PARTS, 2))


@LINUX
def test_what_a_killed_process_leaves_is_done_here() -> None:
    def work(n: int) -> int:
        if n in (3, 11) and os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return n

    assert sorted(shared(work, PARTS, 2)) == [(n, n) for n in PARTS]


@LINUX
def test_nothing_is_copied_beside_another_thread() -> None:
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    try:
        assert {process for _, process in shared(lambda _: os.getpid(), PARTS, 2)} == {HERE}
    finally:
        stop.set()
        other.join()


@LINUX
def test_no_process_is_left_behind(tmp_path: Path) -> None:
    """Neither by one that stops early nor by one that is killed."""
    stopped = shared(lambda n: time.sleep(0.01) or n, PARTS, 2)
    next(stopped)
    stopped.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    code = (
        "import os, pathlib, sys, time\n"
        "from components.processes import shared\n"
        "def work(n):\n"
        "    pathlib.Path(sys.argv[1], str(os.getpid())).touch()\n"
        "    time.sleep(0.1)\n"
        "list(shared(work, range(1000), 2))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) as process:
        while len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.01)
        process.kill()
    numbers = [int(file.name) for file in tmp_path.iterdir()]
    for _ in range(500):
        if not any(Path("/proc", str(number)).exists() for number in numbers):
            return
        time.sleep(0.01)
    raise AssertionError("some went on")
