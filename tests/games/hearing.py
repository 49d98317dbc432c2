"""What a typed line must not do: lose a part of what it says, or say the same without a word of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from companion.engine.language import saying
from companion.engine.language.fields import actor, fields, value_of
from companion.engine.language.notation import NotationError, near, read
from companion.engine.language.synonyms import instead_of
from companion.engine.language.together import DONE
from companion.engine.language.verbs import verbs
from companion.engine.language.words import COURTESIES, WISHING, Phrasebook, singular, tokens
from companion.engine.play.domains import Flag
from companion.engine.play.domains import Tally as Counted
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move, made_by, maker
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position

JOINTS = (", ", " and ", " then ", ", then ", " and then ", ", and ", ",")
"""What people put between two things they say."""
TYPE = re.compile(r"\(type: ([^)]*)\)")
"""What `next:` says to type."""
PEOPLE = ("Mia", "Leo", "Zoe", "Tom", "Eva", "Max", "Ida", "Jon")


PAYING = frozenset(("pay", "pays"))


class Joined(NamedTuple):
    """A line that says several legal moves one after the other, and those moves."""

    line: str
    moves: list[Move]
    people: dict[str, str]


class Tally(NamedTuple):
    """How many joined lines were read as what they say, refused, and asked about."""

    heard: int = 0
    refused: int = 0
    asked: int = 0


def joined(at: Position[Any], rng: Random) -> Joined | None:
    """Two or three legal moves in a row, said as people say them; None: there are no two."""
    people = dict(zip(rng.sample(PEOPLE, len(at.seats)), at.seats, strict=True)) if rng.random() < 0.5 else {}
    names = {seat: person for person, seat in people.items()}
    here, moves, texts, before = at, [], [], ""
    for _ in range(rng.choice((2, 2, 3))):
        legal = here.legal()
        if not legal:
            break
        move = rng.choice(legal)
        outcome = try_line(here, [move])
        if not outcome.done:
            break
        texts.append(_said(move, here, names, before, rng))
        moves.append(move)
        here, before = outcome.after, maker(move)
    if len(moves) < 2:
        return None
    line = texts[0]
    for text in texts[1:]:
        line += rng.choice(JOINTS) + text
    return Joined(line, moves, people)


def _said(move: Move, at: Position[Any], names: dict[str, str], before: str, rng: Random) -> str:
    """A move in words: with any of its verbs, with the person for the seat, and without the seat that spoke before."""
    text = saying.short(move, at)
    verb, seat = verbs(type(move))[0], maker(move)
    if not isinstance(move, Turn):
        text = text.replace(verb, rng.choice([one for one in verbs(type(move)) if not _says_more(one, move)]), 1)
    if seat and text.startswith(f"{seat} "):
        rest = text[len(seat) + 1 :]
        return rest if seat == before and rng.random() < 0.5 else f"{names.get(seat, seat)} {rest}"
    return text


def _says_more(verb: str, move: Move) -> bool:
    """Whether a verb is itself what a field says: `upgrades` the beast, which may be moved alone."""
    flags = [field.domain for field in fields(type(move)) if isinstance(field.domain, Flag)]
    return any(singular(verb) in map(singular, flag.words) for flag in flags)


def nothing_is_lost(at: Position[Any], said: Joined | None) -> str:
    """A line is read as all it says, or it is refused or asked about; never as something else that is legal. Returns
    what became of it; "" if there was none."""
    if said is None:
        return ""
    try:
        found = read(said.line, at, people=said.people)
    except NotationError as error:
        return "asked" if error.kind == "ambiguous" else "refused"
    outcome = try_line(at, found, typed=True)
    if not outcome.done:
        return "refused"
    assert _same(outcome, try_line(at, said.moves)), (
        f"{said.line!r} {said.people or ''}: said {_forms(said.moves)}, heard {_forms(found)}"
    )
    return "heard"


def phrased(at: Position[Any], rng: Random) -> Joined | None:
    """A legal move, or two in a row, said by a phrase of the glossary beside what the first says; None: there is no
    such move."""
    by_kind: dict[str, list[Move]] = {}
    for move in at.legal():
        if type(move).name in at.rules.game.phrases and not isinstance(move, Turn):
            by_kind.setdefault(type(move).name, []).append(move)
    if not by_kind:
        return None
    move = rng.choice(by_kind[rng.choice([*by_kind])])
    if not (outcome := try_line(at, [move])).done or not (line := _by_phrase(move, at, rng)):
        return None
    moves, more = [move], outcome.after.legal() if rng.random() < 0.5 else []
    second = rng.choice(more) if more else None
    if second is not None and try_line(outcome.after, [second]).done:
        after = _by_phrase(second, outcome.after, rng) or saying.short(second, outcome.after)
        line, moves = line + rng.choice(JOINTS) + after, [move, second]
    return Joined(line, moves, {})


def _by_phrase(move: Move, at: Position[Any], rng: Random) -> str:
    """A move said by a phrase for it instead of its verb, around what it says or before it; "" if it has none."""
    phrases = at.rules.game.phrases.get(type(move).name)
    if not phrases or isinstance(move, Turn):
        return ""
    seat, phrase = maker(move), rng.choice(phrases).split()
    rest = saying.short(move, at).replace(verbs(type(move))[0], "", 1).removeprefix(seat)
    cut = rng.randint(0, len(phrase)) if rng.random() < 0.3 else len(phrase)
    if PAYING & {*phrase} and any(map(str.isdigit, rest)):
        return ""  # `pays 8 for an army` says the price
    return " ".join(f"{seat} {' '.join(phrase[:cut])} {rest} {' '.join(phrase[cut:])}".split())


def _same(one: Outcome, other: Outcome) -> bool:
    return bool(one.after.state == other.after.state)


def _forms(moves: list[Move]) -> list[dict[str, Any]]:
    return [move.to_json() for move in moves]


def bare_words_are_asked(at: Position[Any]) -> int:
    """Where `pass` can decline what is offered, or be a move of its own that leads elsewhere, it is asked, or refused.
    Returns how many seats could mean both."""
    declining, tried = at.rules.pass_all(at), 0
    own = [move for move in at.legal() if DONE & {*verbs(type(move))} and move == made_by(type(move), maker(move))]
    for left in declining:
        seat = maker(left)
        ends = [try_line(at, [move]) for move in (left, *(one for one in own if maker(one) == seat))]
        states = [outcome.after.state for outcome in ends if outcome.done]
        if all(state == states[0] for state in states):
            continue
        tried += 1
        for line in ("pass", f"{seat} pass", f"{seat} is done"):
            try:
                found = read(line, at)
            except NotationError:
                continue
            assert seat != maker(found[0]), f"{line!r} is heard as {_forms(found)}, and could be a move of its own"
    return tried


def every_word_counts(at: Position[Any], move: Move, rng: Random, vocabulary: list[str]) -> int:
    """A line without one of its words, with the word twice, or with another in its place does not say the same; but for
    words that only announce what the rest says anyway. Returns the number of lines tried."""
    line = saying.short(move, at)
    try:
        whole = read(line, at)
    except NotationError:
        return 0
    words, tried = line.split(" "), 0
    empty = {singular(word) for kind in (type(move), *map(type, _parts(move))) for word in _announcing(kind, at)}
    for i, word in enumerate(words):
        if word.strip(",").lower() in COURTESIES:
            continue
        others = ((), (word, word), (rng.choice(vocabulary).strip(","),))
        for instead in others:
            text = " ".join((*words[:i], *instead, *words[i + 1 :]))
            tried += 1
            if text.lower() == line.lower() or not _heard_alike(text, whole, at):
                continue
            changed = {singular(token.text) for token in tokens(" ".join((word, *instead)))}
            other = _says_as_well(instead, move, at) or _is_part_of_a_name(word, move) or _begins(instead, move)
            other = other or _goes_without_saying(word, move)
            assert changed <= empty or other, f"{text!r} says the same as {line!r}"
    return tried


def _heard_alike(text: str, whole: list[Move], at: Position[Any]) -> bool:
    try:
        return read(text, at) == whole
    except NotationError:
        return False


def _parts(move: Move) -> tuple[Move, ...]:
    return tuple(move.parts()) if isinstance(move, Turn) else ()  # type: ignore[arg-type]


def _announcing(kind: type[Move], at: Position[Any]) -> Iterator[str]:
    """Words that only announce: the verbs of a move, and what stands before or beside the values of its fields; and the
    name of whoever tells what came up."""
    for verb in verbs(kind):
        yield from verb.lower().split()
    for field in fields(kind):
        if field.domain is not None:
            yield from (*field.domain.lead, *field.domain.after, *field.domain.nouns(at), field.path[-1])
    yield from WISHING | COURTESIES | DONE | {"1"}
    if actor(kind) is None:
        yield from (seat.lower() for seat in at.seats)


def _says_as_well(instead: tuple[str, ...], move: Move, at: Position[Any]) -> bool:
    """Whether the words put in another's place are themselves a name of something that the move says."""
    for one in (move, *_parts(move)):
        for field in fields(type(one)):
            said = value_of(one, field)
            if field.domain is None or said == field.default:
                continue
            values = [*said] if isinstance(said, list | tuple | dict) else [said]
            book = Phrasebook(field.domain.spoken(at), shortened=True)
            if any(match.value in values for match in book.matches(tokens(" ".join(instead)), 0)):
                return True
    return False


