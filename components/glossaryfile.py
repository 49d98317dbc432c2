"""The glossary of a game: the words of its players (`components/<game>/glossary.yaml`)."""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

import msgspec


class GlossaryFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """`glossary.yaml`: what players say, and the words in which the rules say it. `ask` finds rules by both."""

    words: dict[str, list[str]] = {}
    """A word or a few, as a player says them -> words of the rules that mean it: `money: [Bu]`, `go first: [active
    player]`. Endings do not matter (`coin` is also `coins`). The first word may be one that rules use, too."""
    questions: dict[str, list[str]] = {}
    """Rule, ruling or piece (`set/piece`) -> questions or phrases, as players put them, that it answers: `WS-TRADE-4:
    [can we trade Bu, trading armies]`. A question that says much the same finds it. Jinja2, for a number that is a
    parameter. They are never printed."""
    verbs: dict[str, list[str]] = {}
    """Move, or step of a turn -> further verbs by which it may be typed, of a word or a few: `buy_army: [hire,
    recruit]`. The first verb, with which it is written, stands in its class."""
    examples: dict[str, str] = {}
    """Move -> one line as typed, for the help: `buy_army: qin army 2`. Of others, it is the first verb."""
    moves: dict[str, list[str]] = {}
    """Move, or step of a turn -> words by which players say it, beside its verbs: `cleanup: [round is over, discs back
    in the bag]`. Only the words count, in any order and with any endings. A line that cannot be read whole is guessed
    by them."""
    phrases: dict[str, list[str]] = {}
    """Move, or step of a turn -> whole phrases by which players say just that, and nothing more,
    beside its verbs: `pass: [call it a day]`. All the words of a phrase have to stand in the line, in this order, with
    any endings. A line may be recorded by them: none may say what could be false, such as who wins."""


__all__ = ["GlossaryFile"]
