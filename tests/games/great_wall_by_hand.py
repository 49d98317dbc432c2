"""Hordes, shots, assaults, defeats and final scoring of The Great Wall once more, plainly, from a position form and the
printed cards alone.

Written from the rules, with nothing of the game's module: figures stand here as a person would read them off the board.
A report is made up together with what it must lead to: whoever has a choice makes it by `rng`.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

Form = dict[str, Any]
Cards = dict[str, dict[str, Any]]
SECTIONS = "LCR"
UNITS = {"spearman": 10, "archer": 4, "horseman": 2}
LOSS, SAVE, STAKE, PART, SUPPORT = 5, 2, 2, 2, 2
SHIELDS = {"A06", "A12", "A16", "A20", "A30"}
"""Advisors whose backs make the first soldier saved each year 1 chi cheaper."""


def spots_of(grid: list[str]) -> list[str]:
    return ["abc"[x] + str(y + 1) for y, line in enumerate(grid) for x, cell in enumerate(line) if cell == "V"]


def free(card: Form, cards: Cards) -> list[str]:
    return [spot for spot in spots_of(cards[card["card"]]["grid"]) if spot not in card["spots"]]


def soldiers(card: Form) -> list[tuple[str, str, tuple[str, ...]]]:
    """(clan, unit, spots) of each soldier on a card."""
    found: dict[str, list[str]] = {}
    for spot, what in card["spots"].items():
        if what != "wound":
            found.setdefault(what if "#" in what else f"{what} {spot}", []).append(spot)
    names = ((key.split(" ")[0].split("#")[0], tuple(sorted(spots))) for key, spots in found.items())
    return sorted((name.split(".")[0], name.split(".")[1], spots) for name, spots in names)


# --- where a new horde card goes ----------------------------------------------------------------------------------


def place(form: Form, mark: str) -> str:
    """The section a card takes in Spring; empty if there is no space."""
    rows = {section: len(form["hordes"][section]) for section in SECTIONS}
    for section in SECTIONS:
        if rows[section] == 0:
            return section
    around = SECTIONS[SECTIONS.index(mark) :] + SECTIONS[: SECTIONS.index(mark)]
    return next((section for section in around if rows[section] < 3), "")


# --- shots --------------------------------------------------------------------------------------------------------


def shooter(form: Form, section: str) -> str:
    """Who shoots next from a section's wall."""
    for clan in form["tea"]:
        p = form["player"][clan]
        if p["wall"][section].get("archer", 0) > p["shots_done"][section]:
            return clan
    return ""


def targets(form: Form, cards: Cards, section: str) -> set[tuple[str, str]]:
    return {(card["card"], spot) for card in form["hordes"][section] for spot in free(card, cards)}


# --- the assault --------------------------------------------------------------------------------------------------


def strengths(form: Form, cards: Cards, section: str) -> tuple[int, int, bool]:
    """Offence, defence, whether the section is breached."""
    here = form["hordes"][section]
    offence = sum(cards[card["card"]]["power"] for card in here)
    defence = form["walls"][section] + STAKE * form["barricades"][section]
    ladder = bool(here) and cards[here[0]["card"]]["keyword"] == "ladder"
    return offence, defence, ladder or offence > defence


def carriers(p: Form) -> list[str]:
    return [u for u in UNITS if p["supply"].get(u, 0)] + [c["card"] for c in p["claimed"] if not c["shame"]]


def shame(form: Form, clan: str, rng: Random) -> list[str]:
    """One token: where it goes, or the honor it costs."""
    p = form["player"][clan]
    if form["shame_pool"] == 0 or not carriers(p):
        p["honor"] -= LOSS
        return []
    to = rng.choice(carriers(p))
    form["shame_pool"] -= 1
    if to in UNITS:
        p["supply"][to] -= 1
        p["shamed"][to] = p["shamed"].get(to, 0) + 1
    else:
        next(c for c in p["claimed"] if c["card"] == to)["shame"] = True
    return [to]


def dies(form: Form, clan: str, unit: str, section: str, rng: Random) -> bool:
    """A soldier, already taken from where it stood, dies or is saved. Whether it is saved."""
    p = form["player"][clan]
    price = SAVE if p["saves_this_year"] else max(0, SAVE - len(SHIELDS.intersection(p["support"])))
    if p["res"]["chi"] >= price and rng.random() < 0.5:
        p["res"]["chi"] -= price
        p["saves_this_year"] += 1
        p["rest"][section][unit] = p["rest"][section].get(unit, 0) + 1
        return True
    p["supply"][unit] = p["supply"].get(unit, 0) + 1
    return False


def losses(form: Form, card: Form, cards: Cards, section: str, rng: Random, report: Form) -> None:
    """Each player in tea order loses soldiers on a card."""
    for clan in form["tea"]:
        own = [one for one in soldiers(card) if one[0] == clan]
        n = min(len(own), cards[card["card"]]["lethality"])
        for _, unit, spots in rng.sample(own, n):
            named = {"card": card["card"], "unit": unit, "spots": list(spots)}
            report["losses"].setdefault(clan, []).append(named)
            for spot in spots:
                del card["spots"][spot]
            if dies(form, clan, unit, section, rng):
                report["saves"].setdefault(clan, []).append(named)


