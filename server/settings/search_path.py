"""search_path as a list of names: identifiers apart by commas, folded unless quoted."""

from __future__ import annotations

import functools
import re

_NAME = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^\s,"]+))\s*(,|$)')


@functools.lru_cache(maxsize=256)
def split_identifiers(text: str) -> tuple[str, ...] | None:
    """Splits a list of names; returns None when the text is no such list."""
    names = []
    position = 0
    while position < len(text):
        match = _NAME.match(text, position)
        if match is None:
            return None
        names.append(match[1].replace('""', '"') if match[1] is not None else match[2].lower())
        position = match.end()
    return tuple(names)
