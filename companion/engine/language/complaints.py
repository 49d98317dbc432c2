"""What to say about a line that cannot be read: the word at which its reading stopped, and what may stand there."""

from __future__ import annotations

from companion.engine.language.arguments import Arguments, Books
from companion.engine.language.saying import usage, verbs
from companion.engine.language.turns import step_alone
from companion.engine.language.words import FILLERS, Token, singular
from companion.engine.play.domains import Tally
from components.phrasing import suggest


def misfit(arguments: Arguments, books: Books) -> str:
    """What to say about the token at which the reading of the arguments stopped."""
    kind = arguments.kind
    rest = arguments.line[arguments.furthest :]
    if not rest:
        return f"nothing follows {arguments.line[-1].typed!r}; usage: {usage(kind)}"
    if rest[0].text.isdigit() and len(rest) > 1 and any(isinstance(f.domain, Tally) for f in arguments.fields):
        rest = rest[1:]  # a number that counts nothing: the word after it is the one that is wrong
    token = rest[0]
    if arguments.unpaired is not None:
        before = arguments.line[arguments.furthest - 1].typed
        return f"{token.typed!r} cannot be read after {before!r}{suggest(token.text, arguments.unpaired.texts())}"
    close: list[str] = []
    for length in range(min(3, len(rest)), 0, -1):
        said = " ".join(t.text for t in rest[:length])
        for field in arguments.fields:
            if field.domain is not None:
                close += books[field].nearest(said)
    verb = verbs(kind)[0]
    if token.text in close:  # it could be read, had what it would say not been said already
        return f"{token.typed!r} is one word too many after {verb!r}; usage: {usage(kind)}"
    if close:
        hint = f"did you mean {close[0]!r}?"
    else:
        known = [field.domain.hint(arguments.books.at) for field in arguments.fields if field.domain is not None]
        example = f" (e.g. {kind.example})" if kind.example else ""
        hint = "; ".join([*dict.fromkeys(filter(None, known)), f"usage: {usage(kind)}{example}"])
    return f"{token.typed!r} cannot be read after {verb!r}; {hint}"


def no_verb(words: list[Token], books: Books) -> str:
    at = books.at
    known = {verb.lower() for kind in at.rules.moves.values() for verb in verbs(kind)}
    seats = [*at.seats, *books.people]
    meant = [token for token in words if token.text not in FILLERS] or words
    others = [token for token in meant if token.text not in {seat.lower() for seat in seats}]
    if not others:
        return f"{words[0].typed!r} alone is not a move; add what happened"
    if len(meant) > 1 and others[0] is meant[0] and not known.isdisjoint((meant[1].text, singular(meant[1].text))):
        return f"no player or seat is called {meant[0].typed!r}{suggest(meant[0].text, seats, 'seats')}"
    if said := next(filter(None, (step_alone(token, at) for token in others[:2])), ""):
        return said
    late = next((token for token in others[1:] if token.text in known), None)
    for token in others[: 1 if late else 2]:
        if hint := suggest(token.text, known - {token.text}, ""):
            return f"no move is called {token.typed!r}{hint}"
    if late:
        return f"{late.typed!r} stands too late; it comes first, or right after the player"
    return f"no move is called {others[0].typed!r}"


__all__ = ["misfit", "no_verb"]
