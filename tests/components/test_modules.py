"""Modules that are chosen: those of `game.yaml`, and those that variants bring; and what the box holds."""

from __future__ import annotations

from typing import Any

import pytest

from components.errors import DefinitionError, SetError
from components.model import ResolvedGame

STORM = "id: storm\ntitle: Storm\nabout: It blows.\nmodules: [wind]\nparameters: {harvest.fruit: 2}\n"
BOTH = "id: both\ntitle: Both\nabout: Everything.\nextends: [storm]\nmodules: [wind, hail]\n"


@pytest.fixture
def modular(orchard: Any) -> Any:
    """The orchard with the module `frost` in its `game.yaml`, and `wind` and `hail` brought by variants."""
    orchard.swap("game.yaml", "sections:", "modules: [base, frost]\nsections:")
    orchard.write("variants/storm.yaml", STORM)
    orchard.write("variants/both.yaml", BOTH)
    for module in ("frost", "wind", "hail"):
        orchard.write(
            f"{module}.yaml",
            f"set: {module}\ntitle: A\nkind: card\nformat: poker\nface: card\nmodule: {module}\n"
            f"pieces:\n  - {{id: {module}, name: A}}\n",
        )
    return orchard


def sets(game: ResolvedGame) -> set[str]:
    return {piece.set for piece in game.pieces}


def test_without_a_choice_the_modules_of_the_game_are_in_play(modular: Any) -> None:
    assert sets(modular.resolve()) == {"cards", "frost"}


def test_only_the_base_game(modular: Any) -> None:
    assert sets(modular.resolve(modules=["base"])) == sets(modular.resolve(modules=[])) == {"cards"}


def test_a_module_comes_with_the_variant_made_for_it(modular: Any) -> None:
    game = modular.resolve(modules=["wind"])
    assert sets(game) == {"cards", "wind"}
    assert (game.modules, game.variants, game.params["harvest.fruit"]) == (["base", "wind"], ["storm"], 2)


def test_a_module_that_only_a_larger_variant_brings(modular: Any) -> None:
    game = modular.resolve(modules=["hail", "frost"])
    assert sets(game) == {"cards", "frost", "wind", "hail"}
    assert game.variants == ["both"]


def test_modules_and_variants_together(modular: Any) -> None:
    game = modular.resolve(modules=["wind"], variants=["wet"])
    assert game.variants == ["storm", "wet"]
    assert game.params["harvest.fruit"] == 4


@pytest.mark.parametrize(("name", "hint"), [("widn", "did you mean 'wind'?"), ("x", "modules: frost, hail, wind")])
def test_a_module_that_is_not_there(modular: Any, name: str, hint: str) -> None:
    with pytest.raises(SetError) as caught:
        modular.resolve(modules=[name])
    [problem] = caught.value.problems
    assert (problem.code, problem.what, problem.hint) == ("DEF-068", f"there is no module '{name}'", hint)


def test_a_game_without_modules(orchard: Any) -> None:
    with pytest.raises(SetError) as caught:
        orchard.resolve(modules=["wind"])
    assert caught.value.problems[0].hint == "this game has none beside its base"


def test_the_box_holds_the_most_that_any_number_of_players_needs(orchard: Any) -> None:
    orchard.swap("cards.yaml", "copies: players + 1", "copies: 5 if players == 3 else 1")
    copies = {players: orchard.resolve(players=players).pieces[1].copies for players in (None, 2, 3, 4)}
    assert copies == {None: 5, 2: 1, 3: 5, 4: 1}


def test_a_fault_in_the_copies_is_told_once(orchard: Any) -> None:
    orchard.swap("cards.yaml", "copies: players + 1", "copies: plyaers + players")
    assert orchard.problem().code == "DEF-020"


def test_a_variant_takes_a_module_out(modular: Any) -> None:
    modular.write("variants/mild.yaml", "id: mild\ntitle: Mild\nabout: No frost.\nremove_modules: [frost]\n")
    assert sets(modular.resolve(variants=["mild"])) == {"cards"}
    assert sets(modular.resolve(variants=["mild", "storm"])) == {"cards", "wind"}
    modular.write("variants/mild.yaml", "id: mild\ntitle: Mild\nabout: No frost.\nremove_modules: [forst]\n")
    with pytest.raises(DefinitionError) as error:
        modular.resolve(variants=["mild"])
    (fault,) = error.value.problems
    assert (fault.code, fault.file.endswith("variants/mild.yaml"), fault.line) == ("DEF-044", True, 4)
    assert fault.hint == "did you mean 'frost'?"
