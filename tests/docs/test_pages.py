"""The pages of docs/: what is made from the program is current, and what is written by hand is true to it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from companion import rules as rules_door
from companion.engine.language import notation, saying
from companion.engine.play.position import Rules
from companion.lab import dealing
from components.scene import read_scene
from generator.faces.compiler import KINDS
from generator.faces.ornaments import ORNAMENTS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
LARGEST_PICTURE = 250_000


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = _script("generate")
ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")


# --- generated pages ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    pages: dict[str, str] = generate.pages()
    return pages


def test_generated_pages_are_current(made: dict[str, str]) -> None:
    def told(text: str) -> str:
        return re.sub(r"base64,[^\"]+", "", text)  # how a picture is packed depends on the machine

    stale = [
        name
        for name, text in made.items()
        if not (DOCS / name).is_file() or told((DOCS / name).read_text(encoding="utf-8")) != told(text)
    ]
    assert not stale, f"run `make docs`: {', '.join(stale)} not current"


def test_no_page_is_left_of_what_is_no_longer_made(made: dict[str, str]) -> None:
    left = [page.name for page in DOCS.glob("*.md") if generate.BY_HAND in page.read_text() and page.name not in made]
    drawn = [f"pictures/elements/{file.name}" for file in (DOCS / "pictures" / "elements").iterdir()]
    assert not left and not set(drawn) - set(made)


def test_the_reference_of_the_engine_has_a_place_for_every_name() -> None:
    """For whatever a rules module imports: from the door, and from what deals hidden hands."""
    headings = set(re.findall(r"^### (\w+)$", (DOCS / "engine-reference.md").read_text("utf-8"), re.M))
    hands = {"Dealer", "Hand", "Open", "held", "fills", "adds"}
    assert headings == {*rules_door.__all__, *hands} and hands <= set(dealing.__all__)
    imports = re.compile(r"^from (companion\S+) import (.+)$", re.M)
    named = {
        (place, name)
        for page in [*DOCS.glob("*.md"), *DOCS.glob("fen-roads/**/*.py")]
        for place, names in imports.findall(page.read_text("utf-8"))
        for name in names.split(", ")
    }
    assert {name for place, name in named if place == "companion.rules"} <= headings


def test_the_tutorial_is_short() -> None:
    """At most 6 commands to an own card on paper, 20 to a game that is followed with hidden hands."""
    text = (DOCS / "tutorial.md").read_text("utf-8")
    typed = [
        (block.start(), line)
        for block in re.finditer(r"^```(console|sh)\n(.*?)^```$", text, re.M | re.S)
        for line in block[2].splitlines()
        if block[1] == "sh" or line.startswith("$ ")
    ]
    to_paper, to_hands = (text.index(place) for place in ("pnp printed", "companion playtest"))
    assert 2 <= sum(at < to_paper - len("```sh\n") for at, _ in typed) <= 6, typed
    assert sum(at < to_hands for at, _ in typed) <= 20, typed


def test_every_element_and_ornament_has_a_picture() -> None:
    shown = generate.examples()
    assert set(KINDS) - set(shown["elements"]) == {"anchor", "ornament", "part"}, "which draw nothing of their own"
    assert set(shown["ornaments"]) == set(ORNAMENTS)


def test_every_command_shows_an_example() -> None:
    for program, names in generate.command_names().items():
        for name in names:
            text = generate.help_text(program, name)
            assert "Example" in text, f"{program} {name}"
            shown = text.partition("Example")[2]
            assert f"{program} {name}" in " ".join(shown.split()), (
                f"{program} {name}: its example is of another command"
            )


@pytest.mark.parametrize("rules", list(generate.followed_games()), ids=lambda rules: rules.game.id)
def test_every_example_line_is_read_as_its_move(rules: Rules) -> None:
    at = generate.example_position(rules)
    for name, kind in rules.moves.items():
        assert kind.example, f"{name} has no example"
        assert kind.words, f"{name} has no words"
        move = generate.read_example(kind, at)
        assert type(move) is kind
        assert notation.read(saying.explicit(move), at) == [move]


@pytest.mark.parametrize("rules", list(generate.followed_games()), ids=lambda rules: rules.game.id)
def test_defaults_of_positions_are_documented(rules: Rules) -> None:
    page = generate.positions_page(rules)
    for field in rules.state.__struct_fields__:
        assert f"| `{field}` |" in page
    for default in rules.form.defaults if hasattr(rules, "form") else ():
        assert default.words in page, default.path


# --- the language of face templates ------------------------------------------------------------------------------


def named_in(heading: str) -> list[str]:
    """The names in the first column of the table with that heading."""
    text = (DOCS / "face-templates.md").read_text(encoding="utf-8")
    table = text.partition(heading)[2].partition("\n\n")[0].splitlines()[2:]
    return [line.split("|")[1].strip().strip("`") for line in table]


def test_face_templates_are_described_with_the_keys_and_ornaments_there_are() -> None:
    """That their arguments are described too is tested beside the elements."""
    assert sorted(named_in("| drawing key | arguments |")) == sorted(KINDS)
    assert sorted(named_in("| kind | arguments | |")) == sorted(ORNAMENTS)


# --- pages written by hand ---------------------------------------------------------------------------------------


def test_every_module_that_is_named_exists() -> None:
    modules = [f"/{path.relative_to(ROOT)}" for path in ROOT.rglob("*.py") if ".venv" not in path.parts]
    for name in set(re.findall(r"`([\w/]+\.py)`", ARCHITECTURE)):
        assert any(module.endswith(f"/{name}") for module in modules), name


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.is_file(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(file), f"{page.name}: {target}"


def test_every_page_is_linked() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [
        page.name for page in DOCS.glob("*.md") if f"{page.name})" not in text and f"{page.name}#" not in text
    ] == []


def test_pictures_are_small_and_shown_somewhere() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for picture in (DOCS / "pictures").glob("*.png"):
        assert picture.stat().st_size <= LARGEST_PICTURE, picture.name
        assert f"pictures/{picture.name}" in text, f"{picture.name} is shown nowhere"


@pytest.mark.parametrize(("scene", "game"), [("land", "xarkant"), ("land-drawn", "xarkant"), ("board", "dynasties")])
def test_the_pictured_table_is_the_one_that_readme_types(scene: str, game: str) -> None:
    said, _ = read_scene(DOCS / "scenes" / f"{scene}.yaml")
    assert said.table is not None
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    typed = readme.partition(f"$ companion new {game} ")[2].partition("```")[0]
    seats = dict(re.findall(r"(\w+)=(\w+)", typed.partition(" --table")[0]))
    commands = re.findall(r"^\$ companion do (.+)$", typed, re.M)
    lines = [line for command in commands for line in re.findall(r'"(.+?)"', command)]
    names = {person.lower(): seat for seat, person in seats.items()}
    assert list(seats) == said.table.seats
    assert [" ".join(names.get(word, word) for word in line.split()) for line in lines] == said.table.lines
