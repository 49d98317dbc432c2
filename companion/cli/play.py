"""`companion play`: a table as a conversation. One line for each move; the companion asks for what a line leaves
out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated

import typer

from companion.cli import common
from companion.cli.conversation import Conversation
from companion.cli.past_lines import history_of
from companion.cli.shelving import when
from companion.cli.signals import Terminal
from companion.engine.table.table import Table

MOST = 2 * 2**20
"""Characters that a line of the input may have."""
Named = Annotated[str, typer.Argument(metavar="TABLE", help="The table; the same as --table.", show_default=False)]


def play(name: Named = "", table: common.TableName = "") -> None:
    """Play at a table in a conversation: type the moves, complete them with Tab, type `?` for help.

    Example: companion play --table friday
    """
    if name and name not in common.shelf().names() and name in common.known_games():
        raise common.Failure(f"there is no table {name!r}; begin one with `companion new {name} SEAT=NAME …`")
    with common.open_table(table or name, to_play=True) as at:
        if not (table or name) and len(others := common.shelf().names()) > 1:
            played = when(at.entries[-1].when if at.entries else at.began.created)
            common.remark(f"  used last, in this terminal or another; last played {played}")
            names = ", ".join(others if len(others) <= 8 else [*others[:8], "…"])
            common.remark(f"  to play at another: companion play NAME ({names})")
        if sys.stdin.isatty() and sys.stdout.isatty():
            _with_prompt(at)
        else:
            Conversation(at, _plain).run()


def _plain(prompt: str) -> str:
    """The next line of standard input, where that is not a terminal. Ends the program at a line that has no end."""
    line = sys.stdin.readline(MOST)
    if len(line) == MOST:
        common.remark(f"a line of the input has more than {MOST // 2**20} MiB; nothing after it is read")
        raise SystemExit(common.UNABLE)
    if not line:
        raise EOFError
    return line


def _with_prompt(table: Table) -> None:
    """The conversation on a terminal, with completion and history."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import DummyHistory

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:
            line = document.text_before_cursor
            typed = line.rpartition(" ")[2]
            with suppress(Exception):  # nothing is completed where completing fails: the line itself will tell
                for word in talk.completions(line):
                    yield Completion(f"{word} ", start_position=-len(typed), display=word)

    past = history_of(table, common.shelf().home / "history")
    lines: PromptSession[str] = PromptSession(history=past, completer=Words(), complete_while_typing=False)
    # what is answered to a question may be a secret, and nobody asks for it again
    answers: PromptSession[str] = PromptSession(history=DummyHistory(), completer=Words(), complete_while_typing=False)
    terminal = Terminal()

    def asked(question: str) -> str:
        with terminal.prompting():
            return (lines if question.endswith("> ") else answers).prompt(question)

    talk = Conversation(table, asked)
    common.say(
        f"{table.about.title}, table {table.about.table}: {', '.join(map(table.named.seat, table.about.people))}"
    )
    common.say("Type ? for help, quit to leave.")
    talk.tell_next()
    with terminal:
        while True:
            try:
                talk.run()
                return
            except KeyboardInterrupt:
                continue


__all__ = ["play"]
