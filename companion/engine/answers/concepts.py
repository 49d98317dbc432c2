"""Words that say much the same at any table, so that a question in other words is known again.

`talk.py` leads from what players say to the words of rules. Here both change: a question that is asked and the texts of
a game become *concepts*. All ways to say `may` (`can`, `allowed`, `ok`) are one concept; a word that stands in no list
is a concept by itself.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from companion.engine.answers.talk import SMALL

Parts = Sequence[tuple[float, Sequence[Sequence[str]]]]
"""What texts are made of: the weight of a part, and for each text its passages."""

PAIR = 0.4
"""How much two concepts side by side count beside one."""
LINKED = 0.8
"""How much a concept counts that the glossary links with the one that was said."""
ENOUGH, EVEN = 2.0, 0.5
"""The amount of a concept in a text that counts half as much as any amount could; the part of its length that a text is
marked down for."""
_EMPTY = """a an the of to in on at by for from with and or is are be been was were am do does did i me my you your it
its this that these those there here as so if then will would shall should just only please really actually we our us
they them their not doe onli thi"""
EMPTY = frozenset(_EMPTY.split())
"""Words, without their endings, that are no concept."""
CONCEPTS = {
    "may": (
        "can, could, may, might, allowed, able, possible, permitted, permit, legal, let, ok, okay, right to, "
        "free to, permission"
    ),
    "must": (
        "must, have to, has to, need to, needs to, forced, obliged, obligated, compulsory, mandatory, "
        "obligatory, required"
    ),
    "none": (
        "no, none, without, zero, empty, lack, run out, ran out, runs out, running out, used up, use up, gone, "
        "nothing, nobody, no one, no more, out of, missing, not enough, short of, run short, too few, "
        "fewer than, not have, don t have, exhausted, never, left without"
    ),
    "number": "how many, how much, number of, amount of, quantity, how large, how big, size of",
    "when": "when, at what point, what time, which time, moment, how soon, timing",
    "where": "where, which place, which space, which spot, what place, whereabouts, place for, location",
    "who": "who, whose, whom, which player, which of us, which one of us",
    "cost": (
        "cost, price, pay, expensive, fee, paid, payment, charge, dear, dearer, pricey, pricier, afford, cheap, "
        "cheaper, costlier"
    ),
    "gain": (
        "get, gain, receive, earn, obtain, got, reward, benefit, bonus, acquire, collect, profit, bring in, "
        "yield, pay out"
    ),
    "begin": "begin, start, beginning, opening, initial, setup, set up, begun, outset, prepare, starting, commence",
    "first": "first, who begins, who starts, goes first, go first, start player, starting player",
    "end": "end, finish, over, finished, final, ending, complete, done, conclude",
    "limit": (
        "most, maximum, limit, cap, at most, upper limit, limited, restriction, restricted, unlimited, too many, "
        "as many as i like, any number, how often, as often"
    ),
    "again": (
        "twice, again, repeat, more than once, several times, two times, three times, many times, second time, "
        "another, once more, repeatedly, multiple times, more than one, over and over, double, reuse"
    ),
    "tie": (
        "tie, tied, equal, equally, same number, same amount, level, draw game, drawn game, even, same value, "
        "same strength, as strong as"
    ),
    "choose": "choose, decide, pick, select, choice, option, decision, free choice, up to me, want, prefer",
    "rival": (
        "enemy, opponent, rival, other player, another player, someone else, somebody else, other people, "
        "anyone else, other players, others, he, she, his, her, foe, victim"
    ),
    "lose": "lose, loss, give up, lost, forfeit, losing, sacrifice",
    "remove": (
        "remove, kill, destroy, die, dies, killed, eliminate, wipe out, wiped out, take off, taken off, dead, "
        "death, casualty, beaten, perish"
    ),
    "points": "point, score, vp, worth, value, scoring, victory point",
    "win": "win, winner, victory, won, wins, winning",
    "back": "back, return, recover, regain, retrieve, come home, go home, come back, take back, give back, comes home",
    "exchange": "exchange, swap, trade, switch, convert, barter, trade in, turn into, change into, conversion, deal",
    "place": "place, put, lay, position, put down, goes on, go on, stand, set down",
    "build": "build, construct, erect, put up, make, found, building",
    "move": "move, walk, travel, advance, relocate, march, shift, movement",
    "keep": "keep, save, hold on, retain, store, hoard, carry over, remain, stay, hold back, held back, leftover",
    "discard": "discard, throw away, get rid, thrown away, dispose, throw out",
    "know": (
        "look, see, peek, secret, hidden, open, visible, public, private, know, face down, face up, show, shown, "
        "reveal, revealed"
    ),
    "order": "order, sequence, one after another, turn order, steps, one by one",
    "next": "comes next, what comes, then, afterwards, after that, now what, what now",
    "adjacent": (
        "next to, adjacent, border, neighbour, beside, touch, bordering, neighbouring, nearby, adjoining, "
        "touching, adjoin, side by side, connected"
    ),
    "why": "why, what for, purpose, good for, use of, point of, useful, advantage, what use",
    "refuse": "refuse, decline, say no, optional, voluntary, not want, don t want, forgo, reject, need not, skip",
    "pass": "pass, do nothing, drop out, stop for",
    "together": (
        "both, two of us, several players, we both, each other, together, same time, simultaneously, at once, "
        "simultaneous, same moment"
    ),
    "rest": "left over, leftover, unused, remaining, spare, surplus, excess, extra",
    "share": "share, split, divide, shared, divided",
    "own": "own, owner, belong, mine, my own, possess, control, controls",
    "take": "take, grab, draw, pull, pick up, drawn, takes",
    "mean": "mean, definition, define, called, what counts as, what is meant, meant by",
    "kind": "different, kind, type, sort, mix, mixture, alike, same kind",
    "full": "full, no room, no space, overflow, room for, too much, occupied, taken, fit, space for, more space",
    "help": "help, assist, aid, support, ally, join in",
    "attack": "attack, fight, battle, combat, assault, war",
    "forever": "permanent, forever, for good, rest of the game, lasting, how long",
    "all": "all, every, everybody, everyone, whole, entire, each player, all players, all of us",
    "largest": "highest, biggest, largest, greatest",
    "smallest": "lowest, smallest, fewest, least, minimum, at least, weakest",
    "mistake": "mistake, wrong, by accident, accidentally, illegal, undo, change my mind",
    "people": "player, people, person, participant",
    "fast": "at once, immediately, right away, straight away, instantly, instant, right now, immediate, this turn",
    "later": "later, next round, next turn, another time, wait",
    "buy": "buy, purchase, hire, recruit, bought",
}
"""A concept -> what is said for it."""
LONGEST = max(words.count(" ") + 1 for many in CONCEPTS.values() for words in many.split(", "))
"""The most words that are said for a concept."""


class Concepts:
    """The things that a game's texts speak of, in an index. `stems` takes the endings off the words of some texts."""

    def __init__(self, base: sqlite3.Connection, stems: Callable[[list[str]], list[list[str]]]) -> None:
        self.base = base
        self.stems = stems
        self.known: dict[str, str] = {}
        """Words without their endings -> the concept they stand for."""

    def make(self, parts: Parts, glossary: Mapping[str, Iterable[str]]) -> None:
        """Lay down the concepts of the texts, and those that the glossary links."""
        said = [(name, words) for name, many in CONCEPTS.items() for words in many.split(", ")]
        stems = self.stems([words for _, words in said])
        self.known = {" ".join(some): f"@{name}" for (name, _), some in zip(said, stems, strict=True)}
        self.base.execute("CREATE TABLE known (said, concept)")
        self.base.executemany("INSERT INTO known VALUES (?, ?)", self.known.items())
        amounts: dict[tuple[str, int], float] = {}
        for weight, texts in parts:
            found = iter(self.stems([passage for passages in texts for passage in passages]))
            each = [Counter(term for _ in passages for term in self._terms(next(found))) for passages in texts]
            lengths = [sum(n for term, n in some.items() if " " not in term) for some in each]
            usual = sum(lengths) / (sum(map(bool, lengths)) or 1) or 1.0
            for text, (some, length) in enumerate(zip(each, lengths, strict=True)):
                share = weight / (1 - EVEN + EVEN * length / usual)
                for term, n in some.items():
                    amounts[term, text] = amounts.get((term, text), 0.0) + share * n
        self.base.execute("CREATE TABLE concepts (said, text, amount, PRIMARY KEY (said, text)) WITHOUT ROWID")
        rows = ((term, text, amount) for (term, text), amount in amounts.items())
        self.base.executemany("INSERT INTO concepts VALUES (?, ?, ?)", rows)
        self.base.execute("CREATE TABLE links (said, other, weight, PRIMARY KEY (said, other)) WITHOUT ROWID")
        self.base.executemany("INSERT INTO links VALUES (?, ?, ?)", self._links(glossary))

    def spoken(self, asked: list[str], texts: int) -> dict[int, float]:
        """The share of what is asked that each of so many texts speaks of. Small words alone say nothing. What the
        glossary has as two words is one thing, and neither word alone."""
        self.known = self.known or dict(self.base.execute("SELECT said, concept FROM known"))
        said, told = self.stems([" ".join(asked), " ".join(word for word in asked if word not in SMALL)])
        terms, telling = self._terms(said), set(self._of(told))
        links = {term: self._rows("SELECT other, weight FROM links WHERE said = ?", term) for term in terms}
        whole = {term for term, other in links.items() if " " in term and other}
        inside = {concept for term in whole for concept in term.split(" ")}
        score: dict[int, float] = {}
        told_of: set[int] = set()
        for term, weight in terms.items():
            counts: dict[int, float] = {}
            has: dict[int, float] = {}
            for other, alike in [(term, 1.0), *(links[term] if term not in inside else ())]:
                for text, amount in self._rows("SELECT text, amount FROM concepts WHERE said = ?", other):
                    counts[text] = max(counts.get(text, 0.0), alike * amount / (amount + ENOUGH))
                    has[text] = max(has.get(text, 0.0), alike)
            often = sum(has.values())
            rare = math.log(1 + (texts - often + 0.5) / (often + 0.5)) * (1.0 if term in whole else weight)
            for text, count in counts.items():
                score[text] = score.get(text, 0.0) + rare * count
            if term in telling or term in whole:
                told_of |= counts.keys()
        return {text: score[text] for text in told_of}

    def _rows(self, query: str, said: str) -> list[tuple[Any, float]]:
        return self.base.execute(query, (said,)).fetchall()

    def _links(self, glossary: Mapping[str, Iterable[str]]) -> list[tuple[str, str, float]]:
        """Concepts that mean the same in a game, either way. One that means several things is less like each."""
        pairs = [(key, other) for key, others in glossary.items() for other in others]
        stems = iter(self.stems([words for pair in pairs for words in pair]))
        linked = {(" ".join(self._of(next(stems))), " ".join(self._of(next(stems)))) for _ in pairs}
        meanings = Counter(key for key, _ in linked)
        links: dict[tuple[str, str], float] = {}
        for key, other in linked:
            if key and other and key != other:
                links[key, other] = max(links.get((key, other), 0.0), LINKED / meanings[key] ** 0.3)
                links[other, key] = max(links.get((other, key), 0.0), LINKED / meanings[key] ** 0.5)
        return [(said, other, weight) for (said, other), weight in links.items()]

    def _terms(self, stems: list[str]) -> dict[str, float]:
        """The things that a passage speaks of: its concepts, and each two side by side, with their weights."""
        concepts = self._of(stems)
        return {**dict.fromkeys(concepts, 1.0), **dict.fromkeys(map(" ".join, pairwise(concepts)), PAIR)}

    def _of(self, stems: list[str]) -> list[str]:
        """The concepts of a passage, in order; of two that begin at the same word, the longer one."""
        found: list[str] = []
        n = 0
        while n < len(stems):
            for length in range(min(LONGEST, len(stems) - n), 0, -1):
                concept = self.known.get(" ".join(stems[n : n + length]))
                if concept is not None:
                    found.append(concept)
                    break
            else:
                if stems[n] not in EMPTY:
                    found.append(stems[n])
            n += length
        return found


__all__ = ["CONCEPTS", "Concepts", "Parts"]
