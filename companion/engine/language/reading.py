"""One thing said on a line -> the moves it can mean. Nothing is judged here, and no word is passed over.

The verb stands first or after a seat; arguments follow in any order, told apart by the words their domains know.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.complaints import misfit, no_verb, several
from companion.engine.language.fields import actor, fields
from companion.engine.language.named import ArgumentError
from companion.engine.language.repeated import dealt, repeated
from companion.engine.language.saying import short, usage
from companion.engine.language.synonyms import instead_of
from companion.engine.language.together import BEING as HELPING_VERBS
from companion.engine.language.unread import NotationError
from companion.engine.language.verbs import Lexicon, verb_book, verbs
from companion.engine.language.wording import of_each
from companion.engine.language.words import (
    ARTICLES,
    BEGINNING,
    BEING,
    COURTESIES,
    EVERYBODY,
    PEOPLE,
    PLACING,
    PLURAL,
    WISHING,
    Match,
    Token,
    number,
    past,
    singular,
)
from companion.engine.play.domains import Seat
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position

LONGEST_VERB = 10
"""In words, with the seat before it: of two verbs the longer one is meant, by less than any word costs."""
PAYING = frozenset(("pay", "spend", "give"))
LATEST_VERB = 7
"""So many words from the beginning of a line, a verb may still follow what does it."""
PRICE = 100 * LONGEST_VERB
"""What a point of a verb's cost weighs against those of the words after it."""

PARTICIPLES = ("ed", "en", "wn", "ken", "ung", "ught", "id", "ilt", "ut")
"""How words end by which something is done: `revealed`, `drawn`, `taken`, `laid`, `built`."""
BY_THEMSELVES = frozenset(("come",))
"""Verbs that are said of things, not of whoever moves them: `three armies come from tibet`."""
TELLERS = frozenset(("they", "he", "she"))
"""Words for whoever did something of which no player is recorded: `she draws 2 red`."""
TELLER = "they"
"""Stands for them."""
EVERYONE = "both"
"""Stands for the seats where a line names every side."""
Reading = tuple[int, list[Move]]
"""What its words cost, and the move, as often as it is made."""


def readings(line: str, words: list[Token], books: Books, me: str) -> list[Reading]:
    """Every move that a line can say, if need be by another word for its verb. Raises NotationError if it says none."""
    found: list[Reading] = []
    failed: NotationError | None = None
    for said in chain((words,), _otherwise(words, books)):
        try:
            found += _as_said(line, said, books, me)
        except NotationError as error:
            failed = error  # of several verbs the last one tried is that of the game
            continue
        if said is words:
            return found
    for said in chain(_turned_round(words, books), _paid_first(words, books)) if not found else ():
        with suppress(NotationError):
            found += _as_said(line, said, books, me)
    if found or failed is None:
        return found
    raise failed


def _otherwise(words: list[Token], books: Books) -> Iterator[list[Token]]:
    """The line with other words for a verb that the game does not have: `drew` for `draw`, `puts` for `place`."""
    heads = plain_heads(books)
    yield from _passive(words, heads)
    names = {name.lower() for name in (*books.at.seats, *books.people)}
    at = next((n for n, word in enumerate(words) if word.text not in COURTESIES and word.text not in names), None)
    if together := everybody(words, books):
        at = past(COURTESIES | BEING, words, together)
    while at is not None and at + 1 < len(words) and words[at].text in WISHING:
        at += 1
    if at is None or at == len(words) or words[at].text in heads or singular(words[at].text) in heads:
        return
    for other in instead_of(words[at].text, heads):
        yield [*words[:at], Token(other, words[at].typed), *words[at + 1 :]]


def _turned_round(words: list[Token], books: Books) -> Iterator[list[Token]]:
    """The line with its verb before the thing that does it: `ann's archer hits H13`, `the archer of ann hits H13`."""
    kinds = [kind for kind in books.at.rules.moves.values() if kind.done_by]
    heads = frozenset(verb.lower().split()[0] for kind in kinds for verb in verbs(kind))
    heads |= plain_heads(books) & BY_THEMSELVES
    if not heads:
        return
    seats = {name.lower() for name in (*books.at.seats, *books.people)}
    for at, word in enumerate(words[1:LATEST_VERB], 1):
        before = [one for one in words[:at] if one.text not in COURTESIES and one.text not in BEING]
        named = [one for one in before if one.text in seats]
        things = [one for one in before if one not in named]
        if not things or len(named) > 1:
            continue
        known = word.text in heads or singular(word.text) in heads
        for verb in [word.text] if known else instead_of(word.text, heads):
            yield [*named, Token(verb, word.typed), *things, *words[at + 1 :]]


