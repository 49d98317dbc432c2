"""`show --svg`, `--png` and `--pdf`: the table as a picture, drawn with the faces of the toy game."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Companion


def test_the_table_as_a_picture(friday: Companion, tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    shown = friday("show", "--svg", str(file))
    assert (shown.status, shown.err) == (0, f"wrote {file}\n") and shown.out.startswith("Orchard, table friday")
    drawn = file.read_text()
    assert "<title>3 farmers</title>" in drawn and list(tmp_path.glob(".table*")) == []
    alone = friday("show", "--svg", "-")
    assert (alone.out, alone.err) == (drawn, "")
    for kind, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert friday("show", f"--{kind}", str(tmp_path / f"table.{kind}")).status == 0
        assert (tmp_path / f"table.{kind}").read_bytes().startswith(begins)
    for other in (["--json"], ["--pdf", "-"]):
        both = friday("show", "--svg", "-", *other)
        assert both.status == 2 and "would both write to stdout; give --svg a file" in both.err + both.out


def test_a_picture_that_cannot_be_had_writes_nothing(
    friday: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = friday("show", "--svg", str(tmp_path / "no" / "x.svg"))
    assert missing.status == 2 and f"{tmp_path / 'no' / 'x.svg'}: No such file or directory" in missing.err
    (tmp_path / "folder").mkdir()
    assert friday("show", "--svg", str(tmp_path / "folder")).status == 2
    monkeypatch.setattr("companion.games.orchard.Orchard.scene", lambda self, at: None)
    none = friday("show", "--svg", str(tmp_path / "x.svg"), "--position-out", str(tmp_path / "x.yaml"))
    assert none.status == 2 and "has no picture" in none.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "home"]
