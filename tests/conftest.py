"""What all tests share: golden files, reviewed as text and renewed with `pytest --update-golden`."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture(scope="session", autouse=True)
def shared_faces(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder in which the processes of this run share the faces they have drawn (see `artkit.stored`)."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "faces"
    folder.mkdir(exist_ok=True)
    os.environ["TABLEWRIGHT_TEST_FACES"] = str(folder)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: the text must equal `tests/golden/<name>`; the first differences are shown."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        assert file.is_file(), f"no golden file {name}: look at the text, then run pytest --update-golden"
        before = file.read_text(encoding="utf-8")
        if before != text:
            lines = difflib.unified_diff(before.splitlines(), text.splitlines(), name, "now", lineterm="", n=1)
            pytest.fail("\n".join(list(lines)[:30]), pytrace=False)

    return compare
