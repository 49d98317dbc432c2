"""The definition files of a game that is only a deck, which the benchmarks of cards share."""

from __future__ import annotations

GAME = """\
id: {id}
title: {title}
prefix: {prefix}
min_players: players.min
max_players: players.max
about: A deck to measure with.
sections: [Only]
parameters:
  players.min: {{value: 2, about: Fewest players., rules: [{prefix}-1]}}
  players.max: {{value: 4, about: Most players., rules: [{prefix}-1]}}
"""
RULES = """\
rules:
  - {{id: {prefix}-1, title: Players, section: Only, origin: decided, reason: It is a benchmark., text: "Two to four."}}
"""


def deck_files(id: str, title: str, prefix: str) -> dict[str, str]:
    """Name -> text of the files that say what game it is, and its one rule."""
    said = {"id": id, "title": title, "prefix": prefix}
    return {"game.yaml": GAME.format_map(said), "rules.yaml": RULES.format_map(said)}
