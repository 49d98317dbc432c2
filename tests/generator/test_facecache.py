"""When a face is taken to be another one: what its template reads decides, and a damaged cache is no cache."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from facekit import PARTS, game, items, layouts_in, piece, places, project

from components.loader import list_games
from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from generator.build.drawing import draw
from generator.build.facecache import FaceCache, FaceKeys, load_face
from generator.build.options import Job, Options
from generator.build.project import Layouts
from generator.faces import compiler
from generator.faces.dependencies import CONDITIONS
from generator.faces.facemaker import FaceMaker
from tests.generator.facekit import shipped

NAME = items('text: {box: [5, 5, 50, 9], style: body, value: "{{ piece.name }}"}')
OTHERS = (piece(id="one", name="One"), piece(id="two", name="Two"))
GAME = game(pieces=[piece(), *OTHERS])
Changed = dict[str, Any]


def text(value: str) -> str:
    return items(f"text: {{box: [5, 5, 50, 9], style: body, value: {value!r}}}")


def key(root: Path, card: str, of: ResolvedGame = GAME, number: int = 0, **files: str) -> str:
    """The key of a piece's face."""
    layouts = layouts_in(project(root, card, **files))
    return FaceKeys(of, layouts, "program", "normal", FaceCache(None, root)).key(of.pieces[number], "card")


OTHER_SET: Changed = {"pieces": [*GAME.pieces, piece(id="three", set="others")]}
OTHER_PIECE: Changed = {"pieces": [piece(), OTHERS[0], piece(id="two", name="Deux")]}
PARAMETER: Changed = {"params": {**GAME.params, "build.army_cost": 3}}
LIMIT: Changed = {"params": {**GAME.params, "hand.limit": 8}}
RULE: Changed = {"rules": {"D-1": msgspec.structs.replace(GAME.rules["D-1"], text="Pay 3.")}}
TITLE: Changed = {"title": "Another"}


@pytest.mark.parametrize("changed", [OTHER_PIECE, PARAMETER, RULE, TITLE], ids=["piece", "parameter", "rule", "title"])
@pytest.mark.parametrize(
    "template",
    [NAME, f"# where the pieces lie, see rules and game\n{NAME}", text("pieces rules game build.army_cost")],
    ids=["own piece", "a comment", "plain words"],
)
def test_what_a_template_does_not_read_leaves_its_faces_alone(template: str, changed: Changed, tmp_path: Path) -> None:
    assert key(tmp_path, template) == key(tmp_path, template, msgspec.structs.replace(GAME, **changed))


@pytest.mark.parametrize(
    ("template", "changed"),
    [
        (text("{{ pieces | length }} {{ pieces[2].name }}"), OTHER_PIECE),
        (items('{each: pieces, as: p, text: {box: [5, 5, 50, 9], style: body, value: "{{ p.name }}"}}'), OTHER_PIECE),
        (items("{if: \"pieces[2].name == 'Two'\", rect: {box: [0, 0, 1, 1], fill: ink}}"), OTHER_PIECE),
        (items("rows: {over: pieces, as: p, items: []}"), OTHER_PIECE),
        (text("{% for p in game.pieces %}{{ p.name }}{% endfor %}"), OTHER_PIECE),
        ("items:\n  - text:\n      value: |\n        # {{ pieces | length }}\n", OTHER_PIECE),
        (items('part: {name: all, with: {list: "{{ pieces }}"}}'), OTHER_PIECE),
        (items("part: every"), OTHER_PIECE),
        (items("part: '{{ piece.fields.shown }}'"), OTHER_PIECE),
        (text("Pay {{ build.army_cost }}."), PARAMETER),
        (text("Pay {{ build['army_cost'] }}."), PARAMETER),
        (text("Pay {{ params['build.army_cost'] }}."), PARAMETER),
        (text("{% for name in params %}{{ params[name] }}{% endfor %}"), PARAMETER),
        (items('polygon: {points: [["{{ build.army_cost }}", 0], [9, 9], [0, 9]], fill: ink}'), PARAMETER),
        (text("{{ hand[piece.id] }}"), LIMIT),
        (text("{{ rules['D-1'].text }}"), RULE),
        (text("{{ game.title }}"), TITLE),
    ],
)
def test_what_a_template_reads_is_part_of_the_key(template: str, changed: Changed, tmp_path: Path) -> None:
    parts = (
        PARTS
        + "all: {args: {list: null}, items: []}\n"
        + 'every: {items: [{each: pieces, text: {box: [0, 0, 9, 9], style: body, value: "{{ item.name }}"}}]}\n'
    )
    other = msgspec.structs.replace(GAME, **changed)
    assert key(tmp_path, template, parts=parts) != key(tmp_path, template, other, parts=parts)


