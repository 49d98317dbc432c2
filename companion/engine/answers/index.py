"""The texts of a game, searchable by words: SQLite's full-text index, whose Porter stemmer takes endings off.

It tells how much a word counts in each text (`shares`), and how much a question is like those that a text answers
(`likeness`). What a text speaks of, in whatever words, is left to its `concepts`.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import msgspec

from companion.engine.answers.concepts import Concepts
from companion.engine.answers.talk import GRAMMAR, SMALL, Idea, plain

SIDE_BY_SIDE, OTHER_WORD = 0.5, 0.5
"""How much two words that stand side by side count beside one word, and a word that means the same beside the one that
was said."""
FURTHER = 0.2
"""How much the other questions of a text count beside the one that is most like what was asked."""
TITLE, BODY, SECTION, ASKED = 1.0, 0.5, 0.5, 2.0
"""How much a concept counts in the title of a text, in the text, in the name of its section and in each question that
it answers."""
FORMAT = 2
"""Raise it when a kept index would no longer be the one made now."""
CHECK = 4
"""The length of a checksum in bytes."""
KEPT, HELD = 32, 4
"""So many indexes are kept on disk, and in memory where there is no folder for them."""
_AT_HAND: dict[str, bytes] = {}


class Text(msgspec.Struct):
    """The indexed text of a rule or a ruling, and the questions that it answers besides its title."""

    title: str
    body: str
    section: str
    asked: list[str]


class Index:
    """The texts of a game, by number. Close it after use."""

    def __init__(self, texts: list[Text], glossary: Mapping[str, list[str]], folder: Path | None = None) -> None:
        """`folder`: where indexes are kept from one call to the next."""
        self.size = len(texts)
        self.questions = sum(1 + len(one.asked) for one in texts)
        self.base = sqlite3.connect(":memory:")
        self.concepts = Concepts(self.base, self.stems)
        key = hashlib.sha256(msgspec.msgpack.encode((FORMAT, sqlite3.sqlite_version, texts, glossary))).hexdigest()[:40]
        file = folder / f"{key}.index" if folder and hasattr(self.base, "deserialize") else None
        if file is not None:
            if not self._read(file):
                self._make(texts, glossary)
                self._keep(file)
        elif (held := _AT_HAND.get(key)) is not None:
            self.base.deserialize(held)
        else:
            self._make(texts, glossary)
            self._hold(key)

    def close(self) -> None:
        self.base.close()

    def _make(self, texts: list[Text], glossary: Mapping[str, list[str]]) -> None:
        for name in ("texts", "said"):
            self.base.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(words, tokenize = 'porter unicode61')")
        self.base.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(said, instance)")
        self._fill("texts", (f"{one.title} {one.body} {one.section}" for one in texts))
        self.base.execute(
            "CREATE TABLE asked (term, question, text, weight, PRIMARY KEY (term, question)) WITHOUT ROWID"
        )
        questions = [(n, question) for n, one in enumerate(texts) for question in (one.title, *one.asked)]
        terms = [_terms(stems) for stems in self.stems([question for _, question in questions])]
        often: dict[str, int] = {}
        for term in (term for some in terms for term in some):
            often[term] = often.get(term, 0) + 1
        rows: list[tuple[str, int, int, float]] = []
        for number, ((text, _), some) in enumerate(zip(questions, terms, strict=True)):
            weights = {term: weight * self._telling(often[term]) for term, weight in some.items()}
            length = math.hypot(*weights.values()) or 1.0
            rows += [(term, number, text, weight / length) for term, weight in weights.items()]
        self.base.executemany("INSERT INTO asked VALUES (?, ?, ?, ?)", rows)
        titles, bodies = [[one.title] for one in texts], [[one.body] for one in texts]
        sections, asked = [[one.section] for one in texts], [one.asked for one in texts]
        self.concepts.make([(TITLE, titles), (BODY, bodies), (SECTION, sections), (ASKED, asked)], glossary)
        self.base.commit()

    def _fill(self, table: str, texts: Iterable[str]) -> None:
        self.base.executemany(f"INSERT INTO {table}(rowid, words) VALUES (?, ?)", enumerate(map(plain, texts)))

    def _read(self, file: Path) -> bool:
        """Use a kept index, if it is there and whole."""
        with suppress(OSError, sqlite3.Error):
            whole = file.read_bytes()
            data = memoryview(whole)[CHECK:]
            if whole[:CHECK] == _check(data):
                self.base.deserialize(data)
                return True
        return False

    def _keep(self, file: Path) -> None:
        from components.files import write_whole  # not needed for a hit

        data = self.base.serialize()
        with suppress(OSError):
            write_whole(file, _check(data) + data, below=file.parent)
            kept = sorted(file.parent.glob("*.index"), key=lambda one: one.stat().st_mtime, reverse=True)
            for old in kept[KEPT:]:
                old.unlink()

    def _hold(self, key: str) -> None:
        """Hold an index that no folder keeps, for a server that is asked again and again."""
        if hasattr(self.base, "serialize"):
            _AT_HAND[key] = self.base.serialize()
            while len(_AT_HAND) > HELD:
                _AT_HAND.pop(next(iter(_AT_HAND), ""), None)

    def stems(self, texts: list[str]) -> list[list[str]]:
        """The words of some texts without their endings."""
        self.base.execute("DELETE FROM said")
        self._fill("said", texts)
        stems: list[list[str]] = [[] for _ in texts]
        for row, term in self.base.execute('SELECT doc, term FROM stems ORDER BY doc, "offset"'):
            stems[row].append(term)
        return stems

    def shares(self, word: str) -> dict[int, float]:
        """The weight of a word in each text that has it."""
        query = "SELECT rowid, -bm25(texts) FROM texts WHERE texts MATCH ?"
        rows = self.base.execute(query, (f'"{word}"',)).fetchall()
        # What bm25 has multiplied by.
        rare = max(math.log((self.size - len(rows) + 0.5) / (len(rows) + 0.5)), 1e-6)
        return {row: score / rare for row, score in rows}

    def likeness(self, asked: list[str], ideas: list[Idea]) -> dict[int, tuple[float, float]]:
        """The likeness of a question to those that each text answers: to the nearest (about 1: the same question), and
        to all of them. Other words of its `ideas` stand in for the words asked. Small words alone make no likeness."""
        others = [[word for word in idea if " " not in word] for idea in ideas]
        said, *stems = self.stems([" ".join(asked), *(" ".join(words) for words in others)])
        terms = _terms(said)
        found = {term: self._rows(term) for term in {*terms, *(stem for some in stems for stem in some)}}
        weights = {term: weight * self._telling(len(found[term])) for term, weight in terms.items()}
        length = math.hypot(*weights.values()) or 1.0
        telling = {stem for word, stem in zip(asked, said, strict=False) if word not in SMALL}
        telling.update(stem for some in stems for stem in some)
        for some in stems:
            meant = OTHER_WORD * max((weights.get(stem, 0.0) for stem in some), default=0.0)
            for stem in some:
                if stem not in terms:
                    weights[stem] = max(weights.get(stem, 0.0), meant)
        close = {question for term in telling & weights.keys() for question, _, _ in found[term]}
        like: dict[int, dict[int, float]] = {}
        for term, weight in weights.items():
            for question, text, counts in found[term]:
                if question in close:
                    one = like.setdefault(text, {})
                    one[question] = one.get(question, 0.0) + weight * counts / length
        nearest = {text: max(some.values()) for text, some in like.items()}
        return {
            text: (best, (1 - FURTHER) * best + FURTHER * sum(like[text].values())) for text, best in nearest.items()
        }

    def _rows(self, term: str) -> list[tuple[int, int, float]]:
        return self.base.execute("SELECT question, text, weight FROM asked WHERE term = ?", (term,)).fetchall()

    def _telling(self, often: int) -> float:
        """The weight of a term that occurs in `often` of the questions."""
        return math.log(1 + self.questions / (often + 0.5))


def _check(data: bytes | memoryview) -> bytes:
    """The checksum before a kept index."""
    return zlib.crc32(data).to_bytes(CHECK, "big")


def _terms(stems: list[str]) -> dict[str, float]:
    """The terms of a question: its words, and each two side by side."""
    terms = dict.fromkeys((stem for stem in stems if stem not in GRAMMAR), 1.0)
    terms |= dict.fromkeys(map(" ".join, pairwise(stems)), SIDE_BY_SIDE)
    return terms


__all__ = ["Index", "Text"]
