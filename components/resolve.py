"""One game, one variant, every parameter known: `resolve_game`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from components import effects, templates
from components.loader import load
from components.model import (
    Piece,
    ResolvedGame,
    ResolvedPiece,
    ResolvedRule,
    ResolvedRuling,
)


def resolve_game(
    game_id: str,
    *,
    variants: Iterable[str] = (),
    sets: Mapping[str, Any] | None = None,
    root: Path | None = None,
    players: int | None = None,
) -> ResolvedGame:
    """The resolved game `game_id` of the project at `root` (None: the installed one)."""
    d = load(game_id, root)
    params = {name: p.value for name, p in d.game.parameters.items()}
    off: list[str] = []
    rules = {r.id: r for r in d.rules.rules}
    removed: set[str] = set()
    added: dict[str, dict[str, Piece]] = {}
    for name in variants:
        v = d.variants[name]
        params.update(v.parameters)
        off += v.rules_off
        rules.update({r.id: r for r in v.rules})
        removed.update(v.remove_pieces)
        for set_name, pieces in v.pieces.items():
            added.setdefault(set_name, {}).update({p.id: p for p in pieces})
    full: dict[str, Any] = {}
    for key, value in (sets or {}).items():
        names = [n for n in params if n == key or n.endswith("." + key)]
        if len(names) != 1:
            raise KeyError(key)
        full[names[0]] = params[names[0]] = value
    low, high = params[d.game.min_players], params[d.game.max_players]
    scope = {**templates.namespace(params), "params": params, "players": players or high}
    say = templates.render
    out: list[ResolvedPiece] = []
    for s in d.sets.values():
        if s.set in removed:
            continue
        pieces = {p.id: p for p in s.pieces} | added.get(s.set, {})
        for p in pieces.values():
            if f"{s.set}/{p.id}" in removed:
                continue
            copies = p.copies if p.copies is not None else s.copies
            tree = effects.parse(p.effect, d.vocabulary.verbs)
            out.append(
                ResolvedPiece(
                    id=p.id,
                    name=say(p.name, scope),
                    set=s.set,
                    set_title=s.title,
                    kind=s.kind,
                    format=s.format,
                    face=p.face or s.face,
                    back=p.back or s.back,
                    copies=copies if isinstance(copies, int) else int(templates.evaluate(copies, scope)),
                    rule=p.rule,
                    effect=tree,
                    text=effects.phrase(tree, d.vocabulary.verbs, scope),
                    icons=effects.icons(tree, d.vocabulary.verbs, scope),
                    flavour=say(p.flavour, scope),
                    fields={**s.fields, **p.fields},
                )
            )

    def matching(name: str) -> list[ResolvedPiece]:
        return [p for p in out if name in (p.set, p.id, f"{p.set}/{p.id}")]

    def effect(name: str) -> str:
        return matching(name)[0].text

    def copies_of(name: str) -> int:
        return sum(p.copies for p in matching(name))

    scope |= {"effect": effect, "copies": copies_of}
    for piece in out:
        piece.fields.update(templates.deep(piece.fields, scope))
    game = ResolvedGame(
        id=d.game.id,
        title=d.game.title,
        prefix=d.game.prefix,
        engine=d.game.engine,
        seats=d.game.seats,
        seat_word=d.game.seat_word,
        players=(low, high),
        about=say(d.game.about, scope),
        credits=d.game.credits,
        params=params,
        param_about={n: p.about for n, p in d.game.parameters.items()},
        param_rules={n: p.rules for n, p in d.game.parameters.items()},
        sections=d.game.sections,
        modules=d.game.modules,
        rules={
            r.id: ResolvedRule(
                **{f: getattr(r, f) for f in ("id", "title", "origin", "section", "source", "module", "kept_by")},
                text=say(r.text, scope),
                reason=say(r.reason, scope),
            )
            for r in rules.values()
        },
        off=off,
        verbs=d.vocabulary.verbs,
        pieces=out,
        rulings=[
            ResolvedRuling(
                id=r.id,
                question=say(r.question, scope),
                answer=say(r.answer, scope),
                rules=tuple(r.rules),
                position=r.position,
                moves=tuple(r.moves),
                legal=r.legal,
                expect=r.expect,
                set=r.set,
            )
            for r in d.rulings.rulings
        ],
        warnings=[say(w.say, scope) for w in d.game.warnings if templates.evaluate(w.when, scope)],
        variants=list(variants),
        sets=full,
        variant_names={v.id: v.title for v in d.variants.values()},
    )
    game.fingerprint = hashlib.sha256(msgspec.json.encode(game, order="deterministic")).hexdigest()[:16]
    return game
