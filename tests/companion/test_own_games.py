"""A game in a folder of one's own: its rules module runs only if it is trusted; without one there is a score pad."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import Companion

from companion.cli import common
from companion.cli.common import Settings
from companion.lab import dealing
from companion.lab.dealt import Dealt
from companion.lab.players import bot
from companion.own import modules
from generator.cli.main import main as pnp

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def companion(own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


def module(own: Path) -> Path:
    return own / "rules" / "fief_drift.py"


def without_rules(own: Path) -> None:
    """Take the rules module away: the game can only be printed."""
    shutil.rmtree(own / "rules")
    game = own / "components" / "fief-drift" / "game.yaml"
    lines = game.read_text("utf-8").splitlines()
    game.write_text("\n".join(line for line in lines if not line.startswith("engine:")), "utf-8")


def stranger(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same project as somebody else would find it in a download."""
    other = own.parent / "download"
    shutil.copytree(own, other)
    monkeypatch.chdir(other)
    monkeypatch.setattr(Settings, "root", None)
    return other


# --- rules modules ---------------------------------------------------------------------------------------------------


def test_a_new_game_is_followed_at_once(companion: Companion) -> None:
    assert "fief-drift: Fief Drift" in companion("games").out
    assert companion("new", "fief-drift", "ana=Anna", "bo").status == 0
    done = companion("do", "turn paper", "turn glow")
    assert done.status == 0
    assert "Anna takes 3 light and has 3 [FD-WALK-2]" in done.out
    assert "1. Anna (ana): 3 light" in companion("score").out
    assert companion("simulate", "fief-drift", "--games", "3", "--laws").status == 0


def test_the_only_game_of_a_project_need_not_be_named(companion: Companion, own: Path) -> None:
    assert "FD-WALK-2" in companion("ask", "how does the walk end").out
    assert companion("new", "ana=Anna", "bo").status == 0
    assert "Fief Drift" in companion("show").out
    companion("do", "turn paper")
    position = own / "p.yaml"
    companion("show", "--position-out", str(position))
    assert "1. ana: 3 light" in companion("score", "--position", str(position)).out
    assert companion("check", "--position", str(position), "turn glow").status == 0
    assert companion("check", "fief-drift", "--position", str(position), "turn glow").status == 0
    assert companion("simulate", "--games", "2").status == 0
    slip = companion("new", "fief-drfit", "ana", "bo")
    assert slip.status == 2 and "did you mean 'fief-drift'" in slip.err


def test_the_starter_has_a_short_rules_module(own: Path) -> None:
    assert len(module(own).read_text("utf-8").splitlines()) <= 100


def test_the_games_of_the_program_are_there_too(companion: Companion) -> None:
    assert companion("new", "xarkant", "Red", "Blue", "--table", "x").status == 0


def test_only_the_project_that_is_named_counts(companion: Companion, own: Path) -> None:
    refused = companion("--project", str(own), "new", "xarkant", "Red", "Blue")
    assert refused.status == 2
    assert "there is no game 'xarkant'" in refused.err


