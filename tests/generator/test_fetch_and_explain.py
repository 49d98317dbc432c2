"""Published tables kept as files; codes explained; what an editor needs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import jsonschema
import pytest

from components.resolve import resolve_game
from components.yamlsource import read_yaml
from generator.build import fetching
from generator.cli import main as cli

GAME = "lantern-walk"
CSV = b"id,Name,Rule,Tint\nmoon,Moon,LW-WALK-2,gold\n"
SET = """set: lantern
title: Lantern
kind: card
format: poker
face: card
back: card-back
field_types: {{tint: text}}
rows: cards.csv
link: {link}
"""


@pytest.fixture
def published() -> Iterator[dict[str, bytes]]:
    """What a web server answers, by path; `""` is its address."""
    pages: dict[str, bytes] = {"/cards.csv": CSV, "/page": b"<!DOCTYPE html><html></html>", "/book": b"PK\x03\x04..."}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path in pages else 404)
            self.end_headers()
            self.wfile.write(pages.get(self.path, b""))

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages[""] = f"http://127.0.0.1:{server.server_port}".encode()
    yield pages
    server.shutdown()
    server.server_close()


def link(project: Path, address: str) -> Path:
    folder = project / "components" / GAME
    (folder / "lanterns.yaml").write_text(SET.format(link=address), "utf-8")
    return folder / "cards.csv"


def pnp(project: Path, *words: str) -> int:
    return cli.main(["--project", str(project), *words])


def test_what_was_fetched_is_told_to_programs(
    project: Path, published: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    address = f"{published[''].decode()}/cards.csv"
    link(project, address)
    assert cli.main(["fetch", GAME, "--json"]) == 0
    row = {"file": f"components/{GAME}/cards.csv", "link": address, "changed": True}
    assert json.loads(capsys.readouterr().out) == {"tables": [row]}


def test_a_published_table_is_kept_as_a_file(
    project: Path, published: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    file = link(project, published[""].decode() + "/cards.csv")
    assert pnp(project, "check") == 1
    assert "`pnp fetch` gets it" in capsys.readouterr().err
    assert pnp(project, "fetch") == 0
    assert f"components/{GAME}/cards.csv: new" in capsys.readouterr().out
    assert file.read_bytes() == CSV
    assert [piece.id for piece in resolve_game(GAME, root=project).pieces] == ["moon"]
    stamp = file.stat().st_mtime_ns
    assert pnp(project, "fetch", GAME) == 0
    assert "as it was" in capsys.readouterr().out
    assert file.stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/page", "publish the sheet as CSV"),
        ("/book", "is a workbook"),
        ("/none", "cannot be read: "),
        ("", "https://"),
    ],
)
def test_what_is_no_table_leaves_the_file_as_it_was(
    project: Path, published: dict[str, bytes], capsys: pytest.CaptureFixture[str], path: str, said: str
) -> None:
    file = link(project, published[""].decode() + path if path else "ftp://evil.test/cards.csv")
    file.write_bytes(CSV)
    assert pnp(project, "fetch") == 2
    assert said in capsys.readouterr().err
    assert file.read_bytes() == CSV


def test_a_table_that_is_too_large(project: Path, published: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MAX_BOOK", 10)
    file = link(project, published[""].decode() + "/cards.csv")
    assert pnp(project, "fetch") == 2
    assert not file.exists()


def test_a_game_without_links(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pnp(project, "fetch") == 2
    assert "no set has a `link`" in capsys.readouterr().err


def test_codes_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "lay-033"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("LAY-033: off the piece\n")
    assert "runs off the piece" in told
    assert cli.main(["explain", "LAY-999"]) == 2
    assert "LAY-0" in capsys.readouterr().err
    assert cli.main(["explain"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n{code}  " in f"\n{listed}" for code in ("DEF-001", "LAY-033", "SCN-001"))


def test_a_new_game_has_what_an_editor_needs(home: Path) -> None:
    """Each of its files is in one schema's place, and that schema accepts it."""
    folder = home / "my-game"
    assert cli.main(["init", str(folder)]) == 0
    places = json.loads((folder / ".vscode/settings.json").read_text("utf-8"))["yaml.schemas"]
    for file in sorted(folder.rglob("*.yaml")):
        name = file.relative_to(folder).as_posix()
        fitting = [
            schema
            for schema, globs in places.items()
            if any(fnmatch(name, one) and name.count("/") == one.count("/") for one in globs if one[0] != "!")
            and not any(fnmatch(name, one[1:]) for one in globs if one[0] == "!")
        ]
        assert len(fitting) == 1, (name, fitting)
        schema = json.loads((folder / fitting[0]).read_text("utf-8"))
        jsonschema.validate(read_yaml(file).data, schema)
