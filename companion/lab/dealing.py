"""A dealer holds the truth of a game beside its position: decks in their order, hands, what was put aside unseen.

At a table people shuffle and draw, and report what came up. In the lab the dealer does: whatever a move reports came
from the truth, and a player chooses only among the cards it holds. The position knows no more than at a table.

`Dealer` works for every game: a field that only the table can know (`secret`) of a move that is a report gets the next
card of a deck, made of what can come up. A game says more in its module `dealer.py`, in tables by kind of move:

    class FarmDealer(Dealer):
        hands: ClassVar = {"crop": Hand(lambda at, seat: at.state.hand[seat], lambda at, seat: crops_left(at))}
        chance: ClassVar = {Weather: lambda dealer, at, move: Weather(dealer.one("weather", weather_left(at)))}
        choices: ClassVar = {Plant: lambda dealer, at, move: [held(dealer, move.player, "crop", "card")]}
        spends: ClassVar = {Plant: lambda at, move: [("crop", move.player, move.card)]}

`chance` is what the world says, `choices` what a seat chooses from what it holds, `spends` what leaves a hand.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from msgspec.structs import replace

from companion.engine.play.domains import PieceName
from companion.engine.play.moves import Argument, Move, acting, arguments_of
from companion.engine.play.position import Position, Rules
from companion.lab.chance import Chance

At = Position[Any]
Possible = Mapping[str, int] | Iterable[str]
"""The possible results, as far as the table knows: name -> copies, or names."""
Spent = tuple[str, str, str]
"""A card that leaves a hand: hand, seat, card."""


class Open(NamedTuple):
    """An open choice of a seat in a move, from the cards it holds. `put`: the move with its choice; None: this choice
    does nothing."""

    seat: str
    options: Sequence[Any]
    put: Callable[[Any, Any], Move | None]


class Hand(NamedTuple):
    """Cards that only their seat knows."""

    size: Callable[[Any, str], int]
    """The number of cards a seat holds, by the position."""
    possible: Callable[[Any, str], Possible]
    """The cards that may be there or in the deck, as far as the table knows."""
    own: bool = False
    """True: each seat has a deck of its own."""
    during: frozenset[str] = frozenset()
    """The phases in which it can change; none named: any."""


Tells = Callable[[Any, Any, Any], Move]
Opens = Callable[[Any, Any, Any], Iterable[Open]]
Spends = Callable[[Any, Any], Iterable[Spent]]
NONE: Mapping[Any, Any] = MappingProxyType({})
NOTHING = Chance("nothing")


class Dealer:
    """The truth of one simulated game: decks in their order, hands, what lies aside unseen. A rules module with hidden
    hands has a subclass called `Dealer`.

    What is asked of it stands once the move is carried out (`after`); a move that was refused is taken back
    (`refused`)."""

    hands: ClassVar[Mapping[str, Hand]] = NONE
    """Set of cards -> the hands that hold them."""
    chance: ClassVar[Mapping[type[Move], Tells]] = NONE
    """Kind of move -> the same move with what comes up by chance in it, called with dealer, position and move."""
    choices: ClassVar[Mapping[type[Move], Opens]] = NONE
    """Kind of move -> what its seat chooses from its hand, called with dealer, position and move: a list of `Open`."""
    spends: ClassVar[Mapping[type[Move], Spends]] = NONE
    """Kind of move -> the cards that leave hands by it, called with position and move: `(set, seat, card)` for each."""
    draws: ClassVar[frozenset[type[Move]] | None] = None
    """The kinds of moves after which a hand may have another size; None: any."""
    plain: ClassVar[dict[type[Move], bool]] = {}
    rollout: ClassVar[int] = 12
    """So many moves by chance a searching player looks ahead before it estimates."""
    plans: ClassVar[int] = 0
    """Above 0: a searching player first plays its turn to its end, each move the best of so many proposals."""

    def __init__(self, rules: Rules, stream: Chance) -> None:
        self.rules = rules
        self.stream = stream
        self.held: dict[tuple[str, str], list[str]] = {}
        """(hand, seat) -> the cards in it."""
        self.decks: dict[str, list[str]] = {}
        """Deck -> its cards, the next first."""
        self.times: dict[str, int] = {}
        """Source -> how often it was shuffled or rolled."""
        self.noted: dict[str, int] = {}
        """A game dealer's notes of open facts."""
        self.kept: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
        """Of cards that are being dealt: (hand, seat) -> those kept, and those that go under the deck."""
        self._before: dict[str, tuple[list[str] | None, int]] = {}
        self._spent: list[Spent] = []

    def propose(self, at: At, rng: Random) -> Move | None:
        """A move for the position as chance would have it; what chance or a hand says in it need not be right yet."""
        return self.rules.propose(at, rng)

    def is_plain(self, kind: type[Move]) -> bool:
        """True if the dealer has no part in a kind of move."""
        known = self.__class__.plain
        found = known.get(kind)
        if found is None:
            said = kind in self.chance or kind in self.choices or kind in self.spends
            found = known[kind] = not (said or _reported(kind))
        return found

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.plain = {}

    # --- what a move says ----------------------------------------------------------------------------------------

    def opens(self, at: At, move: Move) -> Iterable[Open]:
        """The open choices of seats in a move."""
        found = self.choices.get(type(move))
        return found(self, at, move) if found else ()

    def told(self, at: At, move: Move) -> Move:
        """The move with what the world says in it; every choice in it has been made."""
        kind = type(move)
        if (found := self.chance.get(kind)) is not None:
            move = found(self, at, move)
        elif kind not in self.choices and (fields := _reported(kind)):
            for field in fields:
                move = self._come_up(at, move, field)
        spends = self.spends.get(kind)
        self._spent = list(spends(at, move)) if spends else []
        return move

    def can_make(self, at: At, move: Move) -> bool:
        """True if the hands have the cards that a move names from them."""
        spends = self.spends.get(type(move))
        taken = Counter(spends(at, move)) if spends else {}
        return all(self.hand(hand, seat).count(card) >= n for (hand, seat, card), n in taken.items())

    def chooser(self, values: list[Any]) -> Any:
        """The answer to a choice inside a line that nobody said."""
        return values[self.roll("inside", len(values))]

    def after(self, at: At, move: Move, presumed: Sequence[Move] = ()) -> None:
        """The move was carried out, and those it presumed: cards leave hands and come to them."""
        if self._before:
            self._before.clear()
        if self._spent:
            for hand, seat, card in self._spent:
                self.held[hand, seat].remove(card)
            self._spent = []
        if self.hands and (self.draws is None or type(move) in self.draws or presumed):
            self.settle(at)

    def refused(self) -> None:
        """The move was not made: what came up lies where it lay."""
        for source, (deck, times) in self._before.items():
            if deck is None:
                self.decks.pop(source, None)
            else:
                self.decks[source] = deck
            self.times[source] = times
        self._before.clear()
        self.kept.clear()
        self._spent = []

    def settle(self, at: At) -> None:
        """Every hand gets the cards that the position says were drawn to it; of what left it unnamed, chance says which
        cards they were."""
        for name, hand in self.hands.items():
            if hand.during and self.rules.stage(at.state) not in hand.during:
                continue
            for seat in at.seats:
                has, n = self.held.setdefault((name, seat), []), hand.size(at, seat)
                if n > len(has):
                    has += self.draw(at, name, seat, n - len(has))
                while n < len(has):
                    del has[self.roll(f"lost {name}", len(has), seat) if n else 0]
        self._before.clear()
        self.kept.clear()

    # --- decks and dice ------------------------------------------------------------------------------------------

    def hand(self, name: str, seat: str) -> list[str]:
        """The hand of a seat."""
        return self.held.get((name, seat), [])

    def draw(self, at: At, name: str, seat: str, n: int) -> list[str]:
        """Cards for a hand: those that its seat has chosen to keep, or the next of the deck."""
        if (chosen := self.kept.pop((name, seat), None)) is not None:
            kept, under = chosen
            self.decks.setdefault(self._deck(name, seat), []).extend(under)
            return kept
        return self.deal(self._deck(name, seat), self.unseen(at, name, seat), n, on=True)

    def _deck(self, name: str, seat: str) -> str:
        """The deck from which a hand is drawn."""
        return f"{name} {seat}" if self.hands[name].own else name

    def keeps(self, at: At, name: str, seat: str, dealt: int, n: int, *, on: bool = True) -> Open:
        """The choice of `n` cards of those dealt to a hand; the others go under the deck."""
        cards = self.deal(self._deck(name, seat), self.unseen(at, name, seat), dealt, on=on)

        def put(move: Move, kept: tuple[str, ...]) -> Move:
            self.kept[name, seat] = [*kept], [*(Counter(cards) - Counter(kept)).elements()]
            return move

        return Open(seat, list(dict.fromkeys(combinations(cards, n))), put)

    def unseen(self, at: At, name: str, seat: str = "") -> Counter[str]:
        """The cards that may be in the deck of a hand: those that can be there and that nobody holds."""
        hand = self.hands[name]
        left = Counter(hand.possible(at, seat))
        for (other, owner), cards in self.held.items():
            if other == name and (owner == seat or not hand.own):
                left.subtract(cards)
        return left

    def deal(self, source: str, possible: Possible, n: int, *, on: bool = False) -> list[str]:
        """The next `n` cards of a deck, of those that are possible. A deck is shuffled when it is first asked, when it
        has run out, and when a card can come up that is not in it; with `on`, only after what is left in it. Of names
        without numbers, a deck has as many copies as the game. Fewer cards where there are no more."""
        if counted := isinstance(possible, Mapping):
            left = Counter(possible)
        else:
            left = Counter({name: self.copies.get(name, 1) for name in possible})
        deck = self.decks.get(source)
        if source not in self._before:
            self._before[source] = (deck[:] if deck is not None else None, self.times.get(source, 0))
        if deck is None or (not on and any(deck.count(card) < (k if counted else 1) for card, k in left.items())):
            deck = self._shuffled(source, left)
        found: list[str] = []
        while len(found) < n:
            place = next((i for i, card in enumerate(deck) if left[card] > 0), None)
            if place is None:
                if not any(k > 0 for k in left.values()):
                    break
                deck = self._shuffled(source, left)
                continue
            card = deck.pop(place)
            left[card] -= 1
            found.append(card)
        return found

    def one(self, source: str, possible: Possible, otherwise: str = "") -> str:
        """The next card of a deck."""
        found = self.deal(source, possible, 1)
        return found[0] if found else otherwise

    def _shuffled(self, source: str, cards: Mapping[str, int]) -> list[str]:
        """The deck made of these cards. Each copy has a place of its own in every shuffle, so that another card more or
        less leaves the order of the others as it is."""
        times = self.times[source] = self.times.get(source, 0) + 1
        number = self.stream.number
        placed = [
            (number(source, times, f"{card} {copy}"), card) for card, n in cards.items() for copy in range(max(0, n))
        ]
        deck = self.decks[source] = [card for _, card in sorted(placed)]
        return deck

    def roll(self, source: str, n: int, seat: str = "") -> int:
        """A number from 0, less than `n`: a die."""
        key = f"{source} {seat}"
        times = self.times.get(key, 0)
        self._before.setdefault(key, (None, times))
        self.times[key] = times + 1
        return self.stream.number(source, times, seat) % n

    def _come_up(self, at: At, move: Move, field: Argument) -> Move:
        """The move with a field as a deck or a die says, which nobody has described: from its options."""
        name = field.name
        bare = replace(move, **{name: field.default})
        found = bare.options(at, name)
        options = None if found is None else list(found)
        if not options:
            return move
        source = f"{move.name}.{name}"
        many = isinstance(options[0], tuple)
        things = bare.things(at, name) if many else options
        if isinstance(field.domain, PieceName) and things is not None:
            pieces = list(dict.fromkeys(piece for piece in things if piece))
            if not many:
                pieces = [piece for piece in pieces if not at.refuses(replace(move, **{name: piece}))] or pieces
            if field.domain.set in self.hands:
                unseen = self.unseen(at, field.domain.set)
                pieces = [piece for piece in pieces if unseen[piece] > 0]
            cards = self.deal(field.domain.set, pieces, len(options[0]) if many else 1)
            return replace(move, **{name: tuple(cards) if many else cards[0] if cards else options[0]})
        return replace(move, **{name: options[self.roll(source, len(options))]})

    @cached_property
    def copies(self) -> dict[str, int]:
        """Name or id of a piece -> how many the game has of it."""
        found: dict[str, int] = self.rules.__dict__.get("_copies") or {}
        if not found:
            for piece in self.rules.game.pieces:
                found |= {piece.id: piece.copies, piece.name: piece.copies}
            self.rules.__dict__["_copies"] = found
        return found

    # --- what a seat knows ---------------------------------------------------------------------------------------

    def known(self, seat: str) -> Self:
        """The truth that a seat knows: its own cards. Nothing can be dealt from it before a new deal."""
        made = type(self)(self.rules, NOTHING)
        made.held = {key: cards[:] for key, cards in self.held.items() if key[1] == seat}
        made.noted = self.noted.copy()
        return made

    def redealt(self, at: At, seat: str, stream: Chance) -> Self:
        """A truth that `seat` cannot tell from this one: its own cards, and whatever else can be true, dealt by another
        chance. `at`: the position as the seat may know it."""
        made = self.known(seat)
        made.stream = stream
        made.supposes(at, seat)
        made.settle(at)
        return made

    def fork(self) -> Self:
        """A truth that goes on as this one would."""
        made = type(self)(self.rules, self.stream)
        made.held = {key: cards[:] for key, cards in self.held.items()}
        made.decks = {key: cards[:] for key, cards in self.decks.items()}
        made.times = self.times.copy()
        made.noted = self.noted.copy()
        return made

    def supposes(self, at: At, seat: str) -> None:
        """Fill in, in a position of its own, what `seat` cannot know of others, where the position has it."""

    def worth(self, at: At, seat: str) -> float:
        """The value of a position to a seat, in any unit: its score, unless a game defines another."""
        return self.rules.score(at).totals().get(seat, 0)