def test_pieces_of_which_a_template_reads_the_same_have_one_face(tmp_path: Path) -> None:
    plain = msgspec.structs.replace(GAME, pieces=[piece(fields={"n": 1, "m": 1}), piece(id="one", fields={"n": 1})])
    for reads, alike in (
        ("{{ piece.name }}", True),
        ("{{ piece.fields.n }}", True),
        ("{{ piece['fields'].n }}", True),
        ("{{ piece.id }}", False),
        ("{{ piece.fields.m }}", False),
        ("{{ piece.fields | length }}", False),
        ("{% for n in piece.fields.items() %}{{ n }}{% endfor %}", False),
        ("{% set p = piece %}{{ p.name }}", False),
    ):
        first, second = (key(tmp_path, text(reads), plain, number) for number in (0, 1))
        assert (first == second) is alike, reads


def test_a_template_that_looks_at_one_set_depends_on_no_other(tmp_path: Path) -> None:
    def of_set(name: str) -> str:
        value = f"pieces | selectattr('set', 'equalto', '{name}') | list"
        return items(f'let: {{found: "{{{{ {value} }}}}"}}\nrect: {{box: [0, 0, 9, 9], fill: ink}}')

    other = msgspec.structs.replace(GAME, **OTHER_SET)
    here = GAME.pieces[0].set
    assert key(tmp_path, of_set(here)) == key(tmp_path, of_set(here), other)
    assert key(tmp_path, of_set("others")) != key(tmp_path, of_set("others"), other)
    both = text("{{ (pieces | selectattr('set', 'equalto', 'x') | list + pieces) | length }}")
    assert key(tmp_path, both) != key(tmp_path, both, other)


def test_every_key_that_the_compiler_reads_as_an_expression_is_known() -> None:
    source = Path(compiler.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'compile_condition\(\w+\["(\w+)"\]', source)) == set(CONDITIONS)
    assert source.count("compile_condition(") == len(CONDITIONS)


def test_templates_and_their_parts_count_but_not_their_comments(tmp_path: Path) -> None:
    card, other = items("part: {name: disc, with: {n: 1}}"), items("part: {name: disc, with: {n: 2}}")
    first = key(tmp_path, card)
    assert first != key(tmp_path, other)
    assert first != key(tmp_path, card, parts=PARTS.replace("width: 0.4", "width: 0.5"))
    assert first == key(tmp_path, f"# a card\n{card}", parts=f"# parts\n{PARTS}")
    assert first == key(tmp_path, card, parts=PARTS + "unused: {items: []}\n")


def everything(of: ResolvedGame) -> list[Changed]:
    """One thing after the other changed: other pieces, rules, title, parameters."""
    last = of.pieces[-1]
    rules = {name: msgspec.structs.replace(rule, text=f"{rule.text} Really.") for name, rule in of.rules.items()}
    numbers = [name for name, value in of.params.items() if type(value) is int]
    return [
        {"pieces": [*of.pieces[:-1], msgspec.structs.replace(last, name="Another", fields={})]},
        {"rules": rules},
        {"title": "Another", "seats": [*of.seats, "Another"]},
        *({"params": {name: of.params[name] + 1 for name in numbers[start::4]}} for start in range(4)),
    ]


def with_all(of: ResolvedGame, changes: Iterable[Changed]) -> ResolvedGame:
    """The game with all of these changes."""
    for change in changes:
        params = {**of.params, **change.get("params", {})}
        of = msgspec.structs.replace(of, **{**change, "params": params})
    return of


