"""What has to happen next, in one sentence with a line as it would be typed."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.play.phases import awaited as seats_awaited
from components.phrasing import count, join_and, plural

from . import fall, icons, locations, preparation, spring
from .catalogue import At, name_of
from .preparation import standing
from .state import SECTIONS
from .uses import uses_in
from .year import ENDED


def _setup(at: At) -> str:
    """The first thing that the setup lacks."""
    s = at.state
    if s.hordes_due:
        return f"{count(s.hordes_due, 'horde card')} {plural(s.hordes_due, 'comes', 'come')} up (type: horde H12)"
    if len(s.artifacts) < at["setup.artifacts"]:
        return f"{count(at['setup.artifacts'], 'artifact')} (type: artifacts F01 F02 F03)"
    if kept := [clan for clan, p in s.player.items() if not p.general]:
        return f"{join_and(kept)} {plural(len(kept), 'keeps', 'keep')} a general (type: {kept[0]} general G03)"
    if placed := [clan for clan, p in s.player.items() if not p.active + p.support]:
        return f"{join_and(placed)} {plural(len(placed), 'places', 'place')} advisors (type: {placed[0]} advisors active A05 support A06)"
    if len(s.advisor_track) < at["advisor.track_slots"]:
        return "the advisor track is filled (type: advisor A07)"
    return join_and(
        LACKING[module](at) for module in s.modules if module in LACKING and not preparation.READY[module](at)
    )


LACKING: dict[str, Callable[[At], str]] = {
    "black_powder": lambda at: f"{at.state.tea[len(standing(at))]} places a war machine (type: machine cannon L)",
    "genghis_khan": lambda at: "the Khan's skills (type: skills K01 K04) and the mark on top (type: mark L)",
    "ancient_beasts": lambda at: f"{at.state.tea[len(at.state.beasts)]} places a beast (type: place beast B1 quarry)",
    "rat": lambda at: f"{at.state.tea[0]} places the Rat (type: place rat barracks)",
}
"""Module -> what its setup lacks."""


def _hordes(at: At) -> str:
    first = [section for section in SECTIONS if not at.state.hordes[section]]
    where = f"; the next fills {first[0]}" if first else ""
    return f"{count(at.state.hordes_due, 'horde card')} to reveal{where} (type: horde H12)"


def _time(at: At) -> str:
    slot = at.state.time_slot + 1
    left = len(spring.slots(at)) - 1 - slot
    return f"the time token moves to slot {slot}, with {count(left, 'slot')} after it (type: time)"


def _turn(words: str, typed: str) -> Callable[[At], str]:
    def said(at: At) -> str:
        seats = seats_awaited(at) or at.state.players
        return f"{join_and(seats, 'or')} {words} (type: {seats[0]} {typed})"

    return said


def _command(at: At) -> str:
    missing = [clan for clan in at.state.players if clan not in at.state.chosen]
    cards = " ".join(f"{clan} C{n}" for n, clan in enumerate(at.state.players, 1))
    if missing:
        chooses = plural(len(missing), "chooses", "choose")
        return f"{join_and(missing)} {chooses} a command card in secret (type: {missing[0]} choose; or all at once: reveal {cards})"
    return f"the command cards are revealed (type: reveal {cards})"


def _card(at: At) -> str:
    """Who decides what of the card that resolves."""
    s = at.state
    seats = fall.to_act(at)
    if s.resolving:
        place = name_of(at, "location", s.resolving)
        left = count(locations.left(at, seats[0]), locations.gives(s.resolving).kind)
        uses = ", or: ".join(kind.example.partition(" ")[2] for kind in uses_in(at, s.resolving))
        return f"{seats[0]} uses {left} in the {place} (type: {seats[0]} {uses}, or: pass)"
    if s.active is None:
        spot = icons.next_spot(at)
        return f"the card on spot {spot} resolves (type: begin)" if spot else "the cards are over"
    if icons.all_done(at):
        return "the card is over (type: end card)"
    now = icons.icon(at)
    typed = {"clerks": "places clerks (type: {} clerks quarry quarry barracks)", "activate": "activates locations (type: activate quarry barracks)"}  # fmt: skip
    words = typed.get(now.verb if now else "", "goes on with the card, or passes (type: {} pass)")
    return f"{join_and(seats, 'or')} {words.format(seats[0])}"


NEXT: dict[str, Callable[[At], str]] = {
    "setup": _setup,
    "spring.1": _time,
    "spring.2": _hordes,
    "spring.3": lambda at: "the Khan moves to the mark on top of the horde deck (type: khan R)",
    "spring.4": lambda at: f"{count(at['advisor.refresh'], 'new advisor')} (type: refresh A07 A12)",
    "spring.5": lambda at: "a dragon card comes up (type: dragon D02)",
    "summer.1": lambda at: "everybody has income (type: income)",
    "summer.2": _turn("removes shame or passes", "remove spearman, or: pass"),
    "summer.3": lambda at: "used cards are retired, and clerks may be recalled (type: retire; pine recall barracks 1)",
    "summer.4": _turn("takes cards back, or honor", "reclaim cards, or: reclaim honor"),
    "summer.5": lambda at: "a Rat card comes up (type: rat card RC09)",
    "summer.6": lambda at: "a relic comes up (type: relic RL01)",
    "fall.1": _command,
    "fall.2": _turn("places the command card", "spot 2"),
    "fall.3": _card,
    "fall.4": _turn("moves the Rat", "rat quarry"),
    "winter.1.breath": lambda at: "the dragon breathes (type: breath)",
    "winter.1.banners": _turn("attacks with the bannerman, or passes", "pass"),
    "winter.1.shots": lambda at: "the shooters shoot",
    "winter.2.assault": lambda at: f"the assault on {at.state.section or _next_section(at)} (type: assault {_next_section(at)})",
    "winter.2.barricades": lambda at: "all barricades are discarded (type: discard barricades)",
    "winter.2.towers": lambda at: "the towers are scored (type: score towers)",
    "winter.2.siege": lambda at: "siege damage (type: siege damage)",
    "winter.3": lambda at: "the last check of the year (type: end check)",
    ENDED: lambda at: "final scoring (type: final score)",
}  # fmt: skip
"""Phase -> what has to happen in it."""


def _next_section(at: At) -> str:
    finished = at.state.unit_finished or ""
    return SECTIONS[SECTIONS.index(finished) + 1] if finished in SECTIONS[:-1] else SECTIONS[0]


OWED: dict[str, tuple[str, str]] = {
    "take_shame": ("takes a shame token", "shame spearman"),
    "choose_losses": ("chooses who dies", "losses spearman"),
    "save": ("may save a soldier", "save spearman, or: save none"),
    "gain": ("chooses goods", "gain wood"),
    "wound": ("places a wound", "wound H12 a1"),
    "shoot": ("shoots", "shoot H12 a1"),
    "defeat": ("", ""),
}
"""Kind of debt -> what its player does, and as it would be typed."""


def awaited(at: At) -> str:
    """What has to happen next."""
    s = at.state
    if s.scored:
        return "nothing: the game is over"
    if not s.players:
        return "name the players (type: start pine bamboo plum)"
    debts = [task for task in s.agenda if task.move]
    if debts:
        task = debts[0]
        if task.move == "defeat":
            card = str(task.args.get("card", ""))
            return f"{name_of(at, 'horde', card)} is defeated (type: defeat {card})"
        words, typed = OWED.get(task.move, (f"does this: {task.move.replace('_', ' ')}", task.move.replace("_", " ")))
        later = list(dict.fromkeys(one.who for one in debts if one.who and one.who != task.who))
        after = f"; then {join_and(later)}" if later else ""
        return f"{task.who or 'the table'} {words} (type: {task.who} {typed}){after}"
    says = NEXT.get(at.rules.stage(s))
    return says(at) if says else "whatever the step allows"
