"""Questions about figures: costs, income, prestige, a battle foretold, objectives, the score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from companion.rules import Answer, Figure, OneOf, Pairs, PieceName, QueryError, Seat
from components.phrasing import count

from .barges import boarding_cost, own_aboard
from .battle import foretell
from .battle import prestige as ranks
from .catalogue import FORTIFY, TRAIN, At, cat
from .governors import wood_cost
from .military import BUILT, piece_cost, pieces_owned
from .rounds import income_of
from .scoring import fulfilled, score_of, scoring_cards
from .scoring import ranking as groups
from .turns import stack_cost as stack

CARDS = PieceName("objective")
Player = Annotated[str, Seat()]
Lane = Annotated[str, PieceName("lane")]
Cards = Annotated[list[str], CARDS]


def stack_cost(at: At, player: Player, space: Annotated[str, PieceName("marker space")]) -> Answer:
    """Coins for the markers on a region or on a military space."""
    cost = stack(at, player, {**at.state.regions, **at.state.military}[space].discs)
    rules = ["TX-MIL-2", "TX-MIL-6"] if space in (FORTIFY, TRAIN) else ["TX-REG-2", "TX-REG-9"]
    return Answer(cost.value, [*rules, *_changed_by(cost)])


def _changed_by(*figures: Figure) -> list[str]:
    """The rule of red buildings, if one had its part in a figure."""
    return ["TX-GOV-7"] if any(figure.changes for figure in figures) else []


def barge_cost(at: At, player: Player, barge: Annotated[str, PieceName("barge")]) -> Answer:
    """Coins for boarding a barge."""
    changed = _changed_by(own_aboard(at, player, barge))
    return Answer(boarding_cost(at, player, barge).total, ["TX-BARGE-2", "TX-BARGE-12", *changed])


def governor_cost(at: At, player: Player, building: Annotated[str, PieceName("building")], space: int) -> Answer:
    """Wood for a governor on a space of a building."""
    spaces = len(cat(at).buildings[building].extra_wood)
    if not 1 <= space <= spaces:
        raise QueryError(f"{building} has no space {space}; it has 1 to {spaces}")
    cost = wood_cost(at, building, space)
    return Answer(cost.total, cost.rules() or ["TX-GOV-2"])


def build_cost(at: At, player: Player, pieces: Annotated[list[str], OneOf(*BUILT)]) -> Answer:
    """Stone for walls and towers built in this order in one Fortify action."""
    here, costs = at.copy(), list[Figure]()
    built = {kind: int(getattr(here.state.player[player], field)) for kind, field in BUILT.items()}
    for kind in pieces:
        if built[kind] >= (owned := pieces_owned(at, kind)):
            raise QueryError(f"{player} owns {count(owned, kind)} and cannot build {count(built[kind] + 1, kind)}")
        cost = piece_cost(here, player, kind, built[kind])
        here.spend(cost)
        costs.append(cost)
        built[kind] += 1
    total = sum(cost.value for cost in costs)
    return Answer(total, ["TX-FORT-2", "TX-FORT-3", "TX-FORT-10", *_changed_by(*costs)])


def income(at: At, player: Player) -> Answer:
    """A player's gains in the income phase: the sum, line by line."""
    found = income_of(at, player)
    return Answer(found.total, list(dict.fromkeys(["TX-INC-2", *found.rules()])), found.plain())


def prestige(at: At, lane: Lane) -> Answer:
    """The points that each player would win for the defence of a section."""
    if not at.seats:
        raise QueryError("nobody sits at the table")
    found = ranks(at, lane)
    ties = ["TX-PRES-3", "TX-PRES-7"] if any(one.tied for one in found) else []
    value = [{"player": one.player, "strength": one.strength.value, "vp": one.vp} for one in found]
    return Answer(value, ["TX-PRES-1", "TX-PRES-2", "TX-PRES-4", *ties])


def battle(at: At, lane: Lane) -> Answer:
    """The battle of a lane, foretold from what is open."""
    told = prestige(at, lane)
    found = foretell(at, lane)
    value = {
        "prestige": told.value,
        "after_structures": found.after_structures,
        "returned": list(found.returned),
        "won": found.won,
        "victory_bonus": found.victory_bonus,
        "raided": [building for building, _ in found.raids],
        "ravage": found.ravage,
    }
    if found.won:
        rules = ["TX-BAT-5", "TX-BAT-6"]
    else:
        rules = ["TX-RAID-1", "TX-RAID-5", "TX-RAID-6" if found.ravage else "TX-BAT-9"]
    return Answer(value, [*told.rules, "TX-BAT-3", "TX-BAT-4", *rules])


def objective(at: At, player: Player, card: Annotated[str, PieceName("objective")]) -> Answer:
    """True if a player fulfils an objective card now."""
    return Answer(fulfilled(at, player, card), ["TX-SCORE-4"])


def _shown(at: At, player: str, cards: list[str]) -> list[str]:
    """The cards a player shows; nobody shows more than they hold."""
    held = at.state.player[player].objectives + len(at.state.scored.get(player, ()))
    if len(set(cards)) > held and player not in at.state.untold_hands:
        raise QueryError(f"{player} holds {held} objective cards and cannot show {len(set(cards))}")
    return cards


SCORED = ["TX-SCORE-2", "TX-SCORE-3", "TX-SCORE-6", "TX-SCORE-9", "TX-SCORE-10", "TX-SCORE-12"]


def score(at: At, player: Player, objectives: Cards = []) -> Answer:  # noqa: B006
    """The score of a player who shows these cards."""
    cards = _shown(at, player, objectives)
    rules = ["TX-SCORE-4", "TX-SCORE-5", "TX-SCORE-11"] if cards else []
    value = score_of(at, player, cards)
    return Answer(value, [*SCORED, *rules], [{"card": card} for card in scoring_cards(at, player, cards)])


def ranking(at: At, objectives: Annotated[dict[str, list[str]], Pairs(Seat(), CARDS)] = {}) -> Answer:  # noqa: B006
    """Groups of players, best first."""
    shown = {player: _shown(at, player, cards) for player, cards in objectives.items()}
    return Answer(groups(at, shown), ["TX-SCORE-7"])


ASKED: tuple[Callable[..., Answer], ...] = (
    *(stack_cost, barge_cost, governor_cost, build_cost),
    *(income, prestige, battle, objective, score, ranking),
)
