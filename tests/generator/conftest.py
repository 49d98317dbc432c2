"""Projects to build in tests, and caches and records of their own, so that no test sees the user's."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from generator.build.starter import make_starter


@pytest.fixture(scope="session")
def shared_cache(caches: Path) -> Path:
    """A cache folder for the whole test run: no font is read and no face drawn for every test anew."""
    return caches


@pytest.fixture
def home(tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for records (new for each test) and caches (shared by all)."""
    folders = {"cache": shared_cache, "data": tmp_path / "home-data", "state": tmp_path / "home-state"}
    for name, folder in folders.items():
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(folder))

    def folder_of(kind: str, sub: str) -> object:
        return lambda *_args, **_kwargs: str(folders[kind] / "tablewright" / sub)

    monkeypatch.setattr(platformdirs, "user_cache_dir", folder_of("cache", ""))
    monkeypatch.setattr(platformdirs, "user_data_dir", folder_of("data", ""))
    monkeypatch.setattr(platformdirs, "user_log_dir", folder_of("state", "log"))
    return tmp_path


@pytest.fixture
def project(home: Path) -> Path:
    """A project with one small game, `lantern-walk`: three kinds of poker card, ten in all, with backs."""
    folder = home / "lantern-walk"
    make_starter(folder)
    return folder


@pytest.fixture(params=["cairo", "missing", "broken"])
def cairo(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """cairosvg as it is; not installed; or installed on a machine without the cairo library."""
    if request.param == "missing":
        monkeypatch.setitem(sys.modules, "cairosvg", None)
    elif request.param == "broken":
        (tmp_path / "cairosvg.py").write_text("raise OSError('no library called \"cairo-2\" was found')\n")
        monkeypatch.delitem(sys.modules, "cairosvg", raising=False)
        monkeypatch.syspath_prepend(tmp_path)
    name: str = request.param
    return name