def _passive(words: list[Token], heads: frozenset[str]) -> Iterator[list[Token]]:
    """The line with the verb before what happens: `tibet is revealed: 8 and 3`."""
    for n in range(1, len(words) - 1):
        if words[n].text in BEING and words[n + 1].text.endswith(PARTICIPLES):
            for other in (*instead_of(words[n + 1].text, heads), words[n + 1].text):
                if other in heads:
                    yield [Token(other, words[n + 1].typed), *words[:n], *words[n + 2 :]]


def _paid_first(words: list[Token], books: Books) -> Iterator[list[Token]]:
    """The line with what is paid after what it is paid for: `ann pays 2 chi to save the archer`."""
    if not any(field.path[0].startswith("pay") for kind in books.at.rules.moves.values() for field in fields(kind)):
        return
    at = next((n for n, word in enumerate(words[:3]) if singular(word.text) in PAYING), None)
    after = words[at + 1].text if at is not None and at + 1 < len(words) else ""
    if at is None or (number(after) is None and after not in ("a", "an")):
        return
    end = next((n for n, word in enumerate(words) if n > at + 2 and word.text in ("to", "and", "for")), None)
    if end is not None:
        bought = [Token("buy", words[end].typed)] if words[end].text == "for" else []
        yield [*words[:at], *bought, *words[end + 1 :], Token("for", "for"), *words[at + 1 : end]]
        if not bought:
            yield [*words[:at], *words[end + 1 :], *words[at:end]]


def verb_words(books: Books) -> tuple[frozenset[str], frozenset[str]]:
    """The verbs of a game, and the words with which they begin."""
    rules = books.at.rules
    found: tuple[frozenset[str], frozenset[str]] | None = rules.__dict__.get("_verb_words")
    if found is None:
        known = frozenset(verb.lower() for kind in rules.moves.values() for verb in verbs(kind))
        found = rules.__dict__["_verb_words"] = (known, frozenset(verb.split()[0] for verb in known))
    return found


def lexicon(books: Books) -> Lexicon:
    """The verbs of all moves except turns of steps, by their beginnings."""
    rules = books.at.rules
    found: Lexicon | None = rules.__dict__.get("_lexicon")
    if found is None:
        kinds = [kind for kind in rules.moves.values() if not issubclass(kind, Turn)]
        found = rules.__dict__["_lexicon"] = Lexicon(kinds)
    return found


def plain_heads(books: Books) -> frozenset[str]:
    """The first words of the verbs of all moves except turns of steps."""
    rules = books.at.rules
    found: frozenset[str] | None = rules.__dict__.get("_plain_heads")
    if found is None:
        kinds = [kind for kind in rules.moves.values() if not issubclass(kind, Turn)]
        found = frozenset(verb.lower().split()[0] for kind in kinds for verb in verbs(kind))
        rules.__dict__["_plain_heads"] = found
    return found


def _as_said(line: str, words: list[Token], books: Books, me: str) -> list[Reading]:
    at = books.at
    starts = sorted(verbs_at(words, books, me), key=lambda s: s[0])
    found: list[Reading] = []
    stuck: tuple[tuple[int, int], Arguments | None] = ((-1, -1), None)
    failed: ArgumentError | None = None
    unwanted: tuple[type[Move], str, int] | None = None
    for cost, kind, seat, begin, rest in starts:
        if found and cost * PRICE - LONGEST_VERB > min(c for c, _ in found):
            break
        try:
            arguments = Arguments(kind, books, words[begin:], rest, words[begin - 1].text)
        except ArgumentError as error:
            failed = failed or error
            continue
        # of two verbs the longer one is meant: `buy general` is not `buy`
        longer = min(begin + len(rest), LONGEST_VERB)
        found += [(cost * PRICE + c * LONGEST_VERB - longer, [move]) for c, move in arguments.read(seat, me)]
        for times, once in repeated(kind, words[begin:], books):
            price = cost * PRICE - longer
            ways = Arguments(kind, books, once, rest, words[begin - 1].text).read(seat, me)
            found += [(price + c * LONGEST_VERB, all_of) for c, move in ways if (all_of := dealt(move, times))]
        if arguments.unwanted:
            unwanted = unwanted or (kind, seat, begin)
        elif (begin + arguments.furthest, begin) > stuck[0] and arguments.stuck:
            stuck = ((begin + arguments.furthest, begin), arguments)
    if found:
        return found
    if failed is not None:
        raise NotationError("unreadable", str(failed), line=line, at=at)
    if unwanted is not None and stuck[1] is None:
        said, instead = _without_player(*unwanted, words, books)
        raise NotationError("unreadable", said, readings=instead, line=line, at=at)
    kinds = dict.fromkeys(kind for _, kind, *_ in starts)

    def why() -> str:
        return several(words, kinds) or (no_verb(words, books) if stuck[1] is None else misfit(stuck[1], books))

    raise NotationError("unreadable", why, line=line, at=at)


