"""Set-up: options, decks, cubes, tiles, and the Warlord each player keeps (rules DY-SETUP, DY-WL-1, -13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.forms import furnish
from companion.rules import Breach, Move, Options, Pairs, PieceName, Seat, Source, Unspoken

from .cards import yellow
from .catalogue import SIDES, At, cat, name
from .state import WarlordCard

ALLOWED: dict[str, tuple[str | bool, ...]] = {"deck": ("basic", "expert"), "warlords": (False, True)}


def start_hand(at: At) -> int:
    """The yellow cards and those drawn to them (DY-SETUP-4, -5)."""
    return yellow(at) + int(at["hand.start_extra"])


def stock(at: At, deck: str) -> tuple[int, int]:
    """Cubes of one colour at the start: in reserve and set aside (DY-SETUP-7, -8)."""
    return (at["armies.expert"], at["armies.set_aside"]) if deck == "expert" else (at["armies.basic"], 0)


class Setup(Move, frozen=True):
    """Lay out the game: options, and the five scoring tiles as they came up (they may be told later, too)."""

    chosen: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict, name="options")
    tiles: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict)
    """Province -> letter of its tile, or its three values."""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.players:
            yield at.breach("DY-SETUP-3.again", dynasty=at.state.dynasty)
            return
        yield from self._options(at)
        reserve, aside = stock(at, self.chosen.get("deck", at.state.options.deck))
        if reserve + aside > at["armies.total"]:
            yield at.breach("DY-ARMY-1.more", reserve=reserve, set_aside=aside, total=at["armies.total"])
        yield from tile_faults(at, self.tiles)

    def _options(self, at: At) -> Iterator[Breach]:
        """Only games that can be played with what this variant prints (DY-SETUP-9)."""
        for option, asked in self.chosen.items():
            if option not in ALLOWED:
                yield at.breach("DY-SETUP-9.option", option=option, options=list(ALLOWED))
            elif type(asked) is not type(ALLOWED[option][0]) or asked not in ALLOWED[option]:
                yield at.breach("DY-SETUP-9.value", option=option, allowed=list(ALLOWED[option]), asked=str(asked))
            elif "only-used" in at.rules.game.modules and asked != at[f"options.{option}"]:
                yield at.breach("DY-SETUP-9.edition", option=option, plays=at[f"options.{option}"], asked=asked)

    def apply(self, at: At) -> None:
        s = at.state
        asked = {option: value for option, value in self.chosen.items() if value in ALLOWED.get(option, ())}
        s.options = msgspec.structs.replace(s.options, **asked)
        s.dynasty = 1
        furnish(at.rules, s, {"phase": s.phase, "options": msgspec.structs.asdict(s.options), "players": {}})
        p = s.players["white"]
        at.note("DY-SETUP-2", total=at["armies.total"], **SIDES)
        at.note("DY-SETUP-3", dynasty=1, pawn=0)
        at.note("DY-SETUP-4", yellow=yellow(at))
        at.note("DY-SETUP-5", n=at["hand.start_extra"], hand=p.hand, deck=p.deck)
        rule = "DY-SETUP-8" if s.options.deck == "expert" else "DY-SETUP-7"
        at.note(rule, reserve=p.reserve, set_aside=p.set_aside)
        at.note("DY-SETUP-9.on" if s.options.warlords else "DY-SETUP-9.off", deck=s.options.deck)
        lay_tiles(at, self.tiles)


class AfterSetup(Move, frozen=True):
    """A move that says that the table has been set up."""

    def presumes(self, at: At) -> Move | None:
        return None if at.state.players else Setup()


# --- scoring tiles -----------------------------------------------------------------------------------------------


def tile_values(at: At, said: Any) -> list[int]:
    """The three values of a tile, said by letter or by its values."""
    if isinstance(said, str):
        return cat(at).tiles.get(said, [])
    return list(said) if isinstance(said, list | tuple) else []


def without_tile(at: At) -> list[str]:
    """Provinces whose tile has not been told, west to east."""
    return [p for p, q in at.state.provinces.items() if not q.tile]


def tile_faults(at: At, tiles: dict[str, Any], lying: Iterable[list[int]] = ()) -> Iterator[Breach]:
    """The faults of tiles just reported, together with those `lying` already."""
    seen = list(lying)
    for province, said in tiles.items():
        values = tile_values(at, said)
        if province not in cat(at).provinces:
            yield at.breach("DY-BOARD-1.none", province=province, provinces=cat(at).provinces)
        if values not in cat(at).tiles.values():
            yield at.breach("DY-BOARD-4.none", tile=str(said), tiles=list(cat(at).tiles))
        elif values in seen:
            yield at.breach("DY-SETUP-1.twice", tile="-".join(map(str, values)))
        seen.append(values)


def lay_tiles(at: At, tiles: dict[str, Any]) -> None:
    laid = {p: tile_values(at, said) for p, said in tiles.items() if p in at.state.provinces}
    for province, values in laid.items():
        at.state.provinces[province].tile = list(values)
    if laid:
        at.note("DY-SETUP-1", tiles=[f"{p} {'-'.join(map(str, values))}" for p, values in laid.items()])


class Tiles(AfterSetup, frozen=True):
    """Say which scoring tiles came up, west to east."""

    role = "event"
    sampled = True
    letters: Annotated[tuple[str, ...], PieceName("tile", many=True)] = ()
    """One for each province whose tile is not known yet, west to east."""
    tiles: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict)
    """Province -> letter or three values, where not all are told."""
    lying: Annotated[
        dict[str, str], Pairs(PieceName("tile"), PieceName("province"), between=("to", "is"), aside=True)
    ] = msgspec.field(default_factory=dict)
    """The same told by the letters: letter -> province."""

    def letters_options(self, at: At) -> Options:
        """Some of the ways in which the tiles left may lie; each of them lies everywhere in one."""
        lying = [q.tile for q in at.state.provinces.values()]
        left = [letter for letter, points in cat(at).tiles.items() if points not in lying]
        ways = [tuple(left[i:] + left[:i])[: len(without_tile(at))] for i in range(len(left))]
        return None if self.tiles or self.lying else ways

    def things(self, at: At, field: str) -> Options:
        if field != "letters":
            return None
        lying = [q.tile for q in at.state.provinces.values()]
        return [letter for letter, points in cat(at).tiles.items() if points not in lying]

    def facts(self, at: At) -> dict[str, Any]:
        return {"provinces": without_tile(at)}

    def _told(self, at: At) -> dict[str, Any]:
        lying = {province: letter for letter, province in self.lying.items()}
        return {**dict(zip(without_tile(at), self.letters, strict=False)), **lying, **self.tiles}

    def forbidden(self, at: At) -> Iterator[Breach]:
        provinces, unknown = at.state.provinces, without_tile(at)
        known = [p for p in (*self.tiles, *self.lying.values()) if p in provinces and provinces[p].tile]
        if known or (provinces and not unknown):
            yield at.breach("DY-SETUP-1.known", provinces=known or list(provinces))
        yield from tile_faults(at, self._told(at), [p.tile for p in provinces.values() if p.tile])
        if unknown and self.letters and len(self.letters) != len(unknown):
            yield at.breach("DY-SETUP-1.count", unknown=unknown, letters=list(self.letters))

    def apply(self, at: At) -> None:
        lay_tiles(at, self._told(at))


# --- Warlords at set-up ------------------------------------------------------------------------------------------


def keeping(at: At) -> list[str]:
    """The players who still have to keep a Warlord (DY-WL-1)."""
    s = at.state
    wanted = s.options.warlords and at["warlord.kept"]
    return [c for c in s.players if s.players[c].warlord.status == "none"] if wanted else []


def presumed_setup(at: At) -> Move | None:
    """Whoever acts in the first Dynasty says that the table is set up and that everybody has kept a Warlord."""
    if not at.state.players:
        return Setup()
    waiting = keeping(at) if at.state.phase == "setup" else []
    return KeepWarlord(waiting[0]) if waiting else None


class KeepWarlord(AfterSetup, frozen=True):
    """A player has kept one of the Warlords dealt (secretly)."""

    words = ("keep",)
    player: Annotated[str, Seat()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, p = at.state, at.state.players.get(self.player)
        if not s.options.warlords:
            yield at.breach("DY-WL-17")
        elif not at["warlord.kept"]:
            yield at.breach("DY-WL-1.nothing", dealt=at["warlord.dealt"])
        elif s.phase != "setup":
            yield at.breach("DY-WL-1.late", phase=s.phase)
        elif p is not None and p.warlord.status != "none":
            yield at.breach("DY-WL-1.again", player=name(self.player))

    def apply(self, at: At) -> None:
        at.state.players[self.player].warlord.status = "held"
        at.note("DY-WL-1.keeps", player=name(self.player), kept=at["warlord.kept"], dealt=at["warlord.dealt"])


class ShowEarlyMandate(AfterSetup, frozen=True):
    """Black shows Early Mandate at set-up: the scoring pawn starts on Black's side."""

    words = ("mandate",)
    player: Annotated[str, Seat()] = ""

    def player_options(self, at: At) -> Options:
        return ("black",)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, p = at.state, at.state.players.get("black")
        early = s.phase == "setup" or (s.phase == "deploy" and s.dynasty == 1 and not s.ready and not s.exchanged)
        if not s.options.warlords:
            yield at.breach("DY-WL-17")
        elif not early:
            yield at.breach("DY-WL-13.late", dynasty=s.dynasty)
        elif self.player == "white":
            yield at.breach("DY-WL-1.side", card="Early Mandate", side="Black")
        elif p is not None and p.warlord.status == "used":
            yield at.breach("DY-WL-3.used", player="Black", card=p.warlord.card or "a Warlord")

    def apply(self, at: At) -> None:
        card = next(w for w in cat(at).warlords.values() if w.window == "S")
        at.state.players["black"].warlord = WarlordCard("used", card.id)
        at.run(card.piece.effect, "black", Source(card.piece, "black"))
