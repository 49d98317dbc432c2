"""What the rules of Xarkant promise in every position of random games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import laws
import pytest
import xarkant_by_hand as by_hand
from games import WAYS, Way

from companion.engine.play.moves import Move
from companion.engine.play.position import Position


def several(way: Way, seeds: Iterable[int]) -> Iterator[tuple[Position[Any], Move]]:
    """Every position of some random games, and the move played in it."""
    for seed in seeds:
        yield from laws.positions(way.rules, way.seats, seed)


@pytest.mark.parametrize("way", [way for way in WAYS if way.game == "xarkant" and not way.sets], ids=str)
def test_what_the_rules_promise_holds_in_every_position(way: Way) -> None:
    """Claims and villages stay, claimed areas keep their size, no area has two discs, the queue is in order."""
    claims: dict[str, int] = {}
    settled: set[str] = set()
    for at, _ in several(way, range(10, 15)):
        s = at.state
        if not s.players or s.phase == "setup":
            claims, settled = {}, set()
            continue
        form = at.rules.dump(s)
        villages = by_hand.villages_of(form["pieces"])
        assert settled <= villages
        settled = villages
        for area in by_hand.areas(form):
            discs = [q for q in area if q in s.pieces and s.pieces[q].kind in ("work", "claim")]
            assert len(discs) <= 1
            for quadrant in discs:
                if s.pieces[quadrant].kind == "claim":
                    assert claims.setdefault(quadrant, len(area)) == len(area)
        assert set(claims) <= {q for q, piece in s.pieces.items() if piece.kind == "claim"}
        for player in s.player.values():
            assert 0 <= player.popularity <= 5
            assert all(0 <= n <= 6 for n in player.stored().values())
        if s.phase == "act":
            order = s.players[s.players.index(s.drawer) + 1 :] + s.players[: s.players.index(s.drawer) + 1]
            assert s.queue == [player for player in order if player in s.queue]
            assert s.active == s.queue[0]


def test_the_end_is_the_one_foretold() -> None:
    """What the query says before cleanup is what cleanup does."""
    cleanups = 0
    for at, move in several(next(way for way in WAYS if way.game == "xarkant"), range(70, 80)):
        if at.state.players and at.state.phase == "cleanup":
            foretold = at.rules.queries()["end_check"](at).value
            after: Position[Any] = at.copy()
            assert after.play(move).legal
            assert foretold == {"ends": after.state.phase == "end", "reason": after.state.end_reason}
            cleanups += 1
    assert cleanups > 10
