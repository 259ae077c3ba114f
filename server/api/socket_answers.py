"""Results of statements as messages of a WebSocket, each `{"type": …, "payload": …}`:

CommandStarting {has_rows, is_streaming}, Rows {columns}, Row […]*, Notice {…}*, CommandComplete "SELECT 2"
CommandStarting {has_rows, is_streaming}, Error {message, code, …}
ParameterStatus {name, value}*, ReadyForQuery "I"
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import msgspec

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from server.api.client import HttpClient
from server.api.json_values import JsonRows, columns_of
from server.api.sql_answers import fields_of
from server.http.request import ClientGone
from server.http.web_socket import WebSocket
from server.pgwire.backend import ClientSession, Rows
from server.pgwire.messages import NoticeResponse, NotificationResponse

_ROW, _END = b'{"type":"Row","payload":', b"}"
_encode = msgspec.json.Encoder().encode


def message_of(type_: str, payload: object) -> bytes:
    """Returns a message for the client."""
    return _encode({"type": type_, "payload": payload})


class SocketClient(HttpClient):
    """A session's client over a WebSocket. What is to be told while nothing runs is told at once."""

    def __init__(self, socket: WebSocket, abort: Callable[[], None]) -> None:
        super().__init__(abort)
        self._socket = socket
        self.idle = False

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        if isinstance(message, NotificationResponse):
            told = {"channel": message.channel, "payload": message.payload, "conn_id": message.pid}
            self._tell([message_of("Notification", told)])
            return
        super().notify(message)
        if self.idle:
            self._tell(self.taken_notices())

    def _tell(self, messages: Iterable[bytes]) -> None:
        with contextlib.suppress(ClientGone):
            self._socket.send_soon(messages)

    @property
    def taking(self) -> bool:
        return self._socket.taking

    def terminate(self, error: SqlError) -> None:
        super().terminate(error)
        self._socket.stop()

    def taken_notices(self) -> list[bytes]:
        """Returns the notices since the last time, as messages."""
        return [message_of("Notice", notice) for notice in self.take_notices()]


class SocketAnswer:
    """Implements StatementAnswer for one client's requests."""

    def __init__(self, socket: WebSocket, client: SocketClient) -> None:
        self._socket = socket
        self._client = client
        self._begun = False
        self.told: SqlError | None = None
        """The error that was told last."""

    async def begin(self, session: ClientSession) -> None:
        """Tells a session's variables and key."""
        self._client.take_parameters()
        told = [message_of("ParameterStatus", {"name": n, "value": v}) for n, v in session.parameters.items()]
        key = {"conn_id": session.pid, "secret_key": session.secret}
        await self._socket.send([*told, message_of("BackendKeyData", key)])

    async def ready(self, session: ClientSession) -> None:
        """Ends the answer to a request."""
        changed = [message_of("ParameterStatus", each) for each in self._client.take_parameters()]
        ready = message_of("ReadyForQuery", session.transaction_status)
        await self._socket.send([*self._client.taken_notices(), *changed, ready])

    async def add_command(self, tag: str) -> None:
        """Tells of a statement without rows."""
        await self._socket.send([_starting(has_rows=False), *self._completed(tag)])

    async def add_rows(
        self,
        result: Rows,
        context: TextContext,
        end: Callable[[], Awaitable[None]] | None = None,
        *,
        live: bool = False,
    ) -> None:
        """Tells rows as they come, and the tag once `end` has ended the transaction."""
        if result.names is not None:
            context = replace(context, objects=result.names)
        rows = JsonRows(result.desc, context)
        self._begun = True
        described = message_of("Rows", {"columns": columns_of(result)})
        await self._socket.send([_starting(has_rows=True, is_streaming=live), described])
        if result.whole is not None:
            await self._send_rows(rows, result.whole)
        else:
            async for batch in result.batches:
                await self._send_rows(rows, batch)
        if end is not None:
            await end()
        self._begun = False
        await self._socket.send(self._completed(result.tag()))

    async def _send_rows(self, rows: JsonRows, batch: Any) -> None:
        async for piece in rows.pieces(batch, rows.encode_each):
            self._client.sent_bytes += sum(map(len, piece))
            notices = self._client.taken_notices()
            await self._socket.send([*notices, *(_ROW + row + _END for row in piece)])

    def _completed(self, tag: str) -> list[bytes]:
        return [*self._client.taken_notices(), message_of("CommandComplete", tag)]

    async def add_error(self, error: SqlError) -> None:
        """Tells the error that ends a request's statements."""
        starting = [] if self._begun else [_starting(has_rows=False)]
        self._begun = False
        await self._socket.send(starting)
        await self.fail(error)

    async def fail(self, error: SqlError) -> None:
        """Tells an error that is no statement's."""
        self.told = error
        await self._socket.send([*self._client.taken_notices(), message_of("Error", fields_of(error))])


def _starting(*, has_rows: bool, is_streaming: bool = False) -> bytes:
    return message_of("CommandStarting", {"has_rows": has_rows, "is_streaming": is_streaming})
