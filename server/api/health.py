"""Tells watching machines whether the process lives, and whether the server is ready; no user is asked for."""

from __future__ import annotations

from collections.abc import Callable

from server.http.exchange import Exchange
from server.http.request import Answer, require_method

LIVEZ, READYZ = "/api/livez", "/api/readyz"
EVERYTHING = "/"


class Livez:
    """Answers 200 for as long as the process does anything at all."""

    async def answer(self, exchange: Exchange) -> Answer:
        require_method(exchange.head, "GET", "HEAD", of="about the server's health")
        await exchange.body()
        return Answer(200, "ok")


class Readyz:
    """Answers 200 while statements can be run: the catalog is open, and no other server has taken over; else 503."""

    def __init__(self, ready: Callable[[], bool] = lambda: False) -> None:
        self._ready = ready

    async def answer(self, exchange: Exchange) -> Answer:
        require_method(exchange.head, "GET", "HEAD", of="about the server's health")
        await exchange.body()
        return Answer(200, "ready") if self._ready() else Answer(503, "not ready", retry=True)


class NotYet:
    """Answers 503 to everything until the server is ready."""

    async def answer(self, exchange: Exchange) -> Answer:
        return Answer(503, "the server is starting", retry=True)
