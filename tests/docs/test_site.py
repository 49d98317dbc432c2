"""The site of `make site`: built strictly, so that every link and anchor leads somewhere; it fetches nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\s\"'>]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="MkDocs is not installed: the site is not built")
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not built.returncode, built.stdout + built.stderr
    return folder


def test_every_page_is_in_the_site_and_can_be_searched(site: Path) -> None:
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")}
    assert pages <= {page.stem for page in site.glob("*.html")}
    found = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert pages <= set(re.findall(r'"location":"([\w-]+)\.html', found)), "left out of the search"


def test_no_page_fetches_anything_from_outside(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = re.sub(r'<link rel="?canonical[^>]*>', "", page.read_text(encoding="utf-8"))
        assert not FETCHED.findall(text), page.name
