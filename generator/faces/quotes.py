"""Quotes and apostrophes as they are printed."""

from __future__ import annotations

import re
from collections.abc import Callable

_OPENS = re.compile(r"""(^|[\s(\[—–/“‘*])(["'])(?=\S)""")


def typographic(text: str) -> str:
    """Text with the quotes and apostrophes of print: those of a typewriter at the beginning of a word open a
    quotation."""
    if "'" not in text and '"' not in text:
        return text
    text = _OPENS.sub(lambda found: found[1] + ("“" if found[2] == '"' else "‘"), text)
    return text.replace('"', "”").replace("'", "’")


MARKS = "“”‘’"


def printable(text: str, lacks: Callable[[str], str]) -> str:
    """`text` with the quotes of print, if the font has them; `lacks` says which of some characters it has not."""
    if "'" not in text and '"' not in text:
        return text
    return text if lacks(MARKS) else typographic(text)
