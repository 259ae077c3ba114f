"""One client over a WebSocket, from the message with name and password to the end.

→ {"user": "ada", "password": "…", "options": {"application_name": "console"}}      or {"token": "…"}
← ParameterStatus*, BackendKeyData {conn_id, secret_key}, ReadyForQuery
→ {"query": "SELECT 1; SUBSCRIBE v"}            as the bodies of /api/sql, one after the other
← …, ReadyForQuery                              once for each request
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence

import msgspec
from websockets.frames import CloseCode

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.time.uninterrupted import finish_uninterrupted
from server.admission.places import AdmittedPlaces
from server.api.door import Door
from server.api.socket_answers import SocketAnswer, SocketClient
from server.api.sql_requests import SqlRequest, checked_options, read_request
from server.api.statement_run import StatementRun
from server.http.limits import HttpLimits
from server.http.request import ClientGone, HttpPeer, Refused
from server.http.switched import SwitchedConnection
from server.http.web_socket import WebSocket
from server.pgwire.backend import StartupParameters
from server.session.backend import SessionBackend
from server.session.session import Session

_LOGIN_BYTES_MAX = 64 << 10
_CANCEL_AGAIN_S = 5.0


class SocketLogin(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The first message: a user and the user's password, if any, or a token."""

    user: str | None = None
    password: str | None = None
    token: str | None = None
    options: dict[str, str] = {}


_decode_login = msgspec.json.Decoder(SocketLogin).decode


class SocketSession:
    """One client of a WebSocket. `run` ends with the client, or once the session was ended from outside."""

    def __init__(
        self,
        backend: SessionBackend,
        door: Door,
        places: AdmittedPlaces,
        limits: HttpLimits,
        connection: SwitchedConnection,
        peer: HttpPeer,
    ) -> None:
        self._backend = backend
        self._door = door
        self._places = places
        self._limits = limits
        self._connection = connection
        self._peer = peer
        self._socket = WebSocket(connection, _LOGIN_BYTES_MAX)
        self._client = SocketClient(self._socket, connection.abort)
        self._answer = SocketAnswer(self._socket, self._client)

    async def run(self) -> None:
        """Executes the client's requests, and receives further messages at the same time. When the client goes, the
        running statement is cancelled."""
        self._connection.when_stopping = lambda: self._client.terminate(_shutting_down())
        tasks = [asyncio.create_task(work, name="web socket") for work in (self._serve(), self._socket.receive())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # The client may be seen to be gone while what has ended by itself is released.
            await finish_uninterrupted(self._release(tasks))
        if not tasks[0].cancelled() and (error := tasks[0].exception()) is not None:
            raise error

    async def _release(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Ends the tasks, and gives back what the connection holds."""
        await _ended(tasks)
        self._client.close()
        self._socket.forget()

    async def _serve(self) -> None:
        with contextlib.suppress(ClientGone), contextlib.ExitStack() as held:
            try:
                async with asyncio.timeout(self._limits.body_s):
                    login = await self._socket.next_message()
            except TimeoutError:
                await self._socket.close(CloseCode.POLICY_VIOLATION, "nobody has told who it is")
                return
            if login is None:
                return
            try:
                session = await self._opened(login, held)
            except SqlError as error:
                await self._answer.fail(error)
                full = error.sqlstate is Sqlstate.TOO_MANY_CONNECTIONS
                await self._socket.close(CloseCode.TRY_AGAIN_LATER if full else CloseCode.POLICY_VIOLATION)
                return
            try:
                await self._answer.begin(session)
                await self._answer_requests(session)
            finally:
                await finish_uninterrupted(session.close())

    async def _opened(self, message: bytes, held: contextlib.ExitStack) -> Session:
        """Opens the session of the user whom the first message tells, in a place that `held` gives back."""
        login = _login_of(message)
        try:
            database, options = checked_options(dict(login.options))
        except Refused as refused:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, str(refused), severity=Severity.FATAL) from None
        if login.token is not None:
            user = await self._door.came_in_by_token(self._peer, login.token, database)
        else:
            assert login.user is not None, "a login is one of both"
            entered = await self._door.prove(self._peer, login.user, login.password or "", database or login.user)
            user = entered.user
        held.enter_context(self._places.held(superuser=self._backend.credentials(user).superuser))
        encryption = self._peer.encryption
        startup = StartupParameters(
            user, database or user, options, *self._peer.there, encryption, "websocket client", server=self._peer.here
        )
        session = await self._backend.open_session(startup, self._client)
        self._connection.is_known()
        self._socket.allow(self._limits.body_bytes_max)
        return session

    async def _answer_requests(self, session: Session) -> None:
        while True:
            await self._answer.ready(session)
            self._client.idle = True
            message = await self._socket.next_message()
            self._client.idle = False
            if message is None:
                break
            await self._answer_one(session, message)
        if (ended := self._client.ended) is not None:
            if self._answer.told is not ended:
                await self._answer.fail(ended)
            await self._socket.close(CloseCode.GOING_AWAY, "the session was ended")

    async def _answer_one(self, session: Session, message: bytes) -> None:
        try:
            request: SqlRequest = read_request(message)
        except Refused as refused:
            await self._answer.fail(SqlError(Sqlstate.PROTOCOL_VIOLATION, str(refused)))
            return
        await StatementRun(session, self._answer, lambda: self._client.ended, {}, stays=True).run(request)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancels tasks until all have ended. A cancellation may be lost at the moment at which an awaited operation ends,
    and a SUBSCRIBE would go on waiting for ever. The session's resources are released at the same time, however long
    the tasks take.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_CANCEL_AGAIN_S)


def _login_of(message: bytes) -> SocketLogin:
    """Returns the first message; raises SqlError 08P01 for what is none."""
    try:
        login = _decode_login(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _no_login() from None
    if (login.user is None) is (login.token is None) or (login.token is not None and login.password is not None):
        raise _no_login()
    return login


def _no_login() -> SqlError:
    told = 'the first message is {"user": …, "password": …} or {"token": …}, either with "options"'
    return SqlError(Sqlstate.PROTOCOL_VIOLATION, told, severity=Severity.FATAL)


def _shutting_down() -> SqlError:
    message = "terminating connection due to administrator command"
    return SqlError(Sqlstate.ADMIN_SHUTDOWN, message, severity=Severity.FATAL)
