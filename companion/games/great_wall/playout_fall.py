"""Moves for random playouts while command cards are chosen, placed and resolved."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from companion.engine.play.moves import Move, arguments_of

from . import activation, attacking, beasts, clerks, command, decks, icons, locations, tactics
from .catalogue import At
from .passing import Pass
from .town import Donate
from .uses import ClerkUse, uses_in
from .year import to_act

Proposer = Callable[[At, Random], Move | None]
TRIES = 3
"""How many values of a field are tried."""


def reveal_commands(at: At, rng: Random) -> Move:
    return command.RevealCommands(cards={clan: rng.choice(p.hand) for clan, p in at.state.player.items()})


def place_command(at: At, rng: Random) -> Move:
    free = [spot for spot in command.spots(at) if spot not in at.state.command_track]
    return command.PlaceCommand(by=to_act(at)[0], spot=rng.choice(free))


def cards(at: At, rng: Random) -> Move | None:
    s = at.state
    if s.resolving:
        return _use(at, rng, s.order[0])
    if s.active is None:
        return command.BeginCard(spot=icons.next_spot(at) or 0)
    if icons.all_done(at):
        return command.EndCard()
    early = s.beasts and not icons.begun(at) and not s.beast_actions and rng.random() < 0.4
    if action := at_random(beasts.BeastAction(by=s.active), at, rng) if early else None:
        return action
    if tactic := _tactic(at, rng, s.active):
        return tactic
    now = icons.icon(at)
    if now is not None and now.verb == icons.CLERKS:
        return _clerks(at, rng, s.order[0])
    kind = activation.Activate if now is not None and now.verb == icons.ACTIVATE else attacking.Attack
    return at_random(kind(by=s.active), at, rng) or Pass(by=s.active)


def at_random(move: Move, at: At, rng: Random) -> Move | None:
    """A move with what its options leave open chosen at random; None where nothing that was tried is allowed."""
    for field, _, default in arguments_of(type(move)):
        values = move.options(at, field) if getattr(move, field) == default else None
        if values is not None:
            some = list(values)
            tried = (replace(move, **{field: value}) for value in rng.sample(some, min(TRIES, len(some))))
            found = next((one for one in tried if not at.reasons(one)), None)
            if found is None:
                return None
            move = found
    return move


def _clerks(at: At, rng: Random, clan: str) -> Move:
    n = min(int(clerks.most(at, clan) or 0), at.state.player[clan].clerks.supply)
    free = [place for place in at.state.locations for _ in range(locations.free_slots(at, place))]
    return clerks.PlaceClerks(by=clan, to=tuple(rng.sample(free, min(n, len(free)))))


def _tactic(at: At, rng: Random, clan: str) -> Move | None:
    """Now and then a tactic, whatever it leaves to choose."""
    if not at.state.player[clan].tactics or rng.random() > 0.1:
        return None
    able = decks.hidden(at, "tactic")
    return tactics.PlayTactic(by=clan, card=rng.choice(able)) if able else None


def _use(at: At, rng: Random, clan: str) -> Move | None:
    """What a player does in the location that resolves; passing where nothing comes to mind."""
    if tactic := _tactic(at, rng, clan):
        return tactic
    able = locations.left(at, clan) and rng.random() < 0.95
    kinds = uses_in(at, at.state.resolving or "") if able else []
    found = (_used(kind, at, rng, clan) for kind in rng.sample(kinds, len(kinds)))
    return next((move for move in found if move is not None), Pass(by=clan))


def _used(kind: type[ClerkUse], at: At, rng: Random, clan: str) -> Move | None:
    if kind is not Donate:
        return at_random(kind(by=clan), at, rng)
    some = list(Donate.candidates(at))
    return rng.choice(some) if some else None
