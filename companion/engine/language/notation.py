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
from itertools import chain, pairwise
from typing import Any

from companion.engine.language.accounted import accounted
from companion.engine.language.beside import said_again, told_beside
from companion.engine.language.books import Books
from companion.engine.language.clauses import Speakers, displaced, each_in_any_order, sequences
from companion.engine.language.fields import fields
from companion.engine.language.freely import freely
from companion.engine.language.guessing import guesses
from companion.engine.language.loosely import loosely
from companion.engine.language.memory import Known, Memory
from companion.engine.language.openings import done_with, placed_first
from companion.engine.language.reading import LONGEST_VERB, Reading, readings, verbs_at
from companion.engine.language.saying import explicit, short
from companion.engine.language.stepwise import says_a_step_twice, stepwise
from companion.engine.language.telling import otherwise_told, quoted
from companion.engine.language.together import declined, done, everybody_passes, is_bare, passings, plainly
from companion.engine.language.turns import read_turn
from companion.engine.language.unread import NotationError
from companion.engine.language.verbless import chosen, done_by, reported
from companion.engine.language.verbs import verbs
from companion.engine.language.words import Token, singular, spelled_out, tokens
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn
from companion.engine.play.phases import in_place
from companion.engine.play.position import Position
from components.safe_text import composed

ALIKE = 0.5
"""A line so like another one may be meant for it."""
FEW = 4
"""A line of so few words may be the answer to what is to be chosen now, though it begins like a move: `army`."""
DEARER = 2 * LONGEST_VERB
"""What the words of a possible move may cost more than those of one that is forbidden: a plural or two."""
MOST_ALIKE = 8
"""So many moves of one kind by one seat are listed one by one."""
ASKING = frozenset(("how", "what", "when", "where", "which", "why"))
"""Words with which a question begins."""
LONGEST_LINE = 2_000
"""In characters; a longer line is refused unread."""


def read(
    line: str, at: Position[Any], *, people: Mapping[str, str] | None = None, me: str = "", free: bool = True
) -> list[Move]:
    """The moves a typed line means here. `people`: person -> seat; `me`: the seat meant where none is named; `free`: a
    line that cannot be read as it stands may say its words in any order.

    A line may say several things, one after the other: `ann buys 2 armies and deploys Daring`. Every word is part of
    what it says, or one of `words.COURTESIES`. Ways to read it that lead to different positions are never chosen
    between. Raises NotationError.
    """
    line = spelled_out(composed(line))
    try:
        return _read(line, at, people or {}, me, Memory(_ways), free=free, guess=free)
    except NotationError as error:
        error.find = near
        raise


def _read(
    line: str,
    at: Position[Any],
    people: Mapping[str, str],
    me: str,
    memory: Memory,
    *,
    moved: bool = False,
    free: bool = False,
    guess: bool = False,
) -> list[Move]:
    """`moved`: its parts have been put in another order; `guess`: a line that is not read is guessed."""
    if len(line) > LONGEST_LINE:
        raise NotationError("unreadable", f"the line has {len(line)} characters; at most {LONGEST_LINE} are allowed")
    line = quoted(line.strip(), {*people, *at.seats})
    if not tokens(line):
        raise NotationError("unreadable", "the line is empty")
    speakers = Speakers(at, people)
    parts = speakers.parts(line)

    def again(text: str, here: Position[Any]) -> list[Move]:
        return _read(text, here, people, me, memory, moved=True)

    def any_order(text: str, here: Position[Any], free: bool) -> list[Move]:
        return _read(text, here, people, me, Memory(_ways), free=free)

    try:
        moves = _in_order(line, parts, speakers, at, people, me, memory)
        if moved or (legal := try_line(at, moves).verdict.legal):
            return moves
        doubtful = isinstance(moves[0], Turn) and (legal is None or says_a_step_twice(moves[0]))
        if free and doubtful and (ways := stepwise(line, speakers.books, me)):
            return ways[0]
        if len(parts) == 1 or legal is None:
            return moves
        return said_again(moves, at) or told_beside(parts, at, speakers, again) or moves
    except NotationError as error:
        asking = error.kind == "ambiguous" and free and not _any_legal(error.ways, at)
        if asking and (ways := stepwise(line, speakers.books, me)):
            return ways[0]  # every other way leaves something open
        if moved or error.kind == "ambiguous":
            raise
        if moves := told_beside(parts, at, speakers, again):
            return moves
        for before, told in _retold(line, parts, speakers, at, people):
            here = try_line(at, before).after if before else at
            with suppress(NotationError):
                if _any_legal([moves := [*before, *again(told, here)]], at):
                    return moves
        if not free or "?" in line or tokens(line)[0].text in ASKING:
            raise
        books = speakers.books
        words = plainly(books.words(seats_for_people(line, people, at)))
        if ways := freely(words, books, me) or loosely(line, books, me):
            return _only(line, ways, at)
        if ways := stepwise(line, books, me) or accounted(line, parts, books, me):
            return ways[0]
        if moves := each_in_any_order(parts, speakers, at, any_order):
            return moves
        if guess and (found := guesses(line, books, me)):
            ways = [guess.moves for guess in found]
            texts = ["; ".join(short(move, at) for move in moves) for moves in ways]
            left = [guess.left for guess in found]
            raise NotationError("unreadable", error.why, readings=texts, ways=ways, left=left) from None
        raise


