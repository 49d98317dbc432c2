"""Every benchmark in turn; results are printed and written to RESULTS.md.

python benchmarks/run.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = ("print_synthetic.py", "print_game.py", "companion_speed.py")


def main() -> int:
    """Run the scripts and return 1 if any of them failed."""
    here = Path(__file__).parent
    failed = [name for name in SCRIPTS if subprocess.run([sys.executable, str(here / name)]).returncode]
    for name in failed:
        print(f"{name} failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
