"""A table: do, check, undo, redo, amend, correct, note, override; and that what was seen stays seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.engine.language.notation import read
from companion.engine.play.faults import PositionError
from companion.engine.play.lines import CannotHappen
from companion.engine.play.moves import Move
from companion.engine.table.amending import AmendKind, amend, before
from companion.engine.table.migrating import migrate
from companion.engine.table.people import seat
from companion.engine.table.table import Table, TableError
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def table(game: ResolvedGame, tmp_path: Path) -> Iterator[Table]:
    people = {"ana": "Mary", "bo": "", "cai": "Zed"}
    made, _ = Table.create(tmp_path / "t.db", game, load_rules, people=people)
    assert made is not None
    with made:
        yield made


def play(table: Table, *lines: str, passed: bool = False, override: str = "") -> None:
    for line in lines:
        outcome = table.do(table.read(line), line, passed=passed, override=override)
        assert outcome.done, (line, outcome.verdict)


def texts(table: Table) -> list[str]:
    return [line.text for line in table.log()]


def again(table: Table) -> Table:
    return Table.open(table.journal.path, load_rules)


@pytest.mark.parametrize("seat", ["", " ana", "a\u2028b", "Zoe\u0301", "\x1b[2J", "x" * 81])
def test_a_seat_has_a_name_that_can_be_kept(tmp_path: Path, seat: str) -> None:
    game = resolve_game("xarkant")
    with pytest.raises(TableError, match="the name of a seat"):
        Table.create(tmp_path / "t.db", game, load_rules, people={"red": "", seat: ""})
    assert not (tmp_path / "t.db").exists()


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ({"zoe": "Zoe"}, "'zoe' is not a seat of this table"),
        ({"red": "Ann", "blue": "ann"}, "two people are called 'ann'"),
    ],
)
def test_people_sit_at_seats_of_the_table(tmp_path: Path, people: dict[str, str], said: str) -> None:
    game = resolve_game("xarkant")
    rules = load_rules(game)
    state = rules.complete({"players": ["red", "blue"]})
    with pytest.raises(TableError, match=said):
        Table.create(tmp_path / "t.db", game, load_rules, people=people, start=state)


def test_a_new_table_begins_with_the_set_up(table: Table) -> None:
    assert texts(table) == ['setup seats=["ana", "bo", "cai"]']
    assert table.position.state.phase == "market"
    assert table.people == {"Mary": "ana", "Zed": "cai"}


def test_a_refused_set_up_leaves_no_table(game: ResolvedGame, tmp_path: Path) -> None:
    made, outcome = Table.create(tmp_path / "t.db", game, load_rules, people={"ana": ""})
    assert made is None
    assert outcome is not None
    assert [b.rule for b in outcome.verdict.reasons] == ["OR-SETUP-1"]
    assert list(tmp_path.iterdir()) == []


def test_check_records_nothing_and_do_records(table: Table) -> None:
    moves = table.read("ana pass")
    assert table.check(moves).verdict.legal
    assert len(table.history.lines) == 1
    assert table.do(moves, "ana pass").done
    assert again(table).history.lines[-1].text == "ana pass"


def test_a_refused_line_changes_nothing(table: Table) -> None:
    outcome = table.do(table.read("ana pick pear"), "ana pick pear")
    assert outcome.verdict.legal is False
    assert len(table.history.lines) == 1
    assert again(table).position.state == table.position.state


def test_a_left_out_choice_changes_nothing_and_is_asked(table: Table) -> None:
    play(table, "pass all")
    outcome = table.do(table.read("pick"))
    assert outcome.verdict.legal is None
    assert [(c.field, c.of) for c in outcome.verdict.needs] == [("fruit", "ana")]
    assert len(table.history.lines) == 2


def test_a_line_of_several_moves_is_recorded_whole_or_not_at_all(table: Table) -> None:
    play(table, "pass all", "pick pear")
    outcome = table.do(table.read("storm cai"), "storm cai")
    assert outcome.verdict.legal is False
    assert outcome.index == 1
    assert (outcome.events, outcome.steps) == ([], [])
    assert table.position.state.ladders["bo"] == 0
    play(table, "storm ana")
    assert table.position.state.raided == "ana"
    table.undo()
    assert table.position.state.coins["bo"] == 3


def test_passing_is_taken_as_said_only_with_the_flag(table: Table) -> None:
    moves = table.read("pick pear")
    assert table.check(moves).verdict.legal is False
    play(table, "pick pear", passed=True)
    assert [step["how"] for step in table.history.lines[-1].steps] == ["passed"] * 3 + ["said"]
    assert table.position.state.turn == "bo"


def test_a_choice_with_one_answer_is_presumed_and_recorded(table: Table) -> None:
    play(table, "pass all", "pick pear", "storm ana", "pick red apple")
    line = table.history.lines[-1]
    assert [(s["how"], s["move"]["action"]) for s in line.steps] == [("presumed", "lose"), ("said", "pick")]
    assert table.position.state.fruit["bo"] == {"Pear": 1, "Red Apple": 1}


def test_undo_redo_and_undo_again(table: Table) -> None:
    play(table, "ana pass", "bo pass")
    states = [table.position.state]
    assert table.undo() == "bo pass"
    assert table.undo() == "ana pass"
    with pytest.raises(TableError, match="nothing to undo"):
        table.undo()
    assert table.redo() == "ana pass"
    assert table.redo() == "bo pass"
    assert again(table).position.state == table.position.state == states[0]
    with pytest.raises(TableError, match="nothing to redo"):
        table.redo()


def test_after_something_new_an_old_line_is_had_back_by_its_entry(table: Table) -> None:
    play(table, "ana pass")
    entry = table.history.last
    table.undo()
    play(table, "bo pass")
    with pytest.raises(TableError):
        table.redo()
    assert table.again(entry).done
    assert texts(table)[1:] == ["bo pass", "ana pass"]
    with pytest.raises(TableError, match="has not been undone"):
        table.again(1)


def test_what_was_seen_stays_seen_after_an_undo(table: Table) -> None:
    play(table, "pass all", "pick pear", "pick red apple")
    table.undo()
    table.undo()
    first = table.do(table.read("pick golden plum"))
    assert [e.what for e in first.events if not e.rule] == [
        "the bag: Pear was seen there before the undo; now it is Golden Plum"
    ]
    second = table.do(table.read("pick red apple"))
    assert [e.what for e in second.events if not e.rule] == []
    assert table.history.lines[-2].remarks
    third = table.do(table.read("pick green apple"))
    assert [e.what for e in third.events if not e.rule] == []


def test_a_line_had_back_is_no_longer_to_be_remembered(table: Table) -> None:
    play(table, "pass all", "pick pear")
    table.undo()
    table.redo()
    assert [e for e in table.check(table.read("pick plum")).events if not e.rule] == []


def test_an_override_is_recorded_and_marked(table: Table) -> None:
    play(table, "pass all")
    play(table, "bo pick pear", override="bo was too quick")
    line = again(table).history.lines[-1]
    assert (line.override, [b["rule"] for b in line.broken], line.marked) == ("bo was too quick", ["OR-TURN-1"], True)
    assert table.position.state.fruit["bo"] == {"Pear": 1}


def test_an_override_of_a_legal_line_leaves_no_mark(table: Table) -> None:
    play(table, "ana pass", override="just in case")
    assert not table.history.lines[-1].marked


def test_what_cannot_have_happened_is_not_kept(table: Table) -> None:
    play(table, "pass all")
    with pytest.raises(CannotHappen):
        table.do(table.read("ladder 2"), override="we said so")
    with pytest.raises(CannotHappen, match="Pear is not there"):
        table.do(table.read("bo lose pear"), override="we said so")
    assert len(again(table).history.lines) == 2
    play(table, "pick pear")


def test_a_fault_of_ours_is_not_told_as_a_piece_that_is_missing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.games import orchard

    def apply(self: orchard.Pick, at: orchard.At) -> None:
        at.state.no_such_field  # noqa: B018

    play(table, "pass all")
    monkeypatch.setattr(orchard.Pick, "apply", apply)
    with pytest.raises(AttributeError):
        table.do(table.read("bo pick pear"), override="we said so")


def test_an_override_still_asks_for_what_was_left_out(table: Table) -> None:
    play(table, "pass all")
    assert table.do(table.read("bo pick"), override="too quick").verdict.legal is None


def test_a_log_that_is_read_on_is_the_one_that_is_read_anew(table: Table) -> None:
    def change(work: Callable[[], object]) -> None:
        work()
        assert table.log() == again(table).log()

    change(lambda: play(table, "pass all"))
    change(lambda: table.note("Zed fetches tea"))
    change(lambda: seat(table, {"ana": "Anna"}))
    change(lambda: seat(table, {"ana": "Annika"}, rename=True))
    change(table.undo)
    with again(table) as other:
        other.correct("coins.ana", 5, "found one under the table")
    change(table.refresh)
    change(table.undo)


def test_what_another_program_writes_is_read_under_the_rules_that_are_there(table: Table) -> None:
    play(table, "pass all")
    rules = table.rules
    with again(table) as other:
        other.note("Zed fetches tea")
    table.refresh()
    assert table.history.lines[-1].text == "Zed fetches tea" and table.rules is rules


def test_notes_and_corrections_stand_in_the_log(table: Table) -> None:
    table.note("Zed fetches tea")
    table.correct("coins.ana", 5, "found one under the table")
    log = again(table).log()
    assert [line.line.kind for line in log] == ["move", "note", "correct"]
    assert log[2].text == "correct coins.ana = 5"
    assert log[2].line.marked
    assert table.position.state.coins["ana"] == 5
    table.undo()
    assert table.position.state.coins["ana"] == 3


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("coyns.ana", 1, "unknown field 'coyns'; did you mean 'coins'"),
        ("coins.ana", "many", "expected a whole number, found text"),
        ("seats.7", "x", "seats is a list of 3"),
        ("turn.ana", 1, "turn is 'ana'"),
        ("coins.dora", 1, "coins.dora: dora is not at the table; at the table: ana, bo, cai"),
    ],
)
def test_a_wrong_correction_is_refused(table: Table, field: str, value: object, says: str) -> None:
    with pytest.raises(PositionError) as error:
        table.correct(field, value, "why")
    assert says in str(error.value)
    assert len(again(table).history.lines) == 1


def test_amend_replaces_a_line_and_judges_the_rest_again(table: Table) -> None:
    play(table, "pass all", "pick golden plum", "pick pear", "pick pear")
    done = amend(table, 3, "replace", before_read(table, 3, "pick pear"), "pick pear")
    assert done.done
    assert (done.stand, done.fallen) == (2, [])
    assert table.position.state.fruit == {"ana": {"Pear": 1}, "bo": {"Pear": 1}, "cai": {"Pear": 1}}
    assert again(table).position.state == table.position.state


def before_read(table: Table, number: int, line: str) -> list[Move]:
    return read(line, before(table, number, "drop"), people=table.people)


def test_amend_sets_aside_what_no_longer_stands_and_one_undo_takes_it_back(table: Table) -> None:
    play(table, "pass all", "pick pear", "pick golden plum", "pick red apple")
    whole, log = table.position.state, texts(table)
    done = amend(table, 3, "replace", before_read(table, 3, "pick golden plum"), "pick golden plum")
    assert [(f.number, f.line.text) for f in done.fallen] == [(4, "pick golden plum"), (5, "pick red apple")]
    assert done.fallen[0].why[0]["rule"] == "OR-DRAW-2"
    assert done.fallen[1].why[0]["rule"] == "OR-TURN-1"
    assert done.stand == 0
    assert len(again(table).history.fallen) == 2
    assert table.undo() == "amendment of line 3"
    assert (table.position.state, texts(table)) == (whole, log)
    assert table.redo() == "amendment of line 3"
    assert len(table.history.lines) == 3


def test_amend_drops_and_inserts(table: Table) -> None:
    play(table, "ana pass", "bo pass", "cai pass")
    assert amend(table, 3, "drop", []).stand == 1
    assert texts(table)[1:] == ["ana pass", "cai pass"]
    assert table.position.state.phase == "market"
    done = amend(table, 2, "insert", before_read(table, 2, "bo pass"), "bo pass")
    assert done.stand == 2
    assert texts(table)[1:] == ["bo pass", "ana pass", "cai pass"]
    assert table.position.state.phase == "turns"


def test_a_refused_amendment_changes_nothing(table: Table) -> None:
    play(table, "ana pass", "bo pass")
    done = amend(table, 3, "replace", before_read(table, 3, "ana pass"), "ana pass")
    assert not done.done
    assert done.outcome is not None
    assert done.outcome.verdict.reasons[0].rule == "OR-MARKET-2"
    assert texts(table)[1:] == ["ana pass", "bo pass"]
    for number in (0, 9, 1):
        with pytest.raises(TableError):
            amend(table, number, "drop", [])


def test_an_override_that_an_amendment_made_legal_loses_its_mark(table: Table) -> None:
    play(table, "ana pass", "bo pass")
    play(table, "ana pick pear", override="the market was over, they said")
    amend(table, 3, "insert", before_read(table, 3, "cai pass"), "cai pass")
    line = again(table).history.lines[-1]
    assert (line.text, line.marked, line.broken) == ("ana pick pear", False, [])


def test_what_was_presumed_is_presumed_anew_after_an_amendment(table: Table) -> None:
    play(table, "pass all", "pick pear", "storm ana", "pick red apple")
    assert amend(table, 3, "replace", before_read(table, 3, "pick green apple"), "pick green apple").done
    assert table.position.state.fruit["bo"] == {"Green Apple": 1, "Red Apple": 1}
    assert again(table).position.state == table.position.state


def test_a_table_keeps_its_rules_until_it_migrates(table: Table) -> None:
    play(table, "pass all", "ladder", "pick pear")
    dear = load_rules(resolve_game("orchard", root=TOY, sets={"ladder.cost": 3}))
    tried = migrate(table, dear, dry_run=True)
    assert (tried.stand, [(d.number, d.fallen) for d in tried.differ]) == (3, [(3, False)])
    assert tried.differ[0].why == [{"rule": "OR-LADDER-1", "why": "ana buys 1 ladder for 3 coins"}]
    assert again(table).position["ladder.cost"] == 2
    migrate(table, dear, dry_run=False)
    assert again(table).position["ladder.cost"] == 3
    assert table.position.state.coins["ana"] == 0
    table.undo()
    assert (table.position["ladder.cost"], table.position.state.coins["ana"]) == (2, 1)


def test_migration_sets_aside_what_is_no_longer_legal(table: Table) -> None:
    play(table, "pass all", "ladder", "pick pear")
    dearer = load_rules(resolve_game("orchard", root=TOY, sets={"ladder.cost": 4}))
    done = migrate(table, dearer, dry_run=False)
    assert [(d.number, d.fallen, d.why[0]["rule"]) for d in done.differ] == [(3, True, "OR-LADDER-1")]
    assert len(again(table).history.lines) == 3


@pytest.mark.parametrize("dry_run", [True, False])
def test_migration_names_a_card_that_is_no_longer_there(table: Table, game: ResolvedGame, dry_run: bool) -> None:
    play(table, "pass all", "pick pear", "pick golden plum")
    table.correct("fruit.ana.Pear", 1, "so it is")
    pieces = [piece for piece in game.pieces if piece.name != "Pear"]
    found = migrate(table, load_rules(replace(game, pieces=pieces, fingerprint="without pears")), dry_run=dry_run)
    assert next((row.number, row.text, row.why[0]["why"]) for row in found.differ if row.fallen) == (
        3,
        "ana pick Pear",
        "these rules do not have Pear",
    )
    assert table.rules.names("fruit") == again(table).rules.names("fruit")


def test_evidence_names_the_lines_that_showed_a_card(table: Table) -> None:
    play(table, "pass all", "pick golden plum", "pick pear")
    outcome = table.check(table.read("pick plum"))
    (breach,) = outcome.verdict.reasons
    assert breach.rule == "OR-DRAW-2"
    assert table.evidence(breach) == [3]


def test_a_table_may_begin_at_a_position(game: ResolvedGame, tmp_path: Path) -> None:
    rules = load_rules(game)
    start = rules.complete({"seats": ["x", "y"], "fruit": {"x": {"Pear": 3}}})
    made, _ = Table.create(tmp_path / "p.db", game, load_rules, people={"x": "", "y": ""}, start=start)
    assert made is not None
    assert made.position.state.fruit["x"] == {"Pear": 3}
    assert made.history.lines == []
    play(made, "pick red")
    assert again(made).position.state.bag == 8


def test_a_move_that_happened_by_itself_is_accepted_and_not_recorded(game: ResolvedGame, tmp_path: Path) -> None:
    rules = load_rules(game)
    start = rules.complete({"phase": "over", "bag": 0})
    made, _ = Table.create(tmp_path / "p.db", game, load_rules, people={"ana": "", "bo": ""}, start=start)
    assert made is not None
    outcome = made.do(made.read("done"), "done")
    assert (outcome.verdict.legal, outcome.verdict.done_already, made.history.lines) == (True, True, [])


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_done_the_journal_read_anew_is_the_table(table: Table, seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        at, lines = table.position, len(table.history.lines)
        kind = rng.choice(["do", "do", "do", "undo", "redo", "amend", "drop", "insert", "note", "correct"])
        try:
            if kind == "do":
                move = table.rules.propose(at, rng)
                table.do([move] if move else at.legal()[:1], override=rng.choice(["", "", "so it was"]))
            elif kind == "undo":
                table.undo()
            elif kind == "redo":
                table.redo()
            elif kind == "note":
                table.note("tea")
            elif kind == "correct":
                table.correct(f"coins.{rng.choice(at.seats)}", rng.randint(0, 9), "miscounted")
            else:
                how: AmendKind = "replace" if kind == "amend" else "drop" if kind == "drop" else "insert"
                number = rng.randint(1, lines)
                move = table.rules.propose(before(table, number, how), rng)
                amend(table, number, how, [move] if move and how != "drop" else at.legal()[:1])
        except (TableError, CannotHappen, ValueError):
            pass
        with again(table) as fresh:
            assert fresh.position.state == table.position.state
            assert fresh.history == table.history
