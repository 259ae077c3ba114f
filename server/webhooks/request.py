"""A request to a webhook source, and its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from model.types.maps import Map, map_from
from planner.catalog_view import QualifiedName

PREFIX = "/api/webhook/"
_ABSOLUTE = re.compile(r"\Ahttps?://[^/?#]+", re.IGNORECASE)
_PARTS = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """`retry`: the same may be asked again in a second."""

    status: int
    message: str = ""
    retry: bool = False


class Refused(Exception):
    """Raised to answer a request with a status other than 200."""

    def __init__(self, status: int, message: str, *, retry: bool = False) -> None:
        super().__init__(message)
        self.answer = Answer(status, message, retry)


def named_source(target: str) -> QualifiedName | None:
    """Returns the source named by the path `/api/webhook/database/schema/source`; None for any other path. The
    target may be absolute, as clients of proxies write it: `http://host:port/api/…`."""
    path = _ABSOLUTE.sub("", target, count=1).partition("?")[0]
    if not path.startswith(PREFIX):
        return None
    try:
        parts = [unquote_to_bytes(part).decode() for part in path.removeprefix(PREFIX).split("/")]
    except UnicodeDecodeError:
        return None
    return QualifiedName(*parts) if len(parts) == _PARTS else None


class RequestHeaders:
    """The headers by lower-case names; several with one name are joined by commas."""

    def __init__(self, headers: list[tuple[bytes, bytes]]) -> None:
        found: dict[str, list[bytes]] = {}
        for name, value in headers:
            found.setdefault(name.decode("ascii").lower(), []).append(value)
        self._values = {name: b", ".join(values) for name, values in found.items()}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._values)

    def value(self, name: str, *, as_bytes: bool) -> str | bytes | None:
        """Returns a header; raises 400 for one that is to be text and isn't UTF-8."""
        value = self._values.get(name)
        return value if value is None or as_bytes else _text(name, value)

    def as_map(self, names: list[str], *, as_bytes: bool) -> Map:
        """Returns the named headers as a map."""
        return map_from((name, self.value(name, as_bytes=as_bytes)) for name in names)


def _text(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Refused(400, f"the header {name} is not UTF-8") from None
