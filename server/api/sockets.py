"""Makes WebSockets of connections: `GET /api/experimental/sql`, as Materialize has it."""

from __future__ import annotations

import asyncio
from importlib import import_module

from server.admission.places import AdmittedPlaces
from server.api.door import Door
from server.api.origins import Origins
from server.http.exchange import Exchange
from server.http.limits import HttpLimits
from server.session.backend import SessionBackend

SOCKET = "/api/experimental/sql"
_LATE = ("server.http.web_socket", "server.api.socket_session")
"""Imported when the first client comes: few servers have one, and the library takes a third of a second."""


class SocketRequests:
    """Answers requests for a WebSocket. Pages of foreign sites get none: browsers let them ask for any."""

    def __init__(
        self, backend: SessionBackend, door: Door, origins: Origins, places: AdmittedPlaces, limits: HttpLimits
    ) -> None:
        self._backend = backend
        self._door = door
        self._origins = origins
        self._places = places
        self._limits = limits

    async def answer(self, exchange: Exchange) -> None:
        self._origins.require_own(exchange.head)
        for each in _LATE:
            await asyncio.to_thread(import_module, each)
        from server.api.socket_session import SocketSession
        from server.http.web_socket import accepted

        headers = accepted(exchange.head)
        await exchange.body()
        with exchange.cancelled_with_client():
            connection = await exchange.switch(headers)
            parts = self._backend, self._door, self._places, self._limits, connection, exchange.peer
            await SocketSession(*parts).run()
