"""Small helpers for English: numbers, nouns and lists in messages and templates, and "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip

_NO_VERBS = frozenset(("a", "all", "an", "at", "each", "every", "for", "if", "in", "on", "one", "the", "when", "your"))


def plural(number: Any, singular: str, plural: str = "") -> str:
    """The word alone in the form that goes with `number`: `army` for 1, `armies` for anything else (0 and `all` too).

    `plural` is needed where the form is irregular, and for verbs (`is`, `are`).
    """
    return singular if number in (1, -1) else plural or _regular_plural(singular)


def _regular_plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in ("", *"aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def count(number: Any, singular: str, plural_form: str = "") -> str:
    """`1 army`, `0 armies`, `all armies`, `1,200 armies`."""
    shown = f"{number:,}" if isinstance(number, int) else number
    return f"{shown} {plural(number, singular, plural_form)}"


def nearest(name: object, names: Iterable[object], n: int = 1, cutoff: float = 0.6) -> list[str]:
    """The `n` names most like `name`, nearest first, case apart. `cutoff`: how alike they must be (0 to 1)."""
    import difflib  # only needed when something is wrong

    by_lower = {str(known).lower(): str(known) for known in names}
    return [by_lower[close] for close in difflib.get_close_matches(str(name).lower(), by_lower, n, cutoff)]


def did_you_mean(name: object, names: Iterable[object], *, listing: str = "") -> str:
    """A hint with the nearest name; if none is near and `listing` is given, the names themselves (at most 12)."""
    all_names = [str(known) for known in names]
    if near := nearest(name, all_names):
        return f"did you mean '{near[0]}'?"
    if listing and all_names:
        more = ", …" if len(all_names) > 12 else ""
        return f"{listing}: {', '.join(all_names[:12])}{more}"
    return ""


def suggest(name: object, names: Iterable[object], listing: str = "there are") -> str:
    """The hint of `did_you_mean` to put at the end of a message, after a semicolon; empty if there is none."""
    hint = did_you_mean(name, names, listing=listing)
    return f"; {hint}" if hint else ""


def span(low: int, high: int) -> str:
    """`2 to 7`, or the number alone where both are the same."""
    return str(low) if low == high else f"{low} to {high}"


def number_word(number: Any) -> str:
    """`three` for 3; whole numbers above twenty, and anything else, stay as they are."""
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(_WORDS):
        return _WORDS[number]
    return str(number)


def number_said(word: str) -> int | None:
    """3 for `three`: the number that a word up to twenty means, None for any other."""
    return _WORDS.index(word.lower()) if word.lower() in _WORDS else None


def signed(number: Any) -> str:
    """`+2`, `−2` (a true minus sign), `0`."""
    return f"+{number}" if number > 0 else f"\N{MINUS SIGN}{-number}" if number < 0 else "0"


def join_and(items: Iterable[Any], word: str = "and") -> str:
    """`a, b and c`; `word` may be another conjunction."""
    words = [str(item) for item in items]
    return f"{', '.join(words[:-1])} {word} {words[-1]}" if len(words) > 1 else "".join(words)


def amounts(items: Mapping[Any, Any], none: str = "nothing", plurals: Mapping[str, str] = {}) -> str:
    """`2 coins and 3 wood` for `{coin: 2, wood: 3}` if `plurals` holds `coin`; what there is 0 of is left out, and
    `none` said if all is."""
    said = (f"{number} {plural(number, name, plurals.get(name, name))}" for name, number in items.items() if number)
    return join_and(said) or none


def join_clauses(clauses: Iterable[str]) -> str:
    """Clauses about one subject as a list; a verb that neighbours share is said once: `loses 1 General and 1 army`.

    A clause's first word counts as its verb unless it is an article or the like.
    """
    joined: list[str] = []
    said = ""
    for clause in clauses:
        verb, _, rest = clause.partition(" ")
        joined.append(rest if rest and verb == said and verb.lower() not in _NO_VERBS else clause)
        said = verb
    return join_and(joined)