def _retold(
    line: str, parts: list[str], speakers: Speakers, at: Position[Any], people: Mapping[str, str]
) -> Iterator[tuple[list[Move], str]]:
    """(moves before it, the line told otherwise) for a line that cannot be read in the order in which it is told."""
    for place, rest in placed_first(line, {*people, *at.seats}):
        if (before := at.rules.opens(place, at)) is not None:
            yield before, rest
    told = displaced(parts, speakers) if len(parts) > 2 else ()
    somebody = [n for n, part in enumerate(parts) if speakers.named(part)]
    yield from (([], text) for text in chain(told, done_with(parts, somebody)))


def _in_order(
    line: str,
    parts: list[str],
    speakers: Speakers,
    at: Position[Any],
    people: Mapping[str, str],
    me: str,
    memory: Memory,
) -> list[Move]:
    """The moves a line means, told one after the other. Raises NotationError."""
    failed: NotationError | None = None
    whole: list[list[Move]] = []
    known = Known(people, speakers.books)
    try:
        whole = memory.ways(line, known, at, me)
    except NotationError as error:
        failed = error
    if len(parts) == 1 and not speakers.actors(line, at)[0]:
        if failed is not None:
            raise failed
        moves = _only(line, whole, at)
        if len(first := line.split()[0]) == 1 and _names_a_thing(first, moves[0], at):
            raise NotationError("unreadable", f"{first!r} alone is too short to be a verb", line=line, at=at)
        return moves
    strong = speakers.strong(parts)
    if whole and speakers.in_turns and len(strong) == 1 and len(whole) == 1 and _possible(whole, at):
        return whole[0]
    if whole and (len(strong) == 1 or speakers.in_turns) and _any_legal(whole, at):
        return _only(line, whole, at)

    def ways(text: str, here: Position[Any], who: str) -> list[list[Move]]:
        with suppress(NotationError):
            return memory.ways(text, known, here, who)
        return []

    several = sequences(parts, at, me, speakers, ways, legal=_any_legal(whole, at))
    if failed is not None and not several and len(begins := strong) > 1:
        failed = _first_unread([speakers.said(i, j) for i, j in pairwise([*begins, len(parts)])], known, at, me)
    return _one_of(line, whole, several, failed, at)


def _first_unread(texts: list[str], known: Known, at: Position[Any], me: str) -> NotationError:
    """The error for a line of which every part begins something of its own."""
    failed: NotationError | None = None
    for text in texts:
        try:
            _ways(text, known, at, me)
        except NotationError as error:
            failed = failed or error
    return failed or NotationError("unreadable", f"{texts[0]!r} and what follows cannot be read together", at=at)


def _any_legal(ways: list[list[Move]], at: Position[Any]) -> bool:
    return any(try_line(at, moves).verdict.legal for moves in ways)


def _one_of(
    line: str, whole: list[list[Move]], several: list[list[Move]], failed: NotationError | None, at: Position[Any]
) -> list[Move]:
    """The meaning of a line that can be read as one thing, as several, or as both. Raises NotationError."""
    if not several:
        if failed is not None:
            raise failed
        return _only(line, whole, at)
    outcomes = [(moves, try_line(at, moves)) for moves in [*whole, *several]]
    for wanted in (True, None):
        fit = [(moves, outcome) for moves, outcome in outcomes if outcome.verdict.legal is wanted]
        different: list[tuple[list[Move], Any]] = []
        for moves, outcome in fit:
            state = outcome.after.state if wanted else [move.to_json() for move in moves]
            if all(state != other for _, other in different):
                different.append((moves, state))
        if len(different) == 1:
            return different[0][0]
        if different:
            ways = [moves for moves, _ in different]
            if wanted is None and (first := _before_the_rest(ways, at)):
                raise NotationError(
                    "unreadable", f"{line!r} says too much at once: type {first!r} first, then the rest"
                )
            raise _ambiguous(line, ways, at)
    return _only(line, whole, at) if whole else several[0]


