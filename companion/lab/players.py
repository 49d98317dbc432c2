"""Players who look before they act: `greedy` one decision ahead, `search` by playing on from there.

They see what their seat may know. What it cannot know they deal anew, as it may well be, and try what they could do
there. None of them knows a game: what could be done is what the game proposes, how good that is its score, or what its
dealer says (`Dealer.worth`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from companion.engine.errors import CompanionError
from companion.engine.play.moves import Move, acting, arguments_of, made_by, maker
from companion.engine.play.position import Position, Rules
from companion.lab.chance import Chance
from companion.lab.dealing import Dealer, Open
from companion.lab.dealt import GIVEN, Dealt, Decision, Player, View

TRIES = 24
"""So many proposals are asked for; what they have in common is tried once."""
ANSWERS = 10
"""Of the answers to a choice, so many are tried."""
LOOKS = 4
"""So often what is unknown is dealt anew, where a decision depends on it."""
WON = 1_000_000.0
"""The worth of a game to its winner."""
FEW = 6
"""A search looks at so many decisions, those that look best at once."""
LONGEST_TURN = 20
"""A search plans so many moves of a turn, at most."""
MOST_BUDGET = 100_000
BUDGET = 48
"""Games that a search plays on for one decision, unless it is told another number."""

Shuns = Callable[[Move], bool]
"""True if a move uses a thing that the player never uses."""
WITHOUT = " without "
"""Between the name of a bot and what it never uses."""


class NoSuchBot(CompanionError):
    """A bot that the lab does not have."""

    kind = "usage"


class World(NamedTuple):
    """A truth that a seat may be in."""

    at: Position[Any]
    dealer: Dealer
    seed: int

    def after(self, decision: Decision, seat: str) -> Dealt | None:
        """The game after a decision of a seat; None: it cannot be made here."""
        at: Position[Any] = Position(self.at.rules, self.at.rules.copy(self.at.state), quiet=True)
        game = Dealt(at, self.dealer.fork(), self.seed)
        move = game.complete(decision.move, {}, seat, decision.picks)
        return game if move is not None and game.make(move).legal else None


def worlds(view: View, n: int) -> list[World]:
    """Truths that the seat cannot tell apart, dealt by its own stream, which has nothing of the dealer's."""
    found = []
    for _ in range(n):
        seed = view.rng.getrandbits(60)
        at: Position[Any] = Position(view.at.rules, view.at.rules.copy(view.at.state), quiet=True)
        found.append(World(at, view.dealer.redealt(at, view.seat, Chance(seed)), seed))
    return found


def lead(game: Dealt, seat: str) -> float:
    """The lead of a seat over the best of the others."""
    at, rules = game.at, game.rules
    if rules.over(at.state):
        ending = rules.score(at).ending
        winners = ending.winners if ending else ()
        return (WON if seat in winners else -WON) / max(1, len(winners))
    worth = {one: game.dealer.worth(at, one) for one in at.seats}
    mine = worth.pop(seat, 0)
    return mine - max(worth.values(), default=0)


def could(view: View, shuns: Shuns | None = None, tries: int = TRIES) -> list[Decision]:
    """Decisions that the seat could make, each once; none of those it shuns, as long as there is another. `tries`: so
    many proposals are asked for."""
    found: dict[str, Decision] = {}
    shunned: dict[str, Decision] = {}
    for move in (*_proposed(view, tries), *_plain(view)):
        if maker(move) not in ("", view.seat):
            continue
        into = shunned if shuns is not None and shuns(move) else found
        key = repr(move)
        if key not in into:
            for n, decision in enumerate(_answered(view, move)):
                into[f"{key} {n}"[: None if n else len(key)]] = decision
    return list((found or shunned).values())


def _proposed(view: View, tries: int) -> Iterator[Move]:
    rules = view.at.rules
    if type(rules).propose is Rules.propose:
        legal = view.at.legal()
        yield from legal if len(legal) <= tries else view.rng.sample(legal, tries)
        return
    for _ in range(tries):
        move = view.dealer.propose(view.at, view.rng)
        if move is not None:
            yield move


def _plain(view: View) -> Iterator[Move]:
    """The legal moves of which nothing has to be said but who makes them: a game may propose to pass too seldom."""
    at = view.at
    phase = at.rules.phase_table.get(at.rules.stage(at.state))
    for kind in phase.moves if phase is not None and type(at.rules).propose is not Rules.propose else ():
        if is_plain(kind) and kind not in at.rules.anytime and not at.refuses(move := made_by(kind, view.seat)):
            yield move


@cache
def is_plain(kind: type[Move]) -> bool:
    seat = acting(kind)
    return kind.role not in GIVEN and bool(seat) and all(one.name == seat for one in arguments_of(kind))


def _answered(view: View, move: Move) -> Iterator[Decision]:
    """A move with each answer to what it leaves the seat to choose from its hand."""
    mine = [open for open in view.dealer.opens(view.at, move) if open.seat == view.seat]
    if not mine:
        yield Decision(move)
    elif all(open.options for open in mine):
        for value in _some(mine[0].options, view.rng):
            yield Decision(move, (value,))


def _some(options: Any, rng: Random) -> list[Any]:
    values = list(options)
    return values if len(values) <= ANSWERS else rng.sample(values, ANSWERS)


