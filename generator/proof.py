"""Look at one face: `python -m generator.proof GAME PIECE --out face.png`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from components.errors import DefinitionError
from components.model import ResolvedGame, ResolvedPiece
from generator.backends.png import write_png
from generator.backends.svg import face_svg
from generator.display import DisplayList, to_text
from generator.faces import FaceMaker


def find_piece(game: ResolvedGame, name: str) -> ResolvedPiece:
    """The piece `set/id`, or `id` where no two sets have it. Raises LookupError."""
    found = [piece for piece in game.pieces if name in (piece.id, f"{piece.set}/{piece.id}")]
    if not found:
        raise LookupError(f"no piece '{name}' in {game.id}")
    return found[0]


def main(argv: list[str] | None = None) -> int:
    """Write one face as PNG, SVG or text. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m generator.proof", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("piece", nargs="?", help="set/id, or id")
    parser.add_argument("--template", help="draw this template instead (with --size)")
    parser.add_argument("--size", default="63x88", help="mm, for --template without a piece")
    parser.add_argument("--out", type=Path, required=True, help=".png, .svg or .txt")
    parser.add_argument("--dpi", type=float, default=200)
    parser.add_argument("--ink", choices=("normal", "low"), default="normal")
    parser.add_argument("--back", action="store_true")
    parser.add_argument("--bleed", action="store_true", help="show the bleed too")
    args = parser.parse_args(argv)
    try:
        maker, face = _face(args)
    except (DefinitionError, LookupError) as problem:
        print(problem, file=sys.stderr)
        return 1
    svg = face_svg(face, fonts=maker.fonts, bleed=args.bleed)
    if args.out.suffix == ".txt":
        args.out.write_text(to_text(face))
    elif args.out.suffix == ".svg":
        args.out.write_text(svg)
    else:
        args.out.write_bytes(write_png(svg, args.dpi))
    return 0


def _face(args: argparse.Namespace) -> tuple[FaceMaker, DisplayList]:
    from components.resolve import resolve_game

    game = resolve_game(args.game)
    maker = FaceMaker(game, ink=args.ink)
    piece = find_piece(game, args.piece) if args.piece else None
    if args.template:
        names: dict[str, Any] = {"piece": piece} if piece else {}
        if piece:
            size = maker.formats[piece.format]
            return maker, maker.draw(args.template, size.w, size.h, size.bleed, names)
        w, _, h = args.size.partition("x")
        return maker, maker.draw(args.template, float(w), float(h), 3.0, names)
    if piece is None:
        raise LookupError("name a piece, or a template with --template")
    drawn = maker.back(piece) if args.back else maker.front(piece)
    if drawn is None:
        raise LookupError(f"{piece.set}/{piece.id} has no back")
    return maker, drawn


if __name__ == "__main__":
    sys.exit(main())
