"""Typed lines in words of this game's own: an Event with what it leaves to choose, a trade told from either side, a
province lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import dropwhile
from typing import NamedTuple

from companion.engine.language import notation
from companion.engine.language.notation import NotationError
from companion.engine.language.words import BEGINNING, BEING, COMING, COURTESIES, Phrasebook, Token, number, tokens
from companion.rules import Move
from components.model import Effect

from .catalogue import At, cards
from .clash import RevealDestiny
from .events import ChooseTarget, RevealEvent, awaits_target, pending_choice

read = partial(notation.read, free=False)
"""Parts of a line are read word for word."""


class Saying(NamedTuple):
    """A way to say something: what it looks like, the same as the game reads it, and when it is true."""

    looks: re.Pattern[str]
    plainly: str
    fits: Callable[[At, re.Match[str]], bool]


def _saying(looks: str, plainly: str, fits: Callable[[At, re.Match[str]], bool]) -> Saying:
    return Saying(re.compile(rf"^{looks}$", re.IGNORECASE), plainly, fits)


def _trading(at: At, said: re.Match[str]) -> bool:
    return at.state.phase == "trade"


def _taxing(at: At, said: re.Match[str]) -> bool:
    return at.state.phase == "taxes"


def _building(at: At, said: re.Match[str]) -> bool:
    return at.state.phase == "build"


def _for_one_card(at: At, said: re.Match[str]) -> bool:
    return at.state.phase == "taxes" and at["tax.generals_exchange"]["draw"] == 1


def _as_many(at: At, said: re.Match[str]) -> bool:
    n = number(said["n"].lower())
    return at.state.campaign is not None and n is not None and n == number(said["m"].lower())


def _against_defender(at: At, said: re.Match[str]) -> bool:
    c = at.state.campaign
    return c is not None and said["b"].lower() == c.defender.lower()


def _provincial_lost(at: At, said: re.Match[str]) -> bool:
    c = at.state.campaign
    if c is None or not c.conquered:
        return False
    loser = said.groupdict().get("b")
    side = (said["side"] or c.provincial_army or "").strip().lower()
    return side == c.provincial_army and (loser or c.defender).lower() == c.defender.lower()


def _for_the_loser(at: At, said: re.Match[str]) -> bool:
    c = at.state.campaign
    return c is not None and (c.loser or "").lower() == said["b"].lower()


SAYINGS = (
    _saying(r"(\S+) (?:gets?|got|takes?|took|receives?|wants?) (.+) from (\S+) (?:for|against) (.+)", r"\1 trade \4 with \3 for \2", _trading),
    _saying(r"(\S+) (?:trade|swap|exchange|give)\w*(?: up| away)? (.+) for (\w+)['’]s? (.+)", r"\1 trade \2 with \3 for \4", _trading),
    _saying(r"(\S+) and (\S+) (?:trade|swap|exchange|barter) (.+) each", r"\1 trade with \2 \3 for \3", _trading),
    _saying(r"(\S+) and (\S+) (?:trade|swap|exchange|barter) (.+)", r"\1 trade with \2 \3", _trading),
    _saying(r"(\S+) (?:give|hand|offer)s?(?: over)? (.+),? and (?:gets?|takes?) (.+) from (\S+)", r"\1 trade \2 with \4 for \3", _trading),
    _saying(
        r"(.*?)(?:discards?|throws? away|puts? away) (?P<n>\w+)(?: cards?)? and (?:draws?|takes?) (?P<m>\w+)"
        r"(?: new)?(?: cards?| ones?)?",
        r"\1redraw \g<n>",
        _as_many,
    ),
    _saying(r"(.*?)(?:attacks?|fights?) (?P<b>\w+) (?:again|once more)(.*)", r"\1attack again\3", _against_defender),
    _saying(
        r"(.*?)(?:takes?|gets?|conquers?|wins?) (?:the |a |an )?(?P<side>razed |intact )province(?: (?:from|of) (?P<b>\w+))?",
        r"\1conquer",
        _provincial_lost,
    ),
    _saying(r"(\S+) (?:loses?|gives?|offers?) (.+) (?:for|instead of) (?P<b>\w+)", r"\1 volunteer \2", _for_the_loser),
    _saying(r"(\S+) (?:exchanges?|swaps?|changes?|returns?|discards?|gives?|trades? in|turns? in|hands? in|throws? in) (.+) (?:for (?:a|one|1)(?: new)? card|and (?:draws?|takes?|gets?) (?:a|one|1)(?: new)?(?: card)?)", r"\1 exchange \2", _for_one_card),
    _saying(r"(\S+) (?:buys?|builds?) nothing", r"\1 done", _building),
    _saying(r"(\S+) (?:gets?|makes?|earns?) (\S+) bu for (.+)", r"\1 meld \3 for \2 bu", _taxing),
    _saying(r"(\S+) (?:pays?|spends?) (\S+)(?: bu)? (?:for|on) (.+)", r"\1 buys \3 for \2 bu", _building),
    _saying(r"(?P<b>\w+) loses? (?:the |a |an |his |her |their )?(?P<side>razed |intact |)province", "conquer", _provincial_lost),
)  # fmt: skip


def written_short(text: str, at: At) -> list[Move] | None:
    """`reveal fire qin`, `treachery against chu, daring`, `annex! qin takes a razed province from wu`, `qin gets a city
    from wu for a mine`."""
    text = text.rstrip(" .!")
    for saying in SAYINGS:
        if (said := saying.looks.match(text)) and saying.fits(at, said):
            return read(said.expand(saying.plainly), at)
    if at.state.phase in ("taxes", "build") and (said := re.match(r"^(.+) for (\w+) bu$", text, re.IGNORECASE)):
        return _for_bu(said[1], said[2], at)
    if at.state.phase == "event":
        return _the_event(text, at) if at.state.event is None else _hit(text, at)
    return _destiny(text, at)


def _for_bu(text: str, price: str, at: At) -> list[Move]:
    """The sale or purchase stated, at this price in Bu. Raises NotationError for another sum."""
    moves, here = read(text, at), at.copy()
    if all(here.play(move).legal for move in moves):
        bu = sum(abs(p.bu - at.state.players[seat].bu) for seat, p in here.state.players.items())
        if bu != number(price.lower()):
            raise NotationError("unreadable", f"that makes {bu} Bu, not {price}")
    return moves


def _destiny(text: str, at: At) -> list[Move] | None:
    """A Destiny card of a player whose name is shortened (`c clash 14S`), or of an ally, who shows none (WS-TACT-2)."""
    first, _, rest = text.partition(" ")
    c, verb = at.state.campaign, rest.partition(" ")[0].lower()
    seats = [seat for seat in at.seats if seat.lower().startswith(first.lower())]
    if c is None or c.round not in ("tactics", "clash") or len(seats) != 1 or verb not in SHOWING:
        return None
    if seats[0] not in c.belligerents:
        move = read(rest, at)[0]
        return [RevealDestiny(cards={seats[0]: move.attacker_card or ""})] if isinstance(move, RevealDestiny) else None
    naming = NAMING.union(seat.lower() for seat in at.seats)
    shown = {word.text for word in tokens(rest)}
    if "and" in shown and naming.isdisjoint(shown):
        raise NotationError("unreadable", f"{seats[0]} shows one Destiny card")
    if len(tokens(rest)) > 2 and naming.isdisjoint(word.text for word in tokens(rest)):
        return read(rest, at)  # both cards, the attacker's first, whoever says it
    return read(f"{seats[0]} {rest}", at) if seats[0].lower() != first.lower() else None


DESTINY = ("clash", "destiny", "show", "play", "reveal")
SHOWING = frozenset(form for word in DESTINY for form in (word, f"{word}s"))
"""Verbs that are said of Destiny cards alone in a battle."""

NAMING = frozenset(("against", "vs", "versus", "attacker", "defender"))
"""Words that say whose card follows."""

# --- Events ------------------------------------------------------------------------------------------------------


TURNED = BEING | {"revealed", "drawn", "shown", "flipped", "turned", "again"}
"""Words by which an Event is reported after its name: `plague is revealed`."""


def _the_event(text: str, at: At) -> list[Move] | None:
    """An Event that comes up, and what is said of it."""
    words = tokens(text)
    others = words[1:] if words and words[0].text == at.state.active.lower() else words
    verbs = {form for word in RevealEvent.words for form in (word, f"{word}s")}
    after = [*dropwhile(lambda word: word.text in verbs | {"it", "is", "up", "over"} | COURTESIES, others)]
    ways = sorted(Phrasebook(at.rules.spoken("event")).matches(after, 0), key=lambda way: (way.cost, -way.length))
    named = [way for way in ways if (way.cost, way.length) == (ways[0].cost, ways[0].length)]
    if len(named) != 1 or (named[0].cost >= BEGINNING and len(after) == len(words)):
        return None
    rest = [*dropwhile(lambda word: word.text in COMING | TURNED, after[named[0].length :])]
    here = at.copy()
    moves: list[Move] = [RevealEvent(named[0].value)]
    if not rest or not here.play(moves[0]).legal:  # if it is not legal, the verdict says it all
        return moves
    if pending_choice(here) is None:
        hit = [word.text for word in rest] == ["for", at.state.active.lower()]
        if hit and any(effect.verb == "active_player" for effect in cards(at).events[named[0].value].effect):
            return moves
        raise NotationError("unreadable", f"{rest[0].typed!r} answers nothing: the Event leaves no further choice")
    return [*moves, *_answers(rest, here)]


def _answers(words: list[Token], at: At) -> list[Move]:
    """The answers to an Event's choices: as sentences, or as bare names one after the other. Raises NotationError."""
    try:
        return read(" ".join(word.typed for word in words), at)
    except NotationError as error:
        failed = error
    here, moves = at.copy(), list[Move]()
    while words and (choice := pending_choice(here)) is not None:
        for n in range(len(words), 0, -1):
            try:
                said = read(" ".join([choice.words[0], *(word.typed for word in words[:n])]), here)
            except NotationError as error:
                failed = error
                continue
            if len(said) == 1:
                moves += said
                words = words[n:] if here.play(said[0]).legal else []  # if it is not legal, the verdict says it all
                break
        else:
            break
    if words:
        raise failed
    return moves