def test_a_table_is_played_from_anywhere(companion: Companion, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    companion("new", "fief-drift", "ana", "bo")
    monkeypatch.chdir(own.parent)
    monkeypatch.setattr(Settings, "root", None)
    assert companion("do", "turn paper").status == 0


def test_a_project_that_is_gone_is_named(companion: Companion, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    companion("new", "fief-drift", "ana", "bo")
    monkeypatch.chdir(own.parent)
    monkeypatch.setattr(Settings, "root", None)
    own.rename(own.with_name("moved"))
    gone = companion("show")
    assert gone.status == 2
    assert str(own) in gone.err and "--project" in gone.err
    assert companion("--project", str(own.with_name("moved")), "--trust", "show").status == 0


def test_a_downloaded_module_does_not_run_before_it_is_trusted(
    companion: Companion, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = stranger(own, monkeypatch)
    ran = other / "ran"
    file = module(other)
    file.write_text(f"open({str(ran)!r}, 'w').close()\n" + file.read_text("utf-8"), "utf-8")
    refused = companion("new", "fief-drift", "ana", "bo")
    assert refused.status == 2
    assert str(file) in refused.err and "--trust" in refused.err
    assert pnp(["check"]) == 0
    assert not ran.exists()
    assert companion("--trust", "new", "fief-drift", "ana", "bo").status == 0
    assert ran.exists()
    assert companion("do", "turn paper").status == 0  # it is remembered


def test_a_changed_module_of_a_stranger_is_asked_about_again(
    companion: Companion, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = stranger(own, monkeypatch)
    assert companion("--trust", "new", "fief-drift", "ana", "bo").status == 0
    with module(other).open("a") as stream:
        stream.write("# changed\n")
    assert companion("show").status == 2


def test_a_compiled_copy_beside_the_module_never_runs(
    companion: Companion, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import py_compile

    evil = own / "evil.py"
    evil.write_text("raise SystemExit('ran')\n", "utf-8")
    package = own / "rules" / "fief_drift"
    package.mkdir()
    module(own).rename(package / "__init__.py")
    (package / "names.py").write_text("WORD = 1\n", "utf-8")
    with (package / "__init__.py").open("a") as stream:
        stream.write("from .names import WORD\nassert WORD == 1\n")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for name in ("__init__", "names"):
        target = package / "__pycache__" / f"{name}.{__import__('sys').implementation.cache_tag}.pyc"
        py_compile.compile(str(evil), cfile=str(target), invalidation_mode=mode)
    assert companion("--trust", "new", "fief-drift", "ana", "bo").status == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(self, game: Any)", "(self, game: Any", ":LINE: the rules module of this game failed: SyntaxError"),
        ("__init__(game)", "__init__(gmae)", "the rules module of this game failed: NameError"),
        ("rules = FiefDrift", "ruls = FiefDrift", "has no function `rules(resolved)`"),
    ],
)
def test_a_fault_in_ones_own_module_is_ones_own(companion: Companion, own: Path, old: str, new: str, said: str) -> None:
    file = module(own)
    text = file.read_text("utf-8").replace(old, new)
    file.write_text(text, "utf-8")
    failed = companion("--trust", "new", "fief-drift", "ana", "bo")
    assert failed.status in (1, 2)
    line = text[: text.index(new)].count("\n") + 1
    assert said.replace("LINE", str(line)) in failed.err and str(file) in failed.err
    assert "bug in the program" not in failed.err


def test_a_fault_in_a_move_says_file_and_line_and_debug_shows_more(
    companion: Companion, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = module(own)
    file.write_text(file.read_text("utf-8").replace('at["walk.goal"]', 'at["walk.gaol"]'), "utf-8")
    companion("new", "fief-drift", "ana", "bo")
    failed = companion("do", "turn paper")
    assert failed.status == 1
    line = next(i for i, text in enumerate(file.read_text("utf-8").splitlines(), 1) if "gaol" in text)
    assert f"{file}:{line}: the rules module of this game failed: there is no parameter 'walk.gaol'" in failed.err
    assert "Traceback" in companion("--debug", "do", "turn paper").err
    assert companion("log").out.count("\n") == 2  # nothing was recorded


def test_a_fault_met_while_a_slip_is_answered_is_told_too(companion: Companion, own: Path) -> None:
    """The lines most like the one typed are legal moves, so that the module runs once more for the answer."""
    companion("new", "fief-drift", "ana", "bo")
    file = module(own)
    text = file.read_text("utf-8")
    file.write_text(
        text.replace("        if self.card and at.state", "        if not self.nothing and at.state"), "utf-8"
    )
    failed = companion("do", "turn papper moon")
    assert failed.status == 1
    assert "the rules module of this game failed: AttributeError" in failed.err and "Traceback" not in failed.err


@pytest.mark.parametrize("engine", ["../outside", "os.path", "a/b", "-"])
def test_no_module_outside_the_folder_is_found(companion: Companion, own: Path, engine: str) -> None:
    (own / "outside.py").write_text("raise SystemExit('ran')\n", "utf-8")
    game = own / "components" / "fief-drift" / "game.yaml"
    game.write_text(game.read_text("utf-8").replace('"fief_drift"', f'"{engine}"'), "utf-8")
    refused = companion("--trust", "new", "fief-drift", "ana", "bo")
    assert refused.status == 2
    assert "no rules module" in refused.err


def test_a_link_out_of_the_project_is_not_followed(companion: Companion, own: Path) -> None:
    outside = own.parent / "outside.py"
    module(own).rename(outside)
    module(own).symlink_to(outside)
    refused = companion("--trust", "new", "fief-drift", "ana", "bo")
    assert refused.status == 2
    assert "leads out of the project" in refused.err


def test_a_table_says_that_the_files_have_changed(companion: Companion, own: Path) -> None:
    companion("new", "fief-drift", "ana", "bo")
    assert companion("do", "turn paper").err == ""
    game = own / "components" / "fief-drift" / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("value: 12", "value: 3"), "utf-8")
    told = companion("show")
    assert "! the files of this game have changed; this table keeps its rules until `companion migrate`" in told.err
    assert companion("migrate").status == 0
    assert companion("show").err == ""


@pytest.mark.parametrize(("answer", "now", "changed"), [("mine", True, True), ("y", True, False), ("", False, False)])
def test_a_module_may_be_trusted_as_it_is_or_whatever_becomes_of_it(
    own: Path, monkeypatch: pytest.MonkeyPatch, answer: str, now: bool, changed: bool
) -> None:
    other = stranger(own, monkeypatch)
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(common, "sys", SimpleNamespace(stdin=terminal, stderr=terminal))
    monkeypatch.setattr("typer.prompt", lambda *_args, **_more: answer)

    def runs() -> bool:
        source = modules.find(other, "fief_drift")
        assert source is not None
        return common.allowed(source)

    assert runs() is now
    monkeypatch.setattr("typer.prompt", lambda *_args, **_more: "n")
    module(other).write_text("# changed\n", "utf-8")
    assert runs() is changed


def test_the_log_is_divided_by_phases_that_have_no_heading(companion: Companion) -> None:
    companion("new", "fief-drift", "ana", "bo")
    companion("do", "turn paper")
    assert "-- the walk\n" in companion("log").out


# --- the score pad ---------------------------------------------------------------------------------------------------


@pytest.fixture
def pad(own: Path, companion: Companion) -> Companion:
    without_rules(own)
    assert companion("new", "fief-drift", "ana=Anna", "bo", "cem").status == 0
    return companion


def test_a_game_without_rules_module_has_a_score_pad(pad: Companion) -> None:
    pad("do", "ana 5 for the harvest", "bo -2", "anna +1 tax", "next")
    done = pad("do", "anna grain 3", "Anna grain +2", "market: 12")
    assert done.status == 0
    state = json.loads(pad("show", "--json").out)["state"]
    assert state["active"] == "bo"
    assert state["counters"] == {"ana": {"grain": 5}, "bo": {}, "cem": {}}
    assert state["shared"] == {"market": 12}
    score = pad("score").out
    assert "1. Anna (ana): 6 points\n        5  the harvest: +5\n        1  tax: +1\n" in score
    assert pad("undo").out.startswith("undone: count market 12")


def test_the_lines_of_the_pad_can_be_typed_again(pad: Companion) -> None:
    pad("do", "ana 5 for the harvest", "grain by -2", "cem stone 4", "turn cem", "next", "end")
    lines = [row["text"] for row in json.loads(pad("log", "--json").out)["lines"]][1:]
    pad("new", "fief-drift", "ana=Anna", "bo", "cem", "--table", "again")
    assert pad("do", *lines).status == 0
    assert [row["text"] for row in json.loads(pad("log", "--json").out)["lines"]][1:] == lines
    assert "Anna won. The table ended the game." in pad("score").out


def test_turns_and_rounds(pad: Companion) -> None:
    out = pad("do", "next", "next", "next").out
    assert "round 2" in out and out.rstrip().endswith("Anna is next")


def test_rules_and_questions_need_no_module(pad: Companion) -> None:
    assert "has the most light" in pad("rule", "FD-WALK-2").out
    assert "FD-WALK-2" in pad("ask", "who wins").out


def test_the_pad_refuses_what_it_cannot_hold(pad: Companion) -> None:
    assert pad("do", "ana 9999999").status == 1
    assert pad("do", "dora 5 points").status in (0, 2)
    assert pad("new", "fief-drift", "ana", "--table", "one").status == 1


def test_a_position_of_the_pad(pad: Companion, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text("players: [ana, bo]\nscores: [{seat: ana, points: 7}]\n", "utf-8")
    assert pad("new", "fief-drift", "--position", str(file), "--table", "p").status == 0
    assert "1. ana: 7 points" in pad("score").out
    file.write_text("players: [ana, bo]\nscores: [{seat: dora, points: 7}]\n", "utf-8")
    assert pad("new", "fief-drift", "--position", str(file), "--table", "q").status == 2


# --- the whole game of the docs --------------------------------------------------------------------------------------


@pytest.fixture
def fen(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    """`docs/fen-roads` in a folder of its own."""
    shutil.copytree(ROOT / "docs" / "fen-roads", tmp_path / "fen")
    monkeypatch.chdir(tmp_path / "fen")
    monkeypatch.setattr(Settings, "root", None)
    return Companion(capsys, monkeypatch)


def test_the_game_of_the_docs_is_in_order_and_keeps_within_its_bounds(fen: Companion, capsys: Any) -> None:
    assert pnp(["check", "--trust-mine"]) == 0
    told = capsys.readouterr()
    assert "in order" in told.out
    assert "warning" not in told.err
    assert sum(path.is_file() for path in Path.cwd().rglob("*") if "__pycache__" not in path.parts) <= 25
    assert len(Path("rules/fen_roads.py").read_text("utf-8").splitlines()) < 250


def test_what_comes_up_is_asked_for_once_and_refused_otherwise(fen: Companion) -> None:
    fen("new", "ana", "bo", "--trust-mine")
    assert "next: Which card came up for the market?" in fen("show").out
    assert "first say what comes up: reveal" in fen("do", "ana draw").out
    assert fen("do", "eel", "turf", "thatch").status == 0
    refused = fen("do", "reveal eel")
    assert refused.status == 1
    assert "nothing has come up that asks for this: reveal" in refused.out
    assert "next: ana" in fen("show").out


def test_simulated_players_play_what_they_hold(fen: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "games: 1 ended" in fen("playtest", "--games", "1", "--bots", "greedy", "--trust-mine").out
    rules = common.rules_of("fen-roads", None, None)
    for players in ({}, {seat: bot("greedy", lambda move, thing: False) for seat in ("ana", "bo", "cem")}):
        played, not_held = plays(rules, players)
        assert played > 4 and not_held == 0
    dealer = dealing.dealer_of(rules)

    def any_card(_deal: Any, _at: Any, move: Any) -> list[dealing.Open]:
        return [dealing.Open(move.player, sorted(rules.cards), dealing.fills("card"))]

    monkeypatch.setattr(dealer, "choices", dict.fromkeys(dealer.choices, any_card))
    monkeypatch.setattr(dealer, "spends", {})
    assert plays(rules, {})[1] > 0  # whoever does not look at the hand plays what lies in the pile


def plays(rules: Any, players: Any) -> tuple[int, int]:
    """How many cards were built with or discarded in a game of three, and how many of them were not in the hand."""
    game, played, not_held = Dealt.new(rules, 7), 0, 0
    game.make(rules.setup_move(["ana", "bo", "cem"], {}))
    for turn in range(2000):
        if rules.over(game.at.state):
            break
        move: Any = game.next(players, turn % 3)
        if move is None:
            continue
        from_hand = move.name in ("build", "discard")
        hand = [*game.dealer.hand("goods", move.player)] if from_hand else []
        if game.make(move).legal and from_hand:
            played += 1
            not_held += move.card not in hand
    return played, not_held


def test_a_module_that_fails_says_after_which_moves(fen: Companion, capsys: Any) -> None:
    place = Path("rules/fen_roads.py")
    place.write_text(
        place.read_text("utf-8").replace("market.index(self.card)]", "market.index(self.card) + 3]"), "utf-8"
    )
    assert pnp(["check", "--trust-mine"]) == 1
    told = capsys.readouterr().err
    assert "IndexError" in told
    assert 'the last of them {"event":"reveal"' in told
