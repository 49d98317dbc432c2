"""Lines of which every word is accounted for by one possible move, in whatever order they stand: each word names
something that the move says, belongs to a phrase by which people say such a move, or only helps the sentence.

The phrases are the verbs of the move and its `phrases` in the game's `glossary.yaml`. A phrase
counts whole or not at all. A line that could be two moves in this way, or of which the rules forbid what it says as
well, is not read here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.language.books import Books
from companion.engine.language.fields import Field, actor, fields, value_of
from companion.engine.language.filling import Filling
from companion.engine.language.helping import HELPING, is_true
from companion.engine.language.mentions import NUMBER, SEAT, Atom, Mention, atoms, mentions, of_right
from companion.engine.language.synonyms import ALIKE, told_in_past
from companion.engine.language.verbs import verbs
from companion.engine.language.ways import SMALL, stem, stems, ways_of
from companion.engine.language.wording import announces
from companion.engine.language.words import ARTICLES, ORDINALS, Token, number, singular, tokens
from companion.engine.play.domains import Count, Seat, Tally
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move, acting, maker
from companion.engine.play.parts import Part, Turn
from companion.engine.play.position import Rules

ASKING = frozenset(("what", "which", "who", "where", "may", "can", "could", "do", "does", "did"))
"""Words of a question or a condition, which help no statement."""
PLAIN = (HELPING | {"a", "an", "them", "him", "me", "us", "mine"}) - ASKING - {"there", "here"}
"""Words that may stand in any line."""
SINGLE = frozenset(("a", "an", "one", "another", "single", "1"))
TOWARDS = frozenset(("to", "into", "onto"))
AWAY = frozenset(("from",))
SOURCES = frozenset(("from", "source", "sources"))
"""Names of fields that hold where something comes from."""
PAYING = frozenset(("pay", "spend", "cost"))
"""Stems of words before a price."""
SEVERAL = frozenset(("we", "they", "us", "let", "lets"))
"""Words by which more than one may be meant."""
BY = frozenset(("for", "by", "of"))
"""Words before whoever makes a move."""
DIRECTING = TOWARDS | AWAY | {"against", "for", "by", "with", "as", "of"}
BOTH = "both"
"""Two things that a line does not name."""
GENERAL = frozenset(("all", "card", "deck", "good", "one"))
"""Words that alone say nothing of what is done."""
LONGEST = 40
"""Words of a line; one that is longer is not read here."""
CLOSE = 0.3
"""Two ways to deal out what a line names that differ by less are equally good."""

Phrase = tuple[str, ...]
NOT = "not"
DENIALS = frozenset((NOT, "no", "none", "nothing", "nobody", "neither", "nor", "nowhere", "without", "never"))
_NOT = {word: word for word in ("no", "none", "nothing", "nobody", "neither", "nor", "nowhere", "without", "never")}
"""Words that deny, each of which says something else."""


def _stem(word: str) -> str:
    return _NOT.get(word) or stem(word)


class _Fit(NamedTuple):
    """A move that accounts for every word of a line."""

    cost: float
    move: Move
    outcome: Outcome
    like: float
    """The likeness of the words to those for such a move."""


def accounted(line: str, parts: list[str], books: Books, me: str) -> list[list[Move]]:
    """The one move that is possible now and accounts for every word of a line; [] if there is none, or more. `parts`:
    of the line, between what joins them."""
    return _Account(line, parts, books, me).read()


class _Account:
    def __init__(self, line: str, parts: list[str], books: Books, me: str) -> None:
        self.books, self.at, self.me = books, books.at, me
        self.words = books.words(line)
        self.named = _once(mentions(self.words, books, me), self.words) if len(self.words) <= LONGEST else []
        self.inside = {n: one for one in self.named for n in range(one.start, one.end)}
        self.stems = [_stem(word.text) for word in self.words]
        self.texts = {word.text for word in self.words}
        self.ways = ways_of(self.at)
        self.ends = [*accumulate(len(books.words(part)) for part in parts)]
        """The places where the parts end."""

    def read(self) -> list[list[Move]]:
        words = self.words
        if not words or len(words) > LONGEST or any(word.key or word.text == BOTH for word in words):
            return []
        again = [one for n, one in enumerate(self.stems) if n not in self.inside and words[n].text not in SMALL]
        if len(again) != len({*again}):
            return []  # `attacks and attacks again`
        seats = [words[one.start].text for one in self.named if words[one.start].whole]
        if len(seats) != len({*seats}):
            return []  # somebody does a second thing
        possible, others = list[_Fit](), list[_Fit]()
        for kind in self.at.rules.moves.values():
            if issubclass(kind, Turn):
                continue
            for fit in self._of(kind):
                (others if fit.outcome.verdict.legal is False else possible).append(fit)
        return self._only(possible, others)

    def _only(self, possible: list[_Fit], others: list[_Fit]) -> list[list[Move]]:
        kept: list[_Fit] = []
        for fit in sorted(possible, key=lambda fit: -fit.cost):
            same = [one for one in kept if type(one.move) is type(fit.move)]
            if same and same[0].cost > fit.cost + CLOSE:
                continue
            if all(_end(one.outcome) != _end(fit.outcome) for one in kept):
                kept.append(fit)
        if len(kept) != 1:
            return []
        found = kept[0]
        if not found.outcome.verdict.legal:
            return []  # it leaves something open
        for other in others:
            if type(other.move) is type(found.move):
                if other.cost > found.cost - CLOSE:
                    return []
            elif other.like >= found.like:
                return []
        return [[_with_maker(found.move, found.outcome)]]

    # --- one kind of move --------------------------------------------------------------------------------------

    def _of(self, kind: type[Move]) -> Iterator[_Fit]:
        phrased, firm = self._phrased(kind)
        if self._says_twice(phrased):
            return
        if actor(kind) is not None and any(word.text in SEVERAL for word in self.words):
            return
        if not phrased and (not kind.verbless or kind in self.at.rules.anytime):
            return
        open_words = [
            n
            for n, word in enumerate(self.words)
            if n not in self.inside and n not in phrased and not _is_plain(word)
            if not (phrased and self.stems[n] in words_of(kind, self.at.rules))
        ]
        if any(not self._may_be_of(kind, n) for n in open_words):
            return
        like = self.ways.like(kind, stems([self.words[n] for n in sorted(phrased)]))
        for cost, move in Filling(kind, self.words, self.named, self.books).moves(strict=True):
            if not self._says_all(move, phrased, firm, open_words):
                continue
            if not phrased and all(atom.group in (SEAT, NUMBER) for atom in atoms(move)):
                continue
            outcome = try_line(self.at, [move], typed=True)
            yield _Fit(cost, move, outcome, like)

    def _phrased(self, kind: type[Move]) -> tuple[set[int], set[int]]:
        """The places of the words of whole phrases by which people say such a move; and those of phrases of several
        words."""
        alone, firm = list[int](), set[int]()
        for phrase in phrases_of(kind, self.at.rules):
            for places in self._places(phrase):
                alone += places if len(places) == 1 else ()
                firm.update(places if len(places) > 1 else ())
        alone = sorted({*alone} - firm)
        first = {bisect_right(self.ends, n): n for n in reversed(alone)}
        return firm | {*first.values()}, firm

    def _says_twice(self, phrased: set[int]) -> bool:
        """True if what is done is said in several parts of the line: `an extra army and raises troops`. A part of a
        phrase alone that could be no move by itself says it once more: `village at d1, ann pays`."""
        parts = {bisect_right(self.ends, n) for n in phrased}
        return len(parts) > 1 and len(parts) - len(self._said_again(parts, phrased)) > 1

    def _said_again(self, parts: set[int], phrased: set[int]) -> set[int]:
        """Those of some parts of the line that name nothing but people, and of which no kind of move can be made so."""
        found: set[int] = set()
        for part in parts:
            places = [n for n in range(len(self.words)) if bisect_right(self.ends, n) == part]
            plain = all(n in phrased or self.words[n].whole or _is_plain(self.words[n]) for n in places)
            said = tuple(self.stems[n] for n in places if n in phrased)
            if plain and not any(said in phrases_of(kind, self.at.rules) for kind in self._bare()):
                found.add(part)
        return found

    def _bare(self) -> list[type[Move]]:
        """The kinds of moves that somebody can make now without a word more."""
        return [
            kind
            for kind in self.at.rules.moves.values()
            if any(_says_nothing(one) for one in self.books.legal_of(kind))
        ]

    def _places(self, phrase: Phrase) -> Iterator[list[int]]:
        """The places of the words of a phrase, in order, with nothing between them but what the line names."""
        for start, one in enumerate(self.stems):
            if one != phrase[0]:
                continue
            places, n = [start], start + 1
            for wanted in phrase[1:]:
                while n < len(self.words) and self.stems[n] != wanted and self._may_stand_between(n, phrase):
                    n += 1
                if n == len(self.words) or self.stems[n] != wanted:
                    break
                places.append(n)
                n += 1
            else:
                yield places

    def _may_stand_between(self, n: int, phrase: Phrase) -> bool:
        return self.words[n].text in SMALL or (n in self.inside and DENIALS.isdisjoint(phrase))

    def _may_be_of(self, kind: type[Move], n: int) -> bool:
        """True if a word announces a field of a kind, or is a noun for its values."""
        word = self.words[n].text
        return any(
            any(announces(field, one) for one in (word, *told_in_past(word)))
            or (field.domain is not None and singular(word) in self.books.nouns(field.domain))
            for field in fields(kind)
        )

    # --- one move ----------------------------------------------------------------------------------------------

    def _says_all(self, move: Move, phrased: set[int], firm: set[int], open_words: list[int]) -> bool:
        """True if a move says everything that the line names, and nothing that the line does not."""
        kind, said = type(move), atoms(move)
        used: set[int] = set()
        for mention in self.named:
            fixed = _is_number(mention) and {*range(mention.start, mention.end)} <= firm
            if fixed:
                continue  # `another battle` counts nothing else
            n = self._where(kind, mention, said, used)
            if n is not None:
                used.add(n)
            elif not self._goes_without(move, mention, phrased, firm):
                return False
        for n, atom in enumerate(said):
            if n not in used and not self._is_article(atom):
                return False
        return all(self._is_true(move, n) for n in open_words)

    def _where(self, kind: type[Move], mention: Mention, said: list[Atom], used: set[int]) -> int | None:
        """The place of a mention among the atoms of a move that are not yet used, where the word before it fits."""
        for n, atom in enumerate(said):
            if isinstance(atom.field.domain, Tally) and atom.group == SEAT and self._does(mention):
                continue  # `kim draws three discs` does not say whose
            if n not in used and any(one.group == atom.group and one.value == atom.value for one in mention.says):
                return n if self._fits(kind, mention, atom.field) and self._is_announced(atom, mention.start) else None
        return None

    def _does(self, mention: Mention) -> bool:
        """True if somebody stands at the beginning, before what is done."""
        return mention.start == 0 and mention.end not in self.inside

    def _is_announced(self, atom: Atom, start: int) -> bool:
        """True unless a number has to be announced and is not: `pay 3`, `3 hearts paid`. Here `one level` is not `level
        1`."""
        field = atom.field
        if atom.group == NUMBER and start > 0 and stem(self.words[start - 1].text) in PAYING:
            return announces(field, self.words[start - 1].text)  # `pays 8 for an army`
        if atom.group != NUMBER or not isinstance(field.domain, Count) or not field.domain.announced:
            return True
        if field.domain.confirms:
            return start > 0 and announces(field, self.words[start - 1].text)
        return any(announces(field, form) for word in self.words for form in (word.text, *told_in_past(word.text)))

    def _fits(self, kind: type[Move], mention: Mention, field: Field) -> bool:
        """True if the word that joins a mention to the line may stand before a value of a field."""
        n = mention.start - 1
        while n >= 0 and (self.words[n].text in ARTICLES or number(self.words[n].text) is not None):
            n -= 1
        word = self.words[n].text if n >= 0 else ""
        rivals = [one for one in fields(kind) if one != field and one.group == field.group]
        if any(announces(one, word) for one in rivals) and not announces(field, word):
            return False
        if any(isinstance(one.domain, Seat) for one in rivals):
            if mention.start == 0 and "by" not in self.texts:
                return field == actor(kind)
            if field == actor(kind) and word in DIRECTING:
                return word == "by"  # `trades for Wu` is no trade of Wu's
        if word not in DIRECTING or announces(field, word):
            return True
        if field == actor(kind):
            return word in BY
        if word in TOWARDS and field.path[-1] in SOURCES:
            return False
        if any(announces(other, word) for other in fields(kind) if other != field):
            return False
        lead = frozenset(field.domain.lead) if field.domain is not None else frozenset()
        return not (word in AWAY and lead & TOWARDS) and not (word in TOWARDS and lead & AWAY)

    def _goes_without(self, move: Move, mention: Mention, phrased: set[int], firm: set[int]) -> bool:
        """True if a move need not say a mention: the phrase says it, or it counts what the move says."""
        kind, places = type(move), {*range(mention.start, mention.end)}
        if (places <= firm or (places <= phrased and mention.weak)) and not _can_say(kind, mention):
            return True
        numbers = [one.value for one in mention.says if one.group == NUMBER]
        seats = [one.value for one in mention.says if one.group == SEAT]
        if seats:
            return (not maker(move) and mention.mine) or self._tells(kind, mention, seats[0])
        if numbers and self.words[mention.start].text not in ORDINALS:
            counts = [field.default for field in fields(kind) if isinstance(field.domain, Count)]
            counts = counts if all(atom.group != NUMBER for atom in atoms(move)) else []
            if numbers[0] in _counted(move) or counts == numbers[:1]:
                return True
            return numbers[0] == 1 and self._only_points(kind, mention)
        return False

    def _tells(self, kind: type[Move], mention: Mention, seat: str) -> bool:
        """True if somebody named at the beginning may be the teller of a move that nobody makes."""
        if mention.start or actor(kind) is not None:
            return False
        if one := kind.made_here_by(self.at):
            return seat == one
        people = any(isinstance(field.domain, Seat) for field in fields(kind))
        return not people and seat in self.at.rules.to_move(self.at.state)

    def _only_points(self, kind: type[Move], mention: Mention) -> bool:
        """True if `one` is only an article: `one army` of a move that is made with one."""
        counts = any(isinstance(field.domain, Count | Tally) or field.many for field in fields(kind))
        after = mention.end
        if self.words[mention.start].text == "one" and mention.start - 1 in self.inside:
            return True  # `the intact one`
        named = after < len(self.words) and (after in self.inside or self._may_be_of(kind, after))
        return not counts and named and self.words[mention.start].text in SINGLE

    def _is_article(self, atom: Atom) -> bool:
        """True if an article says the number: `an army`."""
        domain = atom.field.domain
        if atom.group != NUMBER or atom.value != 1 or domain is None:
            return False
        return any(
            singular(word.text) in self.books.nouns(domain) and n > 0 and self.words[n - 1].text in SINGLE
            for n, word in enumerate(self.words)
        )

    def _is_true(self, move: Move, n: int) -> bool:
        """True if a word beside what is named is true of what a move says."""
        word = self.words[n].text
        for field in fields(type(move)):
            if (
                any(announces(field, one) for one in (word, *told_in_past(word)))
                and value_of(move, field) != field.default
            ):
                return True
        return is_true(type(move), move, [singular(word)], self.books)


def _once(named: list[Mention], words: list[Token]) -> list[Mention]:
    """The things named, a thing with two names beside each other once: `D1 Storm over Linhu`."""
    found: list[Mention] = []
    for mention in named:
        last = found[-1] if found else None
        beside = last is not None and last.end == mention.start and last.says == mention.says and not _is_number(last)
        texts = [word.text for word in words[last.start : mention.end]] if last is not None and beside else []
        if last is not None and beside and len(texts) == len({*texts}):
            found[-1] = last._replace(end=mention.end)
        else:
            found.append(mention)
    return found


def _says_nothing(move: Move) -> bool:
    return all(atom.group == SEAT for atom in atoms(move))


def _can_say(kind: type[Move], mention: Mention) -> bool:
    """True if a field of a kind can hold what is named, so that a move has to say it."""
    groups = {one.group for one in mention.says}
    known = fields(kind)
    if NUMBER in groups and any(isinstance(field.domain, Count | Tally) or field.many for field in known):
        return True
    return any(field.group in groups or of_right(field) in groups for field in known)


def _is_number(mention: Mention) -> bool:
    return all(one.group == NUMBER for one in mention.says)


def _is_plain(word: Token) -> bool:
    return word.text in PLAIN and not word.whole


def _counted(move: Move) -> set[int]:
    """The number of things in each field that holds several."""
    found: set[int] = set()
    for field in fields(type(move)):
        value = value_of(move, field)
        if field.many and isinstance(value, list | tuple | dict):
            found.add(
                sum(value.values()) if isinstance(field.domain, Tally) and isinstance(value, dict) else len(value)
            )
    return found


def _end(outcome: Outcome) -> Any:
    return outcome.after.state if outcome.verdict.legal else outcome.verdict.move


def _with_maker(move: Move, outcome: Outcome) -> Move:
    """The move with the seat that makes it, where only one can."""
    seat, who = acting(type(move)), maker(outcome.verdict.move)
    return replace(move, **{seat: who}) if seat and who and not maker(move) else move


def words_of(kind: type[Move], rules: Rules) -> frozenset[str]:
    """The stems of the words in the verbs of a kind, which may stand beside a whole phrase for it."""
    kept: dict[type[Move], frozenset[str]] = rules.__dict__.setdefault("_words_of", {})
    if kind not in kept:
        said = [word for verb in verbs(kind) for word in tokens(verb.replace("_", " "))[1:]]
        said += tokens(kind.name.replace("_", " "))
        kept[kind] = frozenset(stem(word.text) for word in said if word.text not in SMALL) - DENIALS
    return kept[kind]


def phrases_of(kind: type[Move], rules: Rules) -> tuple[Phrase, ...]:
    """The stems of each phrase by which people say a kind of move."""
    kept: dict[type[Move], tuple[Phrase, ...]] = rules.__dict__.setdefault("_phrases", {})
    if kind not in kept:
        needing = kind.needing if issubclass(kind, Part) else ()
        texts = [*verbs(kind), *needing, *rules.game.phrases.get(kind.name or kind.__name__, ())]
        texts += [other for verb in verbs(kind) for group in ALIKE if verb in group for other in sorted(group)]
        said = [_phrase([word.text for word in tokens(text.replace("_", " "))]) for text in texts]
        kept[kind] = tuple(phrase for phrase in dict.fromkeys(said) if phrase)
    return kept[kind]


def _phrase(words: list[str]) -> Phrase:
    """The stems of a phrase, without its small words unless it says nothing without them: `that is all`."""
    said = tuple(_stem(word) for word in words if word not in SMALL)
    if len(words) > 1 and len(said) == 1 and said[0] in GENERAL:
        return tuple(map(_stem, words))
    return said


__all__ = ["accounted", "phrases_of"]
