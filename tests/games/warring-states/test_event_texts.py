"""What an Event says is what it does: its printed sentence, read as a player reads it, gives exactly the figures that
change when it is played. Read for the Events as they are, and again with every number on them changed.

`reading` knows the sentences and nothing of effects; `played` and `lasting` know positions and nothing of sentences.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from components.loader import game_folder
from components.resolve import resolve_game

GAME = "warring-states"
ACTIVE, RIVAL, THIRD = SEATS = ("Qin", "Chu", "Wu")
GENERALS = {
    "Qin": ["Daring", "Steadfast"],
    "Chu": ["Brilliant", "Daring", "Thoughtful"],
    "Wu": ["Methodical", "Daring"],
}
PLAYERS: dict[str, Any] = {
    "Qin": {"bu": 9, "provinces": {"intact": 4, "razed": 2}, "armies": 5, "generals": GENERALS["Qin"]},
    "Chu": {"bu": 8, "provinces": {"intact": 3, "razed": 3}, "armies": 6, "generals": GENERALS["Chu"]},
    "Wu": {"bu": 7, "provinces": {"intact": 5, "razed": 1}, "armies": 4, "generals": GENERALS["Wu"]},
}
MELDS = ("bronze", "trade", "rice", "balanced", "pair_mine", "pair_city", "pair_agriculture")


# --- the sentence ------------------------------------------------------------------------------------------------

TIMES = {"nothing": 0, "the usual amount": 1, "double": 2, "triple": 3}
Figures = Counter[str]
"""`Chu armies` -> how many more (below 0: fewer)."""


def reading(text: str, before: dict[str, Any]) -> tuple[Figures, dict[str, int]]:
    """(figures that change, what is multiplied) by an Event with this sentence."""
    figures: Figures = Counter()
    factors: dict[str, int] = {}
    if found := re.fullmatch(r"The active player takes (\d+) (\w+)(?: in play)? from a chosen rival\.", text):
        what = {"army": "armies", "General": "generals", "province": "provinces"}
        key = what.get(found[2], what.get(found[2].removesuffix("s"), found[2]))
        figures[f"{ACTIVE} {key}"] += int(found[1])
        figures[f"{RIVAL} {key}"] -= int(found[1])
    elif found := re.fullmatch(r"(\w+) Melds pay (.+?)( times as much)? this turn\.", text):
        factors[found[1].lower()] = int(found[2]) if found[3] else TIMES[found[2]]
    elif found := re.fullmatch(r"The active player's Troops cards count (\d+) higher this turn\.", text):
        figures[f"{ACTIVE} Troops card"] += int(found[1])
    elif found := re.fullmatch(r"Each General of the active player counts (\d+) higher this turn\.", text):
        figures[f"{ACTIVE} each General"] += int(found[1])
    else:
        who = {"Each player": SEATS, "The active player": (ACTIVE,), "A chosen rival": (RIVAL,)}
        subject = next(words for words in who if text.startswith(words))
        for seat in who[subject]:
            verb = ""
            for clause in text.removeprefix(subject).strip(" .").split(" and "):
                verb = clause.split()[0] if not clause[0].isdigit() else verb
                _clause(verb, clause.removeprefix(verb).strip(), seat, before, figures)
    return figures, factors


def _clause(verb: str, rest: str, seat: str, before: dict[str, Any], figures: Figures) -> None:
    if (verb, rest) == ("cannot", "attack on their next war turn"):
        figures[f"{seat} attack_banned"] += 1
        return
    amount, what = rest.split(maxsplit=1)
    if verb == "flips":
        assert re.fullmatch(r"provinces? to Razed", what)
        figures[f"{seat} intact"] -= int(amount)
        return
    if verb == "draws":
        assert re.fullmatch(r"more cards? this Income Phase", what)
        figures[f"{seat} income"] += int(amount)
        return
    sign = {"loses": -1, "pays": -1, "receives": 1}[verb]
    named = {"army": "armies", "General": "generals", "Generals": "generals", "Bu": "bu"}
    key = named.get(what.split()[0], what.split()[0])
    figures[f"{seat} {key}"] += sign * (before[f"{seat} {key}"] if amount == "all" else int(amount))


# --- the position ------------------------------------------------------------------------------------------------


def play(rules: Rules, position: dict[str, Any], *moves: dict[str, Any]) -> Outcome:
    """The last of the moves played; all of them have to be legal."""
    at: Position[Any] = Position(rules, from_form({"seats": list(SEATS), "active": ACTIVE, **position}, rules))
    for said in moves:
        outcome = try_line(at, [from_json(said, at)])
        assert outcome.verdict.legal, (said, [breach.why for breach in outcome.verdict.reasons])
        at = outcome.after
    return outcome


def figures_of(form: dict[str, Any]) -> Figures:
    """Every figure of every player in a position."""
    found: Figures = Counter()
    for seat, p in form["players"].items():
        for key in ("bu", "armies", "resource_hand", "battle_hand"):
            found[f"{seat} {key}"] = p[key]
        found[f"{seat} attack_banned"] = int(p["attack_banned"])
        found[f"{seat} generals"] = len(p["generals"])
        found[f"{seat} intact"] = p["provinces"]["intact"]
        found[f"{seat} provinces"] = p["provinces"]["intact"] + p["provinces"]["razed"]
    return found


def played(rules: Rules, event: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The positions before and after an Event is turned over and its choices are made: the rival is hit, and of
    provinces the razed ones are taken."""
    reveal = {"action": "reveal_event", "card": event}
    start = {"phase": "event", "players": PLAYERS}
    at: Position[Any] = Position(rules, from_form({"seats": list(SEATS), "active": ACTIVE, **start}, rules))
    before = rules.dump(at.state)
    at = play(rules, start, reveal).after
    wanted = ("choose_target", "choose_general_lost", "choose_stolen")
    while at.state.phase == "event":
        said = [move.to_json() for move in at.legal()]
        choices = [move for move in said if move["action"] in wanted and move.get("player", RIVAL) == RIVAL]
        choice = max(choices, key=lambda move: move.get("side") == "razed")
        at = try_line(at, [from_json(choice, at)]).after
    return before, rules.dump(at.state)


