"""The arguments of one move on a typed line: every cheapest way to read the tokens after the verb as its fields."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine.language.books import Books
from companion.engine.language.everything import ALL, HAVING, TOGETHER, Everything, Some, Times, Unclear, moves_with
from companion.engine.language.fields import Field, actor, value_of
from companion.engine.language.named import Said, said_by_name
from companion.engine.language.wording import Wording
from companion.engine.language.words import COUNTED, EVERYBODY, SMALL, Token, number, singular
from companion.engine.play.domains import Count, Flag, Pairs, Seat, Tally
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move

MOST_STEPS = 20_000
"""A line that takes more steps than this to read is refused; no one types such a line."""
TURNED_ROUND = 1
"""What it costs that a value stands before the word that announces it."""
_GIVING = frozenset(["for", "from", "by", "of"])
"""Words between a thing and the player whose it is: `9 for black`."""
_JOINING = frozenset(["for", "to", "from", "with", "in", "on", "at", "of", "by"])
"""Words that need another one after them."""


Forced = tuple[Field, tuple[str, ...]] | None
"""The field to which the next value belongs, and the nouns before it (none after a word that only announces it)."""
WHOSE = ("whose",)
"""Among the closed fields: a player was named before a thing, so that things of others need their names, too."""


class Arguments(Wording):
    """Reads tokens as the fields of `kind`, every one of them: a word outside all fields is a courtesy, or the line is
    not read. `verb`: the last word before them; `rest`: the words of the verb still to come (`raise 2 armies`).

    `readings` are the cheapest moves found, `furthest` the token reached; `unwanted`: a seat was named that is not to
    move, and the move has no player; `cut_off`: the line ends with a word that announces something (`pay`); `unpaired`:
    the values one of which should stand at `furthest`, after its key; `untrue`: a value, and a false name given to it;
    `unclear`: `all` of something whose whole nobody knows.
    """

    def __init__(
        self, kind: type[Move], books: Books, line: list[Token], rest: tuple[str, ...] = (), verb: str = ""
    ) -> None:
        super().__init__(kind, books, [t for t in line if not t.key], verb)
        self.rest = rest
        self.report = kind.role == "event" and actor(kind) is None
        self.explicit = said_by_name(kind, [t for t in line if t.key], books.at)
        self.readings: list[tuple[int, Move]] = []
        self.unwanted = False
        self.cut_off = False
        self.unclear = ""
        self._best = 1_000_000
        self._steps = 0

    def read(self, seat: str = "", me: str = "") -> list[tuple[int, Move]]:
        """(cost, move) of the cheapest readings. `seat` stood before the verb; `me` acts if nobody is named."""
        who = actor(self.kind)
        said = {**self._said_by_verb(), **self.explicit}
        seats: list[str] = []
        whose = bool(seat) and who is None and any(self._is_whose(field, seat) for field in self.fields)
        if whose or (seat in EVERYBODY and self.each):
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
        found = [(cost, move) for cost, move in self.readings if not self._is_chosen_by_a_check(move)]
        cheapest = min((cost for cost, _ in found), default=0)
        return [(cost, move) for cost, move in found if cost == cheapest]

    def _is_chosen_by_a_check(self, move: Move) -> bool:
        """True if nothing but what only confirms, a price say, would decide what a move is about: `takes two coins` is
        not the card that costs two."""
        said = [field for field in self.fields if field != actor(self.kind) and value_of(move, field) != field.default]
        if not said or not all(len(field.attributes) == 1 and field.domain and field.domain.confirms for field in said):
            return False
        if self.kind not in self.books.at.rules.moves.values() or not try_line(self.books.at, [move], typed=True).done:
            return False  # a step of a turn, or a move that still asks what it is about
        bare = replace(move, **{field.attributes[0]: field.default for field in said})
        return try_line(self.books.at, [bare], typed=True).verdict.legal is None

    @property
    def stuck(self) -> bool:
        """True if the reading stopped at some word, or lacks one at the end."""
        return self.furthest < len(self.line) or self.cut_off or bool(self.unclear)

    def _tells(self, seat: str) -> bool:
        """True if `seat` before a move without a player only names the teller: the seat to move, or anybody who reveals
        a result of chance."""
        if one := self.kind.made_here_by(self.books.at):
            return seat == one
        awaited = self.books.at.rules.to_move(self.books.at.state)
        domains = [field.domain for field in self.fields if field.domain is not None]
        told = self.kind.role == "event" and domains and not any(isinstance(domain, Seat) for domain in domains)
        return list(awaited) == [seat] or (not awaited and (bool(told) or self.kind.shows is not Move.shows))

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
        if rest and not forced:  # also with words between: `uses one army from Tibet as her mark`
            counted = number(word) == 1 and i + 1 < len(self.line) and rest[0] not in SMALL
            begin = i + 1 if counted and singular(self.line[i + 1].text) == rest[0] else i
            if singular(self.line[begin].text) == rest[0]:
                self._step(begin + 1, cost, said, seats, None, closed, rest[1:])
        if word in ALL and not (forced and forced[1]) and not self._said_of_one_field(i):
            self._step_over_everything(i, cost, said, seats, closed, rest)
        if not forced and not any(field.path in said or field.path in closed for field in self.each):
            for length, value, price in self._of_each(i):
                of_each = {**said, **{field.path: value for field in self.each}}
                self._step(i + length, cost + price, of_each, seats, None, closed, rest, self.each[0].group)
        means_something = False
        joined = not forced and self._joined(i)
        for field in [forced[0]] if forced else self._open(said, closed, several=word in ALL):
            if joined and not (field.many or field.group == last or isinstance(field.domain, Count | Flag)):
                continue  # `a church and a village` is not a church on a village
            for length, value, price in self._values(field, i, forced is not None):
                if not forced and field.domain and field.domain.alone and value not in field.domain.alone:
                    continue
                if forced and (false := [noun for noun in forced[1] if not self._is_a(field, value, noun)]):
                    self.untrue = self.untrue or (self.line[i].typed, false[0])
                    continue
                if not forced and not self._told_as(field, i, length, last):
                    continue
                if not self._true_to_verb(field, value):
                    self.untrue = self.untrue or (self.line[i].typed, singular(self.verb))
                    continue
                means_something = True
                whose = not forced and WHOSE in closed and self._is_seats(field)  # it has to be said
                for end in () if whose else self._named(field, value, self._owner_after(field, i + length, forced)):
                    if isinstance(field.domain, Seat) and not forced and not field.many:
                        self._step(end, cost + price, said, [*seats, value], None, closed, rest, field.group)
                    elif (after := self._with(said, field, value)) is not None:
                        end += self._says_first(field, said, end)
                        self._step(end, cost + price, after, seats, None, closed, rest, field.group)
                for other, end in () if forced else self._announced_after(field, i + length, said, closed):
                    seats_own = self._is_seats(other)
                    shut = closed | {WHOSE} if seats_own else closed
                    turned = cost + price + (0 if seats_own else TURNED_ROUND)
                    self._step(end, turned, {**said, other.path: value}, seats, None, shut, rest, field.group)
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
        if not forced and not announced and not means_something and self._is_called(i, said):
            self._step(i + 1, cost + 1, said, seats, None, closed, rest, last)
        if self._skipped(i):
            more = 2 if announced or means_something else 0
            self._step(i + 1, cost + more, said, seats, None, closed, rest, last)

    def _true_to_verb(self, field: Field, value: Any) -> bool:
        """True if a value fits the verb where that is also a noun of its domain: `quarries at d5`."""
        noun = singular(self.verb)
        return not self._noun(field, noun) or self._is_a(field, value, noun)

    def _is_called(self, i: int, said: Said) -> bool:
        """True if the word at `i` repeats the kind of something named before: `on a3 and claims the quarry`."""
        if i > 0 and number(self.line[i - 1].text) is not None:
            return False  # `collects c4 and pays 3 wood`
        for field in self.fields:
            value = said.get(field.path)
            if isinstance(value, str) and not isinstance(field.domain, Seat) and self._noun(field, self.line[i].text):
                if self._is_a(field, value, singular(self.line[i].text)):
                    return True
                self.untrue = self.untrue or (str(value), singular(self.line[i].text))
        return False

    def _says_first(self, field: Field, said: Said, i: int) -> bool:
        """True if the word at `i` rightly calls the value before it the first of several, or the last."""
        ordered = field.domain is not None and field.domain.ordered and field.path not in said
        last = field.domain is not None and field.domain.ordered and i + 1 == len(self.line)
        return i < len(self.line) and (
            (ordered and self.line[i].text == "first") or (last and self.line[i].text == "last")
        )

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
        after = self._past(i + 1, lambda one: one in COUNTED)
        end = after + 1 if after < len(self.line) and singular(self.line[after].text) in TOGETHER else i + 1
        ends = range(2, min(6, len(self.line) - i + 1))
        having = [n for n in ends if HAVING.match(" ".join(word.text for word in self.line[i + 1 : i + n]))]
        end = i + max(having) if having and end == i + 1 else end
        self._step(end, cost, {**said, (): Everything(ALL[self.line[i].text])}, seats, None, closed, rest)

    def _announced_after(
        self, field: Field, i: int, said: Said, closed: frozenset[tuple[str, ...]]
    ) -> list[tuple[Field, int]]:
        """The fields of which a value of `field`'s words may be one, as the word after it says (`A19 active`, `9 for
        black`), and the place after that."""
        if field.many or isinstance(field.domain, Count | Seat) or i >= len(self.line):
            return []
        others = [f for f in self.fields if f.group == field.group and not f.many and self._takes(f, said, closed)]
        word = self.line[i].text
        if (
            i > 1
            and self.line[i - 1].typed == self.line[i - 2].typed
            and self.line[i - 1].text != self.line[i - 1].typed
        ):
            return []  # `8-5 for black` does not say whose the 5 is
        between = self.line[i - 2] if i > 2 else None
        if between and not between.whole and None not in (number(self.line[n].text) for n in (i - 1, i - 3)):
            return []  # nor does `8 v 5 for black`
        if word in _GIVING and i + 1 < len(self.line):
            whose = self.line[i + 1].text
            return [(f, i + 2) for f in others if f in self.each and self._announces(f, whose)]
        if word in _JOINING:
            return []  # it announces what follows: `2 mines for`
        return [(f, i + 1) for f in others if self._announces(f, word)]

    def _owner_after(self, field: Field, i: int, forced: Forced) -> int:
        """The place after a value, and after the player whose it was said to be before: `against the three of ben`."""
        owned = forced and i + 1 < len(self.line) and self.line[i].text in _GIVING and field in self.each
        return i + 2 if owned and self._announces(field, self.line[i + 1].text) else i

    def _takes(self, field: Field, said: Said, closed: frozenset[tuple[str, ...]]) -> bool:
        if field.domain is None or field.path in closed or field.path in self.explicit:
            return False
        return field.many or field.path not in said

    def _open(self, said: Said, closed: frozenset[tuple[str, ...]], *, several: bool = False) -> list[Field]:
        """The fields that may take the next words: the first open one of each group; where they say `several` things,
        that which holds several."""
        found: dict[str, Field] = {}
        for field in self.fields:
            domain = field.domain
            announced = domain is not None and domain.announced and not domain.alone and not isinstance(domain, Count)
            announced = announced and not (isinstance(domain, Pairs) and domain.between)
            better = field.group not in found or (several and field.many and not found[field.group].many)
            if better and not announced and self._takes(field, said, closed):
                found[field.group] = field
        return list(found.values())

    def _with(self, said: Said, field: Field, value: Any) -> Said | None:
        """`said` with `value` added to `field`; None if that contradicts its value."""
        has = said.get(field.path)
        if isinstance(value, Everything) or isinstance(has, Everything):
            return {**said, field.path: value} if has is None else None
        if isinstance(field.domain, Tally):
            if isinstance(value, dict) and isinstance(has, dict):
                again = [n for k in value if k in has for n in (has[k], value[k])]
                if any(isinstance(n, Everything) and not n.alone for n in again):
                    return None
                plain = {k: 1 if isinstance(v, Everything) and k in value else v for k, v in has.items()}
                more = {k: 1 if isinstance(v, Everything) and k in has else v for k, v in value.items()}
                value = {**plain, **{k: plain[k] + v if k in plain else v for k, v in more.items()}}
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

    def _whole(self, said: Said) -> list[Move]:
        """The moves that say all this; none where nobody knows what `all` is. Raises msgspec.ValidationError."""
        try:
            return [*moves_with(self.kind, said, self.books.at)]
        except Unclear as error:
            self.unclear = next((word.typed for word in self.line if word.text in error.words), self.line[0].typed)
            return []


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


__all__ = ["Arguments", "Forced"]