@pytest.mark.parametrize("name", list_games())
def test_a_face_whose_key_is_the_same_is_the_same(name: str) -> None:
    """In the games that come with the program: all changes that leave a key alone leave the face alone."""
    layouts, of = shipped(name), resolve_game(name)
    chosen = {(p.face, p.format): p for p in of.pieces}
    chosen |= {(p.back, p.format): p for p in of.pieces if p.back}

    cache = FaceCache(None, layouts.look.root)

    def keyed(game: ResolvedGame) -> dict[tuple[str, str], str]:
        keys = FaceKeys(game, layouts, "program", "normal", cache)
        return {known: keys.key(p, known[0]) for known, p in chosen.items()}

    def drawn(maker: FaceMaker, known: tuple[str, str]) -> Any:
        p = chosen[known]
        return maker.front(p) if p.face == known[0] else maker.back(p)

    before, first, changes = keyed(of), layouts.faces(of), everything(of)
    alone: dict[tuple[str, str], list[int]] = {known: [] for known in chosen}
    for n, change in enumerate(changes):
        for known, key in keyed(with_all(of, [change])).items():
            if before[known] == key:
                alone[known].append(n)
    alike: dict[tuple[int, ...], list[tuple[str, str]]] = {}
    for known, left in alone.items():
        alike.setdefault(tuple(left), []).append(known)
    for left, templates in alike.items():
        changed = with_all(of, (changes[n] for n in left))
        maker, keys = layouts.faces(changed), keyed(changed)
        for known in templates if left else ():
            assert keys[known] == before[known] and drawn(maker, known) == drawn(first, known), known
    assert any(alike), "no change leaves any face alone"


@pytest.mark.parametrize("name", list_games())
def test_what_a_face_does_not_depend_on_in_its_piece_does_not_change_it(name: str) -> None:
    layouts, of = shipped(name), resolve_game(name)
    keys = FaceKeys(of, layouts, "program", "normal", FaceCache(None, layouts.look.root))
    maker = layouts.faces(of)
    left_alone = 0
    for one in {(p.face, p.back, p.format): p for p in of.pieces}.values():
        for template in filter(None, (one.face, one.back)):
            same = one
            for changed in others(one):
                tried = msgspec.structs.replace(same, **changed)
                if keys.key(tried, template) == keys.key(one, template):
                    same = tried
            if same != one:
                left_alone += 1
                draw = maker.front if template == one.face else maker.back
                assert draw(same) == draw(one), (one.set, one.id, template)
    assert left_alone > 5


def others(one: ResolvedPiece) -> list[Changed]:
    """A piece with one thing changed after the other."""
    fields = [{"fields": {k: v for k, v in one.fields.items() if k != left}} for left in one.fields]
    words: list[Changed] = [{k: "Another"} for k in ("id", "name", "set_title", "kind", "text", "flavour", "rule")]
    return [*fields, *words, {"effect": ()}, {"icons": ()}, {"seat": ""}, {"copies": one.copies + 1}]


# --- damage ------------------------------------------------------------------------------------------------------


def faces(layouts: Layouts, root: Path, cache: Path) -> list[Any]:
    """The faces of the game, by way of a cache."""
    here = msgspec.structs.replace(places(root), cache=cache)
    job = Job(game=GAME, options=Options(out=root), places=here, program="program")
    return [load_face(face) for face in draw(job, layouts, GAME.pieces, "normal", lambda *_: None).faces.values()]


def test_a_damaged_cache_gives_the_same_faces(tmp_path: Path) -> None:
    layouts = layouts_in(project(tmp_path, NAME))
    right = faces(layouts, tmp_path, tmp_path / "cache")
    (file,) = (tmp_path / "cache" / "faces").iterdir()
    whole = file.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        for damaged in (whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole[:at]):
            file.write_bytes(damaged)
            assert faces(layouts, tmp_path, tmp_path / "cache") == right, at
            assert file.read_bytes() == whole, "the cache is written anew"


def test_a_changed_picture_is_drawn_again(tmp_path: Path) -> None:
    layouts = layouts_in(project(tmp_path, items("image: {file: art/moon.svg, box: [0, 0, 9, 9]}")))
    art = tmp_path / "art" / "moon.svg"
    art.parent.mkdir()
    found = []
    for r in (3, 4):
        moon = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="{r}"/></svg>'
        art.write_text(moon)
        found.append(faces(layouts, tmp_path, tmp_path / "cache"))
    assert found[0] != found[1]


def test_a_face_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layouts = layouts_in(project(tmp_path, NAME))
    faces(layouts, tmp_path, tmp_path / "cache")

    def again(self: object, drawn: ResolvedPiece) -> None:
        pytest.fail(f"{drawn.id} is drawn again")

    monkeypatch.setattr("generator.faces.facemaker.FaceMaker.front", again)
    faces(layouts, tmp_path, tmp_path / "cache")
