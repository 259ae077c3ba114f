"""Results of statements as JSON, sent piece by piece when long:

    {"results": [{"desc": {"columns": […]}, "rows": [[…], …], "tag": "SELECT 2", "notices": []},
                 {"ok": "INSERT 0 1", "notices": []},
                 {"error": {"message": …, "code": "22012"}, "notices": []}]}

A result whose rows end in an error has `error` in the place of rows and tag, or, once some rows are sent, behind the
rows in the place of the tag.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from model.types.datum import Row
from server.api.client import HttpClient
from server.api.json_values import JsonRows, columns_of
from server.http.exchange import Exchange
from server.http.request import JSON, Answer
from server.pgwire.backend import Rows

_PIECE_BYTES = 1 << 16
_encode = msgspec.json.Encoder().encode


class SqlAnswer:
    """One request's answer. Each result is added whole, or begun, given its rows, and ended."""

    def __init__(self, exchange: Exchange, client: HttpClient) -> None:
        self._exchange = exchange
        self._client = client
        self._waiting = bytearray(b'{"results":[')
        self._begun = False
        self._results = 0
        self._result_at: int | None = None
        """The unfinished result's place in `waiting`; negative once a part of the result is sent."""

    async def add_command(self, tag: str) -> None:
        """Adds a statement without rows."""
        parameters = self._client.take_parameters()
        told: dict[str, Any] = {"ok": tag, "notices": self._client.take_notices()}
        await self._add(told | ({"parameters": parameters} if parameters else {}))

    async def add_rows(
        self,
        result: Rows,
        context: TextContext,
        end: Callable[[], Awaitable[None]] | None = None,
        *,
        live: bool = False,
    ) -> None:
        """Adds a result's rows as the rows come, and the tag once `end` has ended the transaction."""
        assert not live, "rows without an end are refused"
        if result.names is not None:
            context = replace(context, objects=result.names)
        rows = JsonRows(result.desc, context)
        self._begin_result(result)
        first = True
        if result.whole is not None:
            await self._write_rows(rows, result.whole, first=True)
        else:
            async for batch in result.batches:
                await self._write_rows(rows, batch, first=first)
                first = first and not batch
        if end is not None:
            await end()
        self._client.take_parameters()
        self._waiting += b'],"tag":' + _encode(result.tag())
        self._end_result()
        await self._send_when_long()

    async def add_error(self, error: SqlError) -> None:
        """Adds the error that ends the request's statements."""
        told = fields_of(error)
        begun, self._result_at = self._result_at, None
        if begun is not None and begun < 0:
            self._waiting += b'],"error":' + _encode(told)
            self._end_result()
            return
        if begun is not None:
            del self._waiting[begun:]
            self._results -= 1
        await self._add({"error": told, "notices": self._client.take_notices()})

    async def finished(self) -> Answer | None:
        """Returns the whole answer; None for a long answer, all of which is sent."""
        self._waiting += b"]}"
        if not self._begun:
            return Answer(200, body=bytes(self._waiting), content_type=JSON)
        await self._send()
        return None

    def _begin_result(self, result: Rows) -> None:
        self._result_at = len(self._waiting)
        self._separate()
        self._waiting += b'{"desc":' + _encode({"columns": columns_of(result)}) + b',"rows":['

    def _end_result(self) -> None:
        self._waiting += b',"notices":' + _encode(self._client.take_notices()) + b"}"
        self._result_at = None

    def _separate(self) -> None:
        if self._results:
            self._waiting += b","
        self._results += 1

    async def _add(self, told: dict[str, Any]) -> None:
        self._separate()
        self._waiting += _encode(told)
        await self._send_when_long()

    async def _write_rows(self, rows: JsonRows, batch: Sequence[Row], *, first: bool) -> None:
        async for encoded in rows.pieces(batch, rows.encode):
            if not first:
                self._waiting += b","
            first = False
            self._waiting += encoded
            self._client.sent_bytes += len(encoded)
            await self._send_when_long()

    async def _send_when_long(self) -> None:
        if len(self._waiting) >= _PIECE_BYTES:
            await self._send()

    async def _send(self) -> None:
        if not self._begun:
            self._begun = True
            await self._exchange.begin(200, JSON)
        if self._result_at is not None:
            self._result_at = -1
        waiting, self._waiting = self._waiting, bytearray()
        await self._exchange.write(bytes(waiting))


def fields_of(error: SqlError) -> dict[str, Any]:
    """Returns what clients are told of an error."""
    fields = {"message": error.message, "code": error.sqlstate.value}
    beside = {"detail": error.detail, "hint": error.hint, "position": error.position}
    return fields | {name: value for name, value in beside.items() if value is not None}