def fills(field: str) -> Callable[[Any, Any], Move]:
    """The choice of what stands in a field."""
    return lambda move, value: replace(move, **{field: value})


def adds(field: str, key: str) -> Callable[[Any, Any], Move]:
    """The choice of what stands under a key of a field that has several."""
    return lambda move, value: replace(move, **{field: {**getattr(move, field), key: value}})


def held(dealer: Dealer, seat: str, hand: str, field: str, but: Iterable[str] = ()) -> Open:
    """The choice of one card of a hand for a field of the move."""
    left = dealer.hand(hand, seat)[:]
    for card in but:
        if card in left:
            left.remove(card)
    return Open(seat, list(dict.fromkeys(left)), fills(field))


@cache
def _reported(kind: type[Move]) -> tuple[Argument, ...]:
    """The fields of a kind of move that only the table can know: those of a report."""
    if kind.role != "event" and acting(kind):
        return ()
    return tuple(one for one in arguments_of(kind) if one.domain is not None and one.domain.secret)


def dealer_of(rules: Rules) -> type[Dealer]:
    """The dealer of a game: the class `Dealer` of its rules module, or in the module `dealer` of its package; or
    the one for every game."""
    package = type(rules).__module__
    found = _DEALERS.get(package)
    if found is None:
        own: Any = getattr(sys.modules.get(package), "Dealer", None)
        place = f"{package}.dealer"
        try:
            there = own is None and find_spec(place) is not None
        except (ImportError, ValueError, AttributeError):
            there = False
        if there:
            own = import_module(place).Dealer
        found = _DEALERS[package] = own if isinstance(own, type) and issubclass(own, Dealer) else Dealer
    return found


_DEALERS: dict[str, type[Dealer]] = {}

__all__ = ["At", "Dealer", "Hand", "Open", "Possible", "Spent", "adds", "dealer_of", "fills", "held"]
