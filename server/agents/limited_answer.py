"""Keeps what a call's statements answer, within limits of rows and of bytes; the rest is left out, and told so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from server.api.client import HttpClient
from server.api.json_values import JsonRows
from server.api.sql_answers import fields_of
from server.api.statement_run import Ending
from server.pgwire.backend import Rows

BYTES_MAX = 256 << 10


class LimitedAnswer:
    """Implements StatementAnswer. `results` has an object for each statement.

    `whole`: statements with more rows than are kept are read to their end, as statements that write must be; others
    end where the limit is."""

    def __init__(self, client: HttpClient, rows_max: int, *, whole: bool = False) -> None:
        self.results: list[dict[str, Any]] = []
        self.error: SqlError | None = None
        self._client = client
        self._rows_max = rows_max
        self._bytes_left = BYTES_MAX
        self._whole = whole

    @property
    def bytes_left(self) -> int:
        """Returns how many bytes of rows there is still room for."""
        return self._bytes_left

    async def add_command(self, tag: str) -> None:
        """Keeps the tag of a statement without rows."""
        self.results.append({"ok": tag} | self._notices())

    async def add_rows(self, result: Rows, context: TextContext, end: Ending | None, *, live: bool) -> None:
        """Keeps the first rows."""
        assert not live, "rows without an end are refused"
        if result.names is not None:
            context = replace(context, objects=result.names)
        maker = JsonRows(result.desc, context)
        kept = _KeptRows(self._rows_max, self._bytes_left)
        async for batch in result.batches:
            async for piece in maker.pieces(batch, maker.encode_each):
                kept.take(piece)
            if kept.truncated and not self._whole:
                break
        self._bytes_left -= kept.bytes
        if end is not None:
            # What is not read to its end has ended well, too.
            await end()
        columns = [
            {"name": name, "type": str(type_)} for name, type_ in zip(result.desc.names, result.desc.types, strict=True)
        ]
        self.results.append({"columns": columns, "rows": kept.rows, "truncated": kept.truncated} | self._notices())

    async def add_error(self, error: SqlError) -> None:
        """Keeps the error that ends the call's statements."""
        self.error = error

    def _notices(self) -> dict[str, Any]:
        notices = [each["message"] for each in self._client.take_notices()]
        return {"notices": notices} if notices else {}


class _KeptRows:
    """The first rows of a result, as JSON."""

    def __init__(self, rows_max: int, bytes_max: int) -> None:
        self.rows: list[msgspec.Raw] = []
        self.bytes = 0
        self.truncated = False
        self._rows_max = rows_max
        self._bytes_max = bytes_max

    def take(self, rows: Sequence[bytes]) -> None:
        """Keeps rows up to the limits."""
        for row in rows:
            if self.truncated or len(self.rows) == self._rows_max or self.bytes + len(row) > self._bytes_max:
                self.truncated = True
                return
            self.bytes += len(row)
            self.rows.append(msgspec.Raw(row))


def failure_of(error: SqlError) -> dict[str, Any]:
    """Returns what a caller is told of an error."""
    return {"error": fields_of(error)}
