"""Moves of one kind, filled in with what a line names: each thing goes to a field that can hold it.

Where several can, the words beside it decide (`from Gansu to Tibet`), whoever is named last before it (`Ann had a 6`),
and then the order of the fields. All ways are tried side by side, and the best are kept (beam search).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.engine.language.books import Books
from companion.engine.language.fields import Field, actor, build, fields
from companion.engine.language.mentions import NUMBER, SEAT, Mention, of_right
from companion.engine.language.wording import announces, of_each
from companion.engine.language.words import ARTICLES, Token, singular
from companion.engine.play.domains import Count, Flag, Pairs, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.parts import Parts

WIDE = 12
"""So many ways to deal out what is named are kept side by side."""
MOST_MOVES = 5
LEFT_OUT, LOOSE = -2.0, -0.1
"""What it costs to leave something out; something that need not be meant."""
ANNOUNCED, OTHERS = 0.6, -0.5
"""What it counts that a word beside a value announces its field, or another field."""
NEAR = 3
"""So many words before a value may announce it."""
GIVING = frozenset(("from", "by", "for", "of"))

Path = tuple[str, ...]


class _Draft(NamedTuple):
    cost: float
    said: dict[Path, Any]
    number: int | None = None
    """A number that counts what comes next."""
    pending: tuple[Path, str, Any] | None = None
    """The first half of a pair: its field, which half, the value."""
    owner: str = ""
    """Whoever was named last."""
    last: tuple[Path, Any] | None = None
    """The piece that was named last, in a field that counts, and has no number."""
    against: bool = False
    """A word beside something announces another field for it."""


class Filling:
    """Deals out what a line names among the fields of a kind of move."""

    def __init__(self, kind: type[Move], words: list[Token], named: list[Mention], books: Books) -> None:
        self.kind = kind
        self.words = words
        self.named = named
        self.books = books
        self.fields = [f for f in fields(kind) if f.domain is not None and not isinstance(f.domain, Parts)]
        self.actor = actor(kind)
        self.owners = {field: seat for seat, field in kind.of_seat(books.at).items()}
        seats = {seat.lower(): seat for seat in books.at.seats}
        for field in of_each(kind, books.at):
            self.owners.setdefault(field.path[-1], seats.get(field.path[-1].lower(), ""))

    def moves(self, *, strict: bool = False) -> list[tuple[float, Move]]:
        """The moves, with what they leave out or deal out against the words; the best first. `strict`: all of them but
        those that deal out something against the words."""
        drafts = [_Draft(0.0, {})]
        for n, mention in enumerate(self.named):
            drafts = [more for draft in drafts for more in self._dealt(draft, n, mention)]
            drafts = sorted(drafts, key=lambda draft: -draft.cost)[:WIDE]
        found: list[tuple[float, Move]] = []
        for draft in drafts:
            if strict and draft.against:
                continue
            cost = draft.cost + (LEFT_OUT if draft.number is not None or draft.pending else 0)
            try:
                move = build(self.kind, draft.said)
            except msgspec.ValidationError:
                continue
            if not any(move == other for _, other in found):
                found.append((cost, move))
            if len(found) == MOST_MOVES and not strict:
                break
        return found

    def _dealt(self, draft: _Draft, n: int, mention: Mention) -> Iterator[_Draft]:
        loose = mention.loose or mention.mine
        left = LOOSE if loose else LEFT_OUT
        for said in mention.says:
            if said.group == SEAT:
                yield from self._seat(draft, n, mention, said.value)
            elif said.group == NUMBER:
                yield from self._number(draft, n, said.value, mention)
            else:
                yield from self._value(draft, n, said.group, said.value)
        yield draft._replace(cost=draft.cost + left)

    def _seat(self, draft: _Draft, n: int, mention: Mention, seat: str) -> Iterator[_Draft]:
        if seat in self.owners.values():
            yield draft._replace(owner=seat, cost=draft.cost - 0.05)
        for field in self.fields:
            domain = field.domain
            if isinstance(domain, Seat):
                here = draft.said.get(field.path)
                if domain.many:
                    if seat not in (here or ()):
                        yield self._with(draft, field, [*(here or ()), seat], self._beside(field, n))
                elif here == seat:
                    yield draft
                elif here is None:
                    apart = 0.3 if mention.mine and field != self.actor else 0.0
                    yield self._with(draft, field, seat, self._beside(field, n) - apart)
            elif isinstance(domain, Pairs) and isinstance(domain.left, Seat):
                yield from self._half(draft, field, "key", seat)
            elif isinstance(domain, Tally) and domain.people:
                yield from self._tallied(draft, field, seat)
        if self.actor is None and not any(isinstance(f.domain, Seat) for f in self.fields) and not self.owners:
            yield draft._replace(cost=draft.cost - 0.3)  # whoever tells it

    def _number(self, draft: _Draft, n: int, value: int, mention: Mention) -> Iterator[_Draft]:
        for field in self.fields:
            domain = field.domain
            if isinstance(domain, Count):
                if field.path not in draft.said and value >= domain.least:
                    yield self._with(draft, field, value, self._beside(field, n))
            elif isinstance(domain, Pairs) and isinstance(domain.right, Count):
                yield from self._half(draft, field, "right", value)
            elif isinstance(domain, Tally):
                if domain.bare and field.path not in draft.said:
                    yield self._with(draft, field, value, self._beside(field, n))
                if draft.last is not None and draft.last[0] == field.path:
                    several = {**draft.said[field.path], draft.last[1]: value}
                    yield draft._replace(said={**draft.said, field.path: several}, last=None)
        if draft.number is None and any(isinstance(field.domain, Tally) or field.many for field in self.fields):
            yield draft._replace(number=value, cost=draft.cost - 0.05)

    def _value(self, draft: _Draft, n: int, group: str, value: Any) -> Iterator[_Draft]:
        for field in self.fields:
            domain = field.domain
            if isinstance(domain, Pairs):
                if group == field.group:
                    yield from self._half(draft, field, "key", value)
                if group == of_right(field):
                    yield from self._half(draft, field, "right", value)
                continue
            if group != field.group:
                continue
            beside = self._beside(field, n) + self._owned(draft, field, n)
            here = draft.said.get(field.path)
            if isinstance(domain, Tally):
                yield from self._tallied(draft, field, value, beside)
            elif isinstance(domain, Flag):
                yield self._with(draft, field, True, 0.0)
            elif field.many:
                many = draft.number or 1
                several = [*(here or ()), *[value] * min(many, 9)]
                yield self._with(draft._replace(number=None), field, several, beside)
                if draft.number is not None:  # it says how many they are
                    yield self._with(draft, field, [*(here or ()), value], beside)
            elif here is None:
                yield self._with(draft, field, value, beside)
            elif here == value:
                yield draft

    def _tallied(self, draft: _Draft, field: Field, piece: str, beside: float = 0.0) -> Iterator[_Draft]:
        here = draft.said.get(field.path) or {}
        if not isinstance(here, Mapping):
            return
        n = draft.number if draft.number is not None else 1
        last = (field.path, piece) if draft.number is None else None
        several = {**here, piece: here.get(piece, 0) + n}
        yield self._with(draft._replace(number=None, last=last), field, several, beside, last=last)

    def _half(self, draft: _Draft, field: Field, half: str, value: Any) -> Iterator[_Draft]:
        """A pair, once both its halves are named, in either order."""
        pending = draft.pending
        if pending is None:
            yield draft._replace(pending=(field.path, half, value))
            return
        if pending[0] != field.path:
            return
        if pending[1] == half:
            return
        key, right = (pending[2], value) if half == "right" else (value, pending[2])
        here = draft.said.get(field.path) or {}
        if isinstance(field.domain, Pairs) and field.domain.right.many:
            pairs = {**here, key: [*here.get(key, ()), right]}
        elif key in here:
            return
        else:
            pairs = {**here, key: right}
        turned = -0.1 if half == "key" else 0.0
        yield self._with(draft._replace(pending=None), field, pairs, turned)

    @staticmethod
    def _with(
        draft: _Draft, field: Field, value: Any, more: float = 0.0, last: tuple[Path, Any] | None = None
    ) -> _Draft:
        against = draft.against or more <= OTHERS
        said = {**draft.said, field.path: value}
        return draft._replace(cost=draft.cost + more, said=said, last=last, against=against)

    def _beside(self, field: Field, n: int) -> float:
        """The evidence of the words beside a value that it belongs to a field."""
        start, end = self.named[n].start, self.named[n].end
        if n and self._counts(n - 1) and self.named[n - 1].end == start:
            n -= 1
            start = self.named[n].start  # `for 1 stone`
        before = self.named[n - 1].end if n else 0
        near = [word.text for word in self.words[max(before, start - NEAR) : start] if word.text not in ARTICLES]
        after = self.words[end].text if end < len(self.words) else ""
        rivals = [other for other in self.fields if other.group == field.group]
        if len(rivals) == 1 and not isinstance(field.domain, Count):
            return 0.0
        score = 0.0
        for word in near:
            if announces(field, word) or self._called(field, word):
                score = ANNOUNCED if score >= 0 else OTHERS
            elif any(announces(other, word) for other in rivals):
                score = OTHERS  # also after one that announces the field: `gets for give 1 stone`
        if after and (
            self._called(field, after)
            or (announces(field, after) and field.domain and after not in (*field.domain.lead, *field.domain.after))
        ):
            score = ANNOUNCED
        elif after and any(self._called(other, after) for other in rivals if other != field):
            score = min(score, OTHERS)
        if not score and rivals[0] != field:
            score -= 0.05
        return score

    def _counts(self, n: int) -> bool:
        return any(said.group == NUMBER for said in self.named[n].says)

    def _called(self, field: Field, word: str) -> bool:
        return field.domain is not None and (
            singular(word) == singular(field.path[-1].lower()) or singular(word) in self.books.nouns(field.domain)
        )

    def _owned(self, draft: _Draft, field: Field, n: int) -> float:
        """The evidence that a value belongs to a field, from the owner named beside it."""
        owner = self.owners.get(field.path[-1])
        if not owner:
            return 0.0
        after = self.named[n + 1] if n + 1 < len(self.named) else None
        if after is not None and any(said.group == SEAT for said in after.says):
            between = [word.text for word in self.words[self.named[n].end : after.start]]
            if not GIVING.isdisjoint(between):
                return ANNOUNCED if any(said.value == owner for said in after.says) else OTHERS
        if draft.owner:
            return ANNOUNCED if draft.owner == owner else OTHERS
        return 0.0


__all__ = ["Filling"]
