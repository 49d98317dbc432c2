"""The table as a scene: the board with everything on it, the players' boards and stock, and the stacks.

Objective cards in hand and all stacks show their backs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from companion.engine.things.scenes import coloured
from companion.rules import table
from components.scene import Scene, Thing

from .catalogue import At, cat
from .state import GREY, WAVE


def scene(at: At) -> Scene:
    """The scene of the table."""
    colours = coloured(at.state.players, cat(at).colours)
    mat = Thing(mat="table", fields={"players": len(at.state.players)})
    things = [mat, Thing(piece="main-board/board", id="board", at="table#board")]
    for part in (buildings, wall, map_and_barges, harbour, council, scores):
        things += part(at, colours)
    for n, player in enumerate(at.state.players, 1):
        things += of_player(at, player, colours[player], n)
    return table(at, things)


def worker(owner: str, colours: dict[str, str]) -> str:
    return "neutral-worker/grey" if owner == GREY else f"worker/{colours[owner]}"


def tile(at: At, kind: str) -> str:
    return f"{'figurine' if kind in cat(at).figurines else 'one-time'}/{kind}"


def buildings(at: At, colours: dict[str, str]) -> Iterator[Thing]:
    """The building tiles with governors, bonus tiles and cost tokens."""
    for name in cat(at).buildings:
        yield Thing(piece=f"building/{name}", id=f"building-{name}", at=f"board#{name}")
    for name, site in at.state.buildings.items():
        spot = f"building-{name}"
        if site.bonus:
            yield Thing(piece=tile(at, site.bonus), at=f"{spot}#bonus")
        for n, owner in taken(site.governors):
            yield Thing(piece=worker(owner, colours), at=f"{spot}#space.{n}")
        yield Thing(piece="cost-token/wood", count=site.cost_tokens, lay="pile", at=f"{spot}#cost")


def taken(row: list[str | None]) -> Iterator[tuple[int, str]]:
    """The spaces of a row in which something stands, by number, with its owner."""
    return ((n, owner) for n, owner in enumerate(row, 1) if owner)


def wall(at: At, colours: dict[str, str]) -> Iterator[Thing]:
    """Nomads and sections. Walls and towers of a player stand there in the order of their numbers."""
    built: dict[tuple[str, str], int] = defaultdict(int)
    for lane, nomad in at.state.nomads.items():
        yield Thing(piece=f"nomad/{lane}", at=f"board#{lane}.march.{nomad.march}")
        yield Thing(piece=f"sword/{lane}", at=f"board#{lane}.strength.{nomad.strength}")
    for lane, section in at.state.sections.items():
        yield Thing(piece="defence/shield", at=f"board#{lane}.defence.{section.defence}")
        for kind, row in (("wall", section.walls), ("tower", section.towers)):
            for n, owner in taken(row):
                built[kind, owner] += 1
                number = built[kind, owner]
                yield Thing(piece=f"{kind}/{colours[owner]}-{number}", at=f"board#{lane}.{kind}.{n}")
        for n, owner in taken(section.soldiers):
            yield Thing(piece=worker(owner, colours), at=f"board#{lane}.soldier.{n}")


def map_and_barges(at: At, colours: dict[str, str]) -> list[Thing]:
    """Action markers in their piles, and workers aboard."""
    things = []
    for name, space in (
        *((f"{name}.markers", space) for name, space in at.state.regions.items()),
        *at.state.military.items(),
    ):
        things += [Thing(piece=f"action-marker/{colours[owner]}", at=f"board#{name}") for owner in space.discs]
    for name, barge in at.state.barges.items():
        for n, owner in enumerate(barge, 1):
            things.append(Thing(piece=worker(owner, colours), at=f"board#barge.{name}.{n}"))
    return things


def harbour(at: At, colours: dict[str, str]) -> list[Thing]:
    """Demands, ships with their crates, and knots."""
    things = []
    for name, port in at.state.ports.items():
        if port.ship:
            things.append(Thing(piece=f"ship/{port.ship}", id=f"ship-{name}", at=f"board#port.{name}.ship"))
            for space, owner in port.crates.items():
                things.append(Thing(piece=f"crate/{colours[owner]}", at=f"ship-{name}#space.{space}"))
        if port.demand and name != WAVE:
            things.append(Thing(piece=f"demand/{port.demand}", at=f"board#port.{name}.demand"))
        things += [Thing(piece=f"knot/{colours[owner]}", at=f"board#port.{name}.knots") for owner in port.markers]
    return things


def council(at: At, colours: dict[str, str]) -> list[Thing]:
    """Round, tiles laid out, turn order, the attack card and the grey workers."""
    s = at.state
    things = [Thing(piece="round-marker/round", at=f"board#round.{s.round}")]
    things += [Thing(piece=tile(at, kind), at=f"board#tiles.{n}") for n, kind in enumerate(s.round_tiles, 1)]
    waiting = [player for player in s.turn_order if player not in s.next_order]
    for when, order in (("next", s.next_order), ("now", waiting)):
        for n, player in enumerate(order, 1):
            place = n if when == "next" else s.turn_order.index(player) + 1
            things.append(Thing(piece=f"turn-marker/{colours[player]}", at=f"board#{when}.{place}"))
    if s.attack_card:
        things.append(Thing(piece=f"attack/{s.attack_card}", at="table#attack"))
    things.append(Thing(piece="neutral-worker/grey", count=s.neutral_workers, at="table#grey"))
    return things


def score_cells(at: At) -> int:
    """The number of cells on the score track, the first for 0."""
    return int(next(p.fields["score_cells"] for p in at.rules.game.pieces if p.set == "main-board"))


def scores(at: At, colours: dict[str, str]) -> Iterator[Thing]:
    """Score and palace markers; below 0 and from 100 on a flag says so."""
    for player, own in at.state.player.items():
        colour = colours[player]
        yield Thing(piece=f"score-marker/{colour}", at=f"board#score.{own.vp % score_cells(at)}")
        for track in cat(at).tracks:
            yield Thing(piece=f"palace-marker/{colour}", at=f"board#palace.{track}.{own.tracks[track]}")


def of_player(at: At, player: str, colour: str, n: int) -> list[Thing]:
    """A player's board with everything on it, and the stock beside it."""
    s, own, stock = at.state, at.state.player[player], f"stock-{player}"
    things = [
        Thing(piece=f"player-board/{colour}", id=player, at=f"table#player.{n}", label=player),
        Thing(mat="stock", id=stock, at=f"table#stock.{n}"),
    ]
    for kind, built, all_of in (
        ("wall", own.walls_built, at["wall.cost.stone"]),
        ("tower", own.towers_built, at["tower.cost.stone"]),
    ):
        for number in range(built + 1, len(all_of) + 1):
            things.append(Thing(piece=f"{kind}/{colour}-{number}", at=f"{player}#{kind}.{number}"))
    slots = len(at["estate.income"])
    for number in range(slots - own.ship_markers + 1, slots + 1):
        things.append(Thing(piece=f"knot/{colour}", at=f"{player}#estate.{number}"))
    for row, there in own.merchants.items():
        things += [Thing(piece=f"worker/{colour}", at=f"{player}#merchant.{row}.{k + 1}") for k in range(there)]
    things += [Thing(piece=f"figurine/{kind}", at=f"{player}#figurine.{kind}") for kind in own.figurines]
    things += [Thing(piece=f"one-time/{kind}", at=f"{player}#tiles") for kind in own.tiles]
    things += [
        Thing(piece="one-time/*", count=own.used_tiles, at=f"{player}#used"),
        Thing(piece=f"worker/{colour}", count=own.workers, at=f"{player}#supply"),
        Thing(piece=f"crate/{colour}", count=own.crates, at=f"{player}#crates"),
        Thing(piece=f"action-marker/{colour}", count=own.markers, at=f"{stock}#markers"),
        Thing(piece=f"action-marker/{colour}", count=own.discarded_markers, at=f"{stock}#discarded"),
        Thing(piece="objective/*", count=own.objectives, lay="pile", at=f"{stock}#objectives"),
        Thing(piece="coin-5/coin", count=own.coin // 5, at=f"{stock}#coin"),
        Thing(piece="coin-1/coin", count=own.coin % 5, at=f"{stock}#coin"),
    ]
    if own.vp < 0:
        things.append(Thing(piece=f"score-flag/{colour}", side="back", at=f"{stock}#flag"))
    if own.vp >= score_cells(at):
        things.append(Thing(piece=f"score-flag/{colour}", side="front", at=f"{stock}#flag"))
    if player not in (*s.turn_order, *s.next_order):
        things.append(Thing(piece=f"turn-marker/{colour}", at=f"{stock}#flag"))
    for what, kinds in (("resource", at["resources"]), ("good", at["goods"])):
        things += [Thing(piece=f"{what}/{kind}", count=own.of(kind), at=f"{stock}#{kind}") for kind in kinds]
    return things
