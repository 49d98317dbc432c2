"""How many pieces of each kind there are in a position, counted on its form alone. Knows nothing of the games' code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

Form = dict[str, Any]


def dynasties(form: Form) -> Counter[str]:
    """The cubes of each colour, wherever they are."""
    provinces = form["provinces"].values()
    return Counter(
        {
            f"{side} cubes": player["reserve"]
            + player["set_aside"]
            + player["out"]
            + sum(p[side] + p["marks"][side] for p in provinces)
            for side, player in form["players"].items()
        }
    )


def warring_states(form: Form) -> Counter[str]:
    """Tokens and cards."""
    players = form["players"].values()
    decks = form["decks"]
    campaign = (form.get("war") or {}).get("campaign") or {}

    def pile(deck: Form) -> int:
        named = deck["discard"]
        return int(deck["draw"]) + (sum(named.values()) if isinstance(named, dict) else len(named))

    return Counter(
        {
            "provinces": sum(p["provinces"]["intact"] + p["provinces"]["razed"] for p in players),
            "event cards": pile(decks["event"]) + bool(form["event"]),
            "resource cards": pile(decks["resource"])
            + decks["resource"]["discard_unknown"]
            + sum(p["resource_hand"] + len(p["generals"]) for p in players),
            "battle cards": pile(decks["battle"])
            + decks["battle"]["discard_unknown"]
            + sum(p["battle_hand"] for p in players)
            + (0 if campaign.get("winner") else sum(1 for card in (campaign.get("destiny") or {}).values() if card)),
        }
    )


def xarkant(form: Form) -> Counter[str]:
    """Discs, buildings, villages and tokens, wherever they are."""
    found: Counter[str] = Counter()
    for owner, player in form["player"].items():
        found[f"{owner}'s discs"] += sum(form[place].get(owner, 0) for place in ("bag", "drawn", "aside"))
        found[f"{owner}'s workshops"] += player["workshops"]
        found[f"{owner}'s churches"] += player["churches"]
        found["popularity"] += player["popularity"]
        found.update({kind: player[kind] for kind in ("wheat", "wood", "stone")})
    for piece in form["pieces"].values():
        kind = {"work": "discs", "claim": "discs", "workshop": "workshops"}.get(piece["kind"], "churches")
        if piece["kind"] in ("village", "town"):
            found["villages"] += 1
        if piece["kind"] != "village":
            found[f"{piece['owner']}'s {kind}"] += 1
    found.update(f"{owner}'s workshops" for owner in form["state_board"]["workshops"])
    found.update(f"{owner}'s churches" for track in form["church_board"].values() for owner in track)
    found["villages"] += form["state_board"]["villages"]
    found["popularity"] += form["popularity_supply"]
    found.update(form["supply"])
    return found


def tianxia(form: Form) -> Counter[str]:
    """Workers, markers, shipping markers and crates of each player, neutral workers, walls and towers."""
    found: Counter[str] = Counter()
    for who, player in form["player"].items():
        found[f"{who}'s workers"] += player["workers"] + sum(player["merchants"].values())
        found[f"{who}'s markers"] += player["markers"] + player["discarded_markers"]
        found[f"{who}'s shipping markers"] += player["ship_markers"]
        found[f"{who}'s crates"] += player["crates"] + player["delivered"]
        found[f"{who}'s walls to build"] = -player["walls_built"]
        found[f"{who}'s towers to build"] = -player["towers_built"]
    rows = list(form["barges"].values()) + [site["governors"] for site in form["buildings"].values()]
    rows += [section["soldiers"] for section in form["sections"].values()]
    found.update(f"{who}'s workers" for row in rows for who in row if who)
    for kind in ("walls", "towers"):
        found.update(f"{who}'s {kind} to build" for one in form["sections"].values() for who in one[kind] if who)
    for spaces in (form["regions"], form["military"]):
        found.update(f"{who}'s markers" for space in spaces.values() for who in space["discs"])
    found.update(f"{who}'s shipping markers" for port in form["ports"].values() for who in port["markers"])
    found["grey's workers"] += form["neutral_workers"]
    return found


def great_wall(form: Form) -> Counter[str]:
    """Soldiers and clerks of each clan, command cards, shame tokens, horde cards, tactics and advisors."""
    found: Counter[str] = Counter()
    for who, player in form["player"].items():
        for units in (player["supply"], player["shamed"], *player["rest"].values(), *player["wall"].values()):
            found.update({f"{who}.{unit}": n for unit, n in units.items()})
        found[f"{who}.spearman"] += sum(level > 0 for level in player["overseers"].values())
        found[f"{who}'s clerks"] += player["clerks"]["supply"] + player["clerks"]["embassy"]
        found[f"{who}'s command cards"] += len(player["hand"]) + len(player["discard"])
        found["shame"] += sum(player["shamed"].values()) + sum(one["shame"] for one in player["claimed"])
        found["tactics"] += player["tactics"]
        found["advisors"] += len(player["active"]) + len(player["support"])
    found.update(f"{who}.spearman" for clans in form["towers"].values() for who in clans)
    found.update(f"{card['player']}'s command cards" for card in form["command_track"].values())
    found.update(f"{who}'s command cards" for who in form["revealed"])
    for clerks in form["locations"].values():
        found.update({f"{who}'s clerks": n for who, n in clerks.items()})
    cards = [card for row in form["hordes"].values() for card in row] + [form["khan"]["card"], *form["khan"]["skills"]]
    for card in cards:
        two = {value for value in card["spots"].values() if "#" in value}
        found.update(value for value in card["spots"].values() if value != "wound" and value not in two)
        found.update(value.partition("#")[0] for value in two)
    found["shame"] += form["shame_pool"]
    found["tactics"] += form["tactic_deck_count"] + len(form["tactic_discard"])
    found["advisors"] += form["advisor_deck_count"] + len(form["advisor_track"]) + len(form["advisor_discard"])
    return found


PIECES: dict[str, Callable[[Form], Counter[str]]] = {
    "dynasties": dynasties,
    "great-wall": great_wall,
    "tianxia": tianxia,
    "warring-states": warring_states,
    "xarkant": xarkant,
}
