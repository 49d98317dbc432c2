"""Resolved games in the cache equal fresh ones, follow every change, survive damage and stay few."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from components.cache import Cache, decode_game, encode_game, key
from components.checks import check_game
from components.resolve import resolve_game


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def kept(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def test_a_hit_equals_a_fresh_game(orchard: Any, folder: Path) -> None:
    options: dict[str, Any] = {"variants": ["wet"], "sets": {"basket.coins": 5}, "root": orchard.root, "players": 3}
    fresh = resolve_game("orchard", **options)
    first = resolve_game("orchard", cache_dir=folder, **options)
    [path] = kept(folder)
    before = path.read_bytes()
    hit = resolve_game("orchard", cache_dir=folder, **options)
    assert fresh == first == hit
    assert hit.params["price.by_players"] == {2: 5, 3: 6, 4: 7}
    assert path.read_bytes() == before


def test_real_games_survive_storage() -> None:
    game = resolve_game("warring-states")
    assert decode_game(encode_game(game)) == game


def test_a_hit_needs_neither_yaml_nor_jinja(orchard: Any, folder: Path) -> None:
    resolve_game("orchard", root=orchard.root, cache_dir=folder)
    code = (
        "import sys; from pathlib import Path; from components.resolve import resolve_game; "
        f"game = resolve_game('orchard', root=Path({str(orchard.root)!r}), cache_dir=Path({str(folder)!r})); "
        "print(game.title, 'yaml' in sys.modules, 'jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Orchard", "False", "False"]


def test_every_change_of_content_is_noticed(orchard: Any, folder: Path) -> None:
    def title(**options: Any) -> Any:
        return resolve_game("orchard", root=orchard.root, cache_dir=folder, **options)

    assert title().rules["OR-HARVEST-1"].text == "A tree bears 3 fruits."
    assert title(sets={"harvest.fruit": 1}).rules["OR-HARVEST-1"].text == "A tree bears 1 fruit."
    assert title(variants=["wet"]).rules["OR-HARVEST-1"].text == "A tree bears 4 fruits."
    orchard.swap("rules.yaml", "A tree bears", "Each tree has")
    assert title().rules["OR-HARVEST-1"].text == "Each tree has 3 fruits."
    orchard.write("variants/dry.yaml", "id: dry\ntitle: Dry\nabout: A.\n")
    assert "dry" in title().variant_names
    (orchard.folder / "cards.yaml").unlink()
    (orchard.folder / "variants" / "wet.yaml").unlink()
    assert title().pieces == []


def test_the_key_depends_on_all_that_is_asked_for(orchard: Any) -> None:
    asked: list[tuple[list[str], dict[str, Any], int | None]] = [
        ([], {}, None), (["wet"], {}, None), ([], {"a": 1}, None), ([], {"a": "1"}, None), ([], {"a": True}, None),
        ([], {}, 2), (["wet", "dry"], {}, None), (["dry", "wet"], {}, None),
    ]  # fmt: skip
    assert len({key(orchard.folder, *question) for question in asked}) == len(asked)


@pytest.mark.parametrize("damage", [b"", b"\x00", b"x" * 500, None])
def test_damaged_files_are_ignored_and_written_anew(orchard: Any, folder: Path, damage: bytes | None) -> None:
    game = resolve_game("orchard", root=orchard.root, cache_dir=folder)
    [path] = kept(folder)
    good = path.read_bytes()
    path.write_bytes(good[:-20] if damage is None else damage)
    assert resolve_game("orchard", root=orchard.root, cache_dir=folder) == game
    assert path.read_bytes() == good


def test_one_changed_byte_is_noticed(orchard: Any, folder: Path) -> None:
    game = resolve_game("orchard", root=orchard.root, cache_dir=folder)
    [path] = kept(folder)
    good = path.read_bytes()
    at = good.index(b"A tree bears")
    path.write_bytes(good[:at] + b"B" + good[at + 1 :])
    assert resolve_game("orchard", root=orchard.root, cache_dir=folder) == game


def test_a_cache_that_cannot_be_written_is_no_error(orchard: Any, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("here is no folder")
    assert resolve_game("orchard", root=orchard.root, cache_dir=blocked / "cache").title == "Orchard"


def test_broken_definitions_leave_nothing_behind(orchard: Any, folder: Path) -> None:
    orchard.swap("cards.yaml", "rest: true", "rset: true")
    with pytest.raises(Exception, match="unknown verb"):
        resolve_game("orchard", root=orchard.root, cache_dir=folder)
    assert kept(folder) == []


def test_what_was_checked_is_not_worked_out_again(orchard: Any, folder: Path) -> None:
    check_game("orchard", orchard.root, cache_dir=folder)
    [path] = kept(folder)
    before = path.read_bytes(), path.stat().st_ino
    assert resolve_game("orchard", root=orchard.root, cache_dir=folder) == resolve_game("orchard", root=orchard.root)
    check_game("orchard", orchard.root, cache_dir=folder)
    assert kept(folder) == [path] and (path.read_bytes(), path.stat().st_ino) == before


def test_the_oldest_games_go_first(orchard: Any, folder: Path) -> None:
    cache = Cache(folder)
    game = resolve_game("orchard", root=orchard.root)
    for i in range(6):
        cache.put(f"k{i}", game)
        os.utime(folder / f"k{i}.resolved", (i, i))
    (folder / ".old.part").write_bytes(b"")
    (folder / ".now.part").write_bytes(b"")
    os.utime(folder / ".old.part", (0, 0))
    cache.prune(keep=3)
    assert [path.name for path in kept(folder)] == [".now.part", "k3.resolved", "k4.resolved", "k5.resolved"]
