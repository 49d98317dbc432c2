"""A typed line -> moves, and a move -> the line that says it.

Order hardly matters: the verb stands first or after a seat, arguments follow in any order, told apart by the words
their domains know. Case does not matter, a unique beginning is enough, `name=value` says anything exactly. Among
equally good readings the only one that is legal now is meant; if that does not decide, the line is refused with its
readings.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

from companion.engine.errors import CompanionError
from companion.engine.language.arguments import ArgumentError, Arguments, Books
from companion.engine.language.complaints import misfit, no_verb
from companion.engine.language.fields import actor, fields
from companion.engine.language.saying import explicit, short, stands_around, usage, verb_book, verbs
from companion.engine.language.several import one_by_one
from companion.engine.language.synonyms import instead_of
from companion.engine.language.turns import read_turn
from companion.engine.language.verbless import reported
from companion.engine.language.words import (
    BEGINNING,
    FILLERS,
    PLURAL,
    Match,
    Phrasebook,
    Token,
    past_doing,
    singular,
    tokens,
)
from companion.engine.play.moves import Move, made_by
from companion.engine.play.parts import Turn
from companion.engine.play.phases import current, in_place
from companion.engine.play.position import Position
from components.phrasing import join_and

ALIKE = 0.5
"""A line so like another one may be meant for it."""
LONGEST_VERB = 10
"""In words, with the seat before it: of two verbs the longer one is meant, by less than any word costs."""
PRICE = 100 * LONGEST_VERB
"""What a point of a verb's cost weighs against those of the words after it."""
LONGEST_LINE = 2_000
"""In characters; a longer line is refused unread."""


class NotationError(CompanionError):
    """A line that is not a move: it cannot be read, or could mean two things."""

    kind: Literal["unreadable", "ambiguous"]

    def __init__(
        self,
        kind: Literal["unreadable", "ambiguous"],
        what: str,
        *,
        readings: list[str] | None = None,
        line: str = "",
        at: Position[Any] | None = None,
    ) -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what
        self._readings = readings or []
        self._line = line
        self._at = at

    @property
    def nearest(self) -> list[str]:
        """Lines that could be meant: the readings, or the legal moves most like the line."""
        if self._readings or self._at is None:
            return self._readings
        return near(self._line, self._at)

    def more(self) -> dict[str, Any]:
        return {"nearest": self.nearest}


def read(line: str, at: Position[Any], *, people: Mapping[str, str] | None = None, me: str = "") -> list[Move]:
    """The moves a typed line means here. `people`: person -> seat; `me`: the seat meant where none is named. A line
    that cannot be read as a whole may say several things, one after the other: `ann army 2 and deploy daring`."""
    try:
        return _read(line, at, people or {}, me)
    except NotationError as error:
        if error.kind == "unreadable" and len(line) <= LONGEST_LINE:
            moves = one_by_one(line, at, people or {}, me, lambda part, who: _read(part, at, people or {}, who))
            if moves:
                return moves
        raise


def _read(line: str, at: Position[Any], people: Mapping[str, str], me: str) -> list[Move]:
    if len(line) > LONGEST_LINE:
        raise NotationError("unreadable", f"the line has {len(line)} characters; at most {LONGEST_LINE} are allowed")
    line = line.strip()
    words = tokens(line)
    if not words:
        raise NotationError("unreadable", "the line is empty")
    seated = seats_for_people(line, people, at)
    if _everybody_passes(words, at):
        moves = at.rules.pass_all(at)
        if moves:
            return moves
        raise NotationError("unreadable", "no one can pass now", line=seated, at=at)
    done = _somebody_is_done(tokens(seated), at, me)
    if done is not None:
        return [done]
    failed: NotationError | None = None
    order = (seated,) if at.rules.people_first else (line, seated)
    for text in dict.fromkeys(order):  # a person may be called like a card: the game's words go first
        try:
            short = at.rules.shorthand(text, at)
        except NotationError as error:
            failed = error
            continue
        if short is not None:
            return short
    if failed is not None:
        raise failed
    books = Books(at, people)
    if any(issubclass(kind, Turn) for kind in at.rules.moves.values()):
        turns, trouble = read_turn(seated, books, me)
        if turns:
            return [_only(line, [(0, turn) for turn in turns], at)]
        if trouble:
            try:  # a word may begin like that of a turn: `bo shows` and `board`
                return [_read_one(seated, words, books, me)]
            except NotationError:
                raise NotationError("unreadable", trouble, line=seated, at=at) from None
    move = _read_named(seated, words, books, me)
    if len(line) == 1 and line.lower() not in verbs(type(move)) and _names_a_thing(line, at):
        raise NotationError("unreadable", f"{line!r} alone is too short to be a move", line=seated, at=at)
    return [move]


def _read_named(seated: str, words: list[Token], books: Books, me: str) -> Move:
    """The move a line says. A person may stand for a seat where the game knows only that: `ann shows 7, ben shows
    2`."""
    try:
        return _read_one(seated, words, books, me)
    except NotationError:
        if (named := tokens(seated)) != words:
            with suppress(NotationError):
                return _read_one(seated, named, books, me)
        if (event := reported(words, books)) is not None:
            return event
        raise


