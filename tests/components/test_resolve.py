"""A game resolves to the right texts, pieces and numbers; overlays and settings change what they name and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from components import yamlsource
from components.cache import encode_game
from components.checks import check_game, piece_place
from components.errors import DefinitionError, Problem, SetError
from components.kept import Kept
from components.loader import list_games, load
from components.model import Icon
from components.variants import parse_sets

AIDS = """\
set: aids
title: Aid
kind: aid
format: poker
face: card
pieces:
  - id: first
    name: First
    fields: {says: "{{ effect('cards/rain') }}", suns: "{{ copies('cards/sun') }}", n: 1}
  - id: second
    name: Second
"""


def texts(game: Any) -> dict[str, str]:
    return {rule.id: rule.text for rule in game.rules.values()}


def pieces(game: Any) -> dict[str, Any]:
    return {f"{piece.set}/{piece.id}": piece for piece in game.pieces}


def test_a_game_resolves_with_its_numbers_in_its_texts(orchard: Any) -> None:
    game = orchard.resolve()
    assert game.players == (2, 4)
    assert game.about == "Trees for 2 to 4 players."
    assert texts(game) == {
        "OR-SETUP-1": "Everybody takes 7 coins; the youngest player begins.",
        "OR-HARVEST-1": "A tree bears 3 fruits.",
        "OR-HARVEST-2": "A basket costs 2 coins.",
    }
    assert game.rulings[0].answer == "Three times 3 are 9."
    assert game.params["price.by_players"] == {2: 5, 3: 6, 4: 7}
    assert game.variant_names == {"wet": "Wet summer"}
    assert list_games(orchard.root) == ["orchard"]


def test_pieces_get_text_icons_copies_and_typed_fields(orchard: Any) -> None:
    cards = pieces(orchard.resolve())
    rain, sun = cards["cards/rain"], cards["cards/sun"]
    assert (rain.text, rain.copies, rain.back) == ("Every player takes 2 fruits and rests.", 2, "back")
    assert rain.icons == (Icon("all"), Icon("fruit", "2"))
    assert rain.fields == {"ink": "green", "price": 2, "note": "at least 3"}
    assert (sun.text, sun.copies) == ("Apple for pear. Takes 3 fruits.", 5)
    assert sun.icons == (Icon("apple"), Icon("arrow"), Icon("pear"), Icon("fruit", "3"))


def test_copies_follow_the_number_of_players(orchard: Any) -> None:
    assert pieces(orchard.resolve(players=2))["cards/sun"].copies == 3
    with pytest.raises(SetError, match="for 2 to 4"):
        orchard.resolve(players=5)


def test_rules_name_the_parameters_their_text_reads(orchard: Any) -> None:
    rules = orchard.resolve().rules
    assert rules["OR-HARVEST-1"].parameters == ("harvest.fruit",)
    assert rules["OR-HARVEST-2"].parameters == ("harvest.wet", "price.basket")


def test_texts_can_ask_for_effects_and_copies_of_pieces(orchard: Any) -> None:
    orchard.swap("rules.yaml", "Trees bear.", "\"{{ effect('cards/rain') }} {{ copies('cards') }} cards.\"")
    assert orchard.resolve().rules["OR-HARVEST-1"].reason == "Every player takes 2 fruits and rests. 7 cards."


def test_a_variant_changes_parameters_rules_and_pieces(orchard: Any) -> None:
    game = orchard.resolve(variants=["wet"])
    assert game.params["harvest.fruit"] == 4
    assert game.off == ["OR-SETUP-1"]
    assert texts(game)["OR-HARVEST-2"] == "A basket costs 2 coins and a towel."
    assert list(pieces(game)) == ["cards/rain", "cards/hail"]
    assert pieces(game)["cards/hail"].text == "Every player rests."


def test_variants_apply_in_order_after_what_they_extend(orchard: Any) -> None:
    orchard.write("variants/flood.yaml", "id: flood\ntitle: F\nabout: More.\nextends: [wet]\nparameters: {fruit: 5}\n")
    orchard.swap("game.yaml", "price.basket: {value: {fruit: 4", "price.basket: {value: {pears: 4")
    game = orchard.resolve(variants=["flood"])
    assert (game.params["harvest.fruit"], game.params["harvest.wet"]) == (5, True)
    assert orchard.resolve(variants=["flood", "wet"]).params["harvest.fruit"] == 5
    assert orchard.resolve(variants=["wet", "flood"]).params["harvest.fruit"] == 5


def test_a_variant_rewords_and_adds_rules(orchard: Any) -> None:
    rule = "{id: %s, title: T, text: New., origin: decided, section: Harvest, reason: R}"
    orchard.write(
        "variants/new.yaml",
        f"id: new\ntitle: N\nabout: A.\nrules:\n  - {rule % 'OR-HARVEST-1'}\n  - {rule % 'OR-HARVEST-9'}\n",
    )
    game = orchard.resolve(variants=["new"])
    assert list(game.rules) == ["OR-SETUP-1", "OR-HARVEST-1", "OR-HARVEST-2", "OR-HARVEST-9"]
    assert texts(game)["OR-HARVEST-1"] == texts(game)["OR-HARVEST-9"] == "New."


def test_modules_come_into_play_with_a_variant(orchard: Any) -> None:
    rule = "  - {id: OR-BEES-1, title: B, text: Bees., origin: given, section: Harvest, module: bees}\n"
    orchard.write("rules.yaml", (orchard.folder / "rules.yaml").read_text() + rule)
    orchard.write(
        "hives.yaml", "set: hives\ntitle: H\nkind: tile\nformat: t\nface: f\nmodule: bees\npieces: [{id: a, name: A}]\n"
    )
    orchard.write("variants/bees.yaml", "id: bees\ntitle: Bees\nabout: A.\nmodules: [bees]\n")
    assert "OR-BEES-1" not in orchard.resolve().rules
    assert "hives/a" not in pieces(orchard.resolve())
    game = orchard.resolve(variants=["bees"])
    assert "OR-BEES-1" in game.rules
    assert "hives/a" in pieces(game)


def test_texts_see_the_modules_in_play(orchard: Any) -> None:
    orchard.write("variants/bees.yaml", "id: bees\ntitle: Bees\nabout: A.\nmodules: [bees]\n")
    orchard.swap("cards.yaml", "copies: players + 1", "copies: \"0 if 'bees' in modules else players + 1\"")
    assert pieces(orchard.resolve())["cards/sun"].copies == 5
    assert pieces(orchard.resolve(variants=["bees"]))["cards/sun"].copies == 0


def test_a_rule_may_be_left_out_of_the_book_and_still_be_cited(orchard: Any) -> None:
    orchard.swap("rules.yaml", "    title: Harvest\n", "    title: Harvest\n    when: harvest.wet\n")
    dry, wet = orchard.resolve(), orchard.resolve(sets={"harvest.wet": True})
    assert (dry.rules["OR-HARVEST-1"].printed, wet.rules["OR-HARVEST-1"].printed) == (False, True)
    assert (dry.rulings[0].printed, wet.rulings[0].printed) == (False, True)
    assert dry.rules["OR-HARVEST-1"].text == wet.rules["OR-HARVEST-1"].text == "A tree bears 3 fruits."
    orchard.swap("rules.yaml", "when: harvest.wet", "when: harvest.wett")
    assert "harvest.wet" in orchard.problem().hint


def test_a_part_of_a_name_may_begin_with_a_sign(orchard: Any) -> None:
    orchard.swap("game.yaml", "  price.seed:", "  swap.-1: {value: 3, about: S.}\n  price.seed:")
    orchard.swap("rulings.yaml", "question: How many fruits?", "question: How many for {{ swap['-1'] }}?")
    assert check_game("orchard", orchard.root) == []
    assert orchard.resolve(sets=parse_sets(["swap.-1=4"])).rulings[0].question == "How many for 4?"


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ("harvest.fruit=5", "harvest.fruit", 5),
        ("harvest.wet=true", "harvest.wet", True),
        ("wet=true", "harvest.wet", True),
        ("basket.coins=9", "price.basket", {"fruit": 4, "coins": 9}),
        ("price.basket={coins: 9, fruit: 1}", "price.basket", {"fruit": 1, "coins": 9}),
        ("price={basket: {coins: 9}, seed: 2}", "price.basket", {"fruit": 4, "coins": 9}),
        ("by_players.3=1", "price.by_players", {2: 5, 3: 1, 4: 7}),
        ("by_players={4: 9}", "price.by_players", {2: 5, 3: 6, 4: 9}),
        ("seed=2", "price.seed", 2),
        ("first=oldest", "order.first", "oldest"),
        ("limit=6", "order.limit", 6),
        ("limit=null", "order.limit", None),
        ("steps=[4, 5]", "order.steps", [4, 5]),
        ("steps.1=7", "order.steps", [1, 7, 3]),
        ("ladder.cost={rope: 3}", "ladder.cost", {"rope": 3}),
        ("ladder.cost.wood=4", "ladder.cost", {"wood": 4}),
        ("ladder.cost.rope=2", "ladder.cost", {"wood": 1, "rope": 2}),
        ("ladder={cost: {}}", "ladder.cost", {}),
        ("rungs.1.rope=5", "ladder.rungs", [{"wood": 1}, {"rope": 5}]),
        ("rungs.0.rope=5", "ladder.rungs", [{"wood": 1, "rope": 5}, {"rope": 2}]),
        ("rungs.0={rope: 5}", "ladder.rungs", [{"rope": 5}, {"rope": 2}]),
        ("rungs=[{}, {}, {wood: 9}]", "ladder.rungs", [{}, {}, {"wood": 9}]),
        ("bonus.3=6", "ladder.bonus", {1: 2, 3: 6}),
        ("bonus.5=9", "ladder.bonus", {1: 2, 3: 5, 5: 9}),
        ("bonus={2: 2}", "ladder.bonus", {2: 2}),
        ('bonus={"2": 2, "4": 1}', "ladder.bonus", {2: 2, 4: 1}),
    ],
)
def test_set_changes_the_parameter_it_names(orchard: Any, given: str, name: str, value: Any) -> None:
    game = orchard.resolve(sets=parse_sets([given]))
    assert game.params[name] == value
    assert game.fingerprint != "" and game.sets


def test_set_comes_after_variants_and_is_noted_by_full_name(orchard: Any) -> None:
    game = orchard.resolve(variants=["wet"], sets=parse_sets(["harvest.fruit=6", "basket.coins=3"]))
    assert game.sets == {"harvest.fruit": 6, "price.basket.coins": 3}
    assert game.warnings == ["6 is a lot of fruit"]


def test_settings_come_one_after_the_other_and_leave_the_definition_alone(orchard: Any) -> None:
    orchard.write("variants/dear.yaml", "id: dear\ntitle: D\nabout: D.\nparameters: {rungs: [{rope: 7}]}\n")
    sets = parse_sets(["cost.rope=2", "ladder.cost={wood: 3}", "ladder.cost.rope=4", "rungs.0.wood=1"])
    for _ in range(2):
        game = orchard.resolve(variants=["dear"], sets=sets)
        assert game.params["ladder.cost"] == {"wood": 3, "rope": 4}
        assert game.params["ladder.rungs"] == [{"rope": 7, "wood": 1}]
    assert orchard.resolve().params["ladder.rungs"] == [{"wood": 1}, {"rope": 2}]


def test_a_rule_is_switched_by_set(orchard: Any) -> None:
    assert orchard.resolve(sets=parse_sets(["rules.OR-HARVEST-1=off"])).off == ["OR-HARVEST-1"]
    assert orchard.resolve(variants=["wet"], sets=parse_sets(["rules.OR-SETUP-1=on"])).off == []


@pytest.mark.parametrize(
    ("given", "code", "words", "hint"),
    [
        ("harvest.friut=5", "DEF-050", "no parameter 'harvest.friut'", "did you mean 'harvest.fruit'?"),
        ("friut=5", "DEF-050", "no parameter 'friut'", "did you mean 'fruit'?"),
        ("basket.coin=5", "DEF-050", "no parameter 'basket.coin'", "coins"),
        ("fruit=5", "DEF-051", "harvest.fruit, price.basket.fruit", "more of the name"),
        ("harvest.fruit=12", "DEF-052", "at most 9", ""),
        ("harvest.fruit=many", "DEF-052", "a whole number, found text 'many'", ""),
        ("harvest.fruit=2.5", "DEF-052", "a whole number, found the number 2.5", ""),
        ("harvest.wet=yes", "DEF-052", "one of true, false", ""),
        ("harvest.wet=1", "DEF-052", "one of true, false", ""),
        ("first=yungest", "DEF-052", "one of youngest, oldest", "did you mean 'youngest'?"),
        ("harvest.fruit=null", "DEF-052", "found nothing", ""),
        ("limit=0", "DEF-052", "at least 1", ""),
        ("steps=[a]", "DEF-052", "a list of whole numbers", ""),
        ("price.basket={plums: 1}", "DEF-050", "no entry 'plums'", "it has: fruit, coins"),
        ("harvest=3", "DEF-052", "stands for 2 parameters", "fruit, wet"),
        ("steps.3=7", "DEF-050", "'order.steps' has no entry '3'", "from 0 to 2"),
        ("steps.1=a", "DEF-052", "a whole number, found text 'a'", ""),
        ("ladder.cost.rop=2", "DEF-050", "'ladder.cost' cannot have an entry 'rop'", "did you mean 'rope'?"),
        ("ladder.cost.plums=2", "DEF-050", "cannot have an entry 'plums'", "its keys may be: wood, rope"),
        ("ladder.cost={plums: 2}", "DEF-052", "cannot have an entry 'plums'", "wood, rope"),
        ("ladder.cost={wood: 10}", "DEF-052", "at most 9", ""),
        ("ladder.cost.rope=ten", "DEF-052", "a whole number, found text 'ten'", ""),
        ("ladder.cost=[1]", "DEF-052", "is a mapping, found a list", ""),
        ("rungs=[{wood: 1}, {plums: 1}]", "DEF-052", "cannot have an entry 'plums'", ""),
        ("rungs=[{wood: many}]", "DEF-052", "a mapping to whole numbers, found text 'many'", ""),
        ("rungs.4={wood: 1}", "DEF-050", "has no entry '4'", "from 0 to 1"),
        ("bonus.two=2", "DEF-050", "cannot have an entry 'two'", "whole numbers"),
        ("bonus={two: 2}", "DEF-052", "cannot have an entry 'two'", "whole numbers"),
        ("rules.OR-HARVEST-7=off", "DEF-050", "no rule 'OR-HARVEST-7'", "OR-HARVEST-"),
        ("rules.OR-HARVEST-2=off", "DEF-066", "forbids nothing", "change what governs it: harvest.wet, price.basket"),
        ("rules.OR-HARVEST-1=maybe", "DEF-052", "`on` or `off`", ""),
    ],
)
def test_a_wrong_setting_is_refused_with_status_2(orchard: Any, given: str, code: str, words: str, hint: str) -> None:
    error = orchard.error(sets=parse_sets([given]))
    assert isinstance(error, SetError)
    assert (error.status, error.problems[0].code) == (2, code)
    assert words in error.problems[0].what
    assert hint in error.problems[0].hint


@pytest.mark.parametrize("given", ["harvest.fruit", "=3", "fruit=[1", "fruit=!!int 3", "fruit=&a [*a]"])
def test_a_setting_that_cannot_be_read_is_refused(given: str) -> None:
    with pytest.raises(SetError) as caught:
        parse_sets([given])
    assert caught.value.problems[0].code == "DEF-052"


def test_unknown_games_and_variants_are_status_2_with_the_nearest_name(orchard: Any) -> None:
    error = orchard.error(variants=["wett"])
    assert (error.status, error.problems[0].hint) == (2, "did you mean 'wet'?")
    from components.resolve import resolve_game

    for name in ("orchid", "../orchard", ""):
        with pytest.raises(DefinitionError) as caught:
            resolve_game(name, root=orchard.root)
        assert caught.value.status == 2
    with pytest.raises(DefinitionError, match="did you mean 'orchard'"):
        resolve_game("orchrad", root=orchard.root)


def test_the_fingerprint_follows_the_content(orchard: Any) -> None:
    first = orchard.resolve().fingerprint
    assert orchard.resolve().fingerprint == first
    orchard.write("game.yaml", "# a remark\n" + (orchard.folder / "game.yaml").read_text())
    orchard.write("variants/dry.yaml", "id: dry\ntitle: Dry\nabout: A.\n")
    assert orchard.resolve().fingerprint == first
    assert orchard.resolve(sets={"seed": 2}).fingerprint != first
    assert orchard.resolve(players=2).fingerprint != first
    orchard.swap("cards.yaml", "Drip.", "Drop.")
    assert orchard.resolve().fingerprint != first


def test_check_looks_at_every_variant_and_warns_of_unused_parameters(orchard: Any) -> None:
    assert check_game("orchard", orchard.root) == []
    orchard.swap("variants/wet.yaml", "harvest.fruit: 4", "harvest.fruit: 40")
    orchard.swap("game.yaml", "Weight of a seed., rules: [OR-SETUP-1]", "Weight of a seed.")
    found = check_game("orchard", orchard.root)
    assert [(p.file.split("/")[-1], p.severity, p.code) for p in found] == [
        ("game.yaml", "warning", "DEF-046"),
        ("wet.yaml", "error", "DEF-045"),
    ]
    orchard.resolve()  # a broken value in a variant does not stop the base game


def test_another_package_can_add_checks_in_their_place(orchard: Any) -> None:
    def faces(definition: Any, game: Any) -> list[Problem]:
        source, path = piece_place(definition, "cards", "sun")
        return [source.problem("DEF-010", "no such face", (*path, "name"))]

    [problem] = check_game("orchard", orchard.root, [faces])
    assert (problem.line, problem.column) == (17, 11)


def test_the_installed_games_are_sound() -> None:
    for name in list_games():
        assert [p for p in check_game(name) if p.severity == "error"] == []


def test_every_file_of_a_folder_is_read(orchard: Any) -> None:
    assert set(load("orchard", orchard.root).sources) == {
        "game.yaml", "rules.yaml", "rulings.yaml", "effects.yaml", "cards.yaml", "variants/wet.yaml",
    }  # fmt: skip
    (orchard.folder / "tiles.yml").write_text("set: tiles")
    problem = orchard.problem()
    assert (problem.code, problem.hint) == ("DEF-001", "rename the file")
    assert Path(problem.file).name == "tiles.yml"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("cards.yaml", "name: Rain", "name: Drizzle"),
        ("cards.yaml", 'note: "at least {{ harvest.fruit }}"', "note: 1.0"),
        ("aids.yaml", "n: 1}", "n: true}"),
        ("cards.yaml", "ink: green", "ink: blue"),
        ("cards.yaml", "gain: 2", "gain: 4"),
        ("cards.yaml", "copies: players + 1", "copies: players + 2"),
        ("game.yaml", "{value: 3, about: Fruit", "{value: 5, about: Fruit"),
        ("effects.yaml", 'phrase: "rests"', 'phrase: "sleeps"'),
        ("rules.yaml", "A basket costs", "Baskets cost"),
        ("aids.yaml", "Aid\nkind", "Help\nkind"),
    ],
)
def test_a_game_resolved_again_is_what_it_would_be_if_it_were_new(
    orchard: Any, file: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    orchard.write("aids.yaml", AIDS)
    kept = Kept()
    before = orchard.resolve(kept=kept)
    orchard.swap(file, old, new)
    again = orchard.resolve(kept=kept)
    assert encode_game(again) == encode_game(orchard.resolve())
    orchard.swap(file, new, old)
    assert encode_game(orchard.resolve(kept=kept)) == encode_game(before)


def test_what_is_at_fault_is_told_again_until_it_is_mended(orchard: Any) -> None:
    kept = Kept()
    good = orchard.resolve(kept=kept)
    orchard.swap("cards.yaml", "copies: players + 1", "copies: people + 1")
    for _ in range(2):
        assert [problem.what for problem in orchard.error(kept=kept).problems] == ["unknown name 'people'"]
    orchard.swap("cards.yaml", "copies: people + 1", "copies: players + 1")
    assert encode_game(orchard.resolve(kept=kept)) == encode_game(good)


def test_only_what_changed_is_worked_out_anew(orchard: Any) -> None:
    kept = Kept()
    before = pieces(orchard.resolve(kept=kept))
    orchard.swap("cards.yaml", "name: Rain", "name: Drizzle")
    after = pieces(orchard.resolve(kept=kept))
    assert after["cards/sun"] is before["cards/sun"] and after["cards/rain"].name == "Drizzle"
