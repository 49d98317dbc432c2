"""Builds that are killed, and caches with a bit flipped: the next build is whole, and the same as ever.

The suite tries a few; `make torture` hundreds. TORTURE=3 makes it three times as many.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.build.starter import make_starter

TIMES = int(os.environ.get("TORTURE", "1"))
PNP = [sys.executable, "-m", "generator.cli", "build", "lantern-walk", "--one-pdf", "--json"]
LONGEST = 120
"""Seconds after which a build counts as hanging."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter's game in a project with a home of its own, built once."""
    folder = tmp_path_factory.mktemp("attacks") / "lantern-walk"
    make_starter(folder)
    build(folder)
    return folder


def start(project: Path, **more: str) -> subprocess.Popen[str]:
    homes = {f"XDG_{kind}_HOME": str(project.parent / "home" / kind) for kind in ("CACHE", "DATA", "STATE", "CONFIG")}
    return subprocess.Popen(
        PNP, cwd=project, env={**os.environ, **homes, **more}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def build(project: Path, **more: str) -> dict[str, bytes]:
    """Build, and return every file that was written. `more`: further variables of the environment."""
    process = start(project, **more)
    out, told = process.communicate(timeout=LONGEST)
    assert process.returncode == 0, told
    assert json.loads(out)["pieces"]
    return written(project)


def written(project: Path) -> dict[str, bytes]:
    files = (file for file in (project / "output").rglob("*") if file.is_file())
    return {str(file.relative_to(project)): file.read_bytes() for file in sorted(files)}


def forget_output(project: Path) -> None:
    shutil.rmtree(project / "output", ignore_errors=True)


def kills(project: Path, times: int, seed: int) -> None:
    whole, rng = written(project), random.Random(seed)
    assert whole
    started = time.monotonic()
    build(project)
    lasts = time.monotonic() - started
    for _ in range(times):
        forget_output(project)
        process = start(project)
        time.sleep(rng.uniform(0, lasts))
        process.kill()
        process.communicate()
        for name, content in written(project).items():
            if not Path(name).name.startswith("."):
                assert content == whole[name], f"seed {seed}: {name} is neither the old file nor the new one"
        assert build(project) == whole, f"seed {seed}"


def flips(project: Path, times: int, seed: int) -> None:
    """Flip a bit of what a cache keeps, with the sheets gone, so that it is used; or of what lies beside the sheets, or
    of a sheet itself, which then has to be noticed."""
    whole, rng = written(project), random.Random(seed)
    homes = sorted(file for file in (project.parent / "home").rglob("*") if file.is_file() and file.stat().st_size)
    beside = [project / name for name in whole]
    assert homes and any(file.name == "manifest.json" for file in beside)
    for turn in range(times):
        file = rng.choice(beside if turn % 2 else homes)
        good = file.read_bytes()
        bad = bytearray(good)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        file.write_bytes(bad)
        if file not in beside:
            forget_output(project)
        try:
            assert build(project) == whole, f"seed {seed}: {file.name}"
        finally:
            file.write_bytes(good)


def test_a_killed_build_leaves_no_half_file_and_the_next_one_is_whole(project: Path) -> None:
    kills(project, 3, 1)


def test_a_flipped_bit_in_what_is_kept_changes_no_sheet(project: Path) -> None:
    flips(project, 6, 2)


def test_a_build_is_the_same_in_every_folder_zone_language_and_order(project: Path, tmp_path: Path) -> None:
    whole = {Path(name).name: content for name, content in written(project).items() if name.endswith(".pdf")}
    assert whole
    elsewhere = tmp_path / "Über uns" / project.name
    shutil.copytree(project, elsewhere, ignore=shutil.ignore_patterns("output"))
    (tmp_path / "link").symlink_to(elsewhere)
    for folder, more in (
        (elsewhere, {"TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "7"}),
        (tmp_path / "link", {"TZ": "America/Caracas", "LC_ALL": "C", "PYTHONHASHSEED": "8"}),
    ):
        forget_output(elsewhere)
        made = build(folder, **more)
        assert {Path(name).name: content for name, content in made.items() if name.endswith(".pdf")} == whole


def test_builds_at_the_same_time_do_each_other_no_harm(project: Path) -> None:
    whole = written(project)
    forget_output(project)
    processes = [start(project) for _ in range(4)]
    for process in processes:
        _, told = process.communicate(timeout=LONGEST)
        assert process.returncode == 0, told
    assert written(project) == whole
    assert build(project) == whole


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(10, 10 + 10 * TIMES))
def test_many_killed_builds(project: Path, seed: int) -> None:
    kills(project, 30, seed)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(100, 100 + 10 * TIMES))
def test_many_flipped_bits(project: Path, seed: int) -> None:
    flips(project, 30, seed)
