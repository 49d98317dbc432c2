"""What `pnp check` says of a game in a folder of one's own: its rules module, its rulings, the examples of its book."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from generator.cli.main import main as pnp

BOOK = """
chapters:
  - title: A turn
    parts:
      - section: The walk
      - example:
          title: Light at last
          scene: {table: {position: {light: {ana: 1, bo: 0}}}}
          moves: [turn paper moon]
          expect: {light: {ana: 4}}
"""
RULING = """
rulings:
  - id: twice
    question: May the same card come up again?
    answer: Only as often as it was printed.
    rules: [FD-WALK-3]
    position: {seats: [ana, bo], seen: [Paper Moon, Paper Moon, Paper Moon]}
    moves: [{action: turn, card: Paper Moon}]
    legal: false
"""


def module(own: Path) -> Path:
    return own / "rules" / "fief_drift.py"


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def definitions(own: Path) -> Path:
    return own / "components" / "fief-drift"


def test_a_new_game_is_in_order(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pnp(["check"]) == 0
    assert capsys.readouterr().err == ""


NAMES = [
    ('"MY-WALK-3", card', '"MY-WALK-33", card', "there is no rule 'FD-WALK-33'", "'FD-WALK-3'"),
    ('"MY-WALK-2.gain", player', '"MY-WALK-2.gian", player', "FD-WALK-2 has no sentence with the key 'gian'", "'gain'"),
    ('"MY-WALK-2.pass"', '"MY-WALK-1.pass"', "FD-WALK-1 has no sentence with the key 'pass' under `says`", "write it"),
    (", card=self.card, n=n", ", n=n", "the sentence of FD-WALK-3 under `breaks` needs {card}", "“every"),
    ('at["walk.goal"]', 'at["walk.gaol"]', "there is no parameter 'walk.gaol'", "'walk.goal'"),
    ('at.enter("over")', 'at.enter("ovre")', "there is no phase 'ovre'", "'over'"),
    ('at.enter("over")', 'at.then("over")', "there is no step 'over'", "add it to `steps`"),
    ('at.enter("over")', 'at.owe(player, "trun")', "there is no move 'trun'", "'turn'"),
    ("    def forbidden(self, at: At)", "    def forbiden(self, at: At)", "nobody uses 'forbiden' of", "'forbidden'"),
    (
        "    def apply(self, at: At)",
        "    def crad_options(self, at: At)",
        "nobody calls 'crad_options'",
        "after a field of the move",
    ),
    ("at.state.light[who] -= n", "at.state.ligth[who] -= n", "State has no field 'ligth'", "'light'"),
    ("    example = ", "    exmaple = ", "nobody uses 'exmaple' of", "'example'"),
]


@pytest.mark.parametrize(("old", "new", "said", "hint"), NAMES)
def test_a_name_that_does_not_exist_is_found_without_being_played(
    own: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str, hint: str
) -> None:
    change(module(own), old.replace("MY-", "FD-"), new.replace("MY-", "FD-"))
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    line = next(i for i, text in enumerate(module(own).read_text("utf-8").splitlines(), 1)
                if new.replace("MY-", "FD-") in text)  # fmt: skip
    assert f"rules/fief_drift.py:{line}:" in err and said in err and hint in err


ANSWERS = [
    (
        "rules = FiefDrift",
        "def rules(game): FiefDrift(game)",
        "`rules` returned nothing; it has to return a",
    ),
    ("        return View(", "        return (", "`FiefDrift.view` returned a tuple; it has to return a View"),
    ("        return Ledger(", "        return dict(x=", "`FiefDrift.score` returned"),
    ("            yield at.breach", "            return at.breach", "`Turn.forbidden` returned nothing; `yield` each"),
    (
        "            yield at.breach",
        "            yield 1, at.breach",
        "`Turn.forbidden` yields a tuple, not `at.breach",
    ),
    (
        "    def view(",
        "    def names(self, set_name):\n        return None\n\n    def view(",
        "names` returned nothing; it has to return a list",
    ),
    (
        "light: Annotated[dict[SeatName, int], Each()] = {}",
        "light: dict[str, int] = []",
        "`State` begins with",
    ),
]


@pytest.mark.parametrize(("old", "new", "said"), ANSWERS)
def test_a_function_that_returns_something_else_is_named(
    own: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    text = module(own).read_text("utf-8")
    at = text.rindex(old) if "forbidden" in said else text.index(old)
    module(own).write_text(text[:at] + new + text[at + len(old) :], "utf-8")
    if "dict(x=" in new:
        change(module(own), 'dict(x="light", lines, ranking, ending=ending)', "dict(x=lines)")
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert "rules/fief_drift.py:" in err and said in err and "bug in the program" not in err


def test_an_exception_is_told_at_its_line(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(module(own), "card.effect", "card.efect")
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert "rules/fief_drift.py:" in err and "at.run(card.efect" in err and "has no attribute 'efect'" in err


def test_a_game_that_loses_pieces_is_found(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(module(own), "at.state.light[who] -= n", "at.state.light[who] -= n + 9")
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    broken = "rules/fief_drift.py:46:5: error DEF-064: moves made by chance break the game"
    assert f"{broken}: light.seat2: -9 is less than 0" in err
    assert '{"action":"turn","card":"Gust of Wind"}' in err


def test_a_game_without_a_way_on_is_found(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(module(own), 'at.enter("over")', "s.phase = 'walk'")
    assert pnp(["check"]) == 0
    assert "warning DEF-064: a game played by chance is stuck in" in capsys.readouterr().err


def test_a_game_that_is_stuck_says_what_its_moves_wait_for(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`forbidden` is asked about moves that are not complete, and one that forgets it forbids them all."""
    change(module(own), "if self.card and at.state.seen.count", "if not self.card or at.state.seen.count")
    change(module(own), '"FD-WALK-3", card=self.card, n=n', '"FD-WALK-3", card=self.card, n=0')
    assert pnp(["check"]) == 0
    err = capsys.readouterr().err
    assert "'turn' is refused before its `card` is set (`forbidden` is called then, too): every  has been turned" in err


