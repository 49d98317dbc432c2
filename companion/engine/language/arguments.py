"""The arguments of one move on a typed line: every cheapest way to read the tokens after the verb as its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import comb
from typing import Any

import msgspec

from companion.engine.language.books import Books, phrasebook
from companion.engine.language.everything import ALL, HAVING, OWNING, TOGETHER, Everything, pieces
from companion.engine.language.fields import Field, actor, build, fields
from companion.engine.language.synonyms import instead_of
from companion.engine.language.values import misnamed, normal
from companion.engine.language.verbs import verb_book
from companion.engine.language.words import (
    ARTICLES,
    COURTESIES,
    EXACT,
    PLACING,
    PLURAL,
    POLITE,
    Phrasebook,
    Token,
    number,
    singular,
)
from companion.engine.play.domains import Count, Domain, Pairs, Seat, Tally
from companion.engine.play.moves import Move
from components.phrasing import suggest
from components.safe_text import too_large

Said = dict[tuple[str, ...], Any]
MOST_STEPS = 20_000
"""A line that takes more steps than this to read is refused; no one types such a line."""
MOST_TIMES = 20
"""How often a number before a word may say it."""
TURNED_ROUND = 2
"""What it costs that a value stands before the word that announces it."""
_OF = ARTICLES | {"of"}
_COUNTED = ARTICLES | PLACING
"""Words between a number and the piece that it counts."""
BEING = frozenset(("is", "are"))
"""Words between a verb and what it says: `the event is plague`."""
COMING = frozenset(("comes", "came", "up"))
"""Words by which people report what came up."""
_JOINING = frozenset(["for", "to", "from", "with", "in", "on", "at", "of", "by"])
"""Words that need another one after them."""


class Times(list[Any]):
    """A word said several times by a number before it."""


class Some(list[Any]):
    """So many of what there is (`2 crates`), and which they are as far as it was said."""

    def __init__(self, many: int, said: Iterable[Any] = ()) -> None:
        super().__init__(said)
        self.many = many


class ArgumentError(Exception):
    """A `name=value` whose name is not a field of the move, or whose value is not valid for it."""


Forced = tuple[Field, tuple[str, ...]] | None
"""The field to which the next value belongs, and the nouns before it (none after a word that only announces it)."""
WHOSE = ("whose",)
"""Among the closed fields: a player was named before a thing, so that things of others need their names, too."""


class Arguments:
    """Reads tokens as the fields of `kind`, every one of them: a word that is no part of a field is a courtesy, or the
    line is not read. `verb`: the last word before them; `rest`: the words of the verb that are still to come (`raise 2
    armies`).

    `readings` are the cheapest moves found, `furthest` the token reached; `unwanted`: a seat was named that is not to
    move, and the move has no player; `cut_off`: the line ends with a word that announces something (`pay`); `unpaired`:
    the values one of which should stand at `furthest`, after its key; `untrue`: a value, and what it was called but is
    not; `unclear`: the word for all of something of which nobody knows what is all of it."""

    def __init__(
        self, kind: type[Move], books: Books, line: list[Token], rest: tuple[str, ...] = (), verb: str = ""
    ) -> None:
        self.kind = kind
        self.books = books
        self.fields = fields(kind)
        self.line = [t for t in line if not t.key]
        self.rest = rest
        self.verb = verb
        self.of_seat = {seat.lower(): field for seat, field in kind.of_seat(books.at).items()}
        self.report = kind.role == "event" and actor(kind) is None
        self.explicit = self._explicit([t for t in line if t.key])
        self.readings: list[tuple[int, Move]] = []
        self.furthest = 0
        self.unwanted = False
        self.cut_off = False
        self.unpaired: Phrasebook | None = None
        self.untrue: tuple[str, str] | None = None
        self.unclear = ""
        self._best = 1_000_000
        self._steps = 0

    def read(self, seat: str = "", me: str = "") -> list[tuple[int, Move]]:
        """(cost, move) of the cheapest readings. `seat` stood before the verb; `me` acts if nobody is named."""
        who = actor(self.kind)
        said = dict(self.explicit)
        seats: list[str] = []
        if seat and who is None and any(self._is_whose(field, seat) for field in self.fields):
            self.line, seat = [Token(seat.lower(), seat, whole=True), *self.line], ""  # `white reveals 6, black 3`
        if seat and who is not None and who.path not in said:
            said[who.path] = seat
        elif seat and who is None and self._tells(seat):
            seats = []
        elif seat and any(isinstance(f.domain, Seat) for f in self.fields):
            seats = [seat]
        elif seat:
            self.unwanted = True
            return []
        self._me = me
        self._step(0, 0, said, seats, None, frozenset(), self.rest)
        cheapest = min((cost for cost, _ in self.readings), default=0)
        return [(cost, move) for cost, move in self.readings if cost == cheapest]

    @property
    def stuck(self) -> bool:
        """Whether there is a word at which its reading stopped, or one that is missing at the end."""
        return self.furthest < len(self.line) or self.cut_off or bool(self.unclear)

    def _announces(self, field: Field, word: str) -> bool:
        """Whether the value after a word is the field's."""
        return announces(field, word) or self.of_seat.get(word) == field.path[-1]

    def _is_seats(self, field: Field) -> bool:
        """Whether a field is called like a seat, whose thing it says."""
        return any(seat.lower() == field.path[-1].lower() for seat in self.books.at.seats)

    def _is_whose(self, field: Field, seat: str) -> bool:
        """Whether a seat says whose thing a report's field is about: a field that is the seat's, or pairs of seats and
        things."""
        domain = field.domain
        pairs = isinstance(domain, Pairs) and isinstance(domain.left, Seat) and not domain.announced
        return self._announces(field, seat.lower()) or pairs

    def _tells(self, seat: str) -> bool:
        """Whether `seat` before a move without a player only says who tells it: the one whose move it is, or anybody
        who turns up what chance decides."""
        if one := self.kind.made_here_by(self.books.at):
            return seat == one
        awaited = self.books.at.rules.to_move(self.books.at.state)
        told = self.kind.role == "event" and self.kind.shows is not Move.shows
        return list(awaited) == [seat] or (not awaited and told)

    # --- name=value --------------------------------------------------------------------------------------------

    def _explicit(self, keyed: list[Token]) -> Said:
        said: Said = {}
        for token in keyed:
            named = [f for f in self.fields if token.key == f.name] or [
                f for f in self.fields if token.key == f.path[-1]
            ]
            if len(named) != 1:
                names = [f.name for f in self.fields]
                hint = suggest(token.key, names, "it has")
                raise ArgumentError(f"{self.kind.name} has no argument {token.key!r}{hint}")
            said[named[0].path] = self._plain(named[0], token.text)
        return said

    def _plain(self, field: Field, text: str) -> Any:
        """The value of `name=text`: JSON where the field can hold it, otherwise the text itself."""
        import json  # few lines have `name=text`

        choices: list[Any] = [text]
        try:
            choices.insert(0, json.loads(text))
        except ValueError:
            pass
        except RecursionError:
            raise ArgumentError(f"{field.name}: the value is too deeply nested") from None
        if (number := too_large(choices[0])) is not None:
            raise ArgumentError(f"{field.name}: {number!r:.20} is more than anything at a table")
        for value in choices:
            value = normal(field, value, self.books.at)
            try:
                build(self.kind, {field.path: value})
            except msgspec.ValidationError:
                continue
            if value != "" and (wrong := misnamed(field, value, self.books.at)):
                raise ArgumentError(f"{self.kind.name}: {wrong}")
            return value
        raise ArgumentError(f"{self.kind.name}: {text!r} is not a valid value for {field.name!r}")

    # --- words in any order --------------------------------------------------------------------------------------

    def _step(
        self,
        i: int,
        cost: int,
        said: Said,
        seats: list[str],
        forced: Forced,
        closed: frozenset[tuple[str, ...]],
        rest: tuple[str, ...],
        last: str = "",
    ) -> None:
        """Read on at token `i`. `last`: the group of the field that had the last value."""
        self._steps += 1
        if i > self.furthest:
            self.furthest, self.unpaired = i, None
        if cost > self._best or self._steps > MOST_STEPS:
            return
        if i == len(self.line):
            if forced is None and not rest:
                self._finish(cost, said, seats)
            else:
                self.cut_off = True
            return
        word = self.line[i].text
        if rest and not forced and tuple(singular(t.text) for t in self.line[i : i + len(rest)]) == rest:
            self._step(i + len(rest), cost, said, seats, None, closed, ())
        if word in ALL and not (forced and forced[1]) and not self._said_of_one_field(i):
            self._step_over_everything(i, cost, said, seats, closed, rest)
        means_something = False
        joined = not forced and self._joined(i)
        for field in [forced[0]] if forced else self._open(said, closed):
            if joined and not (field.many or field.group == last or isinstance(field.domain, Count)):
                continue  # `a church and a village` is not a church on a village
            for length, value, price in self._values(field, i, forced is not None):
                if not forced and field.domain and field.domain.alone and value not in field.domain.alone:
                    continue
                if forced and (false := [noun for noun in forced[1] if not self._is_a(field, value, noun)]):
                    self.untrue = self.untrue or (self.line[i].typed, false[0])
                    continue
                means_something = True
                for end in self._named(field, value, i + length):
                    if isinstance(field.domain, Seat) and not forced and not field.many:
                        self._step(end, cost + price, said, [*seats, value], None, closed, rest, field.group)
                    elif (after := self._with(said, field, value)) is not None:
                        self._step(end, cost + price, after, seats, None, closed, rest, field.group)
                for other in () if forced else self._announced_after(field, i + length, said, closed):
                    named = {**said, other.path: value}
                    self._step(
                        i + length + 1, cost + price + TURNED_ROUND, named, seats, None, closed, rest, field.group
                    )
        if forced:
            if not means_something and self._noun(forced[0], word) and not self._again(i):  # `to the rest zone of R`
                self._step(i + 1, cost, said, seats, (forced[0], (*forced[1], singular(word))), closed, rest)
            elif not means_something and (self._skipped(i) or self._announcing(forced[0], i)):  # `pushed to caravan`
                self._step(i + 1, cost, said, seats, forced, closed, rest)
            return
        announced = [f for f in self.fields if self._takes(f, said, closed)]
        announced = [f for f in announced if not self._again(i) and (self._announces(f, word) or self._begins(f, word))]
        for field in announced:
            others = frozenset(f.path for f in self.fields if f.group == field.group and f != field and f.path in said)
            nouns = () if self._announces(field, word) else (singular(word),)
            if self._is_seats(field) and word == field.path[-1].lower():
                others |= {WHOSE}  # `white 7` and a 3 does not say whose that is
            self._step(i + 1, cost, said, seats, (field, nouns), closed | others, rest)
        if self._skipped(i):
            more = 2 if announced or means_something else 0
            self._step(i + 1, cost + more, said, seats, None, closed, rest, last)

    def _said_of_one_field(self, i: int) -> bool:
        """Whether the word after `all` says of what."""
        after = self._past(i + 1, lambda one: one in _COUNTED)
        return any(self._counts(field, after) or self._noun_at(field, after) for field in self.fields)

    def _step_over_everything(
        self,
        i: int,
        cost: int,
        said: Said,
        seats: list[str],
        closed: frozenset[tuple[str, ...]],
        rest: tuple[str, ...],
    ) -> None:
        """Read on after `everything` that says no field, with or without a word for things of any field."""
        if () in said:
            return
        after = self._past(i + 1, lambda one: one in _COUNTED)
        end = after + 1 if after < len(self.line) and singular(self.line[after].text) in TOGETHER else i + 1
        ends = range(2, min(6, len(self.line) - i + 1))
        having = [n for n in ends if HAVING.match(" ".join(word.text for word in self.line[i + 1 : i + n]))]
        end = i + max(having) if having and end == i + 1 else end
        self._step(end, cost, {**said, (): Everything(ALL[self.line[i].text])}, seats, None, closed, rest)

    def _joined(self, i: int) -> bool:
        """Whether `and` stands before the words at `i`."""
        while i > 0 and self.line[i - 1].text in ARTICLES:
            i -= 1
        return i > 0 and self.line[i - 1].text == "and"

    def _skipped(self, i: int) -> bool:
        """Whether the word at `i` need not be part of what is recorded."""
        word, last = self.line[i].text, i + 1 == len(self.line)
        if word in POLITE or (self.report and (word in COMING or self._told_again(i))):
            return True
        return not last and (word in BEING or (word in COURTESIES and (i > 0 or word != "and")))

    def _told_again(self, i: int) -> bool:
        """Whether a second player says the verb of the same report: `white shows 6, black shows 3`."""
        verbs = verb_book(self.kind)
        for start in (i, i - 1):  # `ben lays down spears`
            if start > 0 and any(self._is_whose(field, self.line[start - 1].text) for field in self.fields):
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
        """Whether the word at `i` announces a field, said once."""
        return self._announces(field, self.line[i].text) and not self._again(i)

    def _again(self, i: int) -> bool:
        """Whether the word at `i` is only that before it, said twice."""
        return self.line[i].text == (self.line[i - 1].text if i else self.verb)

    def _begins(self, field: Field, word: str) -> bool:
        """Whether a noun stands before a value of the field, which needs no other word to announce it."""
        return field.domain is not None and not field.domain.announced and self._noun(field, word)

    def _noun(self, field: Field, word: str) -> bool:
        """Whether a word says what a value of the field is."""
        return field.domain is not None and singular(word) in self.books.nouns(field.domain)

    def _is_a(self, field: Field, value: Any, noun: str) -> bool:
        """Whether a noun is true of a value, or of each of several."""
        domain = field.domain
        if domain is None or isinstance(value, Everything | int):
            return True
        return all(
            domain.is_a(self.books.at, one, noun) for one in (value if isinstance(value, list | dict) else [value])
        )

    def _named(self, field: Field, value: Any, i: int) -> list[int]:
        """Where what follows a value may begin: after it, or after the nouns beside it (`daring general`)."""
        ends = [i]
        while i < len(self.line) and self._noun(field, word := self.line[i].text) and not self._again(i):
            if not self._is_a(field, value, singular(word)):
                self.untrue = self.untrue or (self.line[i - 1].typed, singular(word))
                break
            i += 1
            ends.append(i)
        return ends

    def _announced_after(self, field: Field, i: int, said: Said, closed: frozenset[tuple[str, ...]]) -> list[Field]:
        """The fields of which a value of `field`'s words may be one, as the word after it says: `A19 active`."""
        if field.many or isinstance(field.domain, Count | Seat) or i >= len(self.line):
            return []
        if (word := self.line[i].text) in _JOINING:
            return []  # it announces what follows: `2 mines for`
        others = [f for f in self.fields if f.group == field.group and not f.many and self._announces(f, word)]
        return [f for f in others if self._takes(f, said, closed)]

    def _takes(self, field: Field, said: Said, closed: frozenset[tuple[str, ...]]) -> bool:
        if field.domain is None or field.path in closed or field.path in self.explicit:
            return False
        return field.many or field.path not in said

    def _open(self, said: Said, closed: frozenset[tuple[str, ...]]) -> list[Field]:
        """The fields that may take the next words: the first open one of each group."""
        found: dict[str, Field] = {}
        for field in self.fields:
            domain = field.domain
            announced = domain is not None and domain.announced and not domain.alone and not isinstance(domain, Count)
            nobodys = WHOSE in closed and self._is_seats(field)
            if self._takes(field, said, closed) and not announced and not nobodys:
                found.setdefault(field.group, field)
        return list(found.values())

    def _values(self, field: Field, i: int, forced: bool) -> list[tuple[int, Any, int]]:
        """(tokens used, value, cost) of every way to read a value of `field` at token `i`."""
        n = number(self.line[i].text)
        if everything := self._everything(field, i):
            return everything
        if isinstance(field.domain, Count):
            said = [(m.length, m.value, m.cost) for m in self.books[field].matches(self.line, i)]
            return [*said, *self._count(field, i, n, forced or not field.domain.announced)]
        found = [(m.length, m.value, m.cost) for m in self.books[field].matches(self.line, i)]
        if n is not None and field.many and i + 1 < len(self.line) and self._noun(field, self.line[i + 1].text):
            found = []  # `2 crates` are not the crate on 2
        if not field.many and i and number(self.line[i - 1].text) not in (None, 1):
            found = [one for one in found if one[2] != PLURAL or not self.line[i].text.endswith("s")]  # `two plagues`
        if isinstance(field.domain, Pairs):
            return [pair for one in found for pair in self._pairs(field, field.domain.right, i, *one)]
        if field.many and not found and len(letters := self.line[i].text) > 1:
            found += self._letters(field, letters)
        if n is not None and 0 < n <= MOST_TIMES and self._repeats(field):
            word = self._past(i + 1, lambda one: one in _COUNTED or self._noun(field, one))
            some = self.books[field].matches(self.line, word) if word < len(self.line) else ()
            some = () if word < len(self.line) and number(self.line[word].text) is not None else some  # `1, 3`
            found += [(word - i + m.length, Times([m.value] * n), m.cost) for m in some]
        if self._repeats(field) and (many := 1 if self.line[i].text in ("a", "an") else n):
            end = i + 1
            while end < len(self.line) and self._noun(field, self.line[end].text):
                found.append((end - i + 1, Some(many), 1))
                end += 1
        if isinstance(field.domain, Tally):
            found = [(length, {value: 1}, cost) for length, value, cost in found]
            if n is not None:
                piece = self._past(
                    i + 1,
                    lambda one: one in ARTICLES or one == "of" or self._announces(field, one) or self._noun(field, one),
                )
                if piece < len(self.line):
                    after = self.books[field].matches(self.line, piece)
                    found += [(piece - i + m.length, {m.value: n}, m.cost + piece - i - 1) for m in after]
                if field.domain.bare:
                    found.append((1, n, 0))
        return found

    def _letters(self, field: Field, said: str) -> list[tuple[int, Any, int]]:
        """Values that are single letters, written together: `tiles egcia`."""
        book = self.books[field]
        exact = [[m for m in book.matches([Token(sign, sign)], 0) if m.cost == EXACT] for sign in said]
        return [(1, Times([one[0].value for one in exact]), PLURAL)] if all(exact) and not said.isdigit() else []

    def _repeats(self, field: Field) -> bool:
        """Whether a number before a word of the field says it so many times: `places 2 quarry`."""
        numbers = any(isinstance(one.domain, Count | Tally) for one in self.fields)
        return field.many and not numbers and not isinstance(field.domain, Seat | Pairs)

    def _past(self, i: int, skipped: Callable[[str], bool]) -> int:
        """Where the word stands that a number counts: `2 from Tibet`, `2 of the mines`."""
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
        if not after and i > self.furthest:
            self.furthest, self.unpaired = i, book
        return [(length + m.length, {key: m.value}, cost + m.cost) for m in after]

    def _everything(self, field: Field, i: int) -> list[tuple[int, Any, int]]:
        """`all armies`, `both of the generals`, `his generals`, `all` where the field holds several things; and `his
        army`, if there is but one."""
        word = self.line[i].text
        after = self._past(i + 1, lambda one: one in _COUNTED)
        if self._counts(field, after) or (field.many and self._noun_at(field, after)):
            noun = self.line[after].text
            if word in ALL:
                return [(after - i + 1, Everything(ALL[word]), 0)]
            if word in OWNING and noun == singular(noun):
                return [(after - i + 1, Everything(1), 0)]
            if word in OWNING and word != "the":
                return [(after - i + 1, Everything(), 0)]
        elif word in ALL and field.many:
            return [(1, Everything(ALL[word], bare=True), 0)]
        return []

    def _noun_at(self, field: Field, i: int) -> bool:
        return i < len(self.line) and self._noun(field, self.line[i].text)

    def _counts(self, field: Field, i: int) -> bool:
        """Whether the word at `i` is what a number of this field counts: `all armies`."""
        if not isinstance(field.domain, Count) or i >= len(self.line):
            return False
        unit = singular(self.line[i].text)
        return unit == singular(field.path[-1]) or self._noun(field, unit)

    def _count(self, field: Field, i: int, n: int | None, alone: bool) -> list[tuple[int, Any, int]]:
        """The number at `i`, with the word for what it counts. `alone`: it may stand without that word."""
        unit = singular(self.line[i + 1].text) if i + 1 < len(self.line) else ""
        counting = [f for f in self.fields if isinstance(f.domain, Count) and unit]
        counting = [f for f in counting if unit == singular(f.path[-1]) or self._noun(f, unit)]
        if n is None and self.line[i].text in ("a", "an") and field in counting:
            n = 1  # `with an army`
        if n is None:
            return []
        if not alone:
            return []
        if counting:
            return [(2, n, 0)] if field in counting else []
        return [(1, n, 0)]

    def _with(self, said: Said, field: Field, value: Any) -> Said | None:
        """What is said once `field` has `value` too; None if that contradicts what it has."""
        has = said.get(field.path)
        if isinstance(value, Everything) or isinstance(has, Everything):
            return {**said, field.path: value} if has is None else None
        if isinstance(field.domain, Tally):
            if isinstance(value, dict) and isinstance(has, dict):
                value = {**has, **{k: has.get(k, 0) + v for k, v in value.items()}}
            elif has is not None:
                return None
        elif isinstance(field.domain, Pairs):
            before: dict[Any, Any] = has or {}
            again = [key for key in value if key in before]
            if again and not field.domain.right.many:
                return None
            value = {**before, **value, **{key: [*_listed(before[key]), value[key]] for key in again}}
        elif field.many:
            several = [*(has or []), *(value if isinstance(value, Times | Some) else [value])]
            counted = [some.many for some in (has, value) if isinstance(some, Some)]
            value = Some(sum(counted), several) if counted else several
        return {**said, field.path: value}

    def _finish(self, cost: int, said: Said, seats: list[str]) -> None:
        who = actor(self.kind)
        free = [f for f in self.fields if isinstance(f.domain, Seat) and not f.many and f.path not in said]
        if len(seats) < len(free):
            free.sort(key=lambda f: f == who)
        if len(seats) > len(free):
            return
        said = {**said, **{f.path: seat for f, seat in zip(free, seats, strict=False)}}
        if who is not None and who.path not in said and self._me:
            said[who.path] = self._me
        try:
            moves = [*self._whole(said)]
        except msgspec.ValidationError:
            return
        for move in moves:
            self._found(cost, move)

    def _found(self, cost: int, move: Move) -> None:
        """Keep what the whole line says."""
        self._best = min(self._best, cost)
        if not any(move == known for _, known in self.readings):
            self.readings.append((cost, move))

    def _whole(self, said: Said) -> Iterator[Move]:
        """The moves that say all this; none where nobody knows what `all` is, several where `2 crates` may be one or
        the other. Raises msgspec.ValidationError."""
        all_of = {path: value for path, value in said.items() if isinstance(value, Everything)}
        some_of = {path: value for path, value in said.items() if isinstance(value, Some)}
        move = build(self.kind, {path: value for path, value in said.items() if path not in {*all_of, *some_of}})
        if (whole := all_of.pop((), None)) is not None:
            every = move.everything(self.books.at, "")
            every = every if every and set(every) <= set(self.kind.__struct_fields__) else None
            if every and not all_of and not some_of and whole.is_so_many(pieces(every)):
                yield msgspec.structs.replace(move, **every)
            else:
                self.unclear = next(word.typed for word in self.line if word.text in ALL)
            return
        for path, wanted in all_of.items():
            everything = move.everything(self.books.at, path[-1]) if len(path) == 1 else None
            if wanted.bare and move.everything(self.books.at, ""):
                return  # not of this field alone
            if everything is None or not wanted.is_so_many(everything):
                self.unclear = next(word.typed for word in self.line if word.text in ALL or word.text in OWNING)
                return
            move = msgspec.structs.replace(move, **{self._attribute(path): everything})
        moves = [move]
        for path, some in some_of.items():
            ways = [(one, way) for one in moves for way in self._ways_to_have(one, path, some)]
            moves = [msgspec.structs.replace(one, **{self._attribute(path): way}) for one, way in ways]
        yield from moves

    def _ways_to_have(self, move: Move, path: tuple[str, ...], some: Some) -> Iterable[Any]:
        """Every way to have so many things in a field."""
        if some:
            return [tuple(some)] if len(some) == some.many else []
        everything = move.everything(self.books.at, path[-1]) if len(path) == 1 else None
        if everything is None or comb(len(everything), some.many) > MOST_TIMES:
            self.unclear = self.line[0].typed
            return []
        return combinations(everything, some.many)

    def _attribute(self, path: tuple[str, ...]) -> str:
        return next(field.attributes[0] for field in self.fields if field.path == path)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def announces(field: Field, word: str) -> bool:
    """Whether the value after a word is the field's: it is among its `lead` or `after`, or the field's name."""
    domain = field.domain
    if domain is None:
        return False
    one = singular(word)
    return word in domain.lead or one in domain.lead or word in domain.after or one == singular(field.path[-1].lower())


__all__ = ["ArgumentError", "Arguments", "Books", "announces", "misnamed", "normal", "phrasebook"]
