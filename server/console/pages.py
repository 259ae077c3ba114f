"""Answers requests for the console's files: `GET /`, and `GET /console/…` for what the page asks for.

The files are read once and kept: there are few, and they come with the server. A browser may keep them, too, and asks
by their digest whether they are still the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources

from server.api.origins import Origins
from server.http.exchange import Exchange
from server.http.request import Answer, Refused, require_method

ROOT = "/"
_FILES = "/console/"
_INDEX = "index.html"
_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SAFE = (
    ("content-security-policy", _POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-cache"),
)


@dataclass(frozen=True, slots=True)
class _Page:
    body: bytes
    content_type: str
    tag: str


class ConsolePages:
    """Answers the console's paths, and 404 to all others."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._pages = _pages()

    async def answer(self, exchange: Exchange) -> Answer:
        head = exchange.head
        page = self._pages.get(head.path)
        if page is None:
            raise Refused(404, "there is nothing at this path")
        require_method(head, "GET", "HEAD", of="for the console")
        self._origins.require_own(head)
        await exchange.body()
        headers = (("etag", page.tag), *_SAFE)
        if page.tag in (head.headers.text("if-none-match") or ""):
            return Answer(304, content_type=page.content_type, headers=headers)
        return Answer(200, body=page.body, content_type=page.content_type, headers=headers)


def _pages() -> dict[str, _Page]:
    """Reads the files, by the paths at which they are found."""
    found: dict[str, _Page] = {}
    for file in resources.files("server.console").joinpath("page").iterdir():
        body = file.read_bytes()
        type_ = _TYPES[file.name.rpartition(".")[2]]
        page = _Page(body, type_, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
        found[ROOT if file.name == _INDEX else f"{_FILES}{file.name}"] = page
    return found
