"""The first game's data against its rules sheet: nothing missing, nothing twice, every number where it belongs."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from components.loader import load
from components.model import Effect, Parameter, ResolvedGame, ResolvedPiece
from components.resolve import resolve_game

GAME = "warring-states"

RULE_IDS = {
    "SETUP": 11, "INFO": 4, "DECK": 10, "TURN": 5, "EVENT": 13, "INCOME": 6, "TRADE": 6, "TAX": 11, "BUILD": 7,
    "WAR": 15, "ALLY": 12, "PROV": 10, "TACT": 10, "CLASH": 17, "CAS": 8, "END": 4, "WIN": 6,
}  # fmt: skip
EVENTS = [
    "Plague", "Earthquake", "Uprising", "Fire", "Rebellion", "Treachery", "Annex", "Flood", "Drought", "Pestilence",
    "Barbarian Invasion", "Nomad Raids", "Duel", "Assassination", "Anarchy", "War of Succession", "Power Struggle",
    "Tributes", "Prosperity", "The 5 Classics", "Confucianism", "Taoism", "Legalism", "Ironworking",
    "Metal Coinage", "New Trade Route", "Good Harvest", "Sun Tzu", "Mass Conscription",
]  # fmt: skip
HEADINGS = {
    "Introduction", "Victory", "Warring States", "Province Tokens", "Razed Provinces", "Army Tokens", "The Decks",
    "Money", "Setup", "The Active Player", "Turn Sequence", "Event Phase", "Income Phase", "Trade Phase",
    "Taxes Phase", "Build Phase", "War Phase", "Declaration Segment", "Ally Segment", "Province Army Rule",
    "Campaign Segment", "Multiple Campaigns Rule", "Tactics Round", "Clash Round", "Casualties Round", "End Phase",
    "Resources Deck", "Event Deck", "Battle Deck", "FAQ",
}  # fmt: skip
WORKED_EXAMPLES = {
    1: ["five-players"],
    2: ["income-confucianism"],
    3: ["metal-coinage"],
    4: ["uprising-without-army"],
    5: ["a-full-build"],
    6: ["filling-the-hand"],
    7: ["clash-with-skills"],
    8: ["equal-totals"],
    9: ["conquest-of-a-razed-province"],
    10: ["a-second-campaign", "a-third-campaign"],
    11: ["recall-turns-a-battle"],
    12: ["short-battle-deck"],
    13: ["victory-with-ruins"],
    14: ["anarchy-attack", "anarchy-is-over", "helping-under-a-ban"],
    15: ["sun-tzu", "ironworking"],
    16: ["a-third-daring-general"],
    17: ["reinforcing-after-a-loss"],
    18: ["ally-instead-of-the-province"],
}
ACTIONS = {
    "setup", "cut", "reveal_event", "choose_target", "choose_general_lost", "choose_stolen", "draw_income", "trade",
    "pass", "meld", "exchange_generals", "rebuild", "buy_army", "deploy_general", "discard_resources", "declare_war",
    "send_aid", "decline_aid", "recall", "choose_provincial", "fill_battle_hand", "redraw", "reveal_destiny",
    "resolve_clash", "lose_unit", "volunteer_casualty", "conquer", "attack_again", "end_campaign", "end_war_turn",
    "reshuffle", "end_turn", "claim_victory",
}  # fmt: skip


@cache
def game() -> ResolvedGame:
    return resolve_game(GAME)


def pieces(set_name: str) -> list[ResolvedPiece]:
    return [p for p in game().pieces if p.set == set_name]


def copies(set_name: str) -> int:
    return sum(p.copies for p in pieces(set_name))


def printed(resolved: ResolvedGame) -> list[Any]:
    """Every word a person can read on the pieces, in the rulebook and in its FAQ."""
    return [
        [(p.id, p.copies, p.text, p.fields) for p in resolved.pieces],
        [(r.id, r.text) for r in resolved.rules.values()],
        [(r.id, r.answer) for r in resolved.rulings],
        resolved.about,
    ]


# --- pieces ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("set_name", "different", "total", "form"),
    [
        ("state", 7, 7, "poker"),
        ("event", 29, 29, "poker"),
        ("resource", 8, 40, "poker"),
        ("battle", 30, 30, "poker"),
        ("province", 1, 21, "token30"),
        ("army", 7, 84, "token20"),
        ("coin-1", 1, 60, "token20"),
        ("coin-5", 1, 24, "token25"),
        ("marker", 1, 1, "standee-25x60"),
        ("aid", 1, 7, "aid95"),
    ],
)
def test_every_piece_of_the_game_is_there(set_name: str, different: int, total: int, form: str) -> None:
    found = pieces(set_name)
    assert (len(found), copies(set_name), {p.format for p in found}) == (different, total, {form})


def test_nothing_else_is_printed() -> None:
    cards = sum(p.copies for p in game().pieces if p.kind == "card")
    tokens = sum(p.copies for p in game().pieces if p.kind == "token")
    assert (cards, tokens, sum(p.copies for p in game().pieces)) == (106, 189, 106 + 189 + 1 + 7)


def test_aids_are_one_for_each_player() -> None:
    three = resolve_game(GAME, players=3)
    assert sum(p.copies for p in three.pieces if p.set == "aid") == 3


def test_the_three_decks_have_three_backs_and_each_deck_one() -> None:
    backs = [{p.back for p in pieces(name)} for name in ("event", "resource", "battle")]
    assert [len(b) for b in backs] == [1, 1, 1]
    assert len(set.union(*backs)) == 3


def test_resource_deck_has_the_given_copies() -> None:
    assert {p.name: p.copies for p in pieces("resource")} == {
        "Agriculture": 10, "Mine": 10, "City": 10, "Daring General": 2, "Steadfast General": 2, "Brilliant General": 2,
        "Methodical General": 2, "Thoughtful General": 2,
    }  # fmt: skip


def test_battle_deck_has_each_value_once_as_troops_and_once_as_strategy() -> None:
    values = Counter((p.fields["type"], p.fields["value"]) for p in pieces("battle"))
    assert values == Counter((kind, n) for kind in "TS" for n in range(1, 16))
    assert len({p.name for p in pieces("battle")}) == 30


def test_generals_carry_their_price_and_their_name() -> None:
    dear = resolve_game(GAME, sets={"build.general_cost": 5})
    for general in (p for p in dear.pieces if p.fields.get("type") == "general"):
        assert str(general.fields["deploy_cost"]) == "5"
        assert general.name == f"{general.fields['short']} General"


def test_states_and_their_armies_look_alike() -> None:
    states = {p.name: (p.fields["colour"], p.fields["initial"]) for p in pieces("state")}
    assert list(states) == game().seats
    assert {p.fields["state"]: (p.fields["colour"], p.fields["initial"]) for p in pieces("army")} == states
    assert len({initial for _, initial in states.values()}) == 7
    assert (
        len({p.fields["seal_sides"] for p in pieces("state")}) == len({p.fields["beast"] for p in pieces("state")}) == 7
    )


# --- effects -----------------------------------------------------------------------------------------------------


def verbs(effects: tuple[Effect, ...]) -> set[str]:
    return {e.verb for e in effects} | {v for e in effects for v in verbs(e.body)}


def words(effects: tuple[Effect, ...]) -> set[str]:
    return {v for e in effects for v in e.args.values() if isinstance(v, str)} | {
        v for e in effects for v in words(e.body)
    }


def numbers(value: Any) -> set[int]:
    if isinstance(value, Effect):
        return numbers(value.args) | numbers(value.body)
    if isinstance(value, dict):
        return numbers(list(value.values()))
    if isinstance(value, (list, tuple)):
        return {n for v in value for n in numbers(v)}
    return {value} if isinstance(value, int) else set()


def test_events_stand_in_the_order_of_their_rules() -> None:
    assert [(p.name, p.rule) for p in pieces("event")] == [(n, f"WS-EV-{i:02d}") for i, n in enumerate(EVENTS, 1)]


def test_an_event_rule_says_what_its_card_says() -> None:
    for card in pieces("event"):
        assert game().rules[card.rule].text == card.text
        assert game().rules[card.rule].title == card.name


def test_who_and_how_long_on_an_event_agree_with_its_effect() -> None:
    for card in pieces("event"):
        has, said = verbs(card.effect), words(card.effect)
        changed = {(e.args["param"], e.args.get("for")) for e in card.effect if e.verb == "modify"}
        mine = "active_player" in has | said or any(for_whom is None for _, for_whom in changed)
        who = "target" if "target_player" in has | said else "active" if mine else "each"
        duration = (
            "next-war-turn" if "next_war_turn" in said
            else "income" if any(figure == "income.cards" for figure, _ in changed)
            else "this-turn" if changed
            else "at-once"
        )  # fmt: skip
        assert (card.fields["who"], card.fields["duration"]) == (who, duration), card.name
        assert card.fields["category"] in {"disaster", "unrest", "intrigue", "boon"}


def test_a_number_on_a_card_comes_from_its_effect() -> None:
    for card in [*pieces("event"), *(p for p in pieces("resource") if p.effect)]:
        shown = {int(n) for n in re.findall(r"\d+", card.text + " ".join(i.label for i in card.icons))}
        assert shown <= numbers(card.effect), card.name
        assert card.text.endswith(".")
        assert card.icons


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Plague", "Each player loses all armies."),
        ("Uprising", "A chosen rival flips 1 province to Razed and loses 1 army."),
        ("War of Succession", "A chosen rival loses 1 General and 1 army."),
        ("Rebellion", "The active player takes 1 army from a chosen rival."),
        ("Drought", "Rice Melds pay nothing this turn."),
        ("Metal Coinage", "Bronze Melds pay double this turn."),
        ("The 5 Classics", "Each player draws 1 more card this Income Phase."),
        ("Confucianism", "The active player draws 3 more cards this Income Phase."),
        ("Sun Tzu", "Each General of the active player counts 1 higher this turn."),
        ("Daring General", "+1 to your side's Battle Total when it is the attacker."),
        ("Thoughtful General", "Counts as 2 Generals for your redraws in the Tactics Round."),
    ],
)
def test_sentences_made_from_effects_read_well(name: str, text: str) -> None:
    assert next(p.text for p in game().pieces if p.name == name) == text


def test_every_verb_is_used_by_a_card() -> None:
    assert {v for p in game().pieces for v in verbs(p.effect)} - {"modify"} == set(game().verbs)


# --- rules -------------------------------------------------------------------------------------------------------


def test_the_catalogue_has_every_rule_and_no_other() -> None:
    wanted = {f"WS-{part}-{n}" for part, last in RULE_IDS.items() for n in range(1, last + 1)}
    wanted |= {f"WS-EV-{n:02d}" for n in range(1, 30)}
    assert set(game().rules) == wanted


def test_given_rules_name_their_source_and_decided_ones_their_reason() -> None:
    for rule in game().rules.values():
        assert rule.section in game().sections, rule.id
        assert rule.text.endswith((".", "?")), rule.id
        assert "  " not in rule.text and "{" not in rule.text, rule.id
        if rule.origin == "given":
            assert rule.source in HEADINGS, rule.id
        else:
            assert rule.reason, rule.id
            assert rule.source in HEADINGS | {""}, rule.id


def test_no_rule_writes_down_a_number_that_a_parameter_or_a_card_holds() -> None:
    counted_once = {"WS-ALLY-7", "WS-DECK-8"}  # "counts 1", "from 1 to": no parameter holds these
    for rule in load(GAME).rules.rules:
        plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|WS-[A-Z]+-\d+", "", rule.text, flags=re.DOTALL)
        assert rule.id in counted_once or not re.search(r"\d", plain), rule.id


def other_values(parameter: Parameter) -> list[Any]:
    """Values that differ from the usual one in one number each."""
    value = parameter.value
    if isinstance(value, dict):
        return [{**value, key: n + 1} for key, n in value.items()]
    if parameter.choices is not None:
        return [c for c in parameter.choices if c != value][:1]
    if value is None:
        return [9]
    return [value + 1 if parameter.max is None or value < parameter.max else value - 1]


PARAMETERS = load(GAME).game.parameters if load(GAME).game else {}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_a_changed_parameter_changes_something_printed(name: str) -> None:
    parameter = PARAMETERS[name]
    assert parameter.rules and set(parameter.rules) <= set(game().rules)
    for value in other_values(parameter):
        changed = resolve_game(GAME, sets={name: value})
        rules = [r for r in game().rules if changed.rules[r].text != game().rules[r].text]
        assert printed(changed) != printed(game())
        assert set(rules) & set(parameter.rules), f"no rule of {parameter.rules} prints {name}"


def test_the_only_phase_of_the_victory_check_is_printed() -> None:
    assert PARAMETERS["victory.check_phase"].choices == ["end"]
    assert "End Phase" in game().rules["WS-WIN-2"].text


def test_two_possible_winners_are_warned_of() -> None:
    assert game().warnings == []
    assert "WS-WIN-4" in " ".join(resolve_game(GAME, sets={"victory.provinces": 10}).warnings)


# --- rulings and variants ----------------------------------------------------------------------------------------


def test_all_worked_examples_are_rulings() -> None:
    ids = [r.id for r in game().rulings]
    assert len(ids) == len(set(ids)) >= 24
    assert sorted(WORKED_EXAMPLES) == list(range(1, 19))
    assert {i for found in WORKED_EXAMPLES.values() for i in found} <= set(ids)


def test_rulings_ask_about_rules_that_exist_with_moves_that_exist() -> None:
    for ruling in game().rulings:
        assert ruling.question.endswith(("?", ".")) and ruling.answer.endswith("."), ruling.id
        assert ruling.rules and set(ruling.rules) <= set(game().rules), ruling.id
        assert ruling.moves and {m["action"] for m in ruling.moves} <= ACTIONS, ruling.id
        assert ruling.legal is not None, ruling.id


def test_a_changed_number_changes_the_answer() -> None:
    dear = resolve_game(GAME, sets={"build.army_cost": 3})
    assert "3 Bu" in next(r.answer for r in dear.rulings if r.id == "army-on-credit")


@pytest.mark.parametrize(
    ("variant", "rule", "words"),
    [
        ("short-game", "WS-WIN-1", "11 provinces"),
        ("active-only-wars", "WS-WAR-2", "Only the active player"),
        ("siege", "WS-PROV-3", "intact one"),
        ("siege", "WS-WAR-12", "cannot add units"),
    ],
)
def test_a_house_rule_rewords_the_rule_it_changes(variant: str, rule: str, words: str) -> None:
    assert variant in game().variant_names
    house = resolve_game(GAME, variants=[variant])
    assert words in house.rules[rule].text
    assert house.fingerprint != game().fingerprint