def _begins(instead: tuple[str, ...], move: Move) -> bool:
    """Whether the word put in another's place is the beginning of a verb of the move, as `c` of `clean`, or another
    word for it (`took`), or says one of what follows."""
    known = verbs(type(move))
    begun = len(instead) == 1 and any(verb.startswith(instead[0].lower()) for verb in known)
    begun = begun or (len(instead) == 1 and any(verb in known for verb in instead_of(instead[0].lower(), known)))
    return begun or instead in (("1",), ("+1",))


def _goes_without_saying(word: str, move: Move) -> bool:
    """Whether a word is the number of a tally that is all that can be meant: `2 wood for 2 stone`."""
    wholes = [field for field in fields(type(move)) if isinstance(field.domain, Counted) and field.domain.whole]
    return word.isdigit() and any([*value_of(move, field).values()] == [int(word)] for field in wholes)


def _is_part_of_a_name(word: str, move: Move) -> bool:
    """Whether a word is one of several by which a value is called, so that the others may be enough, or a count that
    goes without saying."""
    if word in ("1", "+1"):
        return True
    for one in (move, *_parts(move)):
        for field in fields(type(one)):
            value = value_of(one, field)
            names = value if isinstance(value, list | tuple | dict) else [value]
            if any(word.lower() in (parts := str(name).lower().split()) and len(parts) > 1 for name in names):
                return True
    return False


def what_is_offered_is_legal(at: Position[Any], said: str) -> int:
    """What is offered to somebody whose line cannot be read, and what `next:` says to type, is legal as it stands.
    Returns the number of lines tried."""
    offered = near(said, at)
    offered += [line for part in TYPE.findall(at.rules.awaits(at)) for line in part.split(", or: ")]
    for line in offered:
        verdict = try_line(at, read(line, at)).verdict
        assert verdict.legal is not False, f"{line!r} is offered: {[reason.why for reason in verdict.reasons]}"
    return len(offered)
