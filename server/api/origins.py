"""Refuses requests that pages of foreign sites have a user's browser send to a server within the user's reach.

A page of a foreign site may send requests here, and a name of the site may lead here from one moment to the next (DNS
rebinding), after which the browser takes this server for the site. In both cases the browser tells the site's name: in
`Origin`, or in `Host`. An address in `Host` is safe, since nobody can have an address lead elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from functools import lru_cache

from server.http.request import Refused, RequestHead

_AUTHORITY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:/@?#\s]+)(?::(\d{0,5}))?")
_ORIGIN = re.compile(r"(https?)://(.+)", re.IGNORECASE)
_PORTS = {"http": "80", "https": "443"}
_LOCAL = "localhost"


class Origins:
    """Checks where requests come from. `names` are the server's names, beside addresses and localhost."""

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = frozenset(name.lower().rstrip(".") for name in names) | {_LOCAL}

    def require_own(self, head: RequestHead) -> None:
        """Raises 403 for a request to a foreign name, or from a page of a foreign site."""
        host = head.headers.text("host") or ""
        match = _AUTHORITY.fullmatch(host)
        if match is None or not self._is_ours(match[1]):
            raise Refused(403, f"{host!r} is no name of this server (the option --http-host tells its names)")
        origin = head.headers.text("origin")
        if origin is not None and not _same_place(origin, match):
            raise Refused(403, "requests from pages of other sites are not answered")

    def _is_ours(self, host: str) -> bool:
        return host.lower().rstrip(".") in self._names or _is_address(host)


@lru_cache(maxsize=16)
def _is_address(host: str) -> bool:
    """Tells whether a host is told by its address."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _same_place(origin: str, host: re.Match[str]) -> bool:
    """Tells whether a page came from the host of the request. A proxy may have taken TLS off: the scheme counts only as
    the port of the scheme."""
    match = _ORIGIN.fullmatch(origin)
    of_page = None if match is None else _AUTHORITY.fullmatch(match[2])
    if match is None or of_page is None or of_page[1].lower() != host[1].lower():
        return False
    default = _PORTS[match[1].lower()]
    return (of_page[2] or default) == (host[2] or default)