def assault(form: Form, cards: Cards, section: str, rng: Random) -> tuple[Form, Form]:
    """A report of the assault of a section, and the position afterwards."""
    form, report = deepcopy(form), {"event": "assault", "section": section, "shame_to": {}, "losses": {}, "saves": {}}
    here, breached, pool = form["hordes"][section], strengths(form, cards, section)[2], form["shame_pool"]
    form["breached"][section] = breached
    if breached:
        for clan in form["tea"]:
            alone = sum(clan not in {one[0] for one in soldiers(card)} for card in here)
            said = [to for _ in range(alone) for to in shame(form, clan, rng)]
            if said:
                report["shame_to"][clan] = said
        for clan in form["tea"]:
            wall = form["player"][clan]["wall"][section]
            for _ in range(wall.pop("archer", 0)):
                if dies(form, clan, "archer", section, rng):
                    report["saves"].setdefault(clan, []).append({"wall": section, "unit": "archer"})
        for card in here:
            losses(form, card, cards, section, rng, report)
    if form["shame_pool"] == 0 < pool:
        form["season"] = "ended"
    return report, form


# --- a defeat -----------------------------------------------------------------------------------------------------


def complete(form: Form, cards: Cards) -> list[str]:
    return [card["card"] for section in SECTIONS for card in form["hordes"][section] if not free(card, cards)]


def defeat(form: Form, cards: Cards, rng: Random) -> tuple[Form, Form]:
    """A report of the first horde that is complete, and the position afterwards."""
    form = deepcopy(form)
    name = complete(form, cards)[0]
    section = next(s for s in SECTIONS if name in [card["card"] for card in form["hordes"][s]])
    card = next(card for card in form["hordes"][section] if card["card"] == name)
    report = {"event": "defeat", "card": name, "losses": {}, "saves": {}}
    counts = {clan: sum(one[0] == clan for one in soldiers(card)) for clan in form["tea"]}
    for clan in form["tea"]:
        p = form["player"][clan]
        p["honor"] += PART * (counts[clan] > 0) + SUPPORT * p["wall"][section].get("archer", 0)
    if max(counts.values()):
        best = max(form["tea"], key=lambda clan: (counts[clan], -form["tea"].index(clan)))
        form["player"][best]["claimed"].append({"card": name, "shame": False})
    else:
        form["horde_discard"].append(name)
    losses(form, card, cards, section, rng, report)
    for clan, unit, _ in soldiers(card):
        rest = form["player"][clan]["rest"][section]
        rest[unit] = rest.get(unit, 0) + 1
    form["hordes"][section].remove(card)
    return report, form


# --- final scoring ------------------------------------------------------------------------------------------------


def present(form: Form, clan: str, section: str) -> bool:
    p = form["player"][clan]
    on_cards = any(one[0] == clan for card in form["hordes"][section] for one in soldiers(card))
    return on_cards or sum(p["rest"][section].values()) > 0 or sum(p["wall"][section].values()) > 0


def artifact(form: Form, cards: Cards, clan: str, name: str) -> int:
    p = form["player"][clan]
    clean = [one["card"] for one in p["claimed"] if not one["shame"]]
    marks = [cards[card]["mark"] for card in clean if card in cards]
    tokens = sum(p["shamed"].values()) + len(p["claimed"]) - len(clean)
    goods = sum(p["res"][kind] for kind in ("wood", "stone", "gold"))
    on_cards = [one for section in SECTIONS for card in form["hordes"][section] for one in soldiers(card)]
    horsemen = sum(one[:2] == (clan, "horseman") for one in on_cards)
    horsemen += sum(p["rest"][section].get("horseman", 0) for section in SECTIONS)
    return {
        "F01": len(clean),
        "F02": min(6, goods // 3),
        "F03": (6, 4, 2, 0, 0)[form["tea"].index(clan)],
        "F04": 2 * sum(p["wall"][section].get("archer", 0) for section in SECTIONS),
        "F05": (8, 4, 0)[min(tokens, 2)],
        "F06": 3 * p["clerks_bought"],
        "F07": 2 * max(0, len(p["active"]) + len(p["support"]) - 2),
        "F08": 4 * horsemen,
        "F09": min(8, p["walls_built"]),
        "F10": sum(p["overseers"].values()),
        "F11": 3 * sum(present(form, clan, section) for section in SECTIONS),
        "F12": min(5, p["res"]["chi"]),
        "F13": 3 * sum(card in cards and cards[card]["keyword"] != "none" for card in clean),
        "F14": 5 * min(marks.count(section) for section in SECTIONS),
    }[name]


def final(form: Form, cards: Cards, backs: dict[str, str]) -> Form:
    """Scores and winner. `backs`: advisor -> its supportive effect."""
    scores = {}
    for clan in form["players"]:
        p = form["player"][clan]
        honor = p["honor"] - LOSS * sum(p["shamed"].values())
        honor += sum(cards[one["card"]]["honor"] for one in p["claimed"] if not one["shame"])
        honor += sum(artifact(form, cards, clan, name) for name in form["artifacts"])
        scores[clan] = honor + 2 * sum(backs[one] == "seal" for one in p["support"])
    winner = max(form["tea"], key=lambda clan: (scores[clan], -form["tea"].index(clan)))
    return {"scores": scores, "winner": winner}
