"""Common table talk, in words that belong to no single game, and the ideas behind a question.

A question becomes *ideas*: its words without the small ones, each with the words of the rules that mean the same. Those
come from the game's `glossary.yaml` (`money` -> `Bu`) and from the table talk below. What is said in several words
(`get rid of`) is one idea.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

ALIKE = 0.5
"""How much a word of table talk counts that was not said. Words of a game's glossary count in full."""
Idea = dict[str, float]
"""Words and phrases that tell one idea, each with its weight."""

_GRAMMAR = "a an the of to in on at by for from with and or is are be been was were am do does did done"
GRAMMAR = frozenset(_GRAMMAR.split())
"""Words that hold a sentence together and say nothing."""
_SMALL = f"""{_GRAMMAR} may
can could must shall should would will i me my you your he his him she her hers it its they them their we
us our if when what which who whom whose how that this these those there here as not no so any some much
many have has had having get gets got getting happen happens happened let lets need needs want wants
please then than just now one ones also too but about because really actually exactly ever mean means
work works allowed possible thing things something anything someone somebody anybody anyone else myself
yet where why whether cannot up out into onto s t"""
SMALL = frozenset(_SMALL.split())
"""Words that say nothing about what a question is about."""
FORMS = (
    *(
        "lose lost loss",
        "win won winner",
        "fight fought",
        "buy bought",
        "draw drew drawn",
        "hold held",
        "pay paid payment",
    ),
    *("sell sold", "build built", "take took taken", "give gave given", "choose chose chosen choice", "send sent"),
    *("die dies dead death", "keep kept", "leave left leaves", "go went gone goes", "lay laid", "begin began begun"),
    *("steal stole stolen", "move movement", "place placement", "deal dealt", "spend spent", "break broke broken"),
    *("throw threw thrown", "man men", "2 two", "3 three", "4 four", "5 five", "6 six", "7 seven", "8 eight", "9 nine"),
    *("defence defense", "honour honor", "colour color", "centre center middle", "neighbour neighbor", "grey gray"),
    *("maximum max maximal", "minimum min minimal"),
    *("10 ten", "11 eleven", "12 twelve", "13 thirteen", "14 fourteen", "15 fifteen"),
)
"""Forms of one word that a stemmer does not know as such."""
TALK = {
    "tie": "equal, level, same",
    "equal": "tie, same",
    "same number": "equal, tie",
    "draw": "tie",
    "twice": "again, once, 2",
    "two times": "again, once",
    "money": "coin",
    "coin": "money",
    "price": "cost, pay",
    "cost": "price, pay",
    "expensive": "cost, price",
    "cheap": "cost, price",
    "how much is": "cost, price, pay",
    "how much are": "cost, price, pay",
    "how much for": "cost, price, pay",
    "worth": "score, value, pay",
    "buy": "pay, cost, build",
    "kill": "lose, destroy, remove",
    "die": "lose, destroy, kill, survive",
    "last": "single",
    "only": "single",
    "skip": "pass",
    "finish": "end, over",
    "over": "end",
    "game end": "end of the game",
    "enemy": "opponent, rival",
    "opponent": "rival",
    "limit": "most, maximum, number, at most, limit",
    "swap": "exchange, trade",
    "exchange": "trade, swap",
    "trade": "exchange, deals",
    "begin": "start, first, setup, starts",
    "start": "begin, first, setup",
    "go first": "first, start",
    "first player": "go first, active",
    "leftover": "left over",
    "unused": "left over, still in hand",
    "run out": "empty, short, fewer, supply",
    "run dry": "empty, short",
    "not enough": "fewer, short, empty, lack",
    "no more": "none left, empty",
    "throw away": "discard",
    "drop": "discard",
    "get rid of": "discard, remove",
    "give back": "return",
    "get back": "take back, return",
    "come back": "return",
    "back": "return",
    "put": "place, lay",
    "lay": "place",
    "too many": "most, limit, fit, room, full",
    "too much": "most, limit, fit, room, full",
    "full": "room, fit, limit",
    "room": "space, full, fit",
    "space": "room, slot",
    "spot": "space, slot",
    "slot": "space",
    "neighbour": "next to, border, adjacent",
    "neighbor": "next to, border, adjacent",
    "adjacent": "next to, border",
    "diagonal": "corner",
    "rotate": "turn",
    "collect": "gain",
    "earn": "gain, pay",
    "receive": "gain",
    "points": "score",
    "out of the game": "eliminated, leave",
    "break through": "breach, overrun",
    "help": "ally, aid",
    "look at": "see, open, secret",
    "see": "open, secret, look",
    "hidden": "secret",
    "secret": "face down, hidden",
    "have to": "must, compulsory, mandatory",
    "forced": "must, compulsory, mandatory",
    "may i refuse": "must, optional, mandatory",
    "change": "later",
    "choose": "decide, choice",
    "decide": "choose",
    "pick": "choose, take",
    "below zero": "below 0, negative",
    "negative": "below zero, lose, costs",
    "minus": "below zero",
    "turn order": "order",
    "without": "has no, no",
    "possible to win": "wins",
    "how do i win": "wins, winner",
    "how do we win": "wins, winner",
    "what is the goal": "wins",
    "objective of the game": "wins",
    "aim": "wins",
    "goal": "wins",
    "mechanism": "rule",
    "simultaneous": "at the same time, together, all at once",
    "limited": "at most, limited, open",
    "unlimited": "any number",
    "discount": "less",
    "distribution": "half, cards",
    "composition": "holds, cards",
    "win": "won",
    "dying": "killed, save, lose",
    "broken": "breach, raid",
    "broke in": "breach, raid",
    "occupied": "taken, holds",
    "divide": "share",
    "share out": "divide",
    "split": "divide, share",
    "count up": "score",
    "final score": "score",
    "count points": "score",
    "count the points": "score",
    "what comes next": "then, order, next",
    "absolute": "difference",
    "relative": "difference",
    "replenish": "refill",
    "extra": "left over, more",
    "try again": "again, another",
    "once more": "again, another",
    "per": "each, for each",
    "sudden death": "at once, immediately",
    "random": "shuffle, at random, draw lots",
    "majority": "most",
    "direction": "clockwise, left",
    "play this": "players, number of players",
    "people can play": "players, number of players",
    "before we begin": "setup, shuffle, start",
    "between us": "each, players, among",
    "each of us": "each player",
    "two of us": "tie, equal, several players",
    "both of us": "tie, equal, several players",
    "we both": "tie, equal, several players",
    "exactly as": "equal, same",
    "as many as": "equal, same number, tie",
    "as high as": "equal, level, same",
    "vp": "point, score",
    "prepare": "setup, start, begin",
    "setup": "start, begin",
    "upkeep": "cleanup, end phase",
    "end of the round": "cleanup, end of a round",
    "end of round": "cleanup, end of a round",
    "hand limit": "hold at most, most cards",
    "draw pile": "deck",
    "reshuffle": "shuffle",
    "tiebreaker": "tie",
    "cap": "most, limit, at most",
    "simultaneously": "at the same time, together, both at once",
    "same time": "together, both at once, at once",
    "together": "at the same time, both at once",
    "public": "open",
    "private": "secret",
    "peek": "look, secret, open",
    "number of players": "players, how many players",
    "player count": "players, how many players",
    "stuck": "cannot, pass, none",
    "undo": "changed, taken back",
    "voluntary": "may, need not, optional",
    "optional": "may, need not",
    "penalty": "lose, return",
    "reward": "gain, score",
    "bonus": "gain, more",
    "benefit": "gain",
    "highest": "most, largest",
    "biggest": "most, largest",
    "largest": "most, biggest",
    "lowest": "fewest",
    "remain": "stay, left",
    "stay": "remain, leave",
    "carry over": "keep, stay",
    "remove": "discard, leave, return",
    "shared": "tie",
    "effect": "does",
    "explore": "reveal",
    "reveal": "turned over, face up, show",
    "flip": "turned over, face up",
    "everybody": "all players, each player",
    "everyone": "all players, each player",
    "forfeit": "lose, pass",
    "stop": "end, over",
    "immediately": "at once, immediate",
    "at once": "immediately",
    "take": "draw, gain",
    "add": "gain, put, place",
    "starts": "goes first, first, begins",
    "most": "maximum",
    "maximum": "most, limit, at most",
    "refresh": "discard, new, refill",
    "restore": "return, reset",
    "resolve": "carry out",
    "distribute": "several",
    "permanent": "for good, rest of the game",
    "forever": "for good, rest of the game",
    "kick out": "push, return, home",
    "throw out": "push, return, home",
    "sent away": "return, home",
    "turn into": "exchange, conversion, trade, counts as",
    "change into": "exchange, conversion, trade",
    "trade in": "exchange, discard",
    "win back": "gain, return",
    "how strong": "strength, counts, adds, value",
    "for free": "free, without paying, no cost",
    "used up": "none left, empty, short",
    "pull": "draw",
    "at the same place": "space, section, area",
    "save for later": "keep, still in hand, stay",
    "keep for later": "keep, still in hand, stay",
    "level": "tie, equal",
    "protect": "control, defend, save",
    "without doing anything": "income",
    "what do i do": "steps, in order, phases",
    "what do we do": "steps, in order, phases",
}
"""What people say at any table -> what rules say."""


