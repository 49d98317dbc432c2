"""The words of one line, and what they say of a field: its values, its nouns, the words that announce it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.language.books import Books
from companion.engine.language.everything import ALL, MOST_TIMES, OWNING, Everything, Some, Times
from companion.engine.language.fields import Field, actor, fields
from companion.engine.language.synonyms import instead_of
from companion.engine.language.verbs import verb_book
from companion.engine.language.words import (
    ALSO,
    ARTICLES,
    BEGINNING,
    BEING,
    COMING,
    COUNTED,
    COURTESIES,
    EVERYBODY,
    EXACT,
    IT,
    ORDINALS,
    PEOPLE,
    PLURAL,
    POLITE,
    TIMES,
    Phrasebook,
    Token,
    number,
    past,
    singular,
)
from companion.engine.play.domains import Count, Domain, Flag, Pairs, PieceName, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.position import Position


class Wording:
    """The words of a line that may say fields of `kind`. `verb`: the last word before them.

    `furthest`: the token reached; `unpaired`: the values one of which should stand there, after its key; `untrue`: a
    value, and what it was called but is not."""

    def __init__(self, kind: type[Move], books: Books, line: list[Token], verb: str) -> None:
        self.kind = kind
        self.books = books
        self.fields = fields(kind)
        self.line = line
        self.verb = verb
        self.of_seat = {seat.lower(): field for seat, field in kind.of_seat(books.at).items()}
        self.each = of_each(kind, books.at)
        self.report = False
        self.furthest = 0
        self.unpaired: Phrasebook | None = None
        self.untrue: tuple[str, str] | None = None

    def _said_by_verb(self) -> dict[tuple[str, ...], Any]:
        """The fields that the verb sets: `upgrades` says that the beast is upgraded, where it may be moved."""
        flags = [(field, field.domain) for field in self.fields if isinstance(field.domain, Flag)]
        return {field.path: True for field, flag in flags if singular(self.verb) in map(singular, flag.words)}

    # --- words beside values -------------------------------------------------------------------------------------

    def _announces(self, field: Field, word: str) -> bool:
        """True if a word announces a value of the field."""
        return announces(field, word) or self.of_seat.get(word) == field.path[-1]

    def _is_seats(self, field: Field) -> bool:
        """True if a field has the name of a seat, whose thing it holds."""
        return any(seat.lower() == field.path[-1].lower() for seat in self.books.at.seats)

    def _is_whose(self, field: Field, seat: str) -> bool:
        """True if a seat tells whose thing a report's field is about: a field of that seat, or pairs of seats and
        things."""
        domain = field.domain
        pairs = isinstance(domain, Pairs) and isinstance(domain.left, Seat) and not domain.announced
        return self._announces(field, seat.lower()) or pairs

    def _said_of_one_field(self, i: int) -> bool:
        """True if the word after `all` names the things."""
        after = self._past(i + 1, lambda one: one in COUNTED)
        return any(self._counts(field, after) or self._noun_at(field, after) for field in self.fields)

    def _joined(self, i: int) -> bool:
        """True if `and` stands before the words at `i`."""
        while i > 0 and self.line[i - 1].text in ARTICLES:
            i -= 1
        return i > 0 and self.line[i - 1].text == "and"

    def _skipped(self, i: int) -> bool:
        """True if the word at `i` need not be recorded."""
        word, last = self.line[i].text, i + 1 == len(self.line)
        if word in POLITE or (self.report and (word in COMING or self._told_again(i))):
            return True
        if self.report and word in IT and not last and self.line[i + 1].text in BEING:
            return True  # `in gansu it is 5 to 9`
        if not last and word.isalpha() and number(word) == 1 and self._is_article(i):
            return True
        return not last and (word in BEING or (word in COURTESIES and (i > 0 or word != "and")))

    def _is_article(self, i: int) -> bool:
        """True if `one` is only an article, in a move without numbers: `takes one from the reserve`."""
        after = self._past(i + 1, lambda word: word in COUNTED or word == "of")
        counts = any(isinstance(field.domain, Count | Tally) or field.many for field in self.fields)
        return (
            not counts
            and after < len(self.line)
            and any(
                self._announces(field, self.line[after].text) or self._noun_at(field, after)
                for field in self.fields
                if isinstance(field.domain, PieceName)
            )
        )

    def _told_again(self, i: int) -> bool:
        """True if a second player repeats the verb of the same report: `white shows 6, black shows 3`."""
        verbs = verb_book(self.kind)
        for start in (i, i - 1):  # `ben lays down spears`
            whose = self.line[start - 1].text if start > 0 else ""
            said_of_each = bool(self.each) and whose in (EVERYBODY | PEOPLE)
            if whose and (said_of_each or any(self._is_whose(field, whose) for field in self.fields)):
                text, after = self.line[start].text, self.line[start + 1 :]
                told = [
                    [Token(word, word), *after]
                    for word in (text, *instead_of(text, {verb.split()[0] for verb in verbs.texts()}))
                ]
                ways = [match for said in told for match in verbs.matches(said, 0) if match.cost <= PLURAL]
                if any(start + match.length > i for match in ways):
                    return True
        return False

    def _announcing(self, field: Field, i: int) -> bool:
        """True if the word at `i` announces a field and is not a repetition."""
        return self._announces(field, self.line[i].text) and not self._again(i)

    def _again(self, i: int) -> bool:
        """True if the word at `i` only repeats the one before it."""
        return self.line[i].text == (self.line[i - 1].text if i else self.verb)

    def _begins(self, field: Field, word: str) -> bool:
        """True if a noun stands before a value of the field, and nothing else has to announce it."""
        return field.domain is not None and not field.domain.announced and self._noun(field, word)

    def _noun(self, field: Field, word: str) -> bool:
        """True if a word is a noun for the field's values."""
        return field.domain is not None and singular(word) in self.books.nouns(field.domain)

    def _is_a(self, field: Field, value: Any, noun: str) -> bool:
        """True if a noun is true of a value, or of each of several; it may also be the verb (`mines at d5`)."""
        domain = field.domain
        if domain is None or isinstance(value, Everything | int):
            return True
        return all(
            domain.is_a(self.books.at, one, noun) for one in (value if isinstance(value, list | dict) else [value])
        )

    def _named(self, field: Field, value: Any, i: int) -> list[int]:
        """The places after a value, and after the nouns beside it (`daring general`), where the rest may begin."""
        ends = [i]
        if isinstance(value, str) and 1 < i < len(self.line) and self.line[i].text == "one":
            ends += [i + 1] if self.line[i - 2].text in ARTICLES else []  # `the brilliant one`
        while i < len(self.line) and self._noun(field, word := self.line[i].text) and not self._again(i):
            if not self._is_a(field, value, singular(word)):
                self.untrue = self.untrue or (self.line[i - 1].typed, singular(word))
                break
            i += 1
            ends.append(i)
        return ends

    # --- values --------------------------------------------------------------------------------------------------

    def _values(self, field: Field, i: int, forced: bool) -> list[tuple[int, Any, int]]:
        """(tokens used, value, cost) of every way to read a value of `field` at token `i`."""
        n = number(self.line[i].text)
        which = ORDINALS.get(self.line[i].text)
        if which is not None and isinstance(field.domain, Count) and self._noun_at(field, i + 1):
            return [(2, which, 0)]
        if every := self._so_often(field, i, ALSO.get(self.line[i].text)) or self._everything(field, i):
            return every  # `both in the Barracks`, `all her armies`
        if isinstance(field.domain, Count):
            said = [(m.length, m.value, m.cost) for m in self.books[field].matches(self.line, i)]
            return [*said, *self._count(field, i, n, forced or not field.domain.announced)]
        found = [(m.length, m.value, m.cost) for m in self.books[field].matches(self.line, i)]
        if n is not None and field.many and i + 1 < len(self.line) and self._noun(field, self.line[i + 1].text):
            found = []  # `2 crates` are not the crate on 2
        if not field.many and i and number(self.line[i - 1].text) not in (None, 1):
            found = [one for one in found if one[2] != PLURAL or not self.line[i].text.endswith("s")]  # `two plagues`
        found = _whole(found) if field.many else found
        if isinstance(field.domain, Pairs) and self.line[i].text in field.domain.between and not found:
            return self._pairs_of_the_same(field, field.domain, i)
        if isinstance(field.domain, Pairs) and not found:
            return self._pairs_turned(field, field.domain, i)
        if isinstance(field.domain, Pairs):
            return [pair for one in found for pair in self._pairs(field, field.domain.right, i, *one)]
        if field.many and not found and len(letters := self.line[i].text) > 1:
            found += self._letters(field, letters)
        found += self._so_often(field, i, n)
        if self._counts_things(field) and (many := 1 if self.line[i].text in ("a", "an") else n):
            end = i + 1
            while end < len(self.line) and self._noun(field, self.line[end].text):
                found.append((end - i + 1, Some(many), 1))
                end += 1
        if isinstance(field.domain, Tally):
            one = Everything(alone=True) if field.domain.whole and not self._is_one(field, i) else 1
            found = [(length, {value: one}, cost) for length, value, cost in found]
            if n is not None:
                found += self._tallied(field, i, i + 1, n)
                if field.domain.bare:
                    found.append((1, n, 0))
            elif field.domain.bare and self.line[i].text in ("a", "an") and self._noun_at(field, i + 1):
                found.append((1, 1, 0))  # `a card for two`
            if field.domain.people:
                found += self._of_people(field, i, n, found)
        return found

    def _so_often(self, field: Field, i: int, n: int | None) -> list[tuple[int, Any, int]]:
        """A value that the word at `i` says `n` times: `2 in the quarry`, `both in the Barracks`."""
        if n is None or not 0 < n <= MOST_TIMES or not self._repeats(field):
            return []
        each = ("each",) if n == 1 else ()
        word = self._past(
            i + 1, lambda one: one in (*COUNTED, *each) or self._noun(field, one) or self._announces(field, one)
        )
        if word == len(self.line) or number(self.line[word].text) is not None:
            return []  # `1, 3`
        several = _whole([(m.length, m.value, m.cost) for m in self.books[field].matches(self.line, word)])
        return [(word - i + length, Times([value] * n), cost) for length, value, cost in several]

    def _is_one(self, field: Field, i: int) -> bool:
        """True if an article counts the piece at `i` as one: `an army from Tibet`."""
        while i > 0 and self.line[i - 1].text not in ("a", "an"):
            word = self.line[i - 1].text
            if not (word in COUNTED or self._announces(field, word) or self._noun(field, word)):
                return False
            i -= 1
        return i > 0

    def _tallied(self, field: Field, i: int, after: int, n: int | Everything) -> list[tuple[int, Any, int]]:
        """So many of the piece that is named after the words at `i`: `2 armies in Tibet`, `all of the wood`."""
        between = ARTICLES | {"of"}
        piece = self._past(after, lambda one: one in between or self._announces(field, one) or self._noun(field, one))
        matches = self.books[field].matches(self.line, piece) if piece < len(self.line) else ()
        return [(piece - i + m.length, {m.value: n}, m.cost + piece - after) for m in matches]

    def _of_each(self, i: int) -> list[tuple[int, Any, int]]:
        """(tokens used, value, cost) of every way to say at `i` what each side has: `both a 5`, `two plagues`, `four
        each`."""
        if not self.each:
            return []
        book, word, found = self.books[self.each[0]], self.line[i].text, []
        if word in EVERYBODY:
            start = past(COURTESIES | PEOPLE, self.line, i + 1)
            while start < len(self.line) and self._told_again(start):
                start += 1
            start = past(COURTESIES, self.line, start)
            found += [(start - i + m.length, m.value, m.cost) for m in book.matches(self.line, start)]
        elif number(word) == len(self.each) and i + 1 < len(self.line) and self.line[i + 1].text.endswith("s"):
            found += [(1 + m.length, m.value, 0) for m in book.matches(self.line, i + 1) if m.cost <= PLURAL]
        for match in book.matches(self.line, i):
            end = i + match.length
            after = [word.text for word in self.line[end : end + 2]]
            if after[:1] == ["each"] or (after[:1] == ["for"] and {*after[1:]} & EVERYBODY):
                found.append((match.length + len(after[: 1 + (after[0] == "for")]), match.value, match.cost))
        return found

    def _of_people(
        self, field: Field, i: int, n: int | None, named: list[tuple[int, Any, int]]
    ) -> list[tuple[int, Any, int]]:
        """The readings with the number after the player: `one each`, `2 for everybody`, `ann twice`."""
        found: list[tuple[int, Any, int]] = []
        for length, value, cost in named:
            word = self.line[i + length].text if i + length < len(self.line) else ""
            many = TIMES.get(word) or number(word)
            if many is not None and set(value.values()) == {1} and length == 1:
                found.append((length + 1, dict.fromkeys(value, many), cost))
        everybody = i if self.line[i].text in EVERYBODY else None
        if everybody is not None and i + 1 < len(self.line):
            n = number(self.line[i + 1].text)
            end = self._past(i + 2, lambda word: self._noun(field, word))
        elif n is not None or self.line[i].text in ("a", "an"):
            n = n or 1
            end = self._past(i + 1, lambda word: word in ("of", "for") or self._noun(field, word))
            everybody = end if end < len(self.line) and self.line[end].text in (*EVERYBODY, "each") else None
            end = self._past(end + 1, lambda word: self._noun(field, word))
        if n is not None and everybody is not None and field.domain is not None:
            found.append((end - i, dict.fromkeys(field.domain.values(self.books.at), n), 0))
        return found

    def _letters(self, field: Field, said: str) -> list[tuple[int, Any, int]]:
        """Values that are single letters, written together: `tiles egcia`."""
        book = self.books[field]
        exact = [[m for m in book.matches([Token(sign, sign)], 0) if m.cost == EXACT] for sign in said]
        return [(1, Times([one[0].value for one in exact]), PLURAL)] if all(exact) and not said.isdigit() else []

    def _repeats(self, field: Field) -> bool:
        """True if a number before a word of the field repeats it: `places 2 quarry`."""
        numbers = any(isinstance(one.domain, Count | Tally) for one in self.fields)
        return field.many and not numbers and not isinstance(field.domain, Seat | Pairs)

    def _counts_things(self, field: Field) -> bool:
        """True if a number may stand before a noun for the field's values: `2 crates`, `one general`."""
        return field.many and not isinstance(field.domain, Seat | Pairs | Tally)

    def _past(self, i: int, skipped: Callable[[str], bool]) -> int:
        """The index of the word that a number counts: `2 from Tibet`, `2 of the mines`."""
        while i < len(self.line) and skipped(self.line[i].text):
            i += 1
        return i

    def _pairs(
        self, field: Field, right: Domain, i: int, length: int, key: Any, cost: int
    ) -> list[tuple[int, Any, int]]:
        """A pair whose key was read at token `i`: every way to read its value after it."""
        i += length
        between = {*COURTESIES, *(field.domain.between if isinstance(field.domain, Pairs) else ())}
        while i < len(self.line) and (self.line[i].text in between or (self.report and self._told_again(i))):
            i, length = i + 1, length + 1
        if i == len(self.line):
            return []
        book = self.books.right(field, right)
        after = list(book.matches(self.line, i))
        if isinstance(right, Count):
            n = number(self.line[i].text)
            found = [(length + m.length, {key: m.value}, cost + m.cost) for m in after]
            return found if n is None else [*found, (length + 1, {key: n}, cost)]
        if not after and self.line[i].text in IT:
            back = (match for at in range(i - 1, -1, -1) for match in book.matches(self.line, at))
            after = [match._replace(length=1) for match in back if match.cost < BEGINNING][:1]
        if not after and i > self.furthest:
            self.furthest, self.unpaired = i, book
        return [(length + m.length, {key: m.value}, cost + m.cost) for m in after]

    def _pairs_turned(self, field: Field, domain: Pairs, i: int) -> list[tuple[int, Any, int]]:
        """A pair whose value stands before its key: `tiger for the Horse Market`."""
        found: list[tuple[int, Any, int]] = []
        for value in self.books.right(field, domain.right).matches(self.line, i) if domain.secret else ():
            end = i + value.length
            if value.cost < BEGINNING and end < len(self.line) and self.line[end].text in ("for", "to", "on"):
                key_at = self._past(end + 1, lambda one: one in COURTESIES)
                keys = self.books[field].matches(self.line, key_at) if key_at < len(self.line) else ()
                found += [
                    (key_at - i + key.length, {key.value: value.value}, value.cost + key.cost)
                    for key in keys
                    if key.cost < BEGINNING
                ]
        return found

    def _told_as(self, field: Field, i: int, length: int, last: str) -> bool:
        """True if a pair that has to be announced is, by a word between its key and its value, or because it continues
        one of the field (`last`): `ann saves an archer and ben a horseman`."""
        domain = field.domain
        if not isinstance(domain, Pairs) or not domain.announced or field.group == last:
            return True
        return any(word.text in domain.between for word in self.line[i : i + length])

    def _pairs_of_the_same(self, field: Field, domain: Pairs, i: int) -> list[tuple[int, Any, int]]:
        """A pair without its key, which was said last: `ben loses a spearman and saves it`."""
        keys = (match for at in range(i - 1, -1, -1) for match in self.books[field].matches(self.line, at))
        last = next((match for match in keys if match.cost < BEGINNING), None)
        return [] if last is None else self._pairs(field, domain.right, i, 0, last.value, last.cost)

    def _everything(self, field: Field, i: int) -> list[tuple[int, Any, int]]:
        """`all armies`, `both of the generals`, `his generals`, `all` where the field holds several things; and `his
        army`, if there is but one."""
        word = self.line[i].text
        after = self._past(i + 1, lambda one: one in COUNTED)
        if isinstance(field.domain, Tally) and word in ALL:
            many = number(self.line[after].text) if after < len(self.line) else None
            every = Everything(ALL[word] if many is None else many)
            if found := self._tallied(field, i, after + (many is not None), every):
                return found if many is not None else [self._of_things(field, i, *one) for one in found]
        if self._counts(field, after) or (field.many and self._noun_at(field, after)):
            noun = self.line[after].text
            if word in ALL:
                return [(after - i + 1, Everything(ALL[word]), 0)]
            if word in OWNING and noun == singular(noun):
                return [(after - i + 1, Everything(1), 0)]
            if word in OWNING and word != "the":
                return [(after - i + 1, Everything(), 0)]
        elif isinstance(field.domain, Tally) and field.domain.people and word in ALL:
            many = number(self.line[after].text) if after < len(self.line) else None
            return [(after - i + 1, Everything(many), 0)] if many else [(1, Everything(ALL[word]), 0)]
        elif word in ALL and field.many:
            return [(1, Everything(ALL[word], bare=True), 0)]
        return []

    def _of_things(self, field: Field, i: int, length: int, value: dict[str, Any], cost: int) -> tuple[int, Any, int]:
        """All of a piece, with whether it was said what they are: `all his armies in Tibet`."""
        named = any(self._noun(field, word.text) for word in self.line[i + 1 : i + length])
        return length, {piece: n._replace(things=named) for piece, n in value.items()}, cost

    def _noun_at(self, field: Field, i: int) -> bool:
        return i < len(self.line) and self._noun(field, self.line[i].text)

    def _counts(self, field: Field, i: int) -> bool:
        """True if the word at `i` names the things that this number field counts: `all armies`."""
        if not isinstance(field.domain, Count) or i >= len(self.line):
            return False
        unit = singular(self.line[i].text)
        return unit == singular(field.path[-1]) or self._noun(field, unit)

    def _count(self, field: Field, i: int, n: int | None, alone: bool) -> list[tuple[int, Any, int]]:
        """The number at `i`, with the word for what it counts. `alone`: it may stand without that word."""
        unit = singular(self.line[i + 1].text) if i + 1 < len(self.line) else ""
        counting = [f for f in self.fields if isinstance(f.domain, Count) and unit]
        counting = [f for f in counting if unit == singular(f.path[-1]) or self._noun(f, unit)]
        if n is None and self.line[i].text in ("a", "an", "no") and field in counting:
            n = int(self.line[i].text != "no")  # `with an army`
            alone = alone or not n
        if n is None:
            return []
        if not alone:
            return []
        if counting:
            return [(2, n, 0)] if field in counting else []
        if unit == "of" and i + 2 < len(self.line) and self.line[i + 2].text in IT and i + 3 == len(self.line):
            return [(3, n, 0)]  # `and keeps two of them`
        return [(1, n, 0)]


