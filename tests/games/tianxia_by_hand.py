"""Income, battles and final scoring of Tianxia once more, plainly, from a position form and the printed pieces alone.

Written from the rules, with nothing of the game's module: figures of the base game stand here as a person would read
them off the board.
"""

from __future__ import annotations

from typing import Any

Form = dict[str, Any]
LANES = {
    "yiqu": ["qin_granary", "qin_barracks", "chu_lacquer", "chu_pilots"],
    "linhu": ["wei_canal", "wei_customs", "han_foundry", "han_masons"],
    "loufan": ["zhao_horses", "zhao_beacon", "zhou_treasury", "zhou_heralds"],
    "donghu": ["yan_timber", "yan_ferries", "qi_saltpans", "qi_academy"],
}
RAID = dict(
    zip(
        [building for path in LANES.values() for building in path],
        [2, 3, 2, 1, 2, 2, 3, 1, 2, 3, 2, 1, 2, 3, 2, 1],
        strict=True,
    )
)
INCOME = {
    "qin_granary": {"rice": 2},
    "chu_lacquer": {"lacquer": 1},
    "wei_canal": {"coin": 2},
    "han_foundry": {"stone": 1, "coin": 1},
    "zhao_horses": {"coin": 1, "rice": 1},
    "zhou_treasury": {"coin": 3},
    "yan_timber": {"wood": 2},
    "qi_saltpans": {"salt": 1, "coin": 1},
}
ESTATE = [{"rice": 1}, {"wood": 1}, {"coin": 2}, {"any_good": 1}]
FIGURINES = [0, 1, 3, 6, 10, 15, 21]
PALACE = {
    "crimson": [0, 0, 1, 2, 3, 5, 7, 9, 12],
    "indigo": [0, 0, 1, 2, 3, 5, 7, 9, 12],
    "gold": [0, 0, 0, 1, 2, 4, 6, 8, 10],
    "jade": [0, 1, 2, 3, 4, 6, 8, 10, 13],
}
BANNER = {
    "qin": "crimson", "zhao": "crimson", "wei": "indigo", "zhou": "indigo",
    "han": "gold", "qi": "gold", "chu": "jade", "yan": "jade",
}  # fmt: skip
STOCK = ("coin", "rice", "wood", "stone", "salt", "silk", "lacquer")


def income(form: Form, who: str) -> dict[str, int]:
    total: dict[str, int] = {"coin": 3}
    gains = list(ESTATE[: 4 - form["player"][who]["ship_markers"]])
    for building, gain in INCOME.items():
        gains += [gain for owner in form["buildings"][building]["governors"] if owner == who]
    for barge, row in form["barges"].items():
        gains += [{barge: 1} for owner in row if owner == who]
    for gain in gains:
        for kind, n in gain.items():
            total[kind] = total.get(kind, 0) + n
    return total


def prestige(form: Form, lane: str) -> list[tuple[str, int, int]]:
    section = form["sections"][lane]
    found = []
    for who in form["players"]:
        towers, walls, soldiers = (
            [i for i, o in enumerate(section[row]) if o == who] for row in ("towers", "walls", "soldiers")
        )
        if not (towers or walls or soldiers):
            continue
        strength = 2 * len(towers) + len(walls) + len(soldiers)
        strength += who in form["buildings"]["zhao_beacon"]["governors"]
        ranks = [(not row, row[0] if row else 0) for row in (soldiers, walls, towers)]
        found.append((-strength, ranks, who))
    found.sort()
    return [(who, -minus, prize) for (minus, _, who), prize in zip(found, [7, 4, 2, 0], strict=False)]


def battle(form: Form, lane: str) -> dict[str, Any]:
    section = form["sections"][lane]
    ranks = prestige(form, lane)
    strength = form["nomads"][lane]["strength"]
    for row, worth in (("towers", 2), ("walls", 1)):
        strength -= worth * len([o for o in section[row] if o])
    strength = max(strength, 0)
    after, returned = strength, []
    for soldier in section["soldiers"]:
        if soldier and strength:
            returned.append(soldier)
            strength -= 1
    won, raided = strength == 0, []
    governors = [o for building in LANES[lane] for o in form["buildings"][building]["governors"] if o]
    if not won:
        for building in LANES[lane]:
            raided.append(building)
            strength = max(0, strength - RAID[building])
            if strength == 0:
                break
    return {
        "prestige": [{"player": who, "strength": n, "vp": vp} for who, n, vp in ranks],
        "after_structures": after,
        "returned": returned,
        "won": won,
        "victory_bonus": len(governors) if won and ranks else 0,
        "raided": raided,
        "ravage": strength,
    }


def fulfilled(form: Form, who: str, requires: dict[str, Any]) -> bool:
    own = form["player"][who]
    sections = form["sections"].values()
    governed = [
        (building.split("_")[0], building in INCOME)
        for building, site in form["buildings"].items()
        for owner in site["governors"]
        if owner == who
    ]
    has = {
        "walls": sum(one["walls"].count(who) for one in sections),
        "towers": sum(one["towers"].count(who) for one in sections),
        "soldiers": sum(one["soldiers"].count(who) for one in sections),
        "sections": sum(who in one["walls"] + one["towers"] + one["soldiers"] for one in sections),
        "governors": len(governed),
        "governors_income": sum(grey for _, grey in governed),
        "governors_passive": sum(not grey for _, grey in governed),
        "regions_governed": len({region for region, _ in governed}),
        "ports_shipped": sum(who in port["markers"] for port in form["ports"].values()),
        "deliveries": own["delivered"],
        "figurines": len(own["figurines"]),
        "used_tiles": own["used_tiles"],
        "barge_workers": sum(row.count(who) for row in form["barges"].values()),
    }
    for banner in PALACE:
        has[f"governors_{banner}"] = sum(BANNER[region] == banner for region, _ in governed)
    for key, n in requires.items():
        if key == "tracks":
            if sum(step >= n["at_least"] for step in own["tracks"].values()) < n["count"]:
                return False
        elif has[key] < n:
            return False
    return True


def score(form: Form, who: str, cards: list[tuple[dict[str, Any], int]]) -> dict[str, int]:
    """`cards`: conditions and points of the objective cards shown."""
    own = form["player"][who]
    best = sorted((vp for requires, vp in cards if fulfilled(form, who, requires)), reverse=True)[:3]
    found = {
        "vp": own["vp"],
        "figurines": FIGURINES[len(own["figurines"])],
        "palace": sum(PALACE[banner][step] for banner, step in own["tracks"].items()),
        "objectives": sum(best),
        "leftovers": sum(own[kind] for kind in STOCK) // 5,
    }
    return {**found, "total": sum(found.values())}
