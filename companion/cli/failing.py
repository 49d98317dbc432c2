"""Failure of one line: it costs that line, never the conversation."""

from __future__ import annotations

from companion.cli.common import Failure, remark
from components.program import report
from components.safe_text import composed


def text_of(line: str) -> str:
    """A line as it was typed, composed. Raises Failure for bytes that are not UTF-8 text."""
    if any("\udc80" <= sign <= "\udcff" for sign in line):
        raise Failure("this line is not UTF-8 text; type it again, or save the file as UTF-8")
    return composed(line)


def tell(error: Exception, line: str, *, recorded: bool) -> None:
    """Say what was wrong with a line: a mistake of the user's, or a fault of ours and how to report it. Raises the
    error again where nothing can be said any more, because the output is gone."""
    from companion.cli.main import explained

    told = explained(error)
    if told is None and isinstance(error, OSError):
        raise error
    if told is not None:
        remark(told.text)
        return
    saved = report("companion", f"companion play: {line}", error)
    remark(f"The details are in {saved}; please report them.")
    remark("The line is recorded." if recorded else "Nothing is recorded for this line; the table is as it was.")


__all__ = ["tell", "text_of"]