ON = r"(?:(?:on|against|to|for|hits|it hits|targets) )?"
BY = r"(?:takes?|steals?|gets?|annex(?:es)?)"


def _hit(text: str, at: At) -> list[Move] | None:
    """Whom the Event hits and what it does, told as people tell it: `on wu`, `qin takes daring from wu`, `wu loses
    daring and an army`."""
    s = at.state
    seats = {seat.lower(): seat for seat in at.seats}
    seat = "|".join(map(re.escape, seats))
    if said := re.match(rf"^{ON}({seat})(?: is (?:the target|hit|chosen|meant))?$", text, re.IGNORECASE):
        return [ChooseTarget(seats[said[1].lower()])] if awaits_target(at) else None
    taken = re.match(rf"^(?:({seat}) )?{BY} (.+) (?:from|off?) ({seat})$", text, re.IGNORECASE)
    taken = taken or re.match(rf"^(?:({seat}) )?{BY} ()({seat})'s? (.+)$", text, re.IGNORECASE)
    if taken:
        what, victim = taken[2] or taken[4], seats[taken[3].lower()]
        thief = seats[(taken[1] or s.active).lower()]
        return _on(victim, _stolen(what), at) if thief == s.active != victim else None
    if lost := re.match(rf"^({seat}) (?:loses|lose|gives up) (.+)$", text, re.IGNORECASE):
        return _lost(seats[lost[1].lower()], lost[2], at)
    return None


