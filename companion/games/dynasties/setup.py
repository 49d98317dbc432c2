"""Set-up: decks, cubes, tiles, and the Warlord each player keeps (rules DY-SETUP, DY-WL-1, -2, -6, -13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat
from components.phrasing import count

from .catalogue import At, cat, copies, deck_size, name, yellow
from .domains import TileLetter
from .state import COLOURS, Options, Player, Province, WarlordCard

ALLOWED: dict[str, tuple[str | bool, ...]] = {"deck": ("basic", "expert"), "warlords": (False, True)}


def start_hand(at: At) -> int:
    return yellow(at) + (at["hand.start_extra"] if at.on("DY-SETUP-5") else 0)


def stock(at: At, deck: str) -> tuple[int, int, int]:
    """Cubes of one colour at the start: in reserve, set aside, and not used at all (below 0: so many are missing)."""
    expert = deck == "expert" and at.on("DY-SETUP-8")
    reserve = at["armies.expert"] if expert else at["armies.basic"]
    aside = at["armies.set_aside"] if expert else 0
    return reserve, aside, at["armies.total"] - reserve - aside


def new_player(at: At, options: Options) -> Player:
    """A player as after set-up."""
    reserve, aside, unused = stock(at, options.deck)
    return Player(
        reserve=reserve if at.on("DY-SETUP-2") and at.on("DY-SETUP-6") else 0,
        set_aside=aside,
        out=max(0, unused),
        hand=start_hand(at) if at.on("DY-SETUP-4") else 0,
        hand_at_deploy=start_hand(at),
        deck=deck_size(at) - start_hand(at),
        warlord=WarlordCard("none"),
    )


class Setup(Move, frozen=True):
    """Lay out the game: options, and the five scoring tiles as they came up (they may be told later, too)."""

    name = "setup"
    words = ("setup",)
    example = "setup"
    chosen: dict[str, Any] = msgspec.field(default_factory=dict, name="options")
    tiles: dict[str, Any] = msgspec.field(default_factory=dict)
    """Province -> letter of its tile, or its three values."""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.players:
            yield Breach("DY-SETUP-3", "the game has been set up already", {"dynasty": s.dynasty})
            return
        yield from self._options(at)
        reserve, aside, unused = stock(at, self.chosen.get("deck", s.options.deck))
        if unused < 0:
            yield Breach(
                "DY-ARMY-1",
                f"{reserve} in reserve and {aside} set aside are more than the {at['armies.total']} cubes of one colour",
                {"total": at["armies.total"], "reserve": reserve, "set_aside": aside},
            )
        yield from tile_faults(at, self.tiles)

    def _options(self, at: At) -> Iterator[Breach]:
        """Only games that can be played with what this variant prints."""
        plays: dict[str, Any] = {"deck": at["options.deck"], "warlords": bool(at["options.warlords"])}
        for option, wanted in self.chosen.items():
            if option not in ALLOWED:
                yield Breach("DY-SETUP-9", f"there is no option {option}: {', '.join(ALLOWED)}", {"option": option})
            elif wanted not in ALLOWED[option]:
                yield Breach(
                    "DY-SETUP-9",
                    f"{option} is one of {', '.join(map(str, ALLOWED[option]))}, not {wanted}",
                    {"option": option, "asked": wanted},
                )
            elif wanted != plays[option] and "only-used" in at.rules.game.modules:
                yield Breach(
                    "DY-SETUP-9",
                    f"this variant plays with {option} {plays[option]} and has no other pieces",
                    {"option": option, "plays": plays[option], "asked": wanted},
                )

    def apply(self, at: At) -> None:
        s = at.state
        asked = self.chosen if at.on("DY-SETUP-9") else {}
        s.options = Options(asked.get("deck", s.options.deck), asked.get("warlords", s.options.warlords))
        s.players = {colour: new_player(at, s.options) for colour in COLOURS}
        s.provinces = {province: Province() for province in cat(at).provinces}
        s.pawn = 0
        s.dynasty = 1
        at.note("DY-SETUP-2", "White takes the light deck, Black the dark deck, each with the cubes of that colour")
        at.cite("DY-SETUP-3", "the large pawn stands on 1, the small pawn on the green centre", dynasty=1, pawn=0)
        white = s.players["white"]
        at.note("DY-SETUP-4", f"each takes the {yellow(at)} yellow cards into hand", yellow=yellow(at))
        at.note(
            "DY-SETUP-5",
            f"and draws {at['hand.start_extra']}: hand {white.hand}, deck {white.deck}",
            hand=white.hand,
            deck=white.deck,
        )
        at.cite("DY-SETUP-6", "the board is empty", reserve=white.reserve)
        rule = "DY-SETUP-8" if s.options.deck == "expert" else "DY-SETUP-7"
        at.note(
            rule,
            f"{s.options.deck} deck: {white.reserve} armies in reserve, {white.set_aside} set aside",
            reserve=white.reserve,
        )
        at.cite("DY-SETUP-9", f"deck {s.options.deck}, Warlords {'on' if s.options.warlords else 'off'}")
        at.cite("DY-SETUP-11", "cards not used are taken out before shuffling", deck=deck_size(at))
        at.cite("DY-CARD-3", f"{deck_size(at)} cards each", copies=dict(copies(at)))
        at.cite("DY-ARMY-1", f"{at['armies.total']} cubes each", total=at["armies.total"])
        lay_tiles(at, self.tiles)
        s.phase = "setup" if s.options.warlords and at["warlord.kept"] else "deploy"


def tile_values(at: At, said: Any) -> list[int]:
    """The three values of a tile, said by letter or by its values."""
    return list(cat(at).tiles.get(str(said), [])) if isinstance(said, str) else list(said)


def without_tile(at: At) -> list[str]:
    """Provinces whose tile has not been told, west to east."""
    return [p for p, q in at.state.provinces.items() if not q.tile]


def tile_faults(at: At, tiles: dict[str, Any], lying: Iterable[list[int]] = ()) -> Iterator[Breach]:
    """What is wrong with tiles just told, with those `lying` already."""
    seen = list(lying)
    for province, said in tiles.items():
        values = tile_values(at, said)
        if province not in cat(at).provinces:
            yield Breach("DY-BOARD-1", f"there is no province {province}", {"province": province})
        if values not in cat(at).tiles.values():
            yield Breach("DY-BOARD-4", f"there is no tile {said}", {"tile": said})
        elif values in seen:
            yield Breach("DY-SETUP-1", f"the tile {'-'.join(map(str, values))} lies already", {"tile": values})
        seen.append(values)


def lay_tiles(at: At, tiles: dict[str, Any]) -> None:
    tiles = {province: said for province, said in tiles.items() if province in at.state.provinces}
    for province, said in tiles.items():
        at.state.provinces[province].tile = tile_values(at, said)
    if tiles:
        at.note(
            "DY-SETUP-1", "tiles: " + ", ".join(f"{p} {'-'.join(map(str, at.state.provinces[p].tile))}" for p in tiles)
        )


class Tiles(Move, frozen=True):
    """Say which scoring tiles came up, west to east."""

    name = "tiles"
    role = "event"
    words = ("tiles",)
    example = "tiles E C G I A"
    letters: Annotated[tuple[str, ...], TileLetter()] = ()
    """One for each province whose tile is not known yet, west to east."""
    tiles: dict[str, Any] = msgspec.field(default_factory=dict)
    """Province -> letter or three values, where not all are told."""

    def presumes(self, at: At) -> Move | None:
        return None if at.state.players else Setup()

    def _told(self, at: At) -> dict[str, Any]:
        return {**dict(zip(without_tile(at), self.letters, strict=False)), **self.tiles}

    def forbidden(self, at: At) -> Iterator[Breach]:
        provinces = at.state.provinces
        unknown = without_tile(at)
        facts = {"unknown": unknown, "letters": list(self.letters)}
        taken = [p for p in self.tiles if p in provinces and provinces[p].tile]
        if taken or (provinces and not unknown):
            known = taken[0] if taken else "every province"
            yield Breach("DY-SETUP-1", f"the tile of {known} is known already", facts)
        elif self.letters and len(self.letters) != len(unknown):
            why = f"one tile lies at each of {', '.join(unknown)}, not {count(len(self.letters), 'tile')}"
            yield Breach("DY-SETUP-1", why, facts)
        lying = [p.tile for p in provinces.values() if p.tile]
        yield from tile_faults(at, self._told(at), lying)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.letters and not self.tiles:
            lying = [p.tile for p in at.state.provinces.values()]
            left = [letter for letter, points in cat(at).tiles.items() if points not in lying]
            yield Choice("letters", "", f"which tiles lie at {', '.join(without_tile(at))}?", left)

    def apply(self, at: At) -> None:
        lay_tiles(at, self._told(at))

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        unknown = without_tile(at)
        if unknown:
            lying = [p.tile for p in at.state.provinces.values()]
            left = [letter for letter, points in cat(at).tiles.items() if points not in lying]
            yield cls(tuple(left[: len(unknown)]))


def presumed_setup(at: At) -> Move | None:
    """Who acts in the first Dynasty says that the table is set up and that everybody has kept a Warlord."""
    s = at.state
    if not s.players:
        return Setup()
    waiting = [c for c in COLOURS if s.phase == "setup" and s.players[c].warlord.status == "none"]
    return KeepWarlord(waiting[0]) if waiting else None


class KeepWarlord(Move, frozen=True):
    """A player has kept one of the three Warlords dealt (secretly)."""

    name = "keep_warlord"
    words = ("keep",)
    example = "white keep"
    player: Annotated[str, Seat()] = ""

    def presumes(self, at: At) -> Move | None:
        return None if at.state.players else Setup()

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.options.warlords:
            yield Breach("DY-WL-17", "the game is played without Warlords", {"warlords": False})
        elif not at["warlord.kept"]:
            yield Breach("DY-WL-1", "the Warlords dealt are all discarded", {"kept": 0, "dealt": at["warlord.dealt"]})
        elif s.phase != "setup":
            yield Breach("DY-WL-1", "Warlords are kept at set-up", {"phase": s.phase})
        elif self.player and s.players[self.player].warlord.status != "none":
            yield Breach(
                "DY-WL-1", f"{name(self.player)} has kept a Warlord", {"status": s.players[self.player].warlord.status}
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who has kept a Warlord?", list(COLOURS))

    def apply(self, at: At) -> None:
        s = at.state
        s.players[self.player].warlord.status = "held"
        at.note(
            "DY-WL-1",
            f"{name(self.player)} keeps {at['warlord.kept']} of {at['warlord.dealt']} Warlords",
            player=self.player,
            kept=at["warlord.kept"],
            dealt=at["warlord.dealt"],
        )
        at.cite("DY-WL-2", f"dealt from the {at['warlord.per_side']} of that side")
        at.cite("DY-WL-6", "the card stays secret until it is played")
        if all(p.warlord.status != "none" for p in s.players.values()):
            s.phase = "deploy"

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "setup":
            yield from (cls(colour) for colour in COLOURS if at.state.players)


class ShowEarlyMandate(Move, frozen=True):
    """Black shows Early Mandate at set-up: the scoring pawn starts on his side."""

    name = "show_early_mandate"
    words = ("mandate", "early mandate")
    example = "mandate"
    player: Annotated[str, Seat()] = ""

    def presumes(self, at: At) -> Move | None:
        return None if at.state.players else Setup()

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        early = s.phase == "setup" or (s.phase == "deploy" and s.dynasty == 1 and not s.ready and not s.exchanged)
        if not s.options.warlords:
            yield Breach("DY-WL-17", "the game is played without Warlords", {"warlords": False})
        elif not early:
            yield Breach("DY-WL-13", "Early Mandate is shown at set-up", {"phase": s.phase, "dynasty": s.dynasty})
        elif self.player == "white":
            yield Breach("DY-WL-1", "Early Mandate is a Warlord of Black", {"player": "white"})
        elif s.players["black"].warlord.status == "used":
            yield Breach("DY-WL-3", "Black's Warlord has been played", {"status": "used"})

    def apply(self, at: At) -> None:
        s = at.state
        s.players["black"].warlord = WarlordCard("used", "KS-1")
        shift = cat(at).warlords["KS-1"].effects.get("shift_pawn", {}).get("n", 0)
        if at.on("DY-WL-13"):
            s.pawn = -shift
        at.note("DY-WL-13", f"the scoring pawn starts {shift} on Black's side", pawn=s.pawn)
        at.cite("DY-WL-6", "shown at set-up")
        if all(p.warlord.status != "none" for p in s.players.values()):
            s.phase = "deploy"

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.players and at.state.dynasty == 1:
            yield cls()


__all__ = ["KeepWarlord", "Setup", "ShowEarlyMandate", "Tiles", "new_player", "presumed_setup", "start_hand"]