def plain(text: str) -> str:
    """A text as it is compared: in small letters, hyphens folded (`set-up` is `setup` and `set up`), signs as words."""
    text = text.lower()
    if "plus" in text or "+" in text:
        text = re.sub(r"(?<!\w)(?:\+|plus (?=\d))|(?<!\w)plus one\b", _plus, text)
    if "minus" in text or "-" in text or "−" in text:
        text = re.sub(r"(?<!\w)(?:[−-]|minus )(?=\d)", " minus", text)
        text = re.sub(r"\b([^\W\d_]+)-([^\W\d_]+)\b", r"\1\2 \1 \2", text)
    return text


def _plus(sign: re.Match[str]) -> str:
    return " plus1" if "one" in sign[0] else " plus"


def words_of(text: str) -> list[str]:
    """The words of a text, small ones too."""
    return re.findall(r"\w+", plain(text))


def ideas(
    asked: list[str],
    glossary: Mapping[str, Iterable[str]],
    stems: Callable[[list[str]], list[list[str]]],
) -> list[Idea]:
    """The ideas of a question. `stems` takes the endings off the words of some texts."""
    entries = [(plain(key), others, 1.0) for key, others in glossary.items()]
    entries += [(key, others.split(", "), ALIKE) for key, others in TALK.items()]
    entries += [(form, forms.split(), 1.0) for forms in FORMS for form in forms.split()]
    begun = {word[:2] for word in asked}  # no ending begins earlier
    entries = [
        entry for entry in entries if entry[0][:2] in begun and all(word[:2] in begun for word in entry[0].split())
    ]
    said, *keys = stems([" ".join(asked), *(key for key, _, _ in entries)])
    meant: dict[tuple[str, ...], Idea] = {}
    for (_, others, weight), key in zip(entries, keys, strict=True):
        _merge(meant.setdefault(tuple(key), {}), dict.fromkeys(map(plain, others), weight))
    found: dict[int, Idea] = {n: {word: 1.0} for n, word in enumerate(asked) if word not in SMALL}
    inside: set[int] = set()
    """The places of words inside entries of several words."""
    for length in sorted({len(key) for key in meant}, reverse=True):
        for n in range(len(said) - length + 1):
            places = range(n, n + length)
            entry = meant.get(tuple(said[n : n + length]))
            if entry is None or inside.intersection(places):
                continue
            for place in places:
                found.pop(place, None)
            found[n] = {" ".join(asked[n : n + length]): 1.0}
            _merge(found[n], entry)
            if length > 1:
                inside.update(places)
    for n, pair in enumerate(pairwise(asked)):
        if n in found:
            found[n].setdefault("".join(pair), 1.0)
    return list(found.values())


def _merge(idea: Idea, words: Idea) -> None:
    """Add words to an idea; one that is there already keeps the larger weight."""
    for word, counts in words.items():
        idea[word] = max(idea.get(word, 0.0), counts)


__all__ = ["GRAMMAR", "SMALL", "Idea", "ideas", "plain", "words_of"]