def of_each(kind: type[Move], at: Position[Any]) -> list[Field]:
    """The fields of a report that say the same of every side (`both show a 5`); none if it has no such fields."""
    names = [*kind.of_seat(at).values()] or [seat.lower() for seat in at.seats]
    found = [field for field in fields(kind) if field.path[-1].lower() in names]
    alike = len(found) == len(names) > 1 and len({field.group for field in found}) == 1
    return found if alike and actor(kind) is None and not any(field.many for field in found) else []


def _whole(found: list[tuple[int, Any, int]]) -> list[tuple[int, Any, int]]:
    """Without what is only the beginning of the same: `tea house` is not the Tea House twice."""
    return [one for one in found if not any(two[1] == one[1] and _is_within(one, two) for two in found)]


def _is_within(one: tuple[int, Any, int], other: tuple[int, Any, int]) -> bool:
    """True if one reading of a value is only the beginning of another."""
    return one[0] < other[0] and other[2] <= one[2]


def announces(field: Field, word: str) -> bool:
    """True if a word announces a value of the field: it is among its `lead` or `after`, or the field's name."""
    domain = field.domain
    if domain is None:
        return False
    one = singular(word)
    return word in domain.lead or one in domain.lead or word in domain.after or one == singular(field.path[-1].lower())


__all__ = ["Wording", "announces", "of_each"]
