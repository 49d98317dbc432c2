"""The command fetch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from components.phrasing import count
from generator.cli.common import Usage, game_ids, known_game, plain, settings
from generator.cli.options import AsJson


def fetch(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="GAME…", help="Games to fetch for. Default: all.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Fetch the tables of cards that have a `link`, and keep them in the files that `rows` names. Nothing else reads
    from the network, so games build offline, and you can see, compare and undo every change.

    For a Google spreadsheet, publish the sheet to the web as CSV and give its address as `link`.

    \b
    Examples:
      pnp fetch
      pnp fetch my-game
    """
    from components.loader import load
    from generator.build.fetching import NotFetched, fetched

    chosen = [known_game(name) for name in dict.fromkeys(names)] if names else game_ids()
    links: dict[Path, str] = {}
    for name in chosen:
        definition = load(name, settings.project)
        for piece_set in definition.sets.values():
            if piece_set.link and piece_set.rows:
                links[definition.folder / piece_set.rows] = piece_set.link
        for broken in definition.broken:  # a set whose table is missing
            data = definition.source(broken).readable if broken in definition.sources else None
            if isinstance(data, dict) and isinstance(data.get("link"), str) and isinstance(data.get("rows"), str):
                links[definition.folder / Path(data["rows"]).name] = data["link"]
    if not links:
        raise Usage("no set has a `link`; give one beside `rows` in its file, see docs/tables.md")
    rows = []
    for file, link in links.items():
        try:
            changed = fetched(link, file, settings.project)
        except NotFetched as error:
            raise Usage(str(error)) from None
        rows.append({"file": str(file.relative_to(settings.project)), "link": link, "changed": changed})
    if json:
        print(plain({"tables": rows}))
        return
    for row in rows:
        print(f"{row['file']}: {'new' if row['changed'] else 'as it was'}")
    print(f"{count(len(rows), 'table')} fetched")


__all__ = ["fetch"]