def _on(victim: str, then: str, at: At) -> list[Move] | None:
    """The Event hits `victim`, and then something is chosen; None: it hits somebody else, or nobody."""
    here, moves = at.copy(), list[Move]()
    if awaits_target(at):
        moves.append(ChooseTarget(victim))
        if not here.play(moves[0]).legal:
            return moves
    elif at.state.event_target != victim:
        return None
    if _is_one_army(then):
        return moves if moves and _taken(at, "steal", "army") else None
    return [*moves, *read(then, here)] if pending_choice(here) else None


def _stolen(what: str) -> str:
    return what if _is_one_army(what) else f"take {what}"


def _is_one_army(what: str) -> bool:
    return what.lower() in ("army", "an army", "1 army", "one army")


def _lost(loser: str, what: str, at: At) -> list[Move] | None:
    """A player's losses to the Event: Generals and provinces are chosen, armies go by themselves."""
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", what)
    chosen = [part for part in parts if not _is_one_army(part)]
    here, moves = at.copy(), list[Move]()
    if awaits_target(at):
        moves.append(ChooseTarget(loser))
        if len(parts) - len(chosen) > _taken(at, "lose_army", "army") + _taken(at, "steal", "army"):
            return None
        if not here.play(moves[0]).legal:
            return moves
    elif len(chosen) < len(parts):
        return None
    for part in chosen:
        choice = pending_choice(here)
        if choice is None:
            return None
        generals = {word.text for word in tokens(part)} & {general.lower() for general in cards(at).generals}
        if "steal" in type(choice).words:
            if here.state.event_target != loser:
                return None
            found = read(f"take {part}", here)
        elif generals:
            found = read(f"{loser} loses {part}", here) if part != what or moves else []
        else:
            return None
        if not found:
            return None
        moves += found
        here.play(found[0])
    return moves


def _taken(at: At, verb: str, what: str) -> int:
    """The number of armies that this turn's Event takes from its target."""
    return sum(_numbers(cards(at).events[at.state.event or ""].effect, verb, what))


def _numbers(effects: Iterable[Effect], verb: str, what: str) -> Iterator[int]:
    for effect in effects:
        if effect.verb == verb and effect.args.get("what", what) == what:
            yield effect.args["n"] if isinstance(effect.args["n"], int) else 0
        yield from _numbers(effect.body, verb, what)
