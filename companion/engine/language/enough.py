"""Lines by which somebody is done, in the words that people have for it: `my war turn's over`, `no more building for
ben`, `cem has nothing left he wants to do, so he passes`.

Every word helps the sentence, says that something is over or is not done, or says what that is.
"""

from __future__ import annotations

from companion.engine.language.beside import NO
from companion.engine.language.books import Books
from companion.engine.language.fields import fields
from companion.engine.language.freely import ME, whoever
from companion.engine.language.helping import HELPING, naming
from companion.engine.language.synonyms import told_in_past
from companion.engine.language.together import ANY, ENOUGH, NOT
from companion.engine.language.verbs import verbs
from companion.engine.language.words import ARTICLES, Token, singular
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, made_by, maker
from companion.engine.play.parts import Turn
from companion.engine.play.phases import current
from companion.engine.play.position import Position

OVER = frozenset((*ENOUGH - {"out"}, "over", "through", "end", "finish", "close", "quit", "break", "complete", "leave"))
"""Words by which something is over."""
OF_OVER = frozenset(
    ("a", "an", "off", "at", "up", "out", "all", "set", "here", "till", "until", "next", "time", "round")
)
"""Words that say nothing more beside those."""
UNTIL = frozenset(("for", "in", "this", "till", "until", "next"))
"""Words before the round in which somebody is done."""
MORE = frozenset(("more", "anymore", "else", "left", "further"))
ENDING = frozenset(("pass", "done", "stop", "end", "ready", "finish"))
"""Words of which a move has one by which a seat is done with something."""


def finished(words: list[Token], books: Books, me: str) -> list[list[Move]]:
    """The moves by which a seat is done that a line may say; none that the rules forbid."""
    at = books.at
    said = {word.text for word in words}
    over = [word for word in words if _plain(word.text) in OVER]
    if _ends_the_round([word.text for word in words if word.text not in ARTICLES]):
        return []  # `finished, the round is over` says two things
    denied, more = (not said.isdisjoint(words) for words in (NO, MORE))
    if not (over or denied) or (denied and not more) or (over and not said.isdisjoint(NOT)):
        return []  # `ann is not done`; `no exchange for ann` says nothing of what else she may do
    possible = [move for move in at.legal() if _is_ending(move, at)]
    found: list[list[Move]] = []
    for seat, rest in whoever(words, {maker(move) for move in possible}, books, me, named=True):
        for move in possible:
            if maker(move) == seat and _is_meant(move, rest, books, over=bool(over)):
                found.append([move])
    ends = [try_line(at, moves).after.state for moves in found]
    return [moves for n, moves in enumerate(found) if ends[n] not in ends[:n]]


def _ends_the_round(words: list[str]) -> bool:
    """True if it is the round that is over, not only somebody's part in it (`out for the round`)."""
    places = [n for n, word in enumerate(words) if word == "round"]
    return any(n == 0 or words[n - 1] not in UNTIL for n in places)


def _plain(word: str) -> str:
    one = singular(word)
    return next((plain for plain in (word, one, *told_in_past(word)) if plain in OVER), one)


def _is_ending(move: Move, at: Position[object]) -> bool:
    """Whether a move says nothing but that a seat is done."""
    kind, seat = type(move), maker(move)
    phase = current(at)
    if not seat or issubclass(kind, Turn) or move != made_by(kind, seat):
        return False
    words = {word for verb in verbs(kind) for word in verb.lower().split()}
    return not words.isdisjoint(ENDING) or (phase is not None and kind is phase.passing)


def _is_meant(move: Move, words: list[Token], books: Books, *, over: bool) -> bool:
    at, kind = books.at, type(move)
    left = [at.rules.moves[name] for name in move.left_here(at)]
    others = {type(one) for one in at.legal() if maker(one) == maker(move)} - {kind}
    undone = {word for one in (left or others) for word in naming(one)}
    nouns = {
        noun for one in (left or others) for field in fields(one) if field.domain for noun in books.nouns(field.domain)
    }
    phase = current(at)
    called = naming(kind) | {singular(word) for word in (phase.words.lower().split() if phase else ())}
    says_what = over
    denied, more = any(word.text in NO for word in words), NO | MORE | ANY | nouns
    for word in words:
        forms = {word.text, singular(word.text), *told_in_past(word.text)}
        if forms & undone and (denied or word.text.endswith("ing")):
            says_what = True
        elif word.text not in HELPING and not forms & (OVER | OF_OVER | called | ME | (more if denied else set())):
            return False
    return says_what


__all__ = ["finished"]
