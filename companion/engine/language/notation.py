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
from functools import cache
from typing import Any, Literal

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.language.arguments import ArgumentError, Arguments, Books
from companion.engine.language.fields import Field, actor, fields, value_of
from companion.engine.language.several import one_by_one
from companion.engine.language.synonyms import instead_of
from companion.engine.language.turns import read_turn, step_alone, write_turn
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
from companion.engine.play.moves import Count, Flag, Free, Move, OneOf, Pairs, Seat, Tally, made_by
from companion.engine.play.parts import Turn
from companion.engine.play.phases import current, in_place
from companion.engine.play.position import Position
from components.phrasing import join_and, suggest

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
        return any(match.cost <= PLURAL for kind in possible for match in _verb_book(kind).matches(words, 1))
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


def verbs(kind: type[Move]) -> list[str]:
    """Everything a person may type for a move's name."""
    return [word for word in dict.fromkeys((*kind.words, kind.name.replace("_", " "), kind.name)) if word]


@cache
def _verb_book(kind: type[Move]) -> Phrasebook:
    """The verbs of a move, ready to be matched."""
    return Phrasebook(dict.fromkeys(verbs(kind), kind))


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
            stuck = ((rest + arguments.furthest, rest), _misfit(arguments, books))
    if not readings:
        if failed is not None:
            raise NotationError("unreadable", str(failed), line=line, at=at)
        if unwanted is not None and not stuck[1]:
            said, instead = _without_player(*unwanted, words, books)
            raise NotationError("unreadable", said, readings=instead, line=line, at=at)
        what = stuck[1] if stuck[1] else _no_verb(words, books)
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
            for match in _verb_book(kind).matches(words, start):
                if match.length not in best or match.cost < best[match.length].cost:
                    best[match.length] = match
            for match in best.values():
                yield match.cost + price, kind, seat, start + match.length


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


def _misfit(arguments: Arguments, books: Books) -> str:
    """What to say about the token at which the reading of the arguments stopped."""
    kind = arguments.kind
    rest = arguments.line[arguments.furthest :]
    if not rest:
        return f"nothing follows {arguments.line[-1].typed!r}; usage: {usage(kind)}"
    if rest[0].text.isdigit() and len(rest) > 1 and any(isinstance(f.domain, Tally) for f in arguments.fields):
        rest = rest[1:]  # a number that counts nothing: the word after it is the one that is wrong
    token = rest[0]
    if arguments.unpaired is not None:
        before = arguments.line[arguments.furthest - 1].typed
        return f"{token.typed!r} cannot be read after {before!r}{suggest(token.text, arguments.unpaired.texts())}"
    close: list[str] = []
    for length in range(min(3, len(rest)), 0, -1):
        said = " ".join(t.text for t in rest[:length])
        for field in arguments.fields:
            if field.domain is not None:
                close += books[field].nearest(said)
    verb = verbs(kind)[0]
    if token.text in close:  # it could be read, had what it would say not been said already
        return f"{token.typed!r} is one word too many after {verb!r}; usage: {usage(kind)}"
    if close:
        hint = f"did you mean {close[0]!r}?"
    else:
        known = [field.domain.hint(arguments.books.at) for field in arguments.fields if field.domain is not None]
        example = f" (e.g. {kind.example})" if kind.example else ""
        hint = "; ".join([*dict.fromkeys(filter(None, known)), f"usage: {usage(kind)}{example}"])
    return f"{token.typed!r} cannot be read after {verb!r}; {hint}"


def _no_verb(words: list[Token], books: Books) -> str:
    at = books.at
    known = {verb.lower() for kind in at.rules.moves.values() for verb in verbs(kind)}
    seats = [*at.seats, *books.people]
    meant = [token for token in words if token.text not in FILLERS] or words
    others = [token for token in meant if token.text not in {seat.lower() for seat in seats}]
    if not others:
        return f"{words[0].typed!r} alone is not a move; add what happened"
    if len(meant) > 1 and others[0] is meant[0] and not known.isdisjoint((meant[1].text, singular(meant[1].text))):
        return f"no player or seat is called {meant[0].typed!r}{suggest(meant[0].text, seats, 'seats')}"
    if said := next(filter(None, (step_alone(token, at) for token in others[:2])), ""):
        return said
    late = next((token for token in others[1:] if token.text in known), None)
    for token in others[: 1 if late else 2]:
        if hint := suggest(token.text, known - {token.text}, ""):
            return f"no move is called {token.typed!r}{hint}"
    if late:
        return f"{late.typed!r} stands too late; it comes first, or right after the player"
    return f"no move is called {others[0].typed!r}"


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