def _before_the_rest(ways: list[list[Move]], at: Position[Any]) -> str:
    """The common beginning of several readings, if it leaves a question open: until that is answered nobody can tell
    which reading is possible. "" if they differ earlier."""
    alike: list[Move] = []
    for moves in zip(*ways, strict=False):
        if any(type(move) is not type(moves[0]) or move != moves[0] for move in moves):
            break
        alike.append(moves[0])
    return "; ".join(short(move, at) for move in alike) if alike and try_line(at, alike).verdict.legal is None else ""


def _ways(line: str, known: Known, at: Position[Any], me: str) -> list[list[Move]]:
    """Every equally good way to read a line as one thing, nothing judged yet; if it cannot be read as it stands, as it
    is told otherwise. Where a sentence begins with somebody, the one before it is not read as its beginning if it says
    something itself: `ready. Ben also`. Raises NotationError."""
    ended = known.ended.search(line)
    if ended is not None and _is_something(line[: ended.start()], known, at, me):
        raise NotationError("unreadable", f"{line!r} says several things", line=line, at=at)
    try:
        return _as_it_stands(line, known, at, me)
    except NotationError:
        for told in otherwise_told(line, {*known.people, *at.seats}):
            with suppress(NotationError):
                if possible := _possible(_as_it_stands(told, known, at, me), at):
                    return possible
        raise


def _is_something(line: str, known: Known, at: Position[Any], me: str) -> bool:
    with suppress(NotationError):
        return bool(_as_it_stands(line, known, at, me))
    return False


def _as_it_stands(line: str, known: Known, at: Position[Any], me: str) -> list[list[Move]]:
    seated = seats_for_people(line, known.people, at)
    books = known.books(at)
    words, named = (plainly(books.words(text)) for text in (line, seated))
    if everybody_passes(words, at):
        if moves := at.rules.pass_all(at):
            return [moves]
        raise NotationError("unreadable", "no one can pass now", line=seated, at=at)
    if quiet := done(named, at, me) or declined(named, at, me):
        return quiet
    failed: NotationError | None = None
    order = (seated,) if at.rules.people_first else (line, seated)
    for text in dict.fromkeys(order):  # a person may be called like a card: the game's words go first
        try:
            several = at.rules.shorthand(text, at)
        except NotationError as error:
            failed = error
            continue
        if several is not None:
            return passings(several[0], at) if len(several) == 1 and is_bare(named, at) else [several]
    if failed is not None:
        raise failed
    if any(issubclass(kind, Turn) for kind in at.rules.moves.values()):
        turns, trouble = read_turn(line, books, me)
        if turns:
            return [[turn] for turn in turns]
        if trouble:
            try:  # a word may begin like that of a turn: `bo shows` and `board`
                return _named(seated, words, named, books, me)
            except NotationError:
                here = in_place(at)
                if not any(issubclass(kind, Turn) and kind in here for kind in at.rules.moves.values()):
                    raise
                raise NotationError("unreadable", trouble, line=seated, at=at) from None
    return _named(seated, words, named, books, me)


def _named(seated: str, words: list[Token], named: list[Token], books: Books, me: str) -> list[list[Move]]:
    """The moves a line can say. A person may stand for a seat where the game knows only that: `ann shows 7, ben shows
    2`."""
    try:
        every = readings(seated, words, books, me)
        found = _cheapest(every)
        if _possible(found, books.at):
            return found
        least = min(cost for cost, _ in every)
        dearer = [(cost, move) for cost, move in every if least < cost <= least + DEARER]
        if possible := _possible(_cheapest(dearer) if dearer else [], books.at):
            return possible
        with suppress(NotationError):
            if named != words and _any_legal(other := _cheapest(readings(seated, named, books, me)), books.at):
                return other
        return ([[move] for move in chosen(named, books, me)] if len(named) <= FEW else []) or found
    except NotationError:
        if named != words:
            with suppress(NotationError):
                return _cheapest(readings(seated, named, books, me))
        if (event := reported(named, books)) is not None:
            return [[event]]
        if ways := done_by(named, books):
            return ways
        if moves := chosen(named, books, me):
            return [[move] for move in moves]
        raise


