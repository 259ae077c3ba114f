"""Runs the statements of a request within a session of the request's own: a transaction still open at the request's
end is rolled back.

A session in which a request's statements have left nothing is closed all the same, and begun anew for the connection's
next request of the same user, database and variables: to make a session costs as much as to run a small statement.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.uninterrupted import finish_uninterrupted
from server.admission.places import AdmittedPlaces
from server.api.client import HttpClient
from server.api.door import Door
from server.api.origins import Origins
from server.api.sql_answers import SqlAnswer
from server.api.sql_requests import read_options, read_request, require_json
from server.api.statement_run import StatementRun
from server.http.exchange import Exchange
from server.http.request import Answer, Refused, require_method
from server.pgwire.backend import StartupParameters
from server.session.backend import SessionBackend, is_untouched
from server.session.session import Session

SQL = "/api/sql"
_REFUSED = {
    "declare_cursor_stmt": "DECLARE",
    "fetch_stmt": "FETCH",
    "close_portal_stmt": "CLOSE",
    "subscribe_stmt": "SUBSCRIBE",
}
_FORBIDDEN = (Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION, Sqlstate.INSUFFICIENT_PRIVILEGE)


@dataclass(frozen=True, slots=True)
class _KeptSession:
    """A connection's session, with the client to which it tells notices; closed between requests. `version` is that of
    the catalog by which it began."""

    session: Session
    client: HttpClient
    version: int


class SqlRequests:
    """Answers `POST /api/sql`."""

    def __init__(self, backend: SessionBackend, door: Door, origins: Origins, places: AdmittedPlaces) -> None:
        self._backend = backend
        self._places = places
        self._door = door
        self._origins = origins

    async def answer(self, exchange: Exchange) -> Answer | None:
        head = exchange.head
        require_method(head, "POST", of="for SQL")
        self._origins.require_own(head)
        require_json(head)
        database, options = read_options(head)
        user = await self._door.user_of(exchange, database)
        request = read_request(await exchange.body())
        peer = exchange.peer
        startup = StartupParameters(
            user, database or user, options, *peer.there, peer.encryption, "http client", server=peer.here
        )
        with contextlib.ExitStack() as held, exchange.cancelled_with_client():
            kept = await self._opened(exchange, startup, held)
            session, client = kept.session, kept.client
            answer = SqlAnswer(exchange, client)
            try:
                await StatementRun(session, answer, lambda: client.ended, _REFUSED, stays=False).run(request)
            finally:
                untouched = is_untouched(session)
                # A second cancellation must not cut the release of what the session holds.
                await finish_uninterrupted(session.close())
                # Until here it may be ended from outside.
                client.close()
            if untouched and client.ended is None:
                exchange.session = kept
            return await answer.finished()

    async def _opened(self, exchange: Exchange, startup: StartupParameters, held: contextlib.ExitStack) -> _KeptSession:
        """Opens a session in a place among the server's, which `held` gives back."""
        before, exchange.session = exchange.session, None
        try:
            superuser = self._backend.credentials(startup.user).superuser
            held.enter_context(self._places.held(superuser=superuser))
            if isinstance(before, _KeptSession) and before.session.startup == startup:
                if self._backend.reopened(before.session, before.version):
                    return before
            client, version = HttpClient(exchange.abort), self._backend.catalog_version
            return _KeptSession(await self._backend.open_session(startup, client), client, version)
        except SqlError as error:
            if error.sqlstate is Sqlstate.TOO_MANY_CONNECTIONS:
                raise Refused(429, error.message, retry=True) from None
            raise Refused(403 if error.sqlstate in _FORBIDDEN else 400, error.message) from None
