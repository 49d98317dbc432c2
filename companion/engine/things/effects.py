"""Effects of pieces: one interpreter for what cards do at once, at a moment, or as long as they lie there.

A game registers an operation for each verb of its `effects.yaml` (`Rules.ops`). Four verbs are the engine's own:
`modify` changes a figure (`figures.py`), `when` waits for a moment, `forbid` and `permit` change what may be done.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.engine.things.figures import Source, in_force, use
from components.model import Effect, ResolvedPiece

if TYPE_CHECKING:
    from companion.engine.play.moves import Breach
    from companion.engine.play.position import Position

Op = Callable[[Any, str, dict[str, Any], Source], None]
"""An operation: position, the player it is for, the arguments of the verb, where it comes from."""
Condition = Callable[[Any, str, Any, dict[str, Any]], bool]
"""A condition: position, the effect's owner, its argument, the circumstances."""
Candidates = tuple[tuple[ResolvedPiece, Effect, str], ...]
BUILT_IN = ("modify", "when", "forbid", "permit")


class EffectIndex:
    """The lasting effects of a game's pieces, by the names they touch; made once for the modules in play."""

    def __init__(self, pieces: Iterable[ResolvedPiece]) -> None:
        by_verb: dict[str, dict[str, list[tuple[ResolvedPiece, Effect, str]]]] = {
            verb: defaultdict(list) for verb in BUILT_IN
        }
        for piece in pieces:
            for number, effect in enumerate(piece.effect):
                if effect.verb in BUILT_IN:
                    name = effect.args[{"modify": "param", "when": "when"}.get(effect.verb, "what")]
                    by_verb[effect.verb][name].append((piece, effect, f"{piece.id}#{number}" if number else piece.id))
        self.modifiers, self.triggers, self.forbids, self.permits = (
            {name: tuple(found) for name, found in by_verb[verb].items()} for verb in BUILT_IN
        )


def run(at: Position[Any], effects: Iterable[Effect], who: str, source: Source) -> None:
    """Carry out effects for `who`, in order; lasting ones do nothing by themselves."""
    for effect in effects:
        if effect.verb not in BUILT_IN:
            at.rules.ops[effect.verb](at, who, effect.args, replace(source, body=effect.body))


def trigger(at: Position[Any], moment: str, who: str, where: dict[str, Any]) -> None:
    """Run what waits for a moment: for the owner of the piece, or for `who` where nobody owns it. `moment` may name a
    place (`resolve:quarry`), which `resolve:*` waits for, too."""
    index = at.rules.effects(at.state).triggers
    general = f"{moment.partition(':')[0]}:*"
    candidates = (*index.get(moment, ()), *(index.get(general, ()) if general != moment else ()))
    for effect, source in in_force(at, candidates, who, where) if candidates else ():
        use(at, source)
        run(at, effect.body, source.owner or who, source)


def forbids(at: Position[Any], name: str, who: str, where: dict[str, Any]) -> Iterator[Breach]:
    """A breach for each piece that forbids `name` to `who`, by the rule of the piece."""
    for effect, source in in_force(at, at.rules.effects(at.state).forbids.get(name, ()), who, where):
        if _matches(effect, where):
            yield at.worded(f"{source.piece.rule}.{name}", FORBIDDEN, card=source.name, player=who, **where)


def permits(at: Position[Any], name: str, who: str, where: dict[str, Any]) -> Source | None:
    """The piece that permits `name` to `who`, if there is one."""
    for effect, source in in_force(at, at.rules.effects(at.state).permits.get(name, ()), who, where):
        if _matches(effect, where):
            return source
    return None


def _matches(effect: Effect, where: dict[str, Any]) -> bool:
    """True if a ban or permission that names circumstances (`to: section`) matches these."""
    return all(where.get(key) == wanted for key, wanted in (effect.args.get("where") or {}).items())


FORBIDDEN = "{card} forbids it"

__all__ = ["BUILT_IN", "Condition", "EffectIndex", "Op", "Source", "forbids", "permits", "run", "trigger"]
