"""What goes wrong with one line of a conversation costs that line, never the conversation."""

from __future__ import annotations

from companion.cli.common import Failure, remark
from companion.engine.errors import CompanionError
from companion.engine.language.people import People
from components.program import Told, report
from components.safe_text import composed


def text_of(line: str) -> str:
    """A line as it was typed, composed. Raises Failure for one whose bytes are no text."""
    if any("\udc80" <= sign <= "\udcff" for sign in line):
        raise Failure("this line is not UTF-8 text; type it again, or save the file as UTF-8")
    return composed(line)


def tell(error: Exception, line: str, *, recorded: bool, people: People | None = None) -> None:
    """Say what was wrong with a line: a mistake of the user's, in the names of the people who sit there, or a fault of
    ours and how to report it. Raises the error again where nothing can be said any more, because the output is gone."""
    from companion.cli.main import explained

    told: Told | None = explained(error)
    if isinstance(error, CompanionError) and told is not None and people is not None:
        more = dict(error.more())
        more["nearest"] = [people.as_typed(line) for line in more.get("nearest") or ()]
        told = Told(people.text(str(error)), told.status, told.kind, more)
    if told is None and isinstance(error, OSError):
        raise error
    if told is not None:
        remark(told.text)
        return
    saved = report("companion", f"companion play: {line}", error)
    remark(f"The details are in {saved}; please report them.")
    remark("The line is recorded." if recorded else "Nothing is recorded for this line; the table is as it was.")


__all__ = ["tell", "text_of"]
