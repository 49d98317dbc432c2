"""Table talk: `who is winning?`, `what can I do?`, `why?`. Each stands for one of the commands.

Lines are matched as a whole, so a game whose verb begins alike keeps it; a question that fits none of these is looked
up in the rules, once it is clear that it is no move either.
"""

from __future__ import annotations

import re

SAID: tuple[tuple[str, str], ...] = (
    ("score", r"(who('s| is| was)? (is )?(winning|ahead|leading|the winner|wins|won)|standings?|ranking|points)"),
    ("next", r"(and )?(next|now|what('?s| is)?( to do| up)? (next|now)|now what|who('s| is) next)"),
    ("next", r"(who'?s|whose) turn( is it)?|who('s| is) on turn|(who('?s| is) )?to move"),
    (
        "moves",
        r"(what|which) (can|could|may) (i|we|you) do( now| here)?|(what are )?(my|our|the) (options|choices|moves)",
    ),
    ("moves", r"options|(what('?s| is) )?(legal|possible|allowed)( now| here)?|legal moves"),
    ("show", r"status|state|position|board|table|overview|where are we|what('?s| is) on the (board|table)"),
    ("show", r"how (many|much) .*\b(have|has|got|left)\b.*"),
    ("why", r"(but )?why( not| is that| so)?|how come|says who"),
    ("go on", r"(start|begin|go on|continue|next (round|phase|turn|step)|(and )?so on)"),
    ("quit", r"quit|exit|bye|goodbye|stop|leave|that'?s all|good night"),
)
"""Command -> how people say it."""
_SAID = [(command, re.compile(rf"(?:{pattern})[.!? ]*", re.IGNORECASE)) for command, pattern in SAID]

QUESTION = re.compile(
    r"((cost|price|effect|limit|number) of|how|what|what's|when|where|which|who|whose|why|does|do|did|is|are|must"
    r"|should|can|could|may|might|will)\b.+",
    re.IGNORECASE,
)
"""A question; one that begins like a move is only looked up where it cannot be read as one."""
MAY = re.compile(r"(?:can|may|could|am|is|are) (\S+) (?:allowed to )?(.+?)\??", re.IGNORECASE)
"""`can I build a church?`: a move asked about."""
ARTICLES = re.compile(r"\b(a|an|the|my)\s+", re.IGNORECASE)


def command_of(line: str) -> str:
    """The command that a line stands for; "" for any other line."""
    return next((command for command, said in _SAID if said.fullmatch(line)), "")


__all__ = ["ARTICLES", "MAY", "QUESTION", "command_of"]
