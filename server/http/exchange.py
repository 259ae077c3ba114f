"""One request under way, as a handler sees the request, and the routes from paths to handlers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from server.http.request import Answer, HttpPeer, Refused, RequestHead
from server.http.switched import SwitchedConnection

_NOT_FOUND = 404


class Exchange(Protocol):
    """A request after the head has been read. Methods are called one after another, from one task."""

    proven: object
    """A handler's own knowledge of the client, kept for the connection's next requests; None at first."""

    session: object
    """A handler's own session with the client, kept likewise."""

    @property
    def head(self) -> RequestHead: ...

    @property
    def peer(self) -> HttpPeer: ...

    async def body(self) -> bytes:
        """Reads the whole body; raises Refused as soon as the body is known to be too large."""
        ...

    async def begin(self, status: int, content_type: str) -> None:
        """Begins an answer in pieces. A failure afterwards ends the connection before the answer's end, by which the
        client can tell."""
        ...

    async def write(self, data: bytes) -> None:
        """Sends a piece, and waits until the client has taken nearly everything sent before; raises ClientGone when the
        client takes nothing for long."""
        ...

    def cancelled_with_client(self) -> AbstractContextManager[None]:
        """Returns a context in which the task is cancelled when the client goes."""
        ...

    async def switch(self, headers: Sequence[tuple[str, str]]) -> SwitchedConnection:
        """Answers that the connection speaks another protocol from now on (101), for a client that has asked for it and
        whose body is read. Returns the connection, which ends when the handler has answered None."""
        ...

    def abort(self) -> None:
        """Ends the connection at once."""
        ...


class RequestHandler(Protocol):
    """Answers requests of some paths; many calls may run at a time."""

    async def answer(self, exchange: Exchange) -> Answer | None:
        """Returns the answer; None after sending an answer in pieces. Raises Refused for an error's status."""
        ...


class Routes:
    """Handlers by path; a path that ends with a slash stands for all paths with that beginning."""

    def __init__(self, handlers: Mapping[str, RequestHandler]) -> None:
        self._handlers = dict(handlers)

    def replace(self, handlers: Mapping[str, RequestHandler]) -> None:
        """Has new handlers answer from now on."""
        self._handlers = dict(handlers)

    def handler_of(self, head: RequestHead) -> RequestHandler:
        """Returns the handler of a path; raises 404 when there is none."""
        found = self._handlers.get(head.path)
        if found is not None:
            return found
        for path, handler in self._handlers.items():
            if path.endswith("/") and head.path.startswith(path):
                return handler
        raise Refused(_NOT_FOUND, "there is nothing at this path")
