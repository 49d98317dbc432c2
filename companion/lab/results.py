"""The result of a run as plain data: what the terminal, the page and the files show, and `--json` gives.

Shares run from 0 to 1; every other number is in units of the game.
"""

from __future__ import annotations

import msgspec

from companion.lab.statistics import CONFIDENCE

VERSION = 1
FIGURES = {
    "moves": "moves",
    "rounds": "rounds",
    "decisions": "decisions",
    "margin": "lead of the winner",
    "lead_changes": "changes of lead",
    "drama": "deficit made up",
    "refused": "proposals refused",
}
"""Figure of a game -> what it is called."""
TAILS = {
    "stuck": "got stuck",
    "cut": "did not end",
    "longest": "longest",
    "shortest": "shortest",
    "widest": "widest lead",
    "turned": "largest deficit made up",
}
"""The reason to name a game -> its words."""


class Estimate(msgspec.Struct, frozen=True):
    """A value and the ends of its interval; None: nothing is known of that end."""

    value: float
    low: float | None
    high: float | None


class PlaceLine(msgspec.Struct, kw_only=True):
    """A seat or a bot."""

    name: str
    games: int
    wins: int
    share: Estimate
    """Of the games it was in, those it won."""
    fair: float
    """The share that everybody would have if all were alike."""
    stands_out: bool
    rank: Estimate
    score: Estimate
    deviation: float
    """Of the score."""


class FigureLine(msgspec.Struct, kw_only=True):
    """A figure of the games."""

    name: str
    title: str
    mean: Estimate
    deviation: float
    least: int
    tenth: int
    median: int
    ninth: int
    most: int
    counts: dict[str, int]
    """Value -> games."""


class UseLine(msgspec.Struct, kw_only=True):
    """A thing that came up in games: a piece, a kind of move, a verb of an effect, a rule."""

    name: str
    title: str
    group: str
    """Set of a piece, section of a rule."""
    offered: int
    used: int
    refused: int
    games: Estimate
    """The share of games in which it was used."""
    users: int
    won: Estimate | None
    """The share of its users that won; None: too few used it."""
    stands_out: bool


class Game(msgspec.Struct, kw_only=True):
    """A game worth a look."""

    why: str
    number: int
    figure: int
    """Its moves, its lead or its deficit, by `why`."""


class SideReport(msgspec.Struct, kw_only=True):
    """The results of one side of a run."""

    name: str
    variants: list[str]
    sets: dict[str, str]
    rules: str
    players: list[str]
    games: int
    ends: dict[str, int]
    phases: dict[str, int]
    ties: Estimate
    """The share of games that several won."""
    draws: int
    """Games that ended and nobody won."""
    fair: float
    seats: list[PlaceLine]
    bots: list[PlaceLine]
    figures: list[FigureLine]
    branching: float | None
    """Options of a decision, where they were listed."""
    forced: float | None
    """The share of those decisions with one option."""
    course: list[list[float]]
    """The mean score of each seat at the end of the rounds in `counted`, as far as half of the games came."""
    counted: list[int]
    cards: list[UseLine]
    moves: list[UseLine]
    effects: list[UseLine]
    cited: list[UseLine]
    never: dict[str, list[str]]
    """The things that never came up: `cards`, `moves`, `effects`; `rules` that made nothing happen, `refusals` that
    refused nothing."""
    worth_a_look: list[Game]


class Change(msgspec.Struct, kw_only=True):
    """A change from the first side to another, in the same games."""

    kind: str
    """`wins`, `scores`, `figures`, or what came up."""
    name: str
    title: str
    before: float | None
    after: float | None
    difference: Estimate
    stands_out: bool


class Comparison(msgspec.Struct, kw_only=True):
    """Another side beside the first."""

    name: str
    games: int
    same: int
    """Games that went alike."""
    changes: list[Change]
    reprint: list[Reprint] | None = None
    """The pieces to print again; None: not asked for."""


class Reprint(msgspec.Struct, kw_only=True):
    """A piece that is printed otherwise under the other rules."""

    piece: str
    kind: str
    copies: int
    says: list[str]


class Report(msgspec.Struct, kw_only=True):
    """The result of a run."""

    version: int = VERSION
    program: str
    """The version of Tablewright, and a digest of the lab's code."""
    game: str
    title: str
    unit: str
    players: int
    seed: int
    games: int
    asked: int
    complete: bool
    looked: bool
    confidence: float = CONFIDENCE
    most: int
    sides: list[SideReport]
    comparisons: list[Comparison]
    findings: list[str]


__all__ = ["FIGURES", "TAILS", "VERSION", "Change", "Comparison", "Estimate", "FigureLine", "Game", "PlaceLine"]
__all__ += ["Report", "Reprint", "SideReport", "UseLine"]
