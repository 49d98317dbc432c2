"""Choices made in secret and shown together: who has chosen, and whether what is shown is what was chosen.

A person may keep the choice to themselves (the companion only counts that it was made), or seal it: then a digest of
the choice and a key stands in the journal, and another choice cannot be shown later. The key stays out of state and
journal until the choice is shown: with a few cards to choose from, whoever has it can try them all. This process knows
the keys of the seals it made and of those that a table gave it; a seal whose key is not here may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SEAL = re.compile(r"\b(?:sealed|[0-9a-f]{16}):[0-9a-f]{64}\b")
"""A seal; those of earlier versions have their key in front."""
LOCKED = "sealed:"
Sealed = dict[str, str]
"""Seat -> seal; "" for a choice that was made and not told."""

_keys: dict[str, str] = {}
"""Seal -> what opens it. A seal is a digest of its key, so there is one at most."""


def seal(choice: str = "", key: str = "") -> str:
    """The seal of a choice; "" for a choice that is not told. A key is made unless one is given."""
    if not choice:
        return ""
    if not key:
        from secrets import token_hex  # no other command needs it

        key = token_hex(16)
    made = f"{LOCKED}{_digest(key, choice)}"
    _keys[made] = key
    return made


def is_sealed(made: str) -> bool:
    """True if a text is a seal; sealing it again leaves it as it is."""
    return SEAL.fullmatch(made) is not None


def opens(made: str, choice: str) -> bool:
    """True if `choice` is the sealed one; a choice that was not told, or whose key is not here, may be anything."""
    before, _, digest = made.partition(":")
    key = _keys.get(made) if made.startswith(LOCKED) else before
    return not key or _digest(key, choice) == digest


def keys_of(seals: Iterable[str]) -> dict[str, str]:
    """Seal -> key, of those seals whose keys are here."""
    return {made: _keys[made] for made in seals if made in _keys}


def learn(keys: Mapping[str, str]) -> None:
    """Know the keys of seals that were made elsewhere. What this process knows already it knows better."""
    for made, key in keys.items():
        _keys.setdefault(made, key)


def forget(seals: Iterable[str]) -> None:
    """Know the keys of these seals no longer."""
    for made in seals:
        _keys.pop(made, None)


def locked(form: Any) -> Iterator[tuple[str, str]]:
    """Every seal in plain data whose key is kept elsewhere, with the name it stands under: `("pine", "sealed:…")`."""
    pairs = form.items() if isinstance(form, dict) else (("", one) for one in form) if isinstance(form, list) else ()
    for name, inner in pairs:
        if isinstance(inner, str) and inner.startswith(LOCKED) and is_sealed(inner):
            yield str(name), inner
        else:
            yield from locked(inner)


def without_seals(text: str) -> str:
    """A text for people to read: `sealed` stands for each seal in it."""
    return SEAL.sub("sealed", text)


def missing(made: Sealed, seats: list[str]) -> list[str]:
    """The seats that have not chosen yet."""
    return [seat for seat in seats if seat not in made]


def _digest(key: str, choice: str) -> str:
    from hashlib import sha256

    return sha256(f"{key}:{choice}".encode()).hexdigest()


__all__ = ["Sealed", "forget", "is_sealed", "keys_of", "learn", "locked", "missing", "opens", "seal", "without_seals"]
