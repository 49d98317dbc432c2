"""Run as a process: `python command.py HOME companion-arguments…` on the toy game, or `… HOME scribble TABLE`.

`scribble` plays lines without end and prints the number of each after it has been recorded.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent.parent))


def scribble(path: Path) -> None:
    from companion.engine.table.table import Table
    from companion.games import load_rules

    with Table.open(path, load_rules) as table:
        number = len(table.history.lines)
        while True:
            table.note(f"line {number + 1}")
            number += 1
            print(number, flush=True)
            time.sleep(0.005)  # leave the lock to others, as people do


def main() -> int:
    import companion.games
    from companion.cli import main as cli
    from companion.cli.common import Settings

    companion.games.__path__.append(str(HERE / "games"))
    home, *arguments = sys.argv[1:]
    Settings.home, Settings.root = Path(home), HERE
    if arguments[0] == "scribble":
        scribble(Path(home) / "tables" / f"{arguments[1]}.db")
    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