def short(move: Move, at: Position[Any]) -> str:
    """The move in words as a person types them, without checking that they can be read in only one way."""
    kind = type(move)
    if isinstance(move, Turn) and move.parts():
        return write_turn(move, at, short)
    who = actor(kind)
    parts: list[str] = []
    counts = sum(isinstance(f.domain, Count) for f in fields(kind))
    for field in fields(kind):
        value = value_of(move, field)
        if value == field.default or field == who or (kind.is_part and _goes_without_saying(field)):
            continue
        said = _say(field, value, at)
        if isinstance(field.domain, Count) and counts > 1:
            said = f"{said} {field.path[-1]}"
        elif field.domain is not None and field.domain.lead:
            said = f"{field.domain.lead[0]} {said}"
        parts.append(said)
    actor_said = value_of(move, who) if who else ""
    return " ".join(p for p in [str(actor_said or ""), verbs(kind)[0], *parts] if p)


def _goes_without_saying(field: Field) -> bool:
    """Whether a step says a field by being named: it can have one value only."""
    return isinstance(field.domain, Flag) or (isinstance(field.domain, OneOf) and len(field.domain.words) == 1)


def _say(field: Field, value: Any, at: Position[Any]) -> str:
    domain = field.domain
    if domain is None:
        return f"{field.name}={_plain(value)}"
    if isinstance(domain, Flag):
        return domain.words[0]
    if isinstance(domain, Tally) and isinstance(value, dict):
        return " ".join(f"{n} {piece}" for piece, n in value.items())
    if isinstance(domain, Pairs) and isinstance(value, dict):
        left, right = domain.left.spoken(at), domain.right.spoken(at)
        pairs = ((key, one) for key, v in value.items() for one in (v if isinstance(v, list | tuple) else [v]))
        return " ".join(f"{_word(left, key)} {_word(right, one)}" for key, one in pairs)
    if isinstance(value, list | tuple):
        return " ".join(_word(domain.spoken(at), part) for part in value)
    if isinstance(value, dict):  # amounts as names, or a name for each key
        names = [part for key, n in value.items() for part in ([key] * n if isinstance(n, int) else [n])]
        return " ".join(_word(domain.spoken(at), name) for name in names)
    return str(value) if isinstance(domain, Count | Seat | Tally) else _word(domain.spoken(at), value)


def _word(spoken: dict[str, Any], value: Any) -> str:
    if isinstance(value, str) and value in spoken:
        return value
    return next((word for word, meant in spoken.items() if meant == value), str(value))


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


def explicit(move: Move) -> str:
    """The move with every argument as `name=value`: long, and exact."""
    kind = type(move)
    if isinstance(move, Turn) and move.parts():
        return ", ".join(map(explicit, (move.without_parts(), *move.parts())))
    said = [(f, value_of(move, f)) for f in fields(kind)]
    return " ".join(
        [kind.name or verbs(kind)[0], *(f"{f.name}={_plain(value)}" for f, value in said if value != f.default)]
    )


def _plain(value: Any) -> str:
    if isinstance(value, str) and value and not set(value) & set(" \"'{}[],/=\\"):
        return value
    import json

    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


# --- help -------------------------------------------------------------------------------------------------------


def usage(kind: type[Move]) -> str:
    """How a move is typed: `[player] meld KIND`. Anything the game can fill in or ask for may be left out."""
    who = actor(kind)
    parts = [f"[{who.name}]"] if who else []
    parts.append(verbs(kind)[0])
    for field in fields(kind):
        if field != who:
            typed = field.domain is not None and not isinstance(field.domain, Free)
            shown = field.name.upper() if typed else f"{field.name}=…"
            parts.append(shown + ("…" if field.many else ""))
    return " ".join(parts)


__all__ = [
    "NotationError",
    "explicit",
    "near",
    "overview",
    "read",
    "seats_for_people",
    "short",
    "usage",
    "verbs",
    "verbs_at",
    "write",
]
