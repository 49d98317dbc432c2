"""Choices made in secret and shown together: who has chosen, and whether what is shown is what was chosen.

A person may keep the choice to themselves (the companion only counts that it was made), or seal it: then a digest with
salt stands in the journal, and another choice cannot be shown later.
"""

from __future__ import annotations

import re

SEAL = re.compile(r"\b[0-9a-f]{16}:[0-9a-f]{64}\b")
Sealed = dict[str, str]
"""Seat -> seal; "" for a choice that was made and not told."""


def seal(choice: str = "", salt: str = "") -> str:
    """The seal of a choice: `salt:digest`, "" for a choice that is not told. A salt is made unless one is given."""
    if not choice:
        return ""
    if not salt:
        from secrets import token_hex  # no other command needs it

        salt = token_hex(8)
    return f"{salt}:{_digest(salt, choice)}"


def is_sealed(made: str) -> bool:
    """Whether a text is a seal, so that sealing it again leaves it as it is."""
    return SEAL.fullmatch(made) is not None


def opens(made: str, choice: str) -> bool:
    """Whether `choice` is what was sealed; a choice that was not told may be anything."""
    if not made:
        return True
    salt, _, digest = made.partition(":")
    return _digest(salt, choice) == digest


def without_seals(text: str) -> str:
    """A text for people to read: `sealed` stands for each seal in it."""
    return SEAL.sub("sealed", text)


def missing(made: Sealed, seats: list[str]) -> list[str]:
    """The seats that have not chosen yet."""
    return [seat for seat in seats if seat not in made]


def _digest(salt: str, choice: str) -> str:
    from hashlib import sha256

    return sha256(f"{salt}:{choice}".encode()).hexdigest()


__all__ = ["Sealed", "is_sealed", "missing", "opens", "seal", "without_seals"]
