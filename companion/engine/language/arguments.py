"""The arguments of one move on a typed line: every cheapest way to read the tokens after the verb as its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.engine.language.fields import Field, actor, build, fields
from companion.engine.language.words import EXACT, FILLERS, PLURAL, Phrasebook, Token, number, singular
from companion.engine.play.domains import Count, Domain, Pairs, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from components.phrasing import suggest

Said = dict[tuple[str, ...], Any]
MOST_STEPS = 20_000
"""A line that takes more steps than this to read is refused; no one types such a line."""
MOST_TIMES = 20
"""How often a number before a word may say it."""
TURNED_ROUND = 2
"""What it costs that a value stands before the word that announces it."""
_BETWEEN = frozenset(("of", "from", "the", "my", "your", "his", "her", "its", "our", "their"))
"""Words between a number and the piece that it counts."""


class Times(list[Any]):
    """A word said several times by a number before it."""


class ArgumentError(Exception):
    """A `name=value` whose name is not a field of the move, or whose value is not valid for it."""


class Books:
    """The phrase books of the fields in one position, each made when it is first needed. `people`: person -> seat."""

    def __init__(self, at: Position[Any], people: Mapping[str, str] | None = None) -> None:
        self.at = at
        seats = {seat.lower() for seat in at.seats}
        self.people = {person: seat for person, seat in (people or {}).items() if person.lower() not in seats}
        self.fillers = FILLERS | at.rules.fillers
        self._books: dict[str, Phrasebook] = {}
        self._rights: dict[str, Phrasebook] = {}

    def right(self, field: Field, domain: Domain) -> Phrasebook:
        """The phrase book of the values of pairs."""
        if field.group not in self._rights:
            self._rights[field.group] = Phrasebook(domain.spoken(self.at))
        return self._rights[field.group]

    def __getitem__(self, field: Field) -> Phrasebook:
        if field.group not in self._books:
            names = self.people if field.domain is not None and field.domain.people else None
            self._books[field.group] = Phrasebook(field.domain.spoken(self.at) if field.domain else {}, names)
        return self._books[field.group]


class Arguments:
    """Reads tokens as the fields of `kind`. `readings` are the cheapest moves found, `furthest` the token reached;
    `unwanted`: a seat was named that is not to move, and the move has no player; `cut_off`: the line ends with a word
    that announces something (`pay`); `unpaired`: the values one of which should stand at `furthest`, after its key."""

    def __init__(self, kind: type[Move], books: Books, line: list[Token]) -> None:
        self.kind = kind
        self.books = books
        self.fields = fields(kind)
        self.line = [t for t in line if not t.key]
        self.fillers = {singular(part) for verb in (*kind.words, kind.name) for part in verb.replace("_", " ").split()}
        self._between = _BETWEEN | books.at.rules.fillers
        self.explicit = self._explicit([t for t in line if t.key])
        self.readings: list[tuple[int, Move]] = []
        self.furthest = 0
        self.unwanted = False
        self.cut_off = False
        self.unpaired: Phrasebook | None = None
        self._best = 1_000_000
        self._steps = 0

    def read(self, seat: str = "", me: str = "") -> list[tuple[int, Move]]:
        """(cost, move) of the cheapest readings. `seat` stood before the verb; `me` acts if nobody is named."""
        who = actor(self.kind)
        said = dict(self.explicit)
        seats: list[str] = []
        if seat and who is None and any(_announces(field, seat.lower()) for field in self.fields):
            self.line, seat = [Token(seat.lower(), seat), *self.line], ""  # `white reveals 6 in tibet, black 3`
        if seat and who is not None and who.path not in said:
            said[who.path] = seat
        elif seat and any(isinstance(f.domain, Seat) for f in self.fields):
            seats = [seat]
        elif seat and seat not in self.books.at.rules.to_move(self.books.at.state):
            self.unwanted = True
            return []
        self._me = me
        self._step(0, 0, said, seats, None, frozenset())
        if not self.readings and seats and seat in self.books.at.rules.to_move(self.books.at.state):
            self._step(0, 0, said, [], None, frozenset())
        cheapest = min((cost for cost, _ in self.readings), default=0)
        return [(cost, move) for cost, move in self.readings if cost == cheapest]

    # --- name=value --------------------------------------------------------------------------------------------

    def _explicit(self, tokens: list[Token]) -> Said:
        said: Said = {}
        for token in tokens:
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
        self, i: int, cost: int, said: Said, seats: list[str], forced: Field | None, closed: frozenset[tuple[str, ...]]
    ) -> None:
        self._steps += 1
        if i > self.furthest:
            self.furthest, self.unpaired = i, None
        if cost > self._best or self._steps > MOST_STEPS:
            return
        if i == len(self.line):
            if forced is None:
                self._finish(cost, said, seats)
            else:
                self.cut_off = True
            return
        means_something = False
        for field in [forced] if forced else self._open(said, closed):
            for length, value, price in self._values(field, i):
                means_something = True
                if isinstance(field.domain, Seat) and not forced and not field.many:
                    self._step(i + length, cost + price, said, [*seats, value], None, closed)
                else:
                    after = self._with(said, field, value)
                    if after is not None:
                        self._step(i + length, cost + price, after, seats, None, closed)
                for other in () if forced else self._announced_after(field, i + length, said, closed):
                    named = {**said, other.path: value}
                    self._step(i + length + 1, cost + price + TURNED_ROUND, named, seats, None, closed)
        if forced:
            if not means_something and self._is_filler(self.line[i].text):  # `pushed to caravan`, `black shows 2`
                self._step(i + 1, cost, said, seats, forced, closed)
            return
        word = self.line[i].text
        announced = [f for f in self.fields if self._takes(f, said, closed) and _announces(f, word)]
        for field in announced:
            others = frozenset(f.path for f in self.fields if f.group == field.group and f != field and f.path in said)
            self._step(i + 1, cost, said, seats, field, closed | others)
        if self._is_filler(word):
            self._step(i + 1, cost + (2 if announced or means_something else 0), said, seats, None, closed)

    def _announced_after(self, field: Field, i: int, said: Said, closed: frozenset[tuple[str, ...]]) -> list[Field]:
        """The fields of which a value of `field`'s words may be one, as the word after it says: `A19 active`."""
        if field.many or isinstance(field.domain, Count | Seat) or i >= len(self.line):
            return []
        if (word := self.line[i].text) in FILLERS:
            return []  # `2 mines for` lacks its end
        others = [f for f in self.fields if f.group == field.group and not f.many and _announces(f, word)]
        return [f for f in others if self._takes(f, said, closed)]

    def _takes(self, field: Field, said: Said, closed: frozenset[tuple[str, ...]]) -> bool:
        if field.domain is None or field.path in closed or field.path in self.explicit:
            return False
        return field.many or field.path not in said

    def _open(self, said: Said, closed: frozenset[tuple[str, ...]]) -> list[Field]:
        """The fields that may take the next words: the first open one of each group."""
        found: dict[str, Field] = {}
        for field in self.fields:
            if self._takes(field, said, closed):
                found.setdefault(field.group, field)
        return list(found.values())

    def _values(self, field: Field, i: int) -> list[tuple[int, Any, int]]:
        """(tokens used, value, cost) of every way to read a value of `field` at token `i`."""
        n = number(self.line[i].text)
        if isinstance(field.domain, Count):
            return self._count(field, i, n)
        found = [(m.length, m.value, m.cost) for m in self.books[field].matches(self.line, i)]
        if isinstance(field.domain, Pairs):
            return [pair for one in found for pair in self._pairs(field, field.domain.right, i, *one)]
        if field.many and not found and len(letters := self.line[i].text) > 1:
            found += self._letters(field, letters)
        if n is not None and 0 < n <= MOST_TIMES and self._repeats(field):
            word = self._past(i + 1, self._is_filler)
            some = self.books[field].matches(self.line, word) if word < len(self.line) else ()
            found += [(word - i + m.length, Times([m.value] * n), m.cost) for m in some]
        if isinstance(field.domain, Tally):
            found = [(length, {value: 1}, cost) for length, value, cost in found]
            if n is not None:
                piece = self._past(i + 1, self._between.__contains__)
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

    def _is_filler(self, word: str) -> bool:
        return word in self.books.fillers or singular(word) in self.fillers

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
        while i < len(self.line) and self.line[i].text in FILLERS:
            i, length = i + 1, length + 1
        if i == len(self.line):
            return []
        if isinstance(right, Count):
            n = number(self.line[i].text)
            return [] if n is None else [(length + 1, {key: n}, cost)]
        book = self.books.right(field, right)
        after = list(book.matches(self.line, i))
        if not after and i > self.furthest:
            self.furthest, self.unpaired = i, book
        return [(length + m.length, {key: m.value}, cost + m.cost) for m in after]

    def _count(self, field: Field, i: int, n: int | None) -> list[tuple[int, Any, int]]:
        unit = singular(self.line[i + 1].text) if i + 1 < len(self.line) else ""
        if n is None and self.line[i].text in ("a", "an") and unit == singular(field.path[-1]):
            n = 1  # `with an army`
        if n is None:
            return []
        for other in self.fields:
            if isinstance(other.domain, Count) and unit and unit == singular(other.path[-1]):
                return [(2, n, 0)] if other == field else []
        return [(1, n, 0)]

    def _with(self, said: Said, field: Field, value: Any) -> Said | None:
        """What is said once `field` has `value` too; None if that contradicts what it has."""
        has = said.get(field.path)
        if isinstance(field.domain, Tally):
            if isinstance(value, dict) and isinstance(has, dict):
                value = {**has, **{k: has.get(k, 0) + v for k, v in value.items()}}
            elif has is not None:
                return None
        elif isinstance(field.domain, Pairs):
            before: dict[Any, Any] = has or {}
            again = [key for key in value if key in before] if field.domain.right.many else []
            value = {**before, **value, **{key: [*_listed(before[key]), value[key]] for key in again}}
        elif field.many:
            value = [*(has or []), *(value if isinstance(value, Times) else [value])]
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
            move = build(self.kind, said)
        except msgspec.ValidationError:
            return
        self._best = min(self._best, cost)
        if not any(move == known for _, known in self.readings):
            self.readings.append((cost, move))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _announces(field: Field, word: str) -> bool:
    if field.domain is None:
        return False
    return not {word, singular(word)}.isdisjoint(field.domain.lead) or singular(word) == singular(
        field.path[-1].lower()
    )


