"""`companion play`: a table as a conversation. One line for each move; the companion asks for what a line leaves
out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from companion.cli import common
from companion.cli.conversation import Conversation
from companion.engine.language.completion import completions
from companion.engine.table.table import Table

Named = Annotated[str, typer.Argument(metavar="TABLE", help="The table; the same as --table.", show_default=False)]


def play(name: Named = "", table: common.TableName = "") -> None:
    """Play at a table in a conversation: type the moves, complete them with Tab, type `?` for help.

    Example: companion play --table friday
    """
    if name and name not in common.shelf().names() and name in common.known_games():
        raise common.Failure(f"there is no table {name!r}; begin one with `companion new {name} SEAT=NAME …`")
    with common.open_table(table or name) as at:
        if sys.stdin.isatty() and sys.stdout.isatty():
            _with_prompt(at)
        else:
            Conversation(at, _plain).run()


def _plain(prompt: str) -> str:
    """The next line of standard input, where that is not a terminal."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _with_prompt(table: Table) -> None:
    """The conversation on a terminal, with completion, history and a status line."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:
            line = document.text_before_cursor
            typed = line.rpartition(" ")[2]
            for word in completions(line, table.position, people=table.people):
                yield Completion(word, start_position=-len(typed))

    prompts: PromptSession[str] = PromptSession(completer=Words(), complete_while_typing=False)
    talk = Conversation(table, lambda question: prompts.prompt(question))
    common.say(f"{table.about.title}, table {table.about.table}. Type ? for help, quit to leave.")
    while True:
        try:
            talk.run()
            return
        except KeyboardInterrupt:
            continue


__all__ = ["play"]
