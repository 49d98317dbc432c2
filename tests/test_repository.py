"""What every file of the repository keeps: no machine's paths, no unknown hosts, licences told, versions pinned."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXTS = {".py", ".yaml", ".md", ".toml", ".txt", ".json", ".svg", ".sh", ".cfg", ".ini", ".yml", ""}
HOSTS = {"www.adobe.com", "www.inkscape.org", "www.w3.org", "json-schema.org", "keepachangelog.com", "semver.org"}
HOSTS |= {"app.bgstatsapp.com"}
HOSTS |= {"ns.adobe.com", "purl.org"}  # names of terms of XMP
HOSTS |= {"127.0.0.1", "localhost", "evil.test"}  # this machine, and a name that nobody can have
"""Hosts that may be named: names of formats, whose fonts and forms these are, and the app a link to a play is for.
Nothing is fetched from anywhere, but for the links of a user's own tables."""
MADE = {ROOT / "output", ROOT / "build", ROOT / "dist"}
"""Folders that commands fill."""
LONGEST, LONGEST_OF_PACKAGES = 600, 450
"""Lines of a Python file; the second, of one that is installed. Unless its docstring has a paragraph that begins with
`Long because`."""
PACKAGES = {"components", "generator", "companion"}
UNFINISHED = re.compile("|".join((r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b", r"\bX" + r"XX\b")))
MACHINE = re.compile(r"(?<![\w.~/{}-])/(?:home|root|work|Users|mnt|srv|private)/\w|\b[A-Z]:\\\\?\w")


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """Every file that is kept under version control; in a copy without it, every file that nothing has made."""
    try:
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return list(written(ROOT))
    found = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in found if path.is_file()]


def written(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.name.startswith((".", "__pycache__")) and path.suffix != ".egg-info":
            if path not in MADE:
                yield from written(path)
        elif path.name != ".git":
            yield path


def lines(files: list[Path]) -> Iterator[tuple[str, str]]:
    """(place, line) of every text file."""
    for path in files:
        if path.suffix in TEXTS:
            for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{n}", line


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return found


def requirement_names(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[\s<>=!~;\[]", requirement)[0]) for requirement in requirements}


def normal(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_no_path_of_a_machine_stands_anywhere(files: list[Path]) -> None:
    assert [place for place, line in lines(files) if MACHINE.search(line)] == []


def test_only_known_hosts_are_named(files: list[Path]) -> None:
    found = {(host, place) for place, line in lines(files) for host in re.findall(r"https?://([\w.-]+\w)", line)}
    assert {(host, place) for host, place in found if host not in HOSTS} == set()


def test_nothing_is_marked_as_unfinished(files: list[Path]) -> None:
    assert [place for place, line in lines(files) if UNFINISHED.search(line)] == []


def test_python_files_are_of_a_size_to_read(files: list[Path]) -> None:
    for path in files:
        if path.suffix == ".py":
            text = path.read_text(encoding="utf-8")
            count = text.count("\n")
            longest = LONGEST_OF_PACKAGES if path.relative_to(ROOT).parts[0] in PACKAGES else LONGEST
            assert count <= longest or "\nLong because" in text, f"{path.relative_to(ROOT)} has {count} lines"


def test_notice_names_every_library() -> None:
    notice = normal((ROOT / "NOTICE").read_text(encoding="utf-8"))
    missing = [name for name in requirement_names(project()["project"]["dependencies"]) if name not in notice]
    assert not missing


def test_notice_names_every_game() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for file in (ROOT / "components").glob("*/game.yaml"):
        title = re.search(r"^title: *[\"']?(.+?)[\"']?$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert title is not None
        assert title.group(1) in notice, f"NOTICE does not say whose game {title.group(1)} is"


def test_constraints_pin_every_dependency_and_nothing_else_stands_there() -> None:
    pinned: set[str] = set()
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        match = re.fullmatch(r"([\w.-]+)==\d[\w.]*", line)
        assert match is not None, f"constraints.txt: {line!r} is not `name==version`"
        assert normal(match.group(1)) not in pinned, f"constraints.txt: {line!r} twice"
        pinned.add(normal(match.group(1)))
    declared = project()["project"]
    wanted = requirement_names(declared["dependencies"] + declared["optional-dependencies"]["dev"])
    assert wanted - pinned == set()


def test_both_programs_are_installed_as_commands() -> None:
    assert set(project()["project"]["scripts"]) == {"pnp", "companion"}


def test_make_has_the_targets_that_are_promised() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("print", "test", "lint", "bench", "pictures", "docs"):
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), target
