"""The bars that the faces of every game have to meet; what one game's art promises besides stands in its folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from components.model import ResolvedPiece
from tests.generator import artkit
from tests.generator.artkit import COVER_SIZES, INKS, art


class Look(NamedTuple):
    """What is looked at in a game. `ground` names what changes the ground under a text: one piece of each is enough."""

    ground: Callable[[ResolvedPiece], object]
    low_ink: tuple[str, ...]
    """Pieces of every kind of which the low-ink face is mostly paper."""
    backs: tuple[str, ...]
    """Backs that look the same upside down."""
    also_printed: tuple[str, ...] = ()
    """Fields printed in full beside the effect."""
    text_dpi: float = 60.0
    low_ink_dpi: float = 60.0


def _of_states(p: ResolvedPiece) -> object:
    return p.set, p.face, p.back, p.fields.get("category") or p.fields.get("type") or p.fields.get("colour")


LOOKS = {
    "dynasties": Look(
        ground=lambda p: (p.set, p.fields.get("numeral"), p.fields.get("kind")),
        low_ink=("action-white/6", "action-black/6", "action-black/plague", "warlord-black/ks-3", "board/board"),
        backs=("action-white/6", "action-black/6", "warlord-white/st-1", "warlord-black/ks-1", "tile/a"),
        also_printed=("after_word", "exchange_word", "window_word"),
    ),
    "great-wall": Look(
        ground=lambda p: (p.set, p.face, p.seat, p.fields.get("kind"), p.fields.get("side"), p.fields.get("colour")),
        low_ink=(
            *("horde/H16", "horde/H43", "khan/A", "general/G05", "advisor/A01", "command/C4-bamboo", "tactic/T15"),
            *("artifact/F07", "relic/RL04", "skill/K03", "beast/B1", "rat-card/RC02", "dragon-card/D01", "award/award"),
        ),
        backs=(
            *("horde/H01", "horde/H02", "khan/A", "general/G01", "advisor/A01", "command/C1-pine", "tactic/T01"),
            *("artifact/F01", "relic/RL01", "skill/K01", "beast/B1", "rat-card/RC01", "dragon-card/D01", "award/award"),
        ),
        also_printed=("bite_text", "breath_text"),
        low_ink_dpi=127.0,
    ),
    "tianxia": Look(
        ground=lambda p: (
            p.set,
            p.fields.get("colour"),
            p.fields.get("kind"),
            p.fields.get("banner"),
            p.fields.get("lane"),
        ),
        low_ink=(
            *("main-board/board", "player-board/purple", "building/qin_granary", "building/wei_customs", "ship/goose"),
            *("objective/O05", "attack/D1", "figurine/tiger", "aid/player-aid"),
        ),
        backs=("objective/O01", "attack/A1", "attack/D1", "figurine/ox", "one-time/purse", "demand/salt"),
        low_ink_dpi=127.0,
    ),
    "warring-states": Look(
        ground=_of_states,
        low_ink=("event/plague", "resource/city", "battle/spears", "battle/ambush", "state/qin"),
        backs=("event/plague", "resource/mine", "battle/infantry", "state/qin"),
        text_dpi=80.0,
    ),
    "xarkant": Look(
        ground=lambda p: (p.set, p.fields.get("colour"), p.fields.get("kind")),
        low_ink=(
            *("village/village", "state-board/state-board", "player-board/black", "disc-card/black"),
            *("landscape/T01", "landscape/T05", "landscape/T09", "aid/player-aid"),
        ),
        backs=("disc-card/red",),
        low_ink_dpi=127.0,
    ),
}

each_game = pytest.mark.parametrize("game", LOOKS)
each_ink = pytest.mark.parametrize("ink", INKS)


@each_game
@each_ink
def test_every_piece_is_drawn_and_its_type_is_large_enough(game: str, ink: str) -> None:
    artkit.assert_type_is_large_enough(art(game), ink)


@each_game
@each_ink
def test_what_a_piece_does_is_printed_in_full_and_at_least_7_pt(game: str, ink: str) -> None:
    artkit.assert_effects_are_printed(art(game), ink, also=LOOKS[game].also_printed)


@each_game
def test_text_keeps_clear_of_the_cut(game: str) -> None:
    artkit.assert_text_keeps_clear_of_the_cut(art(game))


@each_game
@each_ink
def test_text_stands_out_from_its_ground(game: str, ink: str) -> None:
    pieces = artkit.one_of_each(art(game).game.pieces, LOOKS[game].ground)
    artkit.assert_text_stands_out(art(game), ink, pieces, dpi=LOOKS[game].text_dpi)


@each_ink
@pytest.mark.parametrize(("game", "name"), [(game, name) for game in LOOKS for name in LOOKS[game].backs])
def test_backs_look_the_same_upside_down(game: str, name: str, ink: str) -> None:
    artkit.assert_same_upside_down(art(game), name, ink)


@each_game
def test_every_icon_of_an_effect_is_drawn(game: str) -> None:
    artkit.assert_icons_are_drawn(art(game))


@each_game
def test_low_ink_faces_are_mostly_white(game: str) -> None:
    artkit.assert_low_ink_is_mostly_white(art(game), LOOKS[game].low_ink, dpi=LOOKS[game].low_ink_dpi)


@each_game
def test_no_disc_asks_for_more_than_60_percent_of_ink(game: str) -> None:
    """A flood of ink dries slowly, and its edge shows when it is cut."""
    formats = art(game).maker("normal").formats
    discs = [piece for piece in art(game).game.pieces if formats[piece.format].shape == "circle"]
    shown = {f"{p.set}/{p.id}": art(game).picture(art(game).front(p, "normal"), "normal", 60.0) for p in discs}
    found = {name: round(artkit.inked(image), 2) for name, image in shown.items()}
    assert found
    assert not {name: ink for name, ink in found.items() if ink > 0.6}


@each_game
@each_ink
@pytest.mark.parametrize("size", COVER_SIZES, ids=["half of A4", "half of letter"])
def test_the_rulebook_cover_fits_either_page_and_stays_off_its_edges(
    game: str, size: tuple[float, float], ink: str
) -> None:
    artkit.assert_cover_fits(art(game), size, ink)
