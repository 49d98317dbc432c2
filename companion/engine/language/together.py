"""Lines by which people say that they are done, that everybody is, or that somebody does not do what could be done."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Any

from companion.engine.language.fields import fields
from companion.engine.language.synonyms import instead_of
from companion.engine.language.verbs import verb_book, verbs
from companion.engine.language.words import (
    ARTICLES,
    COURTESIES,
    EVERYBODY,
    PLURAL,
    POLITE,
    WISHING,
    Token,
    past,
    singular,
)
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, acting, made_by, maker
from companion.engine.play.parts import Turn
from companion.engine.play.phases import current, in_place
from companion.engine.play.position import Position

DONE = frozenset(("done", "finished", "out", "pass", "passed", "passes", "ready", "skip", "skips"))
"""Words by which people say that they are done with a phase."""
ENOUGH = DONE | {"stop", "stops", "stopped"}
"""Those, and words for it that are moves of their own in other games."""
NO_MORE = frozenset(("pass", "done", "stop"))
"""Words of which a move has one by which a seat does nothing more, and not that it has done what is due."""
NOT = frozenset(("not", "doesn't", "don't", "doesnt", "dont", "won't", "wont", "never"))
NOTHING = frozenset(("nothing", "nobody", "none"))
NO = NOT | NOTHING | {"no"}
"""Words by which something is denied."""
ANY = frozenset(("any", "anything", "anybody", "anyone", "more", "anymore", "either", "else"))
"""Words that say no more beside one of those."""
LEAVING = frozenset(("leave", "keep"))
WHERE_IT_IS = frozenset(("there", "where", "they", "it", "he", "she", "are", "is", "stand", "alone"))
"""Words by which somebody leaves something as it stands."""
OWN = frozenset(("his", "hers", "theirs", "mine", "ours", "them", "it"))
MORE = frozenset(("more", "anymore", "else"))
"""Those by which somebody has done all they want to do: `ben does nothing more`."""
BEING = frozenset(("is", "are", "has", "have", "does", "do", "will", "say", "says"))
"""Words that help a verb and say nothing else."""


def plainly(words: list[Token]) -> list[Token]:
    """The words without what only helps the one by which somebody is done: `ben is done`, `ben done`."""
    while len(words) > 1 and words[-1].text in POLITE:
        words = words[:-1]  # `ben is done too`
    if len(words) > 2 and words[-2].text in DONE and words[-1].text.endswith("ing"):
        words = words[:-1]  # `ben is done trading`
    if len(words) > 2 and singular(words[-2].text) == "stop" and words[-1].text.endswith("ing"):
        words = [*words[:-2], Token("done", words[-2].typed)]  # `ben stops trading`
    if len(words) > 1 and words[-1].text in DONE:
        return [word for word in words if word.text not in BEING]
    return words


def done(words: list[Token], at: Position[Any], me: str) -> list[list[Move]]:
    """The ways in which a seat can be done here, for a line like `ben done` where the word is not a verb of
    this phase."""
    phase = current(at)
    texts = [word.text for word in words]
    if phase is None or texts[-1] not in ENOUGH or len(texts) > 2:
        return []
    seat = _seat(words, at) if len(texts) == 2 else me
    named = [kind for kind in at.rules.moves.values() if texts[-1] in verbs(kind)]
    here = at.rules.moves.values() if texts[-1] == "ready" else in_place(at)  # to be ready is a move of its own
    if not seat or any(kind in here for kind in named):
        return []
    found = _passing(at, seat) or (made_by(phase.passing, seat) if phase.passing else None)
    return passings(found, at) if found else []


def is_enough(words: list[Token], seats: Container[str]) -> bool:
    """True if a text says that one of some seats, or an unnamed one, does nothing more: `then stops`."""
    words = plainly([word for word in words if word.text not in POLITE])
    return bool(words) and words[-1].text in ENOUGH and all(word.text in seats for word in words[:-1])


def _seat(words: list[Token], at: Position[Any]) -> str:
    """The seat named first; "" if none is."""
    return next((seat for seat in at.seats if seat.lower() == words[0].text), "")


def passings(found: Move, at: Position[Any], verb: list[Token] | None = None) -> list[list[Move]]:
    """The readings of a bare word for doing nothing more, read as `found`: that move, and others by which the same seat
    does nothing more, where they are possible now and lead elsewhere. `pass` may decline an offered shot, or end the
    turn. `verb`: what is left undone."""
    seat, ways = maker(found), [found]
    if not seat or not (outcome := try_line(at, [found])).done:
        return [ways]
    ends = [outcome.after.state]
    for kind in at.rules.moves.values():
        if issubclass(kind, Turn) or acting(kind) is None or NO_MORE.isdisjoint(verbs(kind)):
            continue
        move = made_by(kind, seat)
        if verb and not _left_undone(verb, at, [move]):
            continue
        other = try_line(at, [move])
        if other.done and not other.verdict.done_already and all(state != other.after.state for state in ends):
            ways.append(move)
            ends.append(other.after.state)
    return [[move] for move in ways]


def is_bare(words: list[Token], at: Position[Any]) -> bool:
    """True if a line says only that a seat is done, named or not: `pass`, `ben is done`."""
    return words[-1].text in DONE and (len(words) == 1 or (len(words) == 2 and bool(_seat(words, at))))


def _passing(at: Position[Any], seat: str) -> Move | None:
    """The move by which a seat does nothing more here; None if there is none."""
    return next((move for move in at.rules.pass_all(at) if maker(move) == seat), None)


def everybody_passes(words: list[Token], at: Position[Any]) -> bool:
    """True if a line is `pass all` (`everybody is done`), or says that nobody does what can be done (`nobody helps`,
    `no more trades`)."""
    if verb := by_nobody(words):
        if at.rules.agenda(at.state):  # what is owed: `nobody saves`
            possible = {type(move) for move in at.legal()}
            if any(match.cost <= PLURAL for kind in possible for match in verb_book(kind).matches(verb, 0)):
                return True
        return _left_undone(verb, at, at.rules.pass_all(at))
    words = [*dropped_before(words)]
    texts = {token.text for token in words}
    everybody = texts & EVERYBODY
    passing = {text for text in texts - everybody if text in DONE or "pass".startswith(text)}
    return len(texts) == len(words) == 2 and len(everybody) == len(passing) == 1


def dropped_before(words: list[Token]) -> list[Token]:
    """The words without those around the one for everybody: `all pass` for `we all pass`, `all of us pass`."""
    everybody = next((n for n, word in enumerate(words) if word.text in EVERYBODY), None)
    if everybody is None or any(word.text not in ("we", "they", *BEING) for word in words[:everybody]):
        return words
    after = everybody + 1
    while after + 1 < len(words) and words[after].text in ("of", "the", "us", "them", "players", *BEING):
        after += 1
    return [words[everybody], *words[after:]]


def by_nobody(words: list[Token]) -> list[Token]:
    """The words in a line for what nobody does; empty for any other line."""
    texts = [word.text for word in words]
    start = 2 if texts[:2] == ["no", "one"] else texts[:1] in (["nobody"], ["neither"], ["no"])
    said = [word for word in words[start:] if word.text not in ANY] if start else []
    return [word for word in said[past(WISHING, said, 0) :] if word.text not in COURTESIES]


def declined(words: list[Token], at: Position[Any], me: str) -> list[list[Move]]:
    """The ways in which a seat does not do what it could: `cem does not help`, `cem helps nobody`, `cem does nothing`.
    Empty: not such a line."""
    if len(words) > 2 and words[-2].text == "for":
        words = [words[-1], *words[:-2]]  # `nothing for cem`
    said = {word.text for word in words}
    if not words or said.isdisjoint(NO):
        return _left_alone(words, at, me)
    rest = [word for word in words if word.text not in NO | BEING | ANY | WISHING]
    seat = _seat(rest, at) if rest else ""
    verb = rest[1:] if seat else rest
    seat = seat or me
    if not seat or (passing := _passing(at, seat)) is None:
        return []
    if not verb and (said & {"nobody"} or words[0].text in NOT | {"no"}):
        return []
    left = _left_undone(verb, at, [passing], more=not verb and not said.isdisjoint(MORE))
    return passings(passing, at, verb) if left else []


def _left_alone(words: list[Token], at: Position[Any], me: str) -> list[list[Move]]:
    """The ways in which a seat leaves things where they are, of which it could move some: `ben leaves his clerks`, `cem
    keeps hers there`."""
    seat = _seat(words, at)
    verb, *rest = words[1:] if seat and len(words) > 1 else words
    things = [word for word in rest if word.text not in WHERE_IT_IS]
    if singular(verb.text) not in LEAVING or (passing := _passing(at, seat or me)) is None:
        return []
    here = in_place(at)
    kinds = {kind for name in passing.left_here(at) if (kind := at.rules.moves[name]) in here}
    known = OWN | ARTICLES | {"all", "both"} | _nouns(kinds, at)
    if len(rest) == 0 or not kinds or any(singular(one.text) not in known and one.text not in known for one in things):
        return []
    return [[passing]]


def _nouns(kinds: Collection[type[Move]], at: Position[Any]) -> set[str]:
    """The words for what some kinds of moves are about."""
    domains = [field.domain for kind in kinds for field in fields(kind) if field.domain is not None]
    return {singular(noun) for domain in domains for noun in domain.nouns(at)}


def _left_undone(verb: list[Token], at: Position[Any], passing: list[Move], *, more: bool = False) -> bool:
    """True if those who pass leave undone what a verb names (no verb: anything): something they could do, or something
    that passing declines."""
    ways, here = {type(move) for move in passing}, in_place(at)
    names = [name for way in ways for name in way.left_here(at)]
    kinds = {at.rules.moves[name] for name in names if at.rules.moves[name] in here}
    if not names and not at.rules.agenda(at.state) and any(NO_MORE.isdisjoint(verbs(way)) for way in ways):
        return False  # being done is doing something
    if not names or not (verb or kinds):
        kinds = {type(move) for move in at.legal() if maker(move) in ("", *map(maker, passing))} - ways
    if not names and len(kinds) > 1 and not at.rules.agenda(at.state) and not more:
        return False  # there is something else to do
    if not verb:
        return bool(kinds)
    if at.rules.agenda(at.state):
        kinds = ways | {at.rules.moves[name] for name in names}  # what is owed: `ann doesn't fire`
    heads = {text.split()[0] for kind in kinds for text in verbs(kind)}
    said = [[Token(word, word), *verb[1:]] for word in (verb[0].text, *instead_of(verb[0].text, heads))]
    if any(_says_all(kind, words) for kind in kinds for words in said):
        return True
    nouns = _nouns(kinds, at)
    plain = [[words[0], *(word for word in words[1:] if singular(word.text) not in nouns)] for words in said]
    return any(_says_all(kind, words) for kind in kinds for words in plain if len(words) < len(verb))


def _says_all(kind: type[Move], words: list[Token]) -> bool:
    """True if some words are, as a whole, a verb of a kind of move."""
    return any(match.length == len(words) and match.cost <= PLURAL for match in verb_book(kind).matches(words, 0))


__all__ = ["by_nobody", "declined", "done", "everybody_passes", "is_bare", "is_enough", "passings", "plainly"]
