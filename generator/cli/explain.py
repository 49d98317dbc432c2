"""The command explain."""

from __future__ import annotations

from typing import Annotated

import typer

from generator.cli.common import Usage, plain
from generator.cli.options import AsJson


def explain(
    code: Annotated[str, typer.Argument(metavar="[CODE]", help="The code of a message. Default: list all.")] = "",
    json: AsJson = False,
) -> None:
    """Say what a code such as LAY-033 means and what to do about it.

    \b
    Examples:
      pnp explain LAY-033
      pnp explain
    """
    from components.error_codes import CODES
    from components.phrasing import did_you_mean
    from generator.faces.faults import CODES as FACES
    from generator.scenes.faults import CODES as SCENES

    known = {**CODES, **FACES, **SCENES}
    wanted = code.strip().upper()
    if wanted and wanted not in known:
        same = [one for one in known if one.partition("-")[0] == wanted.partition("-")[0]]
        raise Usage(f"there is no code '{code}'; {did_you_mean(wanted, same or known, listing='there are')}")
    chosen = {wanted: known[wanted]} if wanted else dict(sorted(known.items()))
    if json:
        rows = [
            {"code": name, "title": one.title, "text": one.text, "status": one.status} for name, one in chosen.items()
        ]
        print(plain({"codes": rows}))
    elif wanted:
        print(f"{wanted}: {chosen[wanted].title}\n\n{chosen[wanted].text}")
    else:
        for name, one in chosen.items():
            print(f"{name}  {one.title}")


__all__ = ["explain"]
