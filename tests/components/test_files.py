"""The one writer: whole files, below their folder, through no link, with nothing left behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from components import files
from components.files import UnsafePath, write_whole

CONTENT = b"whole"


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("sync", [False, True])
def test_a_file_is_written_with_its_folders_and_replaced(tmp_path: Path, sync: bool) -> None:
    file = tmp_path / "a" / "b" / "file.txt"
    write_whole(file, b"old", below=tmp_path, sync=sync)
    write_whole(file, CONTENT, below=tmp_path, sync=sync)
    assert file.read_bytes() == CONTENT
    assert names(tmp_path) == ["a", "a/b", "a/b/file.txt"]


@pytest.mark.parametrize("name", ["../file", "a/../../file", "a/../file", "..", "", "nul\0byte"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(UnsafePath):
        write_whole(folder / name, CONTENT, below=folder)
    assert names(tmp_path) == ["folder"]


def test_an_absolute_name_is_refused(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    with pytest.raises(UnsafePath, match="outside"):
        write_whole(folder / str(elsewhere), CONTENT, below=folder)
    assert names(tmp_path) == []


def test_without_a_folder_to_stay_below_none_is_made(tmp_path: Path) -> None:
    file = tmp_path / "missing" / "file"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(file, CONTENT)
    assert caught.value.filename == str(file) and names(tmp_path) == []


def test_no_link_below_the_folder_is_followed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "link").symlink_to(elsewhere)
    (folder / "dangling").symlink_to(tmp_path / "new")
    for name in ("link/file", "dangling/file"):
        with pytest.raises(UnsafePath, match="link"):
            write_whole(folder / name, CONTENT, below=folder)
    assert names(elsewhere) == [] and not (tmp_path / "new").exists()


def test_the_folder_itself_may_be_reached_by_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    write_whole(tmp_path / "link" / "file", CONTENT, below=tmp_path / "link")
    assert (real / "file").read_bytes() == CONTENT


def test_a_link_a_folder_or_a_device_of_that_name_is_left_alone(tmp_path: Path) -> None:
    target, folder, pipe = tmp_path / "target", tmp_path / "folder", tmp_path / "pipe"
    target.write_bytes(b"precious")
    (tmp_path / "link").symlink_to(target)
    folder.mkdir()
    os.mkfifo(pipe)
    before = names(tmp_path)
    for file, kind in ((tmp_path / "link", "a link"), (folder, "a folder"), (pipe, "a device")):
        with pytest.raises(UnsafePath, match=kind):
            write_whole(file, CONTENT)
    assert target.read_bytes() == b"precious" and names(tmp_path) == before and (tmp_path / "link").is_symlink()


def test_a_link_under_the_temporary_name_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    guesses = iter(["taken", "free"])
    monkeypatch.setattr(files.tempfile, "_get_candidate_names", lambda: guesses)
    (tmp_path / ".file.taken.part").symlink_to(target)
    write_whole(tmp_path / "file", CONTENT)
    assert target.read_bytes() == b"precious" and (tmp_path / "file").read_bytes() == CONTENT


def test_what_cannot_be_made_again_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content first, then the name, then the folder that holds it."""
    done: list[str] = []
    sync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"{os.fstat(handle).st_size} bytes"
        done.append(f"sync {kind}")
        sync(handle)

    def replaced(old: str, new: Path) -> None:
        done.append("replace")
        replace(old, new)

    monkeypatch.setattr(files.os, "fsync", synced)
    monkeypatch.setattr(files.os, "replace", replaced)
    write_whole(tmp_path / "file", (b"wh", b"ole"), sync=True)
    assert done == ["sync 5 bytes", "replace", "sync folder"]
    done.clear()
    write_whole(tmp_path / "other", CONTENT)
    assert done == ["replace"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    write_whole(file, b"old")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(file, CONTENT)
    assert file.read_bytes() == b"old" and names(tmp_path) == ["file"]


def test_what_a_killed_writer_left_goes_with_the_next_one(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in (".file.x1.part", ".file.x2.part", ".else.x1.part"))
    for leftover in (old, young, other):
        leftover.write_bytes(b"half")
    for leftover in (old, other):
        os.utime(leftover, (0, 0))
    write_whole(tmp_path / "file", CONTENT)
    assert names(tmp_path) == [".else.x1.part", ".file.x2.part", "file"]
