"""What the benchmarks share: timing a command, what a process takes, and writing results down."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
PNP = [sys.executable, "-m", "generator.cli"]


def timed(
    command: Sequence[str], runs: int, env: dict[str, str], before: Callable[[], None] = lambda: None
) -> list[float]:
    """Seconds of wall time of each of `runs` runs; `before` is called before each and not counted."""
    seconds: list[float] = []
    for _ in range(runs):
        before()
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=env)
        seconds.append(time.perf_counter() - start)
    return seconds


def processor(pid: int) -> float:
    """Seconds of processor that a process has taken (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Resident memory of a process in MiB (Linux)."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def peak_memory(command: Sequence[str], env: dict[str, str]) -> float:
    """Most memory that one run takes with all processes it starts, in MiB.

    On Linux what they share counts once (proportional set sizes, looked at every 20 ms); elsewhere it is the resident
    memory of the largest of them.
    """
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as process:
        most = 0
        while process.poll() is None:
            most = max(most, sum(map(_proportional, _family(process.pid))))
            time.sleep(0.02)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return (most or largest) / 2**20


def _family(pid: int) -> list[int]:
    """A process and all that come from it."""
    found = [pid]
    for here in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{here}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def _proportional(pid: int) -> int:
    """Bytes of memory of a process, its share of what it shares with others."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def private_env(folder: Path) -> dict[str, str]:
    """The environment with caches and records below `folder`, and with compiled modules kept, as an installed program
    has them (the first run of a command, which compiles them, is never counted)."""
    places = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CACHE", "DATA", "STATE")}
    path = os.pathsep.join([str(Path(__file__).parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = os.environ | places | {"PYTHONPATH": path}
    env["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} s"


def machine() -> str:
    """The machine and Python in one line."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        cpu = found.group(1) if found else cpu
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def record(name: str, title: str, lines: list[str]) -> None:
    """Print a section of results and put it into RESULTS.md in place of the one with the same `name`."""
    section = "\n".join([f"<!-- {name} -->", f"## {title}", "", f"{machine()}.", "", *lines, f"<!-- end {name} -->"])
    print("\n".join([title, machine(), *lines]))
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Benchmark results\n"
    found = re.compile(rf"<!-- {name} -->.*?<!-- end {name} -->", re.DOTALL)
    text = found.sub(lambda _: section, text) if found.search(text) else f"{text.rstrip()}\n\n{section}\n"
    RESULTS.write_text(text, encoding="utf-8")
