"""One request under way, as its handler sees it, and the routes from paths to handlers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from server.http.request import Answer, HttpPeer, Refused, RequestHead

_NOT_FOUND = 404


class Exchange(Protocol):
    """A request whose head has been read. Its methods are called one after another, from one task."""

    proven: object
    """What a handler has found out about this client, kept for the connection's next requests; None at first."""

    @property
    def head(self) -> RequestHead: ...

    @property
    def peer(self) -> HttpPeer: ...

    async def body(self) -> bytes:
        """Reads the whole body; Refused as soon as it is known to be too large, or to come in a way that is not
        taken."""
        ...

    async def begin(self, status: int, content_type: str) -> None:
        """Begins an answer that is sent piece by piece. Whatever goes wrong afterwards ends the connection before the
        answer's end, so that the client can tell."""
        ...

    async def write(self, data: bytes) -> None:
        """Sends a piece, and waits until the client has taken nearly all of what was sent; ends the connection when
        it takes nothing for long."""
        ...

    def cancelled_with_client(self) -> AbstractContextManager[None]:
        """Within it, the task is cancelled when the client goes."""
        ...

    def abort(self) -> None:
        """Ends the connection at once."""
        ...


class RequestHandler(Protocol):
    """Answers requests of some paths; many of its calls may run at a time."""

    async def answer(self, exchange: Exchange) -> Answer | None:
        """Returns the answer; None where it was sent piece by piece. Refused for another status."""
        ...


class Routes:
    """Handlers by path; those of a prefix, which ends with a slash, take all paths that begin with it."""

    def __init__(self, handlers: Mapping[str, RequestHandler]) -> None:
        self._handlers = dict(handlers)

    def add(self, handlers: Mapping[str, RequestHandler]) -> None:
        """Adds handlers, in the place of those that had their paths."""
        self._handlers.update(handlers)

    def handler_of(self, head: RequestHead) -> RequestHandler:
        """Returns the handler of a path; raises 404 when there is none."""
        found = self._handlers.get(head.path)
        if found is not None:
            return found
        for path, handler in self._handlers.items():
            if path.endswith("/") and head.path.startswith(path):
                return handler
        raise Refused(_NOT_FOUND, "there is nothing at this path")
