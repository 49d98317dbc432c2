"""When a face is taken to be another one: what its template may read decides."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.build.facecache import FaceKeys


@pytest.fixture(scope="module")
def game() -> ResolvedGame:
    return resolve_game("dynasties")


def keys(game: ResolvedGame, folder: Path, template: str) -> set[str]:
    """The key of the first face with this template: as the game is, and with another piece changed."""
    (folder / "faces").mkdir(exist_ok=True)
    (folder / "faces" / "card.yaml").write_text(template, encoding="utf-8")
    first, *others, last = game.pieces
    changed = msgspec.structs.replace(game, pieces=[first, *others, msgspec.structs.replace(last, name="Other")])
    return {FaceKeys(g, folder, "program", "layouts", "normal").key(first, "card") for g in (game, changed)}


@pytest.mark.parametrize(
    "template",
    ["- text: {value: '{{ piece.name }}'}\n", "# where the pieces lie\n- text: {value: '{{ piece.name }}'}\n"],
    ids=["own piece", "only a comment speaks of others"],
)
def test_a_change_of_another_piece_leaves_a_face_as_it_is(game: ResolvedGame, tmp_path: Path, template: str) -> None:
    assert len(keys(game, tmp_path, template)) == 1


@pytest.mark.parametrize(
    "template",
    [
        "- text: {value: '{{ pieces | length }}'}\n",
        "- each: pieces\n",
        "- text:\n    value: |\n      # {{ pieces | length }}\n",
    ],
    ids=["expression", "each", "behind a # in a text"],
)
def test_a_template_that_reads_all_pieces_is_drawn_again(game: ResolvedGame, tmp_path: Path, template: str) -> None:
    assert len(keys(game, tmp_path, template)) == 2