def misnamed(field: Field, value: Any, at: Position[Any]) -> str:
    """What to say about the first word of a value that the domain of its field does not know; of pairs, each side has
    its own. Empty: it knows them all."""
    domain = field.domain
    if isinstance(domain, Pairs) and isinstance(value, dict):
        left, right = field._replace(domain=domain.left), field._replace(domain=domain.right)
        return misnamed(left, list(value), at) or misnamed(right, list(value.values()), at)
    if domain is None or domain.loose:
        return ""
    said = [value] if isinstance(value, str) else [*value] if isinstance(value, list | dict) else []
    words = [word for word in said if isinstance(word, str)]
    known = {v for v in domain.spoken(at).values() if isinstance(v, str)}
    if domain.people and not known and any(words):
        return "nobody has a seat at this table yet"
    wrong = next((word for word in words if known and word not in known), None)
    if wrong is None:
        return ""
    seat = isinstance(domain, Seat)
    what = f"no player or seat is called {wrong!r}" if seat else f"{wrong!r} is not a valid {field.name}"
    return what + suggest(wrong, sorted(known))


def normal(field: Field, value: Any, at: Position[Any]) -> Any:
    """`value` with words of the field's domain written as the rules write them (`qin` -> `Qin`)."""
    if field.domain is None:
        return value
    if isinstance(field.domain, Pairs) and isinstance(value, dict):
        left, right = field._replace(domain=field.domain.left), field._replace(domain=field.domain.right)
        return {normal(left, key, at): normal(right, part, at) for key, part in value.items()}
    if isinstance(value, str):
        spoken = {word.lower(): meant for word, meant in field.domain.spoken(at).items()}
        known = {v.lower(): v for v in spoken.values() if isinstance(v, str)}
        lower = value.lower()
        return known[lower] if lower in known else spoken.get(lower, value)
    if isinstance(value, list | tuple):
        return [normal(field, part, at) for part in value]
    if isinstance(value, dict):
        return {normal(field, key, at): part for key, part in value.items()}
    return value


__all__ = ["ArgumentError", "Arguments", "Books", "misnamed", "normal"]