def lasting(rules: Rules, event: str | None) -> tuple[Figures, Figures]:
    """(figures that are drawn or fought with, Bu of each meld) while an Event lies open."""
    figures: Figures = Counter()
    for seat in SEATS:
        figures[f"{seat} income"] = income(rules, event, seat)
    for attacker, defender in ((ACTIVE, RIVAL), (RIVAL, ACTIVE), (THIRD, RIVAL)):
        for kind in ("T", "S"):
            totals = dict(battle(rules, event, attacker, defender, kind))
            assert set(totals) == {attacker, defender}
            for seat, total in totals.items():
                figures[f"{seat} {attacker} {kind}"] = total
    melds: Figures = Counter()
    for seat in SEATS:
        for meld in MELDS:
            position = {"phase": "taxes", "event": event, "players": {s: {"bu": 0, "resource_hand": 9} for s in SEATS}}
            paid = play(rules, position, {"action": "meld", "player": seat, "kind": meld}).after
            melds[f"{seat} {meld}"] = paid.state.players[seat].bu
    return figures, melds


def income(rules: Rules, event: str | None, seat: str) -> int:
    """Cards a player draws in the Income Phase."""
    drawn = list(SEATS[: SEATS.index(seat)])
    position = {"seats": list(SEATS), "phase": "income", "event": event, "players": PLAYERS, "drawn": drawn}
    at: Position[Any] = Position(rules, from_form(position, rules))
    for count in range(30):
        said = {"action": "draw_income", "player": seat, "count": count}
        if try_line(at, [from_json(said, at)]).verdict.legal:
            return count
    raise AssertionError(f"{seat} may draw no number of cards under {event}")


def battle(rules: Rules, event: str | None, attacker: str, defender: str, kind: str) -> Iterator[tuple[str, int]]:
    """Battle Totals of a battle between all units of two players, both with a Destiny card of one kind."""
    deck = [piece for piece in rules.game.pieces if piece.set == "battle" and piece.fields["type"] == kind]
    units = {"generals": PLAYERS[attacker]["generals"], "armies": PLAYERS[attacker]["armies"]}
    campaign = {"attacker": attacker, "defender": defender, "committed": units, "round": "clash"}
    players = {seat: {**p, "battle_hand": 5} for seat, p in PLAYERS.items()}
    position = {"phase": "war", "event": event, "players": players, "war": {"turn_of": attacker, "campaign": campaign}}
    shown = {"action": "reveal_destiny", "attacker_card": deck[0].name, "defender_card": deck[1].name}
    for step in play(rules, position, shown).events:
        if "bt" in step.facts:
            yield step.facts["player"], step.facts["bt"]


# --- both agree --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["as printed", "every number changed"])
def rules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rules:
    if request.param == "as printed":
        return load_rules(resolve_game(GAME))
    root = tmp_path_factory.mktemp("project")
    folder = root / "components" / GAME
    shutil.copytree(game_folder(GAME), folder)
    file = folder / "events.yaml"
    file.write_text(yaml.safe_dump(_more(yaml.safe_load(file.read_text(encoding="utf-8")))), encoding="utf-8")
    return load_rules(resolve_game(GAME, root=root))


@pytest.fixture(scope="module")
def without(rules: Rules) -> tuple[Figures, Figures]:
    """What is drawn, fought with and paid while no Event lies open."""
    return lasting(rules, None)


def _more(data: Any, inside: bool = False) -> Any:
    """The same with every number in an effect one higher; what was nothing becomes three."""
    if isinstance(data, dict):
        return {key: _more(value, inside or key == "effect") for key, value in data.items()}
    if isinstance(data, list):
        return [_more(value, inside) for value in data]
    return (data + 1 if data else 3) if inside and isinstance(data, int) else data


EVENTS = [piece.name for piece in resolve_game(GAME).pieces if piece.set == "event"]


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_changes_what_its_sentence_says_and_nothing_else(
    rules: Rules, without: tuple[Figures, Figures], event: str
) -> None:
    text = next(piece.text for piece in rules.game.pieces if piece.name == event)
    before, after = played(rules, event)
    old, new = figures_of(before), figures_of(after)
    figures, factors = reading(text, old)

    done = {key: new[key] - old[key] for key in new if new[key] != old[key]}
    at_once = {key: n for key, n in figures.items() if key in old}
    assert done == at_once, text

    usual, usual_melds = without
    now, melds = lasting(rules, event)
    expected = Counter(usual)
    for probe in usual:
        seat, where, *_ = probe.split()
        if where == "income":
            expected[probe] += figures[f"{seat} income"]
        else:
            expected[probe] += figures[f"{seat} each General"] * len(GENERALS[seat])
            expected[probe] += figures[f"{seat} Troops card"] if probe.endswith(" T") else 0
    assert now == expected, text
    assert melds == {key: n * factors.get(key.split()[1], 1) for key, n in usual_melds.items()}, text


def test_every_sentence_has_its_figure(rules: Rules) -> None:
    """A sentence without a number could not be read wrongly."""
    for piece in rules.game.pieces:
        if piece.set == "event":
            assert re.search(r"\d|all|cannot|Melds pay", piece.text), piece.text
