"""Golden playthroughs of every game: scenes to read in a sitting, with all answers (see `playthrough_runner`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import games
import playthrough_runner
import pytest

LONGEST = 200
SHOWN = {
    "dynasties": ("[DY-WIN-", "variants: [expert]", "variants: [warlords]", "? black: "),
    "great-wall": ("[GW-SCORE-6]", "[GW-END-5]", "[GW-EA-2]", "[GW-ID-", "[GW-RAT-", "[GW-AB-", "[GW-GK-", "[GW-BP-"),
    "tianxia": ("[TX-SCORE-7]", " won. ", "? Which", "is not a step of this turn", "[TX-RAID-5]"),
    "warring-states": ("WS-WIN-1", "cannot be read", "? Han: "),
    "xarkant": ("[XK-END-1]", "[XK-END-2]", "tie-break", " won. ", "did you mean"),
}
"""What has to stand in some scene of a game: its ends, its ways to play, questions and typing mistakes."""

TRANSCRIPTS = [(game, file) for game in games.GAMES for file in playthrough_runner.transcripts(game)]
each_scene = pytest.mark.parametrize(("game", "file"), TRANSCRIPTS, ids=[f"{g}-{file.stem}" for g, file in TRANSCRIPTS])


@each_scene
def test_playthrough(game: str, file: Path, golden: Callable[[str, str], None]) -> None:
    golden(f"{game}/{file.name}", playthrough_runner.replayed(game, file.read_text(encoding="utf-8")))


@each_scene
def test_a_scene_is_short_and_nothing_left_out_was_refused(game: str, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") < LONGEST, f"{file.name} is too long to be read in a sitting: split it, or use $$ lines"
    unexpected = re.findall(r"^(\$\$ .*)\n(?![$#]|$)(.+)", text, re.MULTILINE)
    assert not unexpected, f"{file.name}: an answer to lines whose answers are left out"


@pytest.mark.parametrize("game", games.GAMES)
def test_the_scenes_show_refusals_mistakes_and_the_end(game: str) -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in playthrough_runner.transcripts(game))
    assert text.count("\nNO: ") >= 10
    assert [words for words in SHOWN[game] if words not in text] == []