def verbs_at(
    words: list[Token], books: Books, me: str = ""
) -> Iterator[tuple[int, type[Move], str, int, tuple[str, ...]]]:
    """(cost, move class, seat named before the verb, index of the first argument, words of the verb that have to come
    later) for every verb the line may have. `me`: the seat meant by `I` and `we`."""
    at = books.at
    openings: list[tuple[int, str, int]] = [(start, "", 0) for start in sorted({0, past(COURTESIES, words, 0)})]
    named = [*books.seats().matches(words, 0)]
    if words and words[0].text in ("i", "we"):
        named.append(Match(1, me, 0))
    for match in named:
        after = past(COURTESIES, words, match.length)
        wished = past(COURTESIES | WISHING, words, match.length)
        openings += [(start, match.value, match.cost) for start in sorted({after, wished})]
    if words and words[0].text in TELLERS:
        openings.append((past(COURTESIES | WISHING, words, 1), TELLER, 1))
    together = everybody(words, books)
    if together:
        openings.append((past(COURTESIES | WISHING | BEING, words, together), EVERYONE, 0))
    for start, seat, price in openings:
        if start >= len(words):
            continue
        known = lexicon(books)
        for kind in known.beginning_like(words[start].text) if not words[start].key else ():
            if not _may_do(kind, seat, at):
                continue
            who = "" if seat == TELLER or (seat == EVERYONE and kind.of_all) else seat
            best: dict[int, Match] = {}
            for match in verb_book(kind).matches(words, start):
                if match.cost >= BEGINNING and words[start].text in HELPING_VERBS:
                    continue  # `do` is not `done`
                if start and match.cost >= BEGINNING and len(words[start].text) == 1:
                    continue  # after a player a letter is a section, a side or a quadrant
                if match.length not in best or match.cost < best[match.length].cost:
                    best[match.length] = match
            for match in best.values():
                yield match.cost + price, kind, who, start + match.length, ()
        for kind, rests in known.apart(words[start].text):
            if _may_do(kind, seat, at):
                who = "" if seat == TELLER or (seat == EVERYONE and kind.of_all) else seat
                for rest in _apart(rests, words, start):
                    yield PLURAL + price, kind, who, start + 1, rest


def _may_do(kind: type[Move], seat: str, at: Position[Any]) -> bool:
    """True if the name before a verb can stand with a kind of move: a seat, everybody, or a teller."""
    if seat == EVERYONE:
        return kind.of_all or bool(of_each(kind, at))
    return seat != TELLER or actor(kind) is None  # who acts has to be named


def everybody(words: list[Token], books: Books) -> int:
    """The place after the words that name every side at the beginning of a line (`both of them`, `they have both`, `ann
    and ben both`); 0 if none do."""
    known = books.named
    i, named = 0, set[str]()
    while i < len(words) and (words[i].text in known or (words[i].text == "and" and named)):
        named.add(known.get(words[i].text, words[i].text))
        i += 1
    if named and not named.issuperset(books.at.seats):
        return 0
    start = i if named else past(("they", "we"), words, 0)
    start = past(BEING | WISHING, words, start)
    if start >= len(words):
        return 0
    if words[start].text in EVERYBODY and (words[start].text != "both" or len(books.at.seats) == 2):
        i = start + 1
        people = past(PLACING | ARTICLES, words, i)
        return people + 1 if people + 1 < len(words) and words[people].text in PEOPLE else i
    return i


def _apart(rests: list[tuple[str, ...]], words: list[Token], start: int) -> Iterator[tuple[str, ...]]:
    """Of the rests of verbs of several words those that stand around what is said: `puts daring into play`, `buys 2
    armies`."""
    after = [singular(word.text) for word in words[start + 1 :]]
    yield from (rest for rest in rests if {*after}.issuperset(rest) and after[: len(rest)] != [*rest])


def _without_player(kind: type[Move], seat: str, rest: int, words: list[Token], books: Books) -> tuple[str, list[str]]:
    """The message after `seat` was named before a move that has no player and is not that seat's now: the line to type
    instead, if the rest can be read, else the usage of the move."""
    verb = verbs(kind)[0]
    takes = "takes a player after it" if any(isinstance(f.domain, Seat) for f in fields(kind)) else "takes no player"
    said = f"{verb!r} {takes}, and it is not {seat}'s turn"
    found = Arguments(kind, books, words[rest:]).read()
    if found:
        instead = short(found[0][1], books.at)
        return f"{said}; type {instead!r}", [instead]
    return f"{said}; usage: {usage(kind)}", []


__all__ = ["LONGEST_VERB", "PRICE", "Reading", "readings", "verb_words", "verbs_at"]
