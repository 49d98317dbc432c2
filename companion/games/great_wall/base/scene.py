"""The table as a scene: the board with everything on it, what lies before the players, the modules' cards.

Hands, decks and goods behind screens show their backs or nothing, whatever the table was told.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules import Row, table, things
from components.scene import Scene, Thing

from .catalogue import SPEARMAN, At, cat
from .decks import has_towers, in_play
from .soldiers import is_shooter, khan_cards, soldiers_in
from .state import KHAN, SECTIONS, WOUND, HordeCard, KhanCard, Player, Skill

FEW = 3
"""So many players sit in one column of the picture."""
LONG = "tank"
"""The special unit with a chit of its own shape."""
ON_BOARD = (
    Row("player.*.clerks.embassy", "clerk/{0}", "board#embassy.{0}"),
    Row("warehouse.*", "resource-1/{0}", "board#warehouse.{0}"),
    Row("advisor_track.*", "advisor/{v}", "board#advisor.{n}"),
    Row("tactic_deck_count", "tactic/*", "board#tactic", lay="pile"),
    Row("advisor_deck_count", "advisor/*", "board#advisor.deck", lay="pile"),
    Row("shame_pool", "shame-token/shame", "board#shame", lay="pile"),
    Row("artifacts.*", "artifact/{v}", "board#artifact.{n}"),
    Row("tea.*", "tea-marker/{v}", "board#tea.{n}"),
    Row("machines.*.*", "machine/{v}", "board#machine.{0}.{n}"),
    Row("khan.section", "khan-standee/khan", "board#figure.{v}"),
    Row("relic_deck", "relic/*", "table#relic", lay="pile"),
    Row("relic", "relic/{v}", "table#relic.open"),
    Row("rat.at", "rat-standee/rat", "board#location.{v}.figure"),
    Row("rat_deck", "rat-card/*", "table#rat", lay="pile"),
    Row("rat.card", "rat-card/{v}", "table#rat.open"),
)
OF_DRAGON = (
    Row("dragon.at", "dragon-standee/dragon", "board#figure.{v}"),
    Row("dragon_deck", "dragon-card/*", "dragon#deck", lay="pile"),
    Row("dragon.card", "dragon-card/{v}", "dragon#open"),
)
OF_PLAYERS = (
    Row("player.*.general", "general/{v}", "of-{0}#general"),
    Row("player.*.active.*", "advisor/{v}", "of-{0}#active.{n}", side="front"),
    Row("player.*.support.*", "advisor/{v}", "of-{0}#support.{n}", side="back"),
    Row("player.*.discard.*", "command/{v}-{0}", "of-{0}#discard"),
    Row("player.*.tactics", "tactic/*", "of-{0}#tactics", lay="fan"),
    Row("player.*.clerks.supply", "clerk/{0}", "of-{0}#clerks"),
    Row("player.*.dragon_cards.*", "dragon-card/{v}", "of-{0}#dragon-cards"),
    Row("award", "award-standee/award", "of-{v}#award"),
)


def scene(at: At) -> Scene:
    """The scene of the table."""
    s = at.state
    found = [
        Thing(mat="table" if len(s.players) <= FEW else "table-wide", id="table"),
        Thing(piece=f"main-board/{s.side}", id="board", at="table#board"),
    ]
    if s.players:
        found += (*wall(at), *town(at), *tracks(at), *things(s, ON_BOARD), *modules(at))
    for n, clan in enumerate(s.players, 1):
        found += of_player(at, clan, n)
    found += things(s, OF_PLAYERS)
    return table(at, found)


def chit(at: At, clan: str, unit: str) -> str:
    """The piece of a soldier."""
    if unit in cat(at).base_units:
        return f"{unit}/{clan}"
    return f"tank-chit/{unit}" if unit == LONG else f"special-chit/{unit}"


def covered(at: At, card: HordeCard | Skill | KhanCard, thing: str) -> Iterator[Thing]:
    """The pieces on the vital spots of a card. A soldier on two spots lies across both (`a1-b1`)."""
    for soldier in soldiers_in(card):
        yield Thing(piece=chit(at, soldier.clan, soldier.unit), at=f"{thing}#{'-'.join(sorted(soldier.spots))}")
    for spot, value in card.spots.items():
        if value == WOUND:
            yield Thing(piece="wound/wound", at=f"{thing}#{spot}")


def wall(at: At) -> Iterator[Thing]:
    """Sections with their hordes, wall tiles, barricades and soldiers."""
    s = at.state
    for section in SECTIONS:
        for row, horde in enumerate(s.hordes[section], 1):
            thing = f"horde-{horde.card}"
            yield Thing(piece=f"horde/{horde.card}", id=thing, at=f"board#hordes.{section}.{row}")
            yield from covered(at, horde, thing)
        if s.walls[section]:
            yield Thing(piece=f"wall-tile/{section}{s.walls[section]}", at=f"board#wall.{section}")
        for n in range(1, s.barricades[section] + 1):
            yield Thing(piece="barricade/barricade", at=f"board#barricade.{section}.{n}")
        if s.breached[section]:
            yield Thing(piece="breach-marker/marker", at=f"board#breach.{section}", side="back")
        for clan, p in s.player.items():
            shooters = [unit for unit, n in p.wall[section].items() if is_shooter(at, unit) for _ in range(n)]
            for n, unit in enumerate(shooters, 1):
                yield Thing(piece=chit(at, clan, unit), at=f"board#shooter.{section}.{clan}.{n}")
            for unit, n in p.rest[section].items():
                turn = 90 if cat(at).units[unit].spots > 1 else 0  # the zone of a clan is narrow
                yield Thing(piece=chit(at, clan, unit), count=n, turn=turn, at=f"board#rest.{section}.{clan}")


def town(at: At) -> Iterator[Thing]:
    """Clerks, overseers and the command track; hordes in their piles, with the mark on top that somebody has said."""
    s = at.state
    for location, clerks in s.locations.items():
        there = [clan for clan, n in clerks.items() for _ in range(n)]
        slots = cat(at).locations[location].slots[s.side]
        for n, clan in enumerate(there, 1):
            yield Thing(piece=f"clerk/{clan}", at=f"board#location.{location}.{min(n, slots)}")
    for clan, p in s.player.items():
        for location, level in p.overseers.items():
            if level:
                yield Thing(piece=chit(at, clan, SPEARMAN), at=f"board#overseer.{location}.{clan}.{level}")
    for spot, card in s.command_track.items():
        yield Thing(piece=f"command/{card.card}-{card.player}", at=f"board#command.{spot}")
    spots = int(cat(at).of("main-board")[s.side].fields["command"])
    for spot in range(len(s.players) + 1, spots + 1):
        yield Thing(piece="track-cover/cover", at=f"board#command.{spot}")
    top = next((card for card, horde in cat(at).hordes.items() if horde.mark == s.horde_deck.top_mark), "*")
    yield Thing(piece=f"horde/{top}", side="back", count=s.horde_deck.count, lay="pile", at="board#horde.deck")
    piles = ("horde", s.horde_discard, "board"), ("tactic", s.tactic_discard, "table"), ("advisor", s.advisor_discard, "table")  # fmt: skip
    for kind, cards, where in piles:
        if cards:
            yield Thing(piece=f"{kind}/{cards[-1]}", count=len(cards), lay="pile", at=f"{where}#{kind}.discard")


def tracks(at: At) -> Iterator[Thing]:
    """Time and honor."""
    s = at.state
    side = "back" if has_towers(at) else "front"
    yield Thing(piece="time-token/time", at=f"board#time.{s.time_slot}", side=side)  # type: ignore[arg-type]
    for clan, p in s.player.items():
        cell = f"board#honor.{abs(p.honor) % 100}"
        yield Thing(piece=f"honor-marker/{clan}", side="back" if p.honor < 0 else "front", at=cell)


def modules(at: At) -> Iterator[Thing]:
    """The pieces of modules on the board and beside it."""
    s = at.state
    for tower, clans in s.towers.items() if has_towers(at) else ():
        yield Thing(piece=f"tower/{tower}", at=f"board#tower.{tower}")
        for clan in clans:
            yield Thing(piece=chit(at, clan, SPEARMAN), at=f"board#tower.{tower}.{clan}")
    for n, card in enumerate(khan_cards(at) if in_play(at, "khan") else ()):
        name = card.card
        piece, place = (f"khan/{s.side}", "table#khan") if name == KHAN else (f"skill/{name}", f"table#skill.{n}")
        yield Thing(piece=piece, id=f"khan-{name}", at=place)
        yield from covered(at, card, f"khan-{name}")
    for clan, p in s.player.items():
        if p.bannerman in SECTIONS:
            yield Thing(piece=f"bannerman/{clan}", at=f"board#bannerman.{p.bannerman}.{clan}")
    for n, (beast, there) in enumerate(s.beasts.items(), 1):
        place = f"figure.{there.at}" if there.at in SECTIONS else f"location.{there.at}.figure"
        yield Thing(piece=f"beast-standee/{beast}", at=f"board#{place}")
        yield Thing(piece=f"beast/{beast}", at=f"table#beast.{n}", label=f"level {there.level}")
    if in_play(at, "dragon-tile"):
        yield Thing(piece="dragon-tile/tile", id="dragon", at="table#dragon")
        yield from things(s, OF_DRAGON)
    if in_play(at, "award"):
        yield Thing(piece="award/award", at="table#award")
        yield Thing(piece="award-standee/award", at="table#award", count=int(s.award is None))


def of_player(at: At, clan: str, n: int) -> Iterator[Thing]:
    """The pieces before a player; command cards in hand and tactics show their backs."""
    p, mat = at.state.player.get(clan, Player()), f"of-{clan}"
    yield Thing(mat="player", id=mat, at=f"table#player.{n}", fields={"clan": clan, "name": clan.capitalize()})
    if p.hand:
        yield Thing(piece=f"command/{p.hand[0]}-{clan}", side="back", count=len(p.hand), lay="fan", at=f"{mat}#hand")
    for one in p.claimed:
        piece = f"khan/{at.state.side}" if one.card == KHAN else f"horde/{one.card}"
        yield Thing(piece=piece, id=f"claimed-{one.card}", at=f"{mat}#claimed")
        yield Thing(piece="shame-token/shame", at=f"claimed-{one.card}", count=int(one.shame))
    for place, units in (("soldiers", p.supply), ("shamed", p.shamed)):
        for unit, k in units.items():
            yield Thing(piece=chit(at, clan, unit), count=k, at=f"{mat}#{place}")
    yield Thing(piece="shame-token/shame", count=sum(p.shamed.values()), at=f"{mat}#shamed")
    yield Thing(piece=f"lap-plate/{clan}", at=f"{mat}#lap", count=int(abs(p.honor) >= 100))