def _names_a_thing(word: str, at: Position[Any]) -> bool:
    """Whether a legal move has `word` for a value, so that it may mean that value rather than begin a verb."""
    return any(word.lower() == str(value).lower() for move in at.legal() for value in move.to_json().values())


_DONE = frozenset(("done", "finished", "pass", "passed", "passes", "ready"))
"""Words by which people say that they are done with a phase."""


def _somebody_is_done(words: list[Token], at: Position[Any], me: str) -> Move | None:
    """The move by which a seat is done with the phase, for a line like `ben done` in a game without that word."""
    phase = current(at)
    if phase is None or phase.passing is None or words[-1].text not in _DONE or len(words) > 2:
        return None
    if any(words[-1].text == verb for kind in at.rules.moves.values() for verb in verbs(kind)):
        return None
    seats = [seat for seat in at.seats if seat.lower() == words[0].text] if len(words) == 2 else [me] if me else []
    return made_by(phase.passing, seats[0]) if seats else None


def _everybody_passes(words: list[Token], at: Position[Any]) -> bool:
    """Whether a line says `pass all` (`everybody is done`), or that nobody does what can be done (`nobody helps`)."""
    if len(words) == 2 and words[0].text == "nobody":
        possible = {type(move) for move in at.legal()}
        return any(match.cost <= PLURAL for kind in possible for match in verb_book(kind).matches(words, 1))
    texts = {token.text for token in words} - {"is", "are", "have", "has"}
    everybody = texts & {"all", "both", "everybody", "everyone"}
    passing = {text for text in texts - everybody if text in _DONE or "pass".startswith(text)}
    return len(texts) == 2 and len(words) <= 3 and len(everybody) == len(passing) == 1


def seats_for_people(line: str, people: Mapping[str, str], at: Position[Any]) -> str:
    """The line with people's names replaced by their seats; a seat's own name stays what it is."""
    seats = {seat.lower() for seat in at.seats}
    for person, seat in sorted(people.items(), key=lambda pair: -len(pair[0])):
        if person.lower() not in seats:
            line = re.sub(rf"(?<![\w=\"]){re.escape(person)}(?!\w)", seat, line, flags=re.IGNORECASE)
    return line


# --- reading -----------------------------------------------------------------------------------------------------


def _read_one(line: str, words: list[Token], books: Books, me: str) -> Move:
    """The move a line says, if need be by another word for its verb."""
    try:
        return _read_as_said(line, words, books, me)
    except NotationError as error:
        if error.kind == "unreadable":
            for other in _otherwise(words, books):
                with suppress(NotationError):
                    return _read_as_said(line, other, books, me)
        raise


def _otherwise(words: list[Token], books: Books) -> Iterator[list[Token]]:
    """The line with other words for a verb that the game does not have: `drew` for `draw`, `puts` for `place`."""
    known = {verb.lower() for kind in books.at.rules.moves.values() for verb in verbs(kind)}
    heads = {verb.split()[0] for verb in known}
    names = {name.lower() for name in (*books.at.seats, *books.people)}
    at = next((n for n, word in enumerate(words) if word.text not in FILLERS and word.text not in names), None)
    if at is None or words[at].text in heads or singular(words[at].text) in heads:
        return
    for other in instead_of(words[at].text, known):
        yield [*words[:at], Token(other, words[at].typed), *words[at + 1 :]]


def _read_as_said(line: str, words: list[Token], books: Books, me: str) -> Move:
    at = books.at
    starts = sorted(verbs_at(words, books), key=lambda s: s[0])
    readings: list[tuple[int, Move]] = []
    stuck: tuple[tuple[int, int], str] = ((-1, -1), "")
    failed: ArgumentError | None = None
    unwanted: tuple[type[Move], str, int] | None = None
    for cost, kind, seat, rest in starts:
        if readings and cost * PRICE - LONGEST_VERB > min(c for c, _ in readings):
            break
        try:
            arguments = Arguments(kind, books, words[rest:])
        except ArgumentError as error:
            failed = failed or error
            continue
        # of two verbs the longer one is meant: `buy general` is not `buy`
        readings += [
            (cost * PRICE + c * LONGEST_VERB - min(rest, LONGEST_VERB), move) for c, move in arguments.read(seat, me)
        ]
        if arguments.unwanted:
            unwanted = unwanted or (kind, seat, rest)
        elif (rest + arguments.furthest, rest) > stuck[0] and (
            arguments.furthest < len(arguments.line) or arguments.cut_off
        ):
            stuck = ((rest + arguments.furthest, rest), misfit(arguments, books))
    if not readings:
        if failed is not None:
            raise NotationError("unreadable", str(failed), line=line, at=at)
        if unwanted is not None and not stuck[1]:
            said, instead = _without_player(*unwanted, words, books)
            raise NotationError("unreadable", said, readings=instead, line=line, at=at)
        what = stuck[1] if stuck[1] else no_verb(words, books)
        raise NotationError("unreadable", what, line=line, at=at)
    return _only(line, readings, at)


