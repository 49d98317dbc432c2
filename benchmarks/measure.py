"""What the benchmarks of printing share: timing a command, its memory, and writing results down."""

from __future__ import annotations

import os
import platform
import re
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


def peak_memory(command: Sequence[str], env: dict[str, str]) -> float:
    """Largest resident memory of one run, in MiB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, env=env, text=True)
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit / 2**20


def private_env(folder: Path) -> dict[str, str]:
    """The environment with caches and records below `folder`, and with compiled modules kept, as an installed program
    has them (the first run of a command, which compiles them, is never counted)."""
    places = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CACHE", "DATA", "STATE")}
    env = os.environ | places | {"PYTHONPATH": str(Path(__file__).parent.parent)}
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