def _possible(ways: list[list[Move]], at: Position[Any]) -> list[list[Move]]:
    """The ways that nothing forbids here."""
    return [moves for moves in ways if try_line(at, moves).verdict.legal is not False]


def _cheapest(found: list[Reading]) -> list[list[Move]]:
    """The moves whose words cost least, each once."""
    cheapest = min(cost for cost, _ in found)
    ways: list[list[Move]] = []
    for cost, moves in found:
        if cost == cheapest and not any(type(way[0]) is type(moves[0]) and way == moves for way in ways):
            ways.append(moves)
    return ways


def _names_a_thing(word: str, said: Move, at: Position[Any]) -> bool:
    """True if `word` is a value of some legal move, so that it may mean that rather than begin a verb."""
    if word.lower() in verbs(type(said)) or word.upper() in map(str, said.to_json().values()):
        return False
    return any(word.lower() == str(value).lower() for move in at.legal() for value in move.to_json().values())


def seats_for_people(line: str, people: Mapping[str, str], at: Position[Any]) -> str:
    """The line with people's names replaced by their seats; a seat's own name stays what it is."""
    seats = {seat.lower() for seat in at.seats}
    for person, seat in sorted(people.items(), key=lambda pair: -len(pair[0])):
        if person.lower() not in seats:
            line = re.sub(rf"(?<![\w=\"]){re.escape(person)}(?!\w)", seat, line, flags=re.IGNORECASE)
    return line


def _only(line: str, ways: list[list[Move]], at: Position[Any]) -> list[Move]:
    """The one way that is legal; of ways none of which is, the one that is in place. Raises NotationError."""
    if len(ways) == 1:
        return ways[0]
    verdicts = [(moves, try_line(at, moves).verdict.legal) for moves in ways]
    for wanted in (True, None):
        fit = [moves for moves, legal in verdicts if legal is wanted]
        if len(fit) == 1:
            return fit[0]
        if fit:
            raise _ambiguous(line, fit, at)
    here = in_place(at)
    ways = [moves for moves in ways if type(moves[0]) in here] or ways
    if len(ways) == 1 or _in_full(line, ways[0][0]):  # refused is refused, whichever is meant
        return ways[0]
    raise _ambiguous(line, ways, at)


def _in_full(line: str, move: Move) -> bool:
    """True if a line holds a whole verb of a move, not only its beginning."""
    said = {singular(word.text) for word in tokens(line)}
    return any(said.issuperset(map(singular, verb.lower().split())) for verb in verbs(type(move)))


def _ambiguous(line: str, ways: list[list[Move]], at: Position[Any]) -> NotationError:
    texts = ["; ".join(short(move, at) for move in moves) for moves in ways]
    again = {text.lower() for text in texts if texts.count(text) > 1} | {line.lower()}
    texts = [
        "; ".join(map(explicit, moves)) if text.lower() in again else text
        for text, moves in zip(texts, ways, strict=True)
    ]
    return NotationError("ambiguous", f"{line!r} could mean {_listed(texts)}", readings=texts, ways=ways)


def _listed(texts: list[str]) -> str:
    return ", ".join(repr(t) for t in texts[:-1]) + f" or {texts[-1]!r}"


def near(line: str, at: Position[Any], n: int = 5) -> list[str]:
    """The legal moves, written out, that look most like `line`. Of reports that could name any card, the one that looks
    most like it."""
    wanted = line.lower()
    texts: dict[str, float] = {}
    reports: dict[type[Move], tuple[float, str]] = {}
    for move in at.legal():
        kind, text = type(move), write(move, at)
        alike = difflib.SequenceMatcher(None, wanted, text.lower()).ratio()
        if any(field.domain and field.domain.secret for field in fields(kind)) and alike < ALIKE:
            reports[kind] = max(reports.get(kind, (-1.0, "")), (alike, text))
        else:
            texts[text] = alike
    texts |= {text: alike for alike, text in reports.values()}
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


__all__ = [
    "NotationError",
    "near",
    "read",
    "seats_for_people",
    "verbs_at",
    "write",
]