def test_a_state_may_leave_a_list_or_a_mapping_open(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        module(own),
        "class State(msgspec.Struct):",
        "class State(msgspec.Struct):\n    shown: dict[str, int] | None = None",
    )
    assert pnp(["check"]) == 0, capsys.readouterr().err


def test_the_traceback_of_a_fault_in_a_module_can_be_seen(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(module(own), "s.seen.append(self.card)", "s.seen.append(self.card); {}['salt']")
    assert pnp(["check"]) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert pnp(["--debug", "check"]) == 1
    assert "KeyError: 'salt'" in capsys.readouterr().err


def test_the_rulings_of_a_game_are_played(own: Path, definitions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = definitions / "rulings.yaml"
    file.write_text(RULING, "utf-8")
    assert pnp(["check"]) == 0
    change(file, "legal: false", "legal: true")
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert "rulings.yaml:9:12: error DEF-074: ruling 'twice': the last move should be legal" in err
    assert "every Paper Moon has been turned over: there are 3 [FD-WALK-3]" in err
    change(file, "seen:", "sen:")
    assert pnp(["check"]) == 1
    assert "ruling 'twice': unknown field 'sen' at sen; did you mean 'seen'?" in capsys.readouterr().err


def test_the_examples_of_a_book_are_played_and_printed(
    own: Path, definitions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = definitions / "rulebook.yaml"
    file.write_text(BOOK, "utf-8")
    assert pnp(["check"]) == 0
    assert pnp(["rulebook", "--layout", "pages"]) == 0
    assert "left out" not in capsys.readouterr().err
    printed = (own / "output" / "fief-drift" / "rulebook-a4-pages.pdf").read_bytes()
    change(file, "ana: 4", "ana: 5")
    assert pnp(["rulebook"]) == 1
    assert "example “Light at last”: light.ana: expected 5, found 4" in capsys.readouterr().err
    change(file, "ana: 5", "ana: 4")
    (own / "rules" / "fief_drift.py").unlink()
    assert pnp(["rulebook", "--layout", "pages"]) == 0
    assert "left out: example “Light at last”: no rules module plays them" in capsys.readouterr().err
    assert (own / "output" / "fief-drift" / "rulebook-a4-pages.pdf").read_bytes() != printed


def test_an_example_is_left_out_aloud_where_the_rules_may_not_run(
    own: Path, definitions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (definitions / "rulebook.yaml").write_text(BOOK, "utf-8")
    (own.parent / "home" / "trusted.json").unlink()
    assert pnp(["rulebook"]) == 0
    err = capsys.readouterr().err
    assert "left out: example “Light at last”" in err and "run the command again with --trust" in err


def test_a_book_of_rules_of_ones_own_names_no_source(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pnp(["rulebook", "--layout", "pages", "--reasons"]) == 0
    with pypdfium2.PdfDocument(own / "output" / "fief-drift" / "rulebook-a4-pages.pdf") as book:
        text = " ".join(" ".join(page.get_textpage().get_text_range() for page in book).split())
    assert "Why these rules are as they are:" in text and "A diamond marks a rule whose reason is told" in text
    assert "this edition" not in text.partition("Fingerprint of")[0]


def test_a_scene_that_names_nothing_is_found(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(module(own), "    def score(self", '''    def scene(self, at: At) -> Any:
        from components.scene import Scene, Thing

        return Scene(pieces=[Thing(piece="lantern/papermoon") for _ in range(at.state.seen.count("Paper Moon"))])

    def score(self''')  # fmt: skip
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert "rules/fief_drift.py:" in err and "the scene: the game has no piece 'lantern/papermoon'" in err
    assert "did you mean 'lantern/paper-moon'" in err


def test_more_players_than_seats_deserve_a_warning(
    own: Path, definitions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(definitions / "game.yaml", "min_players:", "seats: [ana, bo]\nmin_players:")
    assert pnp(["check"]) == 0
    assert "warning DEF-075: up to 4 may play, and there are only 2 seats" in capsys.readouterr().err
