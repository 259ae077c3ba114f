"""Cuts secrets out of texts that are shown: errors of libraries, statuses, log lines.

A process remembers the secrets that it has opened. Libraries write them as they are, or quoted in some way: a header's
value that has a line end in it comes back as b'Bearer s3cret\\n'.

>>> remember(["s3cret\\n"])
>>> redacted("Invalid header value b'Bearer s3cret\\\\n'")
"Invalid header value b'Bearer …\\\\n'"
"""

from __future__ import annotations

import base64
import json
import re
import threading
import urllib.parse
from collections.abc import Iterable, Iterator

_SHOWN = "…"
_SHORTEST = 4
"""Shorter values stand in too many texts by chance, and are no secrets to anybody."""
_NO_SECRET = "headwater"
"""What examples have as password; in texts it is a name."""
_LINE_SHORTEST = 12
"""A line of a longer text, such as a key in PEM, is a secret by itself."""
_MAX = 10_000
"""So many are remembered: the last that were opened."""


class _Remembered:
    """The secrets of this process, and the pattern that finds them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, None] = {}
        self.generation = 0
        self._pattern: re.Pattern[str] | None = None
        self._anywhere: re.Pattern[str] | None = None

    def add(self, values: Iterable[str]) -> None:
        with self._lock:
            for value in values:
                if value not in self._values:
                    self._pattern = None
                    self.generation += 1
                self._values.pop(value, None)
                self._values[value] = None
            while len(self._values) > _MAX:
                del self._values[next(iter(self._values))]
                self._pattern = None

    def pattern_for(self, text: str) -> re.Pattern[str] | None:
        """Returns the pattern; None where the text holds no secret. What a pattern asks of the neighbours of each form
        costs two hundred times as much as looking for the forms."""
        with self._lock:
            if self._pattern is None:
                forms = sorted({form for value in self._values for form in _forms(value)}, key=len, reverse=True)
                self._pattern = re.compile("|".join(map(_by_itself, forms))) if forms else None
                self._anywhere = re.compile("|".join(map(re.escape, forms))) if forms else None
            pattern, anywhere = self._pattern, self._anywhere
        return pattern if anywhere is not None and anywhere.search(text) else None


_remembered = _Remembered()


def remember(values: Iterable[str]) -> None:
    """Remembers these as secrets from now on. Texts of fewer than four characters are not looked for."""
    _remembered.add(value for value in values if len(value.strip()) >= _SHORTEST and value != _NO_SECRET)


def secrets_generation() -> int:
    """Returns a number that grows whenever another secret is remembered: texts redacted before may hold it."""
    return _remembered.generation


def redacted(text: str) -> str:
    """Returns the text with the remembered secrets removed."""
    pattern = _remembered.pattern_for(text)
    return text if pattern is None else pattern.sub(_SHOWN, text)


def _by_itself(form: str) -> str:
    """Returns the pattern of a text that is no part of a longer word or number; an escaped line end before it is
    none."""
    before = r"(?:(?<!\w)|(?<=\\[nrt]))" if re.match(r"\w", form) else ""
    after = r"(?!\w)" if re.search(r"\w$", form) else ""
    return f"{before}{re.escape(form)}{after}"


def _forms(value: str) -> Iterator[str]:
    """Yields the forms in which a secret may be written."""
    whole = value.strip()
    lines = [line.strip() for line in whole.splitlines()]
    for each in (whole, *(line for line in lines if len(line) >= _LINE_SHORTEST)):
        yield each
        yield repr(each)[1:-1]
        yield repr(each.encode())[2:-1]
        yield json.dumps(each)[1:-1]
        yield urllib.parse.quote(each, safe="")
        yield urllib.parse.quote_plus(each)
        yield base64.b64encode(each.encode()).decode()
