"""The windows of tactics, what they leave to be chosen, and what each needs (rules GW-CARD-3, GW-CARD-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.rules import Breach

from .assault import due
from .catalogue import At, cat, name_of
from .defeat import complete
from .icons import STEP, in_step
from .locations import moment
from .shame import shamed
from .soldiers import has_soldier
from .state import SECTIONS
from .wounds import sections_of
from .year import is_open, to_act

if TYPE_CHECKING:
    from .tactics import PlayTactic


# --- windows --------------------------------------------------------------------------------------------------------


def closed(at: At, move: PlayTactic) -> Iterator[Breach]:
    """Why this is not the card's window, or not the player's (GW-CARD-3)."""
    piece = cat(at).of("tactic")[move.played]
    name, windows = piece.fields["window"], piece.fields["windows"]
    window = name.partition(":")[0]
    if not WINDOWS[window](at, move):
        yield at.breach("GW-CARD-3.window", player=move.by, card=piece.name, window=windows[name])
    elif window == "summer_shame" and move.by not in to_act(at):
        yield at.breach("GW-SUM-3.turn", player=move.by, seats=to_act(at))
    elif window == "assault" and move.section and due(at) not in ("", move.section):
        yield at.breach("GW-ASLT-1.first", section=move.section, due=due(at))
    elif window == "defeat" and not has_soldier(complete(at)[0], move.by):
        yield at.breach("GW-CARD-3.soldier", player=move.by, horde=name_of(at, "horde", complete(at)[0].card))


def _order(at: At, move: PlayTactic) -> bool:
    """After all cards are on the track, before the first resolves."""
    s = at.state
    begun = bool(s.active) or any(card.resolved for card in s.command_track.values())
    return not begun and (s.step == STEP or (s.step == "fall.2" and len(s.command_track) >= len(s.players)))


def _own_card(at: At, move: PlayTactic) -> bool:
    s = at.state
    return in_step(at) and not s.resolving and (s.active == move.by or (not s.active and is_open(at, "icon")))


def _in_location(at: At, move: PlayTactic) -> bool:
    location = cat(at).of("tactic")[move.played].fields["window"].partition(":")[2]
    return in_step(at) and not at.allowed(moment(at, move.by, location))


def _defeat(at: At, move: PlayTactic) -> bool:
    """A horde with one of the player's soldiers on it is being defeated: the first whose spots are all covered."""
    checked = owed(at, "defeat") or is_open(at, "icon") or is_open(at, "done")
    return checked and bool(complete(at))


def _firing(at: At, move: PlayTactic) -> bool:
    """Before the shots of one section."""
    s = at.state
    shot = s.section and any(p.shots_done.get(s.section) for p in s.player.values())
    return s.step == "winter.1" and not shot


def owed(at: At, move: str, *seats: str) -> bool:
    """Whether one of these seats (anybody) owes something."""
    return any(task.move == move and (not seats or task.who in seats) for task in at.state.agenda)


WINDOWS: dict[str, Callable[[At, PlayTactic], bool]] = {
    "summer_income": lambda at, move: at.state.step == "summer.1",
    "summer_shame": lambda at, move: at.state.step == "summer.2",
    "order": _order,
    "own_card": _own_card,
    "resolve": _in_location,
    "defeat": _defeat,
    "firing": _firing,
    "assault": lambda at, move: at.state.step == "winter.2" and at.state.part in ("", "assault"),
    "loss": lambda at, move: (
        owed(at, "choose_losses", "", move.by) or (at.state.season in ("fall", "winter") and is_open(at, "done"))
    ),
    "shame": lambda at, move: owed(at, "take_shame", move.by),
}
"""Window -> whether it is open for whoever plays the tactic."""


# --- choices --------------------------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """What a card leaves to be chosen: the field that says it, what is possible, and why anything else is not."""

    field: str
    able: Callable[[At, str], Iterable[Any]]
    wrong: str


def _neighbours(at: At, clan: str) -> list[int]:
    """Occupied spots next to that of the player's command card."""
    track = at.state.command_track
    return [
        spot for spot in track for beside in (spot - 1, spot + 1) if beside in track and track[beside].player == clan
    ]


def _hordes(at: At, clan: str) -> list[str]:
    """The horde cards with own soldiers on them."""
    return [horde.card for cards in at.state.hordes.values() for horde in cards if has_soldier(horde, clan)]


def _crowded(at: At, clan: str) -> list[str]:
    return [section for section, cards in at.state.hordes.items() if len(cards) > 1]


CHOICES = {
    "swap_hordes": Chosen("section", _crowded, "GW-CARD-3.rows"),
    "swap_command_spots": Chosen("spot", _neighbours, "GW-CARD-3.neighbour"),
    "lethality": Chosen("horde", _hordes, "GW-CARD-3.soldier"),
    "remove_shame": Chosen("carrier", shamed, "GW-CARD-3.clean"),
}
"""What a card does -> what it leaves to be chosen."""
NOTHING = {"section": "any section", "horde": "any horde card", "carrier": "anything"}


def may_say(at: At, move: PlayTactic) -> dict[str, Sequence[str]]:
    """What may be said of a card, though it leaves no choice: the section of the shots or the assault, the horde that is
    defeated, or the one whose spots are said."""
    window = cat(at).of("tactic")[move.played].fields["window"]
    hordes = [move.horde] if move.spots else [one.card for one in complete(at)[:1]] if window == "defeat" else []
    compared = [section] if (section := due(at)) else SECTIONS
    return {"horde": hordes, "section": {"firing": SECTIONS, "assault": compared}.get(window, ())}


def bad_choice(at: At, move: PlayTactic, verb: str) -> Iterator[Breach]:
    """What was chosen is not possible, or nothing is."""
    if verb == "wound" and not sections_of(
        at, move.by, {"kind": cat(at).of("tactic")[move.played].effect[0].args["section"]}
    ):
        yield at.breach("GW-CARD-3.nobody", player=move.by)
    asked, known = CHOICES[verb].field if verb in CHOICES else "", may_say(at, move)
    for field in ("section", "horde", "spot", "carrier"):
        said = getattr(move, field)
        if said and field != asked and said not in known.get(field, ()):
            yield at.loose_choice({field: None})
    if verb in CHOICES:
        field, find, wrong = CHOICES[verb]
        able, said = list(find(at, move.by)), move.on if field == "horde" else getattr(move, field)
        if not able or (said and said not in able):
            named = (
                {"spots": able or "none"} if field == "spot" else {field: name_of(at, "horde", said) or NOTHING[field]}
            )
            yield at.breach(wrong, player=move.by, **named)