def best(rated: list[tuple[float, Any]], rng: Random) -> Any:
    """The best; among several of the same worth chance decides."""
    top = max(value for value, _ in rated)
    return rng.choice([one for value, one in rated if value == top])


class Greedy:
    """Does what looks best one decision ahead."""

    name = "greedy"

    def __init__(self, shuns: Shuns | None = None) -> None:
        self.shuns = shuns

    def decide(self, view: View) -> Decision | None:
        return self.chosen(view, could(view, self.shuns))

    def pick(self, view: View, move: Move, open: Open) -> Any:
        every = [Decision(move, (value,)) for value in _some(self.allowed(move, open), view.rng)]
        found = self.chosen(view, every)
        return found.picks[0] if found else view.rng.choice(open.options)

    def allowed(self, move: Move, open: Open) -> Sequence[Any]:
        """The options without those that are shunned; all of them if there are no others."""
        shuns = self.shuns
        if shuns is None or shuns(move):
            return open.options
        put = ((value, open.put(move, value)) for value in open.options)
        return [value for value, made in put if made is None or not shuns(made)] or open.options

    def chosen(self, view: View, every: list[Decision]) -> Decision | None:
        """One of several decisions; None: none of them can be made."""
        if len(every) <= 1:
            return every[0] if every else None
        rated = self.rated(view, every)
        return best(rated, view.rng) if rated else None

    def rated(self, view: View, every: list[Decision]) -> list[tuple[float, Decision]]:
        """The value of each decision that can be made."""
        unsure = any(one.picks for one in every)
        rated = []
        there = worlds(view, LOOKS if unsure else 1)
        for decision in every:
            ends = [world.after(decision, view.seat) for world in there]
            leads = [lead(end, view.seat) for end in ends if end is not None]
            if leads:
                rated.append((sum(leads) / len(leads), decision))
        return rated


class Search(Greedy):
    """Plays on from the decisions that look best, and does the one from which it is ahead most: its own turn to its
    end where turns are plans (`Dealer.plans`), and then by chance. `budget`: games it plays on for one decision."""

    name = "search"

    def __init__(self, budget: int = BUDGET, shuns: Shuns | None = None) -> None:
        super().__init__(shuns)
        self.budget = budget

    def chosen(self, view: View, every: list[Decision]) -> Decision | None:
        if len(every) <= 1:
            return every[0] if every else None
        rated = self.rated(view, every)
        if not rated:
            return None
        order = sorted(range(len(rated)), key=lambda n: -rated[n][0])[:FEW]
        sums, played = dict.fromkeys(order, 0.0), 0
        while len(order) > 1 and played < self.budget:
            looks = max(1, self.budget // (len(rated[:FEW]).bit_length() * len(order)))
            for world in worlds(view, looks):
                for n in order:
                    sums[n] += self.played_on(world, rated[n][1], view.seat)
            played += looks * len(order)
            order = sorted(order, key=lambda n: -sums[n])[: (len(order) + 1) // 2]
        return rated[order[0]][1]

    def played_on(self, world: World, decision: Decision, seat: str) -> float:
        """The seat's lead once the game has been played on."""
        game = world.after(decision, seat)
        if game is None:
            return -WON
        if game.dealer.plans:
            game = self.planned(game, seat, world.seed)
        for _ in game.moves(game.dealer.rollout):
            pass
        return lead(game, seat)

    def planned(self, game: Dealt, seat: str, seed: int) -> Dealt:
        """The game at the end of a seat's turn, in which it does move for move what looks best."""
        for n in range(LONGEST_TURN):
            state = game.at.state
            if game.rules.over(state) or game.rules.to_move(state)[:1] != [seat]:
                break
            view, here = View(game.at, game.dealer, seat, game.rng(seat)), World(game.at, game.dealer, seed + n)
            made = (here.after(one, seat) for one in could(view, self.shuns, game.dealer.plans))
            ends = [end for end in made if end is not None]
            if not ends:
                break
            game = max(ends, key=lambda end: lead(end, seat))
        return game


class Restrained(Greedy):
    """Decides by chance, without what it shuns."""

    name = "random"

    def chosen(self, view: View, every: list[Decision]) -> Decision | None:
        return view.rng.choice(every) if every else None

    def pick(self, view: View, move: Move, open: Open) -> Any:
        return view.rng.choice(self.allowed(move, open))


def bot(name: str, uses: Callable[[Move, str], bool]) -> Player | None:
    """The player of a name: `random`, `greedy`, `search`, `search:200` (its budget), each also `without` something.
    None: one that decides by chance, whom nobody has to ask. `uses`: whether a move uses a thing. Raises NoSuchBot."""
    kind, without, thing = name.partition(WITHOUT)
    kind, colon, number = kind.strip().partition(":")
    shuns = (lambda move: uses(move, thing)) if without else None
    if kind == "search" and (not colon or (number.isascii() and number.isdigit() and 0 < int(number) <= MOST_BUDGET)):
        return Search(int(number) if colon else BUDGET, shuns)
    if colon or kind not in BOTS:
        raise NoSuchBot(f"there is no bot {name!r}; bots: {', '.join(BOTS)}, and `search:200` with a budget")
    if kind == "greedy":
        return Greedy(shuns)
    return Restrained(shuns) if shuns else None


BOTS = ("random", "greedy", "search")


__all__ = ["BOTS", "BUDGET", "WITHOUT", "Greedy", "NoSuchBot", "Restrained", "Search", "bot"]
