"""Every benchmark in turn; results are printed and written to RESULTS.md.

python benchmarks/run.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUNS = (
    ("print_synthetic.py",),
    ("deck_from_csv.py",),
    ("print_game.py", "--game", "warring-states"),
    ("print_game.py", "--game", "dynasties"),
    ("print_game.py", "--game", "xarkant"),
    ("print_game.py", "--game", "tianxia"),
    ("print_game.py", "--game", "great-wall"),
    ("print_all.py",),
    ("companion_speed.py", "warring-states"),
    ("companion_speed.py", "dynasties", "--players", "2", "--events", "80"),
    ("companion_speed.py", "xarkant", "--events", "120"),
    ("companion_speed.py", "tianxia", "--events", "60"),
    ("companion_speed.py", "great-wall", "--players", "5"),
    ("companion_speed.py", "great-wall", "--players", "5", "--modules", "all"),
    ("lab_speed.py",),
)
"""Scripts with their arguments. Random games are about as long as `--events` says: 300 moves in Warring States."""


def main() -> int:
    """Run them and return 1 if any of them failed."""
    here = Path(__file__).parent
    failed = [run for run in RUNS if subprocess.run([sys.executable, str(here / run[0]), *run[1:]]).returncode]
    for run in failed:
        print(f"{' '.join(run)} failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