def verbs_at(words: list[Token], books: Books) -> Iterator[tuple[int, type[Move], str, int]]:
    """(cost, move class, seat named before the verb, index of the first argument) for every verb the line may have."""
    at = books.at
    first = next((i for i, word in enumerate(words) if word.text not in FILLERS), 0)
    openings: list[tuple[int, str, int]] = [(start, "", 0) for start in sorted({0, first, past_doing(words, first)})]
    for match in Phrasebook({seat: seat for seat in at.seats}, books.people).matches(words, 0):
        after = match.length
        while after < len(words) and words[after].text in FILLERS:
            after += 1
        openings += [(start, match.value, match.cost) for start in sorted({after, past_doing(words, after)})]
    for start, seat, price in openings:
        if start >= len(words):
            continue
        for kind in at.rules.moves.values():
            if issubclass(kind, Turn):
                continue
            best: dict[int, Match] = {}
            for match in verb_book(kind).matches(words, start):
                if match.length not in best or match.cost < best[match.length].cost:
                    best[match.length] = match
            for match in best.values():
                yield match.cost + price, kind, seat, start + match.length
            if stands_around(kind, words, start):
                yield PLURAL + price, kind, seat, start + 1


def _only(line: str, readings: list[tuple[int, Move]], at: Position[Any]) -> Move:
    cheapest = min(cost for cost, _ in readings)
    moves: list[Move] = []
    for cost, move in readings:
        if cost == cheapest and not any(type(m) is type(move) and m == move for m in moves):
            moves.append(move)
    if len(moves) == 1:
        return moves[0]
    verdicts = [(move, at.judge(move).legal) for move in moves]
    for wanted in (True, None):
        fit = [move for move, legal in verdicts if legal is wanted]
        if len(fit) == 1:
            return fit[0]
        if fit:
            moves = fit
            break
    else:
        here = in_place(at)
        typed = cheapest < (BEGINNING - 1) * PRICE  # and not only begun: refused is refused, whichever is meant
        moves = [move for move in moves if type(move) in here] or (moves[:1] if typed else moves)
        if len(moves) == 1:
            return moves[0]
    texts = [short(move, at) for move in moves]
    if len(set(texts)) < len(texts) or line.lower() in map(str.lower, texts):
        texts = [explicit(move) for move in moves]
    raise NotationError("ambiguous", f"{line!r} could mean {_listed(texts)}", readings=texts)


def _listed(texts: list[str]) -> str:
    return ", ".join(repr(t) for t in texts[:-1]) + f" or {texts[-1]!r}"


def _without_player(kind: type[Move], seat: str, rest: int, words: list[Token], books: Books) -> tuple[str, list[str]]:
    """What to say to somebody who named `seat` before a move that has no player and is not that seat's now: the line to
    type instead, if what follows the verb can be read, else how the move is typed."""
    verb = verbs(kind)[0]
    said = f"{verb!r} takes no player, and it is not {seat}'s turn"
    found = Arguments(kind, books, words[rest:]).read()
    if found:
        instead = write(found[0][1], books.at)
        return f"{said}; type {instead!r}", [instead]
    return f"{said}; usage: {usage(kind)}", []


def near(line: str, at: Position[Any], n: int = 5) -> list[str]:
    """The legal moves, written out, that look most like `line`. Of a report that could name any card, those that look
    like it, or its example."""
    wanted = line.lower()

    def like(text: str) -> float:
        return difflib.SequenceMatcher(None, wanted, text.lower()).ratio()

    texts: dict[str, float] = {}
    for move in at.legal():
        kind, text = type(move), write(move, at)
        alike = like(text)
        if kind.example and alike < ALIKE and any(f.domain and f.domain.secret for f in fields(kind)):
            text = kind.example
        texts[text] = alike
    return sorted(texts, key=lambda text: (texts[text] < ALIKE, -texts[text]))[:n]


# --- writing -----------------------------------------------------------------------------------------------------


def write(move: Move, at: Position[Any]) -> str:
    """The short line for a move. Read in the same position it gives the same move again."""
    text = short(move, at)
    try:
        found = read(text, at)
        if found == [move] or (isinstance(move, Turn) and len(found) == 1 and at.judge(found[0]).move == move):
            return text
    except NotationError:
        pass
    return explicit(move)


def overview(legal: list[Move], at: Position[Any]) -> list[str]:
    """The legal moves as `moves` lists them: one line for each, or as the game takes them together."""
    lines = at.rules.overview(at, legal)
    lines = [write(move, at) for move in legal] if lines is None else lines
    if kinds := samples(legal):
        named = join_and([verbs(kind)[0] for kind in kinds])
        lines = [*lines, f"examples only: {named}; leave out the end of such a line to be asked for it"]
    return lines


def samples(legal: list[Move]) -> list[type[Move]]:
    """The kinds of which a list of legal moves holds examples only, because there are too many ways to say them."""
    kinds: dict[type[Move], None] = dict.fromkeys(type(move) for move in legal)
    return [kind for kind in kinds if kind.sampled and len(fields(kind)) > bool(actor(kind))]


__all__ = [
    "NotationError",
    "near",
    "overview",
    "read",
    "seats_for_people",
    "verbs_at",
    "write",
]
