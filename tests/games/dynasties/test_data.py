"""The second game's data against its description: nothing missing, nothing twice, every number where it belongs."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from companion.games.dynasties.catalogue import read_catalogue
from components.checks import check_game
from components.effects import flat
from components.loader import load
from components.model import Parameter, ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from components.variants import parse_sets

GAME = "dynasties"

RULE_IDS = {
    "SETUP": 11, "CARD": 5, "BOARD": 4, "ARMY": 5, "DEPLOY": 4, "ORDER": 7, "REVEAL": 4, "COMBAT": 12, "PLACE": 7,
    "SIX": 9, "PLAGUE": 6, "CLEAN": 11, "SCORE": 7, "WIN": 5, "EXP": 6, "WL": 17,
}  # fmt: skip
HEADINGS = {
    "Components", "Setup 1", "Setup 2", "Setup 3", "Setup 4", "Setup 5", "Phase 1", "Phase 2", "Phase 3",
    "Army Placement Rules", "Phase 4", "Scoring Tiles", "Scoring Procedure", "Victory Conditions", "Warlord Cards",
    "Scoring & End Game", "FAQ",
}  # fmt: skip
PARAMETERS = {
    "options.deck": "basic", "options.warlords": False, "game.dynasties": 9, "scoring.dynasties": [3, 6, 9],
    "armies.total": 21, "armies.basic": 21, "armies.expert": 18, "armies.set_aside": 3, "hand.start_extra": 4,
    "deploy.cards_per_province": 1, "six.uses_per_province": 1, "six.illegal_value": 0, "plague.divide": 2,
    "plague.round": "down", "plague.minimum": 1, "draw.count": 2, "draw.keep": 1, "draw.bonus_count": 3,
    "draw.bonus_keep": 2, "expert.exchange_cards": [7, 8, 9, 10, "Plague"], "warlord.per_side": 4, "warlord.dealt": 3,
    "warlord.kept": 1, "warlord.max_dynasty": 6, "track.red_distance": 10,
    "deck.copies": {
        "1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 2, "8": 2, "9": 2, "10": 1, "+1": 2, "-1": 2, "Plague": 2,
        "+2": 1, "+3": 1,
    },
    "modifier.+1": {"offset": 1, "max_difference": 1, "cost": 0},
    "modifier.-1": {"offset": -1, "max_difference": 1, "cost": 0},
    "modifier.+2": {"offset": 2, "max_difference": 2, "cost": 1},
    "modifier.+3": {"offset": 3, "max_difference": 3, "cost": 2},
    "game.players": 2,
}  # fmt: skip
YELLOW = ["1", "2", "3", "4", "5", "6"]
EXPERT_ONLY = ["+2", "+3"]
TILES = {
    "A": [1, 2, 7], "B": [1, 3, 6], "C": [1, 4, 5], "D": [2, 2, 6], "E": [2, 3, 5], "F": [2, 4, 4], "G": [3, 2, 5],
    "H": [3, 3, 4], "I": [4, 3, 3],
}  # fmt: skip
WARLORDS = {
    "ST-1": "Fresh Levies", "ST-2": "Sabotage", "ST-3": "Feigned Weakness", "ST-4": "Forced March",
    "KS-1": "Early Mandate", "KS-2": "Second Assault", "KS-3": "Great Pestilence", "KS-4": "Night Raid",
}  # fmt: skip
NEIGHBOURS = {
    "Xinjiang": ["Tibet", "Qinghai", "Gansu"],
    "Tibet": ["Xinjiang", "Qinghai"],
    "Qinghai": ["Xinjiang", "Tibet", "Gansu", "Mandarin"],
    "Gansu": ["Xinjiang", "Qinghai", "Mandarin"],
    "Mandarin": ["Qinghai", "Gansu"],
}
PAIRINGS = {
    "Number": ["n", "+1", "−1", "–", "−2", "−3"],
    "−1": ["−1", "–", "−1", "–", "−1", "−1"],
    "+1": ["+1", "+1", "–", "–", "−1", "−1"],
    "Plague": ["–", "–", "–", "–", "–", "–"],
    "+2": ["+2", "+1", "+1", "–", "–", "−1"],
    "+3": ["+3", "+1", "+1", "–", "+1", "–"],
}
WORKED_EXAMPLES = {
    1: ["basic-set-up"],
    2: ["expert-set-up"],
    3: ["seven-against-three"],
    4: ["remove-then-place"],
    5: ["only-removal"],
    6: ["plus-one-against-nine"],
    7: ["minus-one-against-ten"],
    8: ["plus-two-against-plus-one"],
    9: ["plus-three-against-five"],
    10: ["plague-on-five"],
    11: ["plague-against-six"],
    12: ["forced-move"],
    13: ["order-fewer-armies", "order-as-many", "order-nobody-chose"],
    14: ["draw-after-the-one"],
    15: ["first-scoring"],
    16: ["win-at-once"],
    17: ["final-tie"],
    18: ["exchange-a-seven"],
    19: ["feigned-weakness"],
    20: ["second-six"],
    21: ["mark-from-the-board"],
    22: ["mark-from-the-same-province"],
}
ACTIONS = {
    "setup", "keep_warlord", "show_early_mandate", "exchange", "ready", "choose_order", "fixed_order", "reveal",
    "pay_mark", "pay_cost", "resolve", "place", "play_warlord", "declare_warlord", "clean", "draw", "score", "advance",
}  # fmt: skip
WAYS: dict[str, list[str]] = {
    "box": [],
    "basic": ["basic"],
    "expert": ["expert"],
    "warlords": ["warlords"],
    "expert with warlords": ["expert", "warlords"],
}


@cache
def way(name: str) -> ResolvedGame:
    return resolve_game(GAME, variants=WAYS[name])


def game() -> ResolvedGame:
    return way("box")


def pieces(set_name: str, resolved: ResolvedGame | None = None) -> list[ResolvedPiece]:
    return [p for p in (resolved or game()).pieces if p.set == set_name]


def labels(set_name: str, resolved: ResolvedGame | None = None) -> dict[str, int]:
    return {p.fields["label"]: p.copies for p in pieces(set_name, resolved) if p.copies}


def aid(resolved: ResolvedGame) -> dict[str, Any]:
    return pieces("aid", resolved)[0].fields


def words(value: Any) -> str:
    """Every text in nested fields."""
    if isinstance(value, dict):
        return " ".join(words(v) for v in value.values())
    if isinstance(value, list):
        return " ".join(words(v) for v in value)
    return str(value)


# --- pieces ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("set_name", "different", "total", "form"),
    [
        ("board", 1, 1, "a3-wide"),
        ("action-white", 15, 21, "poker"),
        ("action-black", 15, 21, "poker"),
        ("warlord-white", 4, 4, "poker"),
        ("warlord-black", 4, 4, "poker"),
        ("tile", 9, 9, "tile30"),
        ("cube", 2, 42, "cube10-net"),
        ("disc", 2, 42, "token10"),
        ("pawn-dynasty", 1, 1, "standee-25x50"),
        ("pawn-score", 1, 1, "standee-15x30"),
        ("aid", 1, 2, "aid95"),
    ],
)
def test_every_piece_of_the_game_is_there(set_name: str, different: int, total: int, form: str) -> None:
    found = pieces(set_name)
    copies = sum(p.copies for p in found)
    assert (len(found), copies, {p.format for p in found}) == (different, total, {form})


def test_nothing_else_is_printed() -> None:
    assert sum(p.copies for p in game().pieces) == 1 + 42 + 8 + 9 + 42 + 42 + 2 + 2


@pytest.mark.parametrize("side", ["white", "black"])
def test_a_deck_has_the_cards_of_its_list(side: str) -> None:
    deck = pieces(f"action-{side}")
    assert labels(f"action-{side}") == PARAMETERS["deck.copies"]
    assert sum(p.copies for p in deck if p.fields["deck"] == "basic") == 19
    for card in deck:
        label, fields = card.fields["label"], card.fields
        verbs = {e.verb: e.args for e in card.effect}
        kind = "plague" if label == "Plague" else "modifier" if label[0] in "+-" else "number"
        assert (fields["kind"], fields["side"]) == (kind, side)
        assert (fields["numeral"], fields["after"][fields["numeral"]]["icon"]) == (
            ("yellow", "return") if label in YELLOW else ("white", "remove")
        )
        assert (fields["deck"] == "expert") == (label in EXPERT_ONLY)
        assert bool(fields["exchange_word"]) == (label in {"7", "8", "9", "10", "Plague"})
        assert kind in verbs and ("draw_bonus" in verbs, "mark" in verbs) == (label == "1", label == "6")
        if kind == "number":
            assert verbs["number"] == {"value": int(label)}
        if kind == "modifier":
            assert verbs["modifier"] == PARAMETERS[f"modifier.{label}"]
    assert len({p.back for p in deck}) == 1


def test_the_two_decks_hold_the_same_and_have_two_backs() -> None:
    def content(side: str) -> list[Any]:
        own = {"side", "tone"}
        shown = ((p, {k: v for k, v in p.fields.items() if k not in own}) for p in pieces(f"action-{side}"))
        return [(p.id, p.name, p.copies, p.rule, p.effect, p.text, p.icons, fields) for p, fields in shown]

    assert content("white") == content("black")
    assert pieces("action-white")[0].back != pieces("action-black")[0].back


def test_warlords_are_four_a_side() -> None:
    found = [*pieces("warlord-white"), *pieces("warlord-black")]
    assert {p.fields["code"]: p.name for p in found} == WARLORDS
    assert all(p.id == p.fields["code"].lower() and p.icons and len(p.effect) == 1 for p in found)
    assert {p.fields["code"] for p in found if p.fields["limit"] == 6} == {"ST-2", "ST-4", "KS-4"}
    assert {p.fields["code"]: p.fields["window"] for p in found if p.fields["window"] != "W"} == {
        "ST-3": "P", "KS-1": "S", "KS-2": "P", "KS-3": "P",
    }  # fmt: skip


def test_tiles_add_up_alike_and_later_scorings_pay_more() -> None:
    found = {p.fields["letter"]: p.fields["points"] for p in pieces("tile")}
    assert found == TILES
    assert {sum(points) for points in found.values()} == {10}
    assert [sum(column) for column in zip(*found.values(), strict=True)] == [19, 26, 45]
    assert all(tile.fields["dynasties"] == [3, 6, 9] for tile in pieces("tile"))


def test_armies_follow_their_number() -> None:
    more = resolve_game(GAME, sets={"armies.total": 24})
    assert {p.copies for p in more.pieces if p.set in ("cube", "disc")} == {24}


# --- the board ---------------------------------------------------------------------------------------------------


def board() -> dict[str, Any]:
    return pieces("board")[0].fields


def test_borders_are_the_seven_and_go_both_ways() -> None:
    rules = read_catalogue(game())
    borders = rules.borders
    assert borders == NEIGHBOURS and list(borders) == rules.provinces
    assert list(borders) == ["Xinjiang", "Tibet", "Qinghai", "Gansu", "Mandarin"]
    assert all(here in borders[there] for here, found in borders.items() for there in found)
    pairs = [frozenset(pair) for pair in board()["borders"]]
    assert len(pairs) == len(set(pairs)) == 7
    assert set(pairs) == {frozenset((a, b)) for a, found in borders.items() for b in found}


def test_borders_read_the_same_on_board_aid_and_in_the_rulebook() -> None:
    on_aid = {line["province"]: line["text"].split(", ") for line in aid(game())["back"]["borders"]}
    assert on_aid == NEIGHBOURS
    for sentence in game().rules["DY-BOARD-2"].text.rstrip(".").split(". "):
        name, _, others = sentence.partition(" borders ")
        assert re.split(", | and ", others) == NEIGHBOURS[name]


def test_tracks_follow_their_parameters() -> None:
    longer = resolve_game(GAME, sets={"track.red_distance": 12, "game.dynasties": 10, "scoring.dynasties": [3, 6, 10]})
    fields = pieces("board", longer)[0].fields
    assert (fields["red"], fields["dynasties"], fields["scoring"]) == (12, 10, [3, 6, 10])
    assert pieces("tile", longer)[0].fields["dynasties"][2] == 10


# --- effects -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("action-white/1", "After this Dynasty draw 3 and keep 2."),
        ("action-black/6", "Mark the province with 1 own cube, at most once a game in each."),
        ("action-white/minus-1", "The rival's number minus 1, for a difference of at most 1."),
        (
            "action-black/plus-3",
            "The rival's number plus 3, for a difference of at most 3. Costs you 2 armies for good.",
        ),
        ("action-white/plague", "No battle. Of the armies here only half remain, rounded down, but at least 1."),
        ("warlord-white/st-1", "Put 1 army from your reserve into a province you control."),
        (
            "warlord-black/ks-4",
            "Send 1 enemy army from any one province back to the rival's reserve. Only up to Dynasty 6.",
        ),
        (
            "warlord-white/st-3",
            "In a province you name, your 7, 8, 9 or 10 counts as a 6, without a mark and whatever marks are there. "
            "It returns to your hand.",
        ),
    ],
)
def test_sentences_made_from_effects_read_well(piece: str, text: str) -> None:
    assert next(p.text for p in game().pieces if f"{p.set}/{p.id}" == piece) == text


def numbers(value: Any) -> set[int]:
    if isinstance(value, dict):
        return numbers(list(value.values()))
    if isinstance(value, list):
        return {n for v in value for n in numbers(v)}
    if isinstance(value, str):
        return {int(n) for n in re.findall(r"\d+", value)}
    return {abs(value)} if isinstance(value, int) else set()


def test_a_number_on_a_card_comes_from_its_effect() -> None:
    for card in (p for p in game().pieces if p.effect):
        shown = {int(n) for n in re.findall(r"\d+", card.text)}
        has = {n for e in flat(card.effect) for n in numbers(e.args)}
        own = {6} if card.id == "ks-2" else set()  # the card that Second Assault is about
        assert shown <= has | own, card.name
        assert card.text.endswith(".") or {e.verb for e in card.effect} == {"number"}, card.name


def test_cards_have_names_and_a_numeral_needs_no_sentence() -> None:
    deck = [p for p in game().pieces if p.set == "action-white"]
    assert len({p.name for p in deck}) == len(deck)
    assert not [p.name for p in deck if re.search(r"[\d+−-]|Number|Modifier", p.name)]
    assert [p.text for p in deck if p.fields["label"] in ("2", "5", "7", "10")] == [""] * 4


def test_every_verb_is_used_by_a_card() -> None:
    assert {e.verb for p in game().pieces for e in flat(p.effect)} == {*game().verbs, "modify"}


# --- rules -------------------------------------------------------------------------------------------------------


def test_the_catalogue_has_every_rule_and_no_other() -> None:
    wanted = {f"DY-{part}-{n}" for part, last in RULE_IDS.items() for n in range(1, last + 1)}
    assert set(game().rules) == wanted


@pytest.mark.parametrize("name", sorted(WAYS))
def test_given_rules_name_their_source_and_decided_ones_their_reason(name: str) -> None:
    for rule in way(name).rules.values():
        assert rule.section in game().sections, rule.id
        assert rule.text.endswith("."), rule.id
        assert "  " not in rule.text and "{" not in rule.text and not re.search(r" [.,;]", rule.text), rule.id
        assert set(filter(None, rule.source.split(", "))) <= HEADINGS, rule.id
        assert rule.source if rule.origin == "given" else rule.reason, rule.id


def test_rules_follow_the_order_of_the_sections() -> None:
    found = [rule.section for rule in game().rules.values()]
    assert list(dict.fromkeys(found)) == game().sections
    assert found == sorted(found, key=game().sections.index)


CARD_LABELS = r"(?<!\w)(?:[+−-][123]|10|[1-9])(?!\w)"
ABOUT_LABELS = {
    "DY-CARD-1", "DY-CARD-2", "DY-CARD-3", "DY-SETUP-7", "DY-SETUP-8", "DY-COMBAT-5", "DY-COMBAT-6", "DY-COMBAT-7",
    "DY-COMBAT-9", "DY-COMBAT-10", "DY-COMBAT-11", "DY-SIX-1", "DY-SIX-2", "DY-SIX-4", "DY-SIX-9", "DY-CLEAN-4",
    "DY-CLEAN-5", "DY-EXP-2", "DY-EXP-3", "DY-WL-14",
}  # fmt: skip


def test_no_rule_writes_down_a_number_that_a_parameter_holds() -> None:
    """Cards are called by their labels; no other figure stands in a rule."""
    for rule in load(GAME).rules.rules:
        plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\b(?:DY-[A-Z]+|ST|KS)-\d+", "", rule.text, flags=re.DOTALL)
        if rule.id in ABOUT_LABELS:
            plain = re.sub(CARD_LABELS, "", plain)
        assert not re.search(r"\d", plain), rule.id


def test_every_parameter_of_the_description_is_there() -> None:
    assert game().params == PARAMETERS


def printed(resolved: ResolvedGame) -> list[Any]:
    """Every word a person can read on the pieces, in the rulebook and in its FAQ."""
    return [
        [(p.id, p.copies, p.text, p.fields) for p in resolved.pieces],
        [(r.id, r.text) for r in resolved.rules.values()],
        [(r.id, r.answer) for r in resolved.rulings],
    ]


def other_values(parameter: Parameter) -> Iterator[Any]:
    """Values that differ from the usual one in one entry each."""
    value = parameter.value
    if isinstance(value, dict):
        for key, n in value.items():
            changed = copy.deepcopy(value)
            changed[key] = n + 1
            yield changed
    elif isinstance(value, list):
        yield value[:-1]
    elif parameter.choices is not None:
        yield from [c for c in parameter.choices if c != value][:1]
    else:
        yield value + 1 if parameter.max is None or value < parameter.max else value - 1


DECLARED = load(GAME).game.parameters if load(GAME).game else {}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_changed_parameter_changes_a_rule_that_depends_on_it(name: str) -> None:
    parameter = DECLARED[name]
    assert parameter.rules and set(parameter.rules) <= set(game().rules)
    for value in other_values(parameter):
        changed = resolve_game(GAME, sets={name: value})
        rules = {r for r in game().rules if changed.rules[r].text != game().rules[r].text}
        assert printed(changed) != printed(game())
        assert rules & set(parameter.rules), f"no rule of {parameter.rules} prints {name} = {value}"


def test_a_modifier_is_set_by_its_label() -> None:
    strict = resolve_game(GAME, sets=parse_sets(["modifier.+2.offset=1", "+2.max_difference=1"]))
    assert strict.params["modifier.+2"] == {"offset": 1, "max_difference": 1, "cost": 1}
    assert "plus 1, for a difference of at most 1" in next(p.text for p in strict.pieces if p.id == "plus-2")
    assert [row["cells"] for row in aid(strict)["back"]["pairings"]["rows"] if row["label"] == "+2"] == [
        ["+1", "+1", "0", "–", "–", "−1"]
    ]


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        ({"armies.expert": 17}, "17 armies in reserve and 3 set aside"),
        ({"armies.basic": 22}, "more armies than the 21 cubes"),
        ({"scoring.dynasties": [3, 6]}, "2 scorings"),
        ({"game.dynasties": 8}, "never comes"),
        ({"draw.keep": 3}, "more cards would be kept"),
        ({"warlord.per_side": 2}, "3 are dealt"),
        ({"modifier.-1.cost": -1}, "none"),
    ],
)
def test_figures_that_do_not_go_together_are_warned_of(sets: dict[str, Any], said: str) -> None:
    assert game().warnings == []
    assert said in " ".join(resolve_game(GAME, sets=sets).warnings)


# --- aid ---------------------------------------------------------------------------------------------------------


def test_the_aid_holds_the_table_of_pairings() -> None:
    table = aid(game())["back"]["pairings"]
    assert {row["label"]: row["cells"] for row in table["rows"]} == PAIRINGS
    assert table["columns"] == list(PAIRINGS)


def test_an_aid_without_the_expert_cards_has_a_smaller_table() -> None:
    table = aid(way("basic"))["back"]["pairings"]
    assert table["columns"] == ["Number", "−1", "+1", "Plague", "", ""]
    assert [row["label"] for row in table["rows"]] == table["columns"]
    for row in table["rows"]:
        label = row["label"]
        assert row["cells"] == ([*PAIRINGS[label][:4], "", ""] if label else [""] * 6)


@pytest.mark.parametrize(
    ("name", "expert", "warlords"),
    [
        ("box", True, True),
        ("basic", False, False),
        ("expert", True, False),
        ("warlords", False, True),
        ("expert with warlords", True, True),
    ],
)
def test_an_aid_speaks_of_what_is_played(name: str, expert: bool, warlords: bool) -> None:
    text = words(aid(way(name)))
    assert ("xpert" in text, "+2" in text, "exchange" in text) == (expert, expert, expert)
    assert ("Warlord" in text, "ST-3" in text) == (warlords, warlords)


# --- ways to play ------------------------------------------------------------------------------------------------


BASIC_DECK = {k: n for k, n in PARAMETERS["deck.copies"].items() if k not in EXPERT_ONLY}  # type: ignore[attr-defined]
CODES = {f"{side}-{n}": 1 for side in ("st", "ks") for n in range(1, 5)}


@pytest.mark.parametrize(
    ("name", "deck", "warlords"),
    [
        ("box", PARAMETERS["deck.copies"], CODES),
        ("basic", BASIC_DECK, {}),
        ("expert", PARAMETERS["deck.copies"], {}),
        ("warlords", BASIC_DECK, CODES),
        ("expert with warlords", PARAMETERS["deck.copies"], CODES),
    ],
)
def test_a_way_to_play_prints_only_its_pieces(name: str, deck: dict[str, int], warlords: dict[str, int]) -> None:
    resolved = way(name)
    assert labels("action-white", resolved) == labels("action-black", resolved) == deck
    assert {p.id: p.copies for p in resolved.pieces if p.set.startswith("warlord") and p.copies} == warlords
    always = Counter({p.set: 0 for p in game().pieces if not p.set.startswith(("action", "warlord"))})
    for piece in resolved.pieces:
        if piece.set in always:
            always[piece.set] += piece.copies
    assert always == {
        "board": 1, "tile": 9, "cube": 42, "disc": 42, "pawn-dynasty": 1, "pawn-score": 1, "aid": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("variants", "deck", "warlords"),
    [
        ([], "basic", False),
        (["basic"], "basic", False),
        (["expert"], "expert", False),
        (["warlords"], "basic", True),
        (["basic", "warlords"], "basic", True),
        (["expert", "warlords"], "expert", True),
        (["warlords", "expert"], "expert", True),
    ],
)
def test_variants_set_the_options(variants: list[str], deck: str, warlords: bool) -> None:
    resolved = resolve_game(GAME, variants=variants)
    assert (resolved.params["options.deck"], resolved.params["options.warlords"]) == (deck, warlords)


def in_book(name: str) -> set[str]:
    return {r.id for r in way(name).rules.values() if r.printed}


def test_a_rulebook_has_the_rules_of_its_way_to_play() -> None:
    assert in_book("box") == set(game().rules)
    exchange = {f"DY-EXP-{n}" for n in range(1, 7)}
    warlords = {f"DY-WL-{n}" for n in range(1, 18)}
    costs = {"DY-SETUP-8", "DY-COMBAT-9", "DY-COMBAT-10", "DY-COMBAT-11", "DY-COMBAT-12"}
    assert in_book("box") - in_book("basic") == exchange | warlords | costs
    assert in_book("box") - in_book("expert") == warlords | {"DY-SETUP-7"}
    assert in_book("box") - in_book("warlords") == exchange | costs
    assert in_book("box") - in_book("expert with warlords") == {"DY-SETUP-7"}


@pytest.mark.parametrize("name", sorted(WAYS))
def test_a_rulebook_asks_only_about_its_own_rules(name: str) -> None:
    book = in_book(name)
    for ruling in way(name).rulings:
        assert ruling.printed == (set(ruling.rules) <= book), ruling.id


def test_the_basic_book_says_nothing_of_what_is_left_in_the_box() -> None:
    book = [r.text for r in way("basic").rules.values() if r.printed and r.id != "DY-SETUP-7"]
    book += [r.question + r.answer for r in way("basic").rulings if r.printed and r.id != "plus-two-in-the-basic-game"]
    for text in book:
        assert not re.search(r"\+2|\+3|expert|set aside|exchange", text), text
        assert "Warlord" not in text or "without Warlords" in text, text


def test_a_dear_plus_one_brings_its_rule_into_the_basic_book() -> None:
    dear = resolve_game(GAME, variants=["basic"], sets={"modifier.+1.cost": 1})
    assert dear.rules["DY-COMBAT-11"].printed
    assert "A +1 costs its player 1 army." in dear.rules["DY-COMBAT-11"].text


def test_the_definition_has_no_fault() -> None:
    assert check_game(GAME) == []


# --- rulings -----------------------------------------------------------------------------------------------------


def test_all_worked_examples_are_rulings_and_many_more() -> None:
    ids = [r.id for r in game().rulings]
    examples = {i for found in WORKED_EXAMPLES.values() for i in found}
    assert len(ids) == len(set(ids)) >= len(examples) + 20
    assert sorted(WORKED_EXAMPLES) == list(range(1, 23))
    assert examples <= set(ids)


def test_rulings_ask_about_rules_that_exist_with_moves_that_exist() -> None:
    for ruling in game().rulings:
        assert ruling.question.endswith(("?", ".")) and ruling.answer.endswith("."), ruling.id
        assert "  " not in ruling.question + ruling.answer, ruling.id
        assert ruling.rules and set(ruling.rules) <= set(game().rules), ruling.id
        assert ruling.moves and {m["action"] for m in ruling.moves} <= ACTIONS, ruling.id
        assert ruling.legal is not None, ruling.id


@pytest.mark.parametrize(
    ("sets", "ruling", "words"),
    [
        ({"draw.bonus_count": 4}, "draw-after-the-one", "draws 4"),
        ({"plague.round": "up"}, "two-plagues", "4 of them"),
        ({"six.illegal_value": 2}, "second-six", "counts as 2"),
        ({"armies.set_aside": 5}, "exchange-once-more", "You have 5"),
    ],
)
def test_a_changed_number_changes_the_answer(sets: dict[str, Any], ruling: str, words: str) -> None:
    changed = resolve_game(GAME, sets=sets)
    assert words in next(r.answer for r in changed.rulings if r.id == ruling)
