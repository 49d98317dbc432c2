"""The table as a scene: the board with everything on it, what lies before the players, the modules' cards.

Hands, decks and goods behind screens show their backs or nothing, whatever the table was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from components.scene import Scene, Thing

from .catalogue import At, cat
from .soldiers import is_shooter, khan_cards, soldiers_in
from .state import KHAN, SECTIONS, WOUND, HordeCard, KhanCard, Player, Skill
from .table_view import heading

FEW = 3
"""So many players sit in one column of the picture."""
LONG = "tank"
"""The special unit with a chit of its own shape."""


def scene(at: At) -> Scene:
    """What lies on the table."""
    s = at.state
    things = [
        Thing(mat="table" if len(s.players) <= FEW else "table-wide", id="table"),
        Thing(piece=f"main-board/{s.side}", id="board", at="table#board"),
    ]
    for part in (wall, town, stocks, tracks):
        things += part(at)
    for module in s.modules:
        if module in OF_MODULE:
            things += OF_MODULE[module](at)
    for n, clan in enumerate(s.players, 1):
        things += of_player(at, clan, n)
    return Scene(title=f"{at.rules.game.title}: {heading(at)}", pieces=[thing for thing in things if thing.count])


def chit(at: At, clan: str, unit: str) -> str:
    """The piece of a soldier."""
    if unit in cat(at).base_units:
        return f"{unit}/{clan}"
    return f"tank-chit/{unit}" if unit == LONG else f"special-chit/{unit}"


def covered(at: At, card: HordeCard | Skill | KhanCard, thing: str) -> Iterator[Thing]:
    """What stands on the vital spots of a card. A soldier on two spots lies across both (`a1-b1`)."""
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
    """Clerks, overseers, the Embassy, the Warehouse, the command track and the advisors."""
    s = at.state
    for location, clerks in s.locations.items():
        there = [clan for clan, n in clerks.items() for _ in range(n)]
        slots = cat(at).locations[location].slots[s.side]
        for n, clan in enumerate(there, 1):
            yield Thing(piece=f"clerk/{clan}", at=f"board#location.{location}.{min(n, slots)}")
    for clan, p in s.player.items():
        yield Thing(piece=f"clerk/{clan}", count=p.clerks.embassy, at=f"board#embassy.{clan}")
        for location, level in p.overseers.items():
            if level:
                yield Thing(piece=chit(at, clan, cat(at).tower_unit), at=f"board#overseer.{location}.{clan}.{level}")
    for kind, n in s.warehouse.items():
        yield Thing(piece=f"resource-1/{kind}", count=n, at=f"board#warehouse.{kind}")
    for spot, card in s.command_track.items():
        yield Thing(piece=f"command/{card.card}-{card.player}", at=f"board#command.{spot}")
    spots = int(cat(at).of("main-board")[s.side].fields["command"])
    for spot in range(len(s.players) + 1, spots + 1):
        yield Thing(piece="track-cover/cover", at=f"board#command.{spot}")
    for slot, advisor in enumerate(s.advisor_track, 1):
        yield Thing(piece=f"advisor/{advisor}", at=f"board#advisor.{slot}")


def stocks(at: At) -> Iterator[Thing]:
    """Decks and piles: the horde deck shows the back of its top card, if somebody has said it."""
    s = at.state
    top = next((card for card, horde in cat(at).hordes.items() if horde.mark == s.horde_deck.top_mark), "*")
    yield Thing(piece=f"horde/{top}", side="back", count=s.horde_deck.count, lay="pile", at="board#horde.deck")
    yield from _pile("horde", s.horde_discard, "board#horde.discard")
    yield Thing(piece="tactic/*", count=s.tactic_deck_count, lay="pile", at="board#tactic")
    yield from _pile("tactic", s.tactic_discard, "table#tactic.discard")
    yield Thing(piece="advisor/*", count=s.advisor_deck_count, lay="pile", at="board#advisor.deck")
    yield from _pile("advisor", s.advisor_discard, "table#advisor.discard")
    yield Thing(piece="shame-token/shame", count=s.shame_pool, lay="pile", at="board#shame")
    for n, artifact in enumerate(s.artifacts, 1):
        yield Thing(piece=f"artifact/{artifact}", at=f"board#artifact.{n}")


def _pile(set_name: str, cards: list[str], place: str) -> Iterator[Thing]:
    """A discard pile: its top card and how many there are."""
    if cards:
        yield Thing(piece=f"{set_name}/{cards[-1]}", count=len(cards), lay="pile", at=place)


def tracks(at: At) -> Iterator[Thing]:
    """Time, tea and honor."""
    s = at.state
    bonus = any(module in s.modules for module in ("black_powder",))
    yield Thing(piece="time-token/time", at=f"board#time.{s.time_slot}", side="back" if bonus else "front")
    for place, clan in enumerate(s.tea, 1):
        yield Thing(piece=f"tea-marker/{clan}", at=f"board#tea.{place}")
    for clan, p in s.player.items():
        cell = f"board#honor.{abs(p.honor) % 100}"
        yield Thing(piece=f"honor-marker/{clan}", side="back" if p.honor < 0 else "front", at=cell)


# --- modules ------------------------------------------------------------------------------------------------------


def black_powder(at: At) -> Iterator[Thing]:
    s = at.state
    for tower, clans in s.towers.items():
        yield Thing(piece=f"tower/{tower}", at=f"board#tower.{tower}")
        for clan in clans:
            yield Thing(piece=chit(at, clan, cat(at).tower_unit), at=f"board#tower.{tower}.{clan}")
    for section, machines in s.machines.items():
        for n, machine in enumerate(machines, 1):
            yield Thing(piece=f"machine/{machine}", at=f"board#machine.{section}.{n}")


def genghis_khan(at: At) -> Iterator[Thing]:
    s = at.state
    if s.khan.section:
        yield Thing(piece="khan-standee/khan", at=f"board#figure.{s.khan.section}")
    for n, card in enumerate(khan_cards(at)):
        name = card.card
        thing = f"khan-{name}"
        piece = f"khan/{s.side}" if name == KHAN else f"skill/{name}"
        yield Thing(piece=piece, id=thing, at="table#khan" if name == KHAN else f"table#skill.{n}")
        yield from covered(at, card, thing)
    for clan, p in s.player.items():
        if p.bannerman in SECTIONS:
            yield Thing(piece=f"bannerman/{clan}", at=f"board#bannerman.{p.bannerman}.{clan}")


def ancient_beasts(at: At) -> Iterator[Thing]:
    s = at.state
    for n, (beast, there) in enumerate(s.beasts.items(), 1):
        place = f"figure.{there.at}" if there.at in SECTIONS else f"location.{there.at}.figure"
        yield Thing(piece=f"beast-standee/{beast}", at=f"board#{place}")
        yield Thing(piece=f"beast/{beast}", at=f"table#beast.{n}", label=f"level {there.level}")
    yield Thing(piece="relic/*", count=s.relic_deck, lay="pile", at="table#relic")
    if s.relic:
        yield Thing(piece=f"relic/{s.relic}", at="table#relic.open")


def rat(at: At) -> Iterator[Thing]:
    s = at.state
    if s.rat.at:
        yield Thing(piece="rat-standee/rat", at=f"board#location.{s.rat.at}.figure")
    yield Thing(piece="rat-card/*", count=s.rat_deck, lay="pile", at="table#rat")
    if s.rat.card:
        yield Thing(piece=f"rat-card/{s.rat.card}", at="table#rat.open")


def iron_dragon(at: At) -> Iterator[Thing]:
    s = at.state
    yield Thing(piece="dragon-standee/dragon", at=f"board#figure.{s.dragon.at}")
    yield Thing(piece="dragon-tile/tile", id="dragon", at="table#dragon")
    yield Thing(piece="dragon-card/*", count=s.dragon_deck, lay="pile", at="dragon#deck")
    if s.dragon.card:
        yield Thing(piece=f"dragon-card/{s.dragon.card}", at="dragon#open")


def emperors_award(at: At) -> Iterator[Thing]:
    yield Thing(piece="award/award", at="table#award")
    if at.state.award is None:
        yield Thing(piece="award-standee/award", at="table#award")


OF_MODULE: Mapping[str, Callable[[At], Iterator[Thing]]] = {
    "black_powder": black_powder,
    "genghis_khan": genghis_khan,
    "ancient_beasts": ancient_beasts,
    "rat": rat,
    "iron_dragon": iron_dragon,
    "emperors_award": emperors_award,
}
"""Module -> what it has on the board and beside it."""


# --- players ------------------------------------------------------------------------------------------------------


def of_player(at: At, clan: str, n: int) -> Iterator[Thing]:
    """What lies before a player; command cards in hand and tactics show their backs."""
    p, mat = at.state.player.get(clan, Player()), f"of-{clan}"
    yield Thing(mat="player", id=mat, at=f"table#player.{n}", fields={"clan": clan, "name": clan.capitalize()})
    if p.general:
        yield Thing(piece=f"general/{p.general}", at=f"{mat}#general")
    for kind, cards in (("active", p.active), ("support", p.support)):
        for k, card in enumerate(cards, 1):
            yield Thing(piece=f"advisor/{card}", side="back" if kind == "support" else "front", at=f"{mat}#{kind}.{k}")
    if p.hand:
        yield Thing(piece=f"command/{p.hand[0]}-{clan}", side="back", count=len(p.hand), lay="fan", at=f"{mat}#hand")
    for card in p.discard:
        yield Thing(piece=f"command/{card}-{clan}", at=f"{mat}#discard")
    yield Thing(piece="tactic/*", count=p.tactics, lay="fan", at=f"{mat}#tactics")
    for one in p.claimed:
        piece = f"khan/{at.state.side}" if one.card == KHAN else f"horde/{one.card}"
        yield Thing(piece=piece, id=f"claimed-{one.card}", at=f"{mat}#claimed")
        if one.shame:
            yield Thing(piece="shame-token/shame", at=f"claimed-{one.card}")
    yield Thing(piece=f"clerk/{clan}", count=p.clerks.supply, at=f"{mat}#clerks")
    for place, units in (("soldiers", p.supply), ("shamed", p.shamed)):
        for unit, k in units.items():
            yield Thing(piece=chit(at, clan, unit), count=k, at=f"{mat}#{place}")
    yield Thing(piece="shame-token/shame", count=sum(p.shamed.values()), at=f"{mat}#shamed")
    if abs(p.honor) >= 100:
        yield Thing(piece=f"lap-plate/{clan}", at=f"{mat}#lap")
    for card in p.dragon_cards:
        yield Thing(piece=f"dragon-card/{card}", at=f"{mat}#dragon-cards")
    if at.state.award == clan:
        yield Thing(piece="award-standee/award", at=f"{mat}#award")
