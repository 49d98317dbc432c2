"""The files of caches: entries are read one by one, and damage counts as missing."""

from __future__ import annotations

from pathlib import Path

from generator.build.archive import Archive, write_archive

ENTRIES: dict[str, bytes | None] = {"a": b"one", "b": b"", "c": b"three" * 1000}


def written(tmp_path: Path) -> Archive:
    write_archive(tmp_path / "file", b"about", Archive(None), ENTRIES)
    return Archive(tmp_path / "file")


def test_what_was_written_is_read(tmp_path: Path) -> None:
    archive = written(tmp_path)
    assert archive.about == b"about" and list(archive) == list(ENTRIES)
    assert {key: archive.get(key) for key in archive} == ENTRIES
    assert archive.get("d") is None and "d" not in archive


def test_a_file_that_is_not_there_is_empty(tmp_path: Path) -> None:
    for archive in (Archive(None), Archive(tmp_path / "none"), Archive(tmp_path)):
        assert archive.about == b"" and not list(archive)


def test_entries_are_taken_over(tmp_path: Path) -> None:
    old = written(tmp_path)
    write_archive(tmp_path / "file", b"new", old, {"c": None, "d": b"four", "lost": None})
    archive = Archive(tmp_path / "file")
    assert archive.about == b"new" and {key: archive.get(key) for key in archive} == {"c": ENTRIES["c"], "d": b"four"}


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    written(tmp_path)
    file = tmp_path / "file"
    whole = file.read_bytes()
    for at in range(0, len(whole), 7):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        archive = Archive(file)
        found = {key: archive.get(key) for key in archive}
        lost = [key for key in ENTRIES if found.get(key) is None]
        assert lost and all(found[key] == ENTRIES[key] for key in ENTRIES if key not in lost)
        write_archive(file, b"", archive, {key: None for key in archive})  # noqa: C420
        assert all(Archive(file).get(key) in (None, ENTRIES[key]) for key in ENTRIES)
    for size in range(0, len(whole), 97):
        file.write_bytes(whole[:size])
        archive = Archive(file)
        assert all(archive.get(key) in (None, ENTRIES[key]) for key in ENTRIES)
