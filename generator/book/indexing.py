"""The index of a rulebook: the game's terms and the names of its pieces, in the order in which people count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.book.flow import Block
from generator.book.references import PAGE_NUMBER, leading_to, page_target
from generator.book.setter import Setter
from generator.book.words import ranges
from generator.faces.display import TextOp
from generator.faces.richtext import plain

FORMS = ((3, "book-index"), (3, "book-small"), (2, "book-small"), (2, "book-text"))
"""Columns and style of an index, the tightest first."""
ALIKE = 3
"""Pieces of a set that one rule governs have no entries of their own if there are more than these."""
TITLE = 0.5
"""The title of a rule leads to a term that takes this part of it at least."""
MOST = 5
"""A term has at most so many further pages."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NUMBER = re.compile(r"(\d+)")


class Spelling:
    """The spelling of words in running text: with a capital only in names."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.small: Counter[str] = Counter()
        self.names: Counter[str] = Counter()
        self.text = ""
        """Everything but the first letter of each sentence, which has a capital anyway."""
        pieces: list[str] = []
        for text in texts:
            end = 0
            for found in _WORD.finditer(text):
                word = found.group()
                begins = text[: found.start()].rstrip(' “"(*[')[-1:] in ("", ".", ":", "?", "!", "\n")
                if not begins:
                    (self.small if word[0].islower() else self.names)[word] += 1
                pieces += [text[end : found.start()], f"_{word[1:]}" if begins else word]
                end = found.end()
            pieces += [text[end:], "\n"]
        self.text = "".join(pieces)

    def spelt(self, title: str, named: bool) -> str:
        """A title as it stands within a sentence. `named`: the title of one piece, which may be a name that no text
        speaks of; other titles are those of a kind of piece."""
        small = title[:1].lower() + title[1:]
        if re.search(rf"\b{re.escape(title)}", self.text):
            return title
        if re.search(rf"\b{re.escape(small)}", self.text):
            return small
        first, *further = _WORD.findall(title) or [""]
        if any(word[0].isupper() and len(word) > 1 and not self._name(word) for word in further):
            return title  # every word has a capital: a name
        if named and further and all(word[0].isupper() for word in further):
            return title
        if self._name(first) or (named and not further and first.lower() not in self.small):
            return title
        return small

    def common(self, title: str) -> bool:
        """True if a title is an everyday word, which nobody would look up as a piece."""
        return title.isalpha() and self.small[title.lower()] > 0

    def _name(self, word: str) -> bool:
        return self.names[word] > self.small[word.lower()]


def human(term: str) -> list[tuple[int, int, str]]:
    """A key by which `Number 2` comes before `Number 10`, whatever the capitals."""
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part)
        for part in _NUMBER.split(term.casefold().lstrip("-−+ "))
        if part
    ]


def index_entries(
    setter: Setter, terms: Mapping[str, list[str]], page_of: Mapping[str, int], heads: Mapping[str, str]
) -> list[tuple[str, list[int]]]:
    """Each term with its pages, the main one first: that of the heading (`heads`: heading -> the first rule below it)
    that names it, the shortest of several, or else of the rule whose title says little else. If none does, the page
    where most rules speak of it. Where many pages do, only those follow that have it in the title of a rule."""
    main: dict[str, int] = {}
    entitled: dict[str, set[int]] = {}
    pages: dict[str, set[int]] = {}
    game = setter.game
    overview = (text for _, text in game.overview)
    spelling = Spelling([*(rule.text for rule in game.rules.values()), *(r.answer for r in game.rulings), *overview])
    rules = [rule for rule in setter.rules.values() if rule.id in page_of]
    for term, forms in terms.items():
        words = re.compile("|".join(rf"\b{re.escape(form)}\b" for form in (term, *forms)), re.IGNORECASE)
        spoken = Counter(page_of[r.id] for r in rules if words.search(f"{r.title} {r.text}"))
        pages[term] = set(spoken)
        titles = [(r.title, page_of[r.id]) for r in rules if words.search(r.title)]
        entitled[term] = {page for _, page in titles}
        named = [(title, page_of[rule]) for title, rule in heads.items() if rule in page_of and words.search(title)]
        if named:
            main[term] = min(named, key=lambda one: len(one[0].split()))[1]
            pages[term].add(main[term])
        elif spoken:
            shares = [(_share(words, title), spoken[page], -page) for title, page in titles]
            share, _, page = max(shares, default=(0.0, 0, 0))
            main[term] = -page if share >= TITLE else spoken.most_common(1)[0][0]
    spelt = {term.casefold(): term for term in pages}  # a term and a piece may differ in capitals only

    def entry(title: str, named: bool) -> str:
        key = title.casefold()
        if key not in spelt:
            spelt[key] = spelling.spelt(title, named)
        return spelt[key]

    governed = Counter((piece.set, piece.rule) for piece in game.pieces if piece.copies)
    for piece in game.pieces:
        if piece.copies and piece.text and piece.rule in page_of and governed[piece.set, piece.rule] <= ALIKE:
            title = entry(piece.name, True)
            if title in pages or not spelling.common(piece.name):
                pages.setdefault(title, set()).add(page_of[piece.rule])
    for piece in game.pieces:
        if (anchor := f"set:{piece.set}") in page_of and piece.copies and not _NUMBER.search(piece.set_title):
            kind, _, which = piece.set_title.partition(", ")  # `Action, Black` is of the kind `Black action`
            pages.setdefault(entry(f"{which} {kind.lower()}" if which else kind, False), set()).add(page_of[anchor])
    found = []
    for term in sorted(pages, key=human):
        if every := sorted(pages[term]):
            first = main.get(term, every[0])
            rest = [page for page in every if page != first]
            if len(rest) > MOST:
                rest = [page for page in rest if page in entitled.get(term, set())][:MOST]
            found.append((term, [first, *rest]))
    return found


def _share(words: re.Pattern[str], title: str) -> float:
    """The part of a title that a term takes, articles left out."""
    said = [word for word in title.split() if word.lower() not in ("a", "an", "the")]
    named = sum(len(found.group().split()) for found in words.finditer(title))
    return named / max(len(said), 1)


def number_entries(setter: Setter, page_of: Mapping[str, int]) -> list[tuple[str, list[int]]]:
    """The beginnings of the ids of rules (`WS-TAX`) with the pages of these rules, for readers who have an id."""
    found: dict[str, set[int]] = {}
    for rule in setter.rules:
        if rule in page_of:
            found.setdefault(rule.rpartition("-")[0], set()).add(page_of[rule])
    return [(family, sorted(pages)) for family, pages in sorted(found.items()) if family]


def index_blocks(
    setter: Setter, entries: Sequence[tuple[str, list[int]]], form: tuple[int, str] = FORMS[0]
) -> Iterator[Block]:
    """A line for each term and its pages, the main one in bold. `form`: one of `FORMS`."""
    columns, style = form
    width = setter.width(columns)
    bold = setter.style(style).font_key("bold")
    for term, pages in entries:
        further = f", {ranges(pages[1:])}" if pages[1:] else ""
        text = setter.text(f"{plain(term)}  **{pages[0]}**{further}", style, width)
        said = [op for op in text.ops if isinstance(op, TextOp)]
        numbers = said[next(n for n, op in enumerate(said) if op.font == bold) :]
        found = tuple(leading_to(numbers, PAGE_NUMBER, page_target, setter.maker.fonts))
        yield Block(text.height, tuple(text.ops), before=0.85, links=found, columns=columns)
