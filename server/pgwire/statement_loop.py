"""Answers one client's messages, one after the other, once the client has come in.

A statement that fails, or meets a defect, fails alone: the session goes on with the next message.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import Protocol

import structlog

from model.errors.deep_recursion import too_deep
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.process.redaction import redacted
from server.pgwire.backend import ClientSession
from server.pgwire.descriptions import parameter_description, row_description
from server.pgwire.function_calls import answer_function_call
from server.pgwire.large_values import LARGE_BYTES, done
from server.pgwire.messages import (
    Bind,
    BindComplete,
    Close,
    CloseComplete,
    Describe,
    Execute,
    Flush,
    FunctionCall,
    Malformed,
    NoData,
    Parse,
    ParseComplete,
    QueryMessage,
    Sync,
)
from server.pgwire.parameters import KnownReceivers, parameter_context, read_parameters
from server.pgwire.state import Event
from server.pgwire.statements import Channel, answer, column_formats

_log = structlog.get_logger()


class Ended(Exception):
    """The client left, or must leave; nothing more is to be answered."""


class MessageChannel(Channel, Protocol):
    """The connection, as the loop over its messages sees it."""

    def flush(self) -> None:
        """Writes all queued output in one write."""
        ...

    def flush_before_long(self) -> None:
        """Writes what is queued within a moment, also while a statement runs."""
        ...


class StatementLoop:
    """Hands the messages of one client to its session, and answers them.

    `client`: the address, for logs.
    """

    def __init__(self, channel: MessageChannel, session: ClientSession, client: str) -> None:
        self._channel = channel
        self._session = session
        self._client = client
        self._receivers = KnownReceivers()
        self._portal_formats: dict[str, tuple[int, ...]] = {}

    async def serve(self) -> None:
        """Answers messages until the connection ends, which raises Ended."""
        session, machine = self._session, self._channel.machine
        while True:
            event = await self._channel.next_event()
            try:
                await self._handle(event)
            except SqlError as error:
                await session.fail(error)
                machine.fail(error, session.transaction_status)
            except Ended:
                raise
            except RecursionError:
                # What the grammar reads may be deeper than what can be planned.
                await session.fail(too_deep())
                machine.fail(too_deep(), session.transaction_status)
            except Exception as defect:  # noqa: BLE001 - a defect fails its statement, the session goes on
                _log.exception("statement failed", client=self._client)
                told = redacted(f"internal error: {type(defect).__name__}: {defect}")
                internal = SqlError(Sqlstate.INTERNAL_ERROR, told)
                await session.fail(internal)
                machine.fail(internal, session.transaction_status)
            if machine.buffered_bytes and machine.output_bytes:
                # The next message may run for long; what is done is not kept back for it.
                self._channel.flush_before_long()
            await self._channel.drain()

    async def _handle(self, event: Event) -> None:
        """Answers one message, except for what `Machine.fail` adds when this raises."""
        match event:
            case QueryMessage(sql=sql):
                await self._run_simple_query(sql)
            case Parse(name=name, sql=sql, parameter_oids=oids):
                await self._session.parse(name, sql, oids)
                self._channel.machine.send(ParseComplete())
            case Bind():
                await self._bind(event)
            case Describe():
                await self._describe(event)
            case Execute(portal=portal, max_rows=max_rows):
                result = await self._session.execute(portal, max_rows, last=self._channel.machine.sync_is_next)
                await answer(self._channel, result, self._session.text_context, self._portal_formats.get(portal, ()))
            case Sync():
                await self._session.sync()
                if self._session.transaction_status == "I":
                    self._portal_formats.clear()
                self._channel.machine.ready(self._session.transaction_status)
            case Flush():
                self._channel.flush()
            case Close(kind=kind, name=name):
                await (self._session.close_statement(name) if kind == "S" else self._session.close_portal(name))
                if kind == "P":
                    self._portal_formats.pop(name, None)
                self._channel.machine.send(CloseComplete())
            case FunctionCall():
                await answer_function_call(self._channel, self._session, event, self._receivers)
                self._channel.machine.ready(self._session.transaction_status)
            case Malformed(error=error):
                raise error
            case _:
                raise AssertionError(f"the machine let {type(event).__name__} through")

    async def _run_simple_query(self, sql: str) -> None:
        results = self._session.simple_query(sql)
        try:
            async for result in results:
                await answer(self._channel, result, self._session.text_context, None)
        finally:
            close = getattr(results, "aclose", None)
            if close is not None:
                with contextlib.suppress(SqlError):
                    await close()
        self._channel.machine.ready(self._session.transaction_status)

    async def _bind(self, message: Bind) -> None:
        types = self._session.parameter_types(message.statement)
        context = parameter_context(self._session, types)
        large = sum(len(data) for data in message.parameters if data is not None) >= LARGE_BYTES
        read = partial(read_parameters, message, types, context, self._session.parameter_check, self._receivers)
        parameters = await done(read, large=large)
        await self._session.bind(message.portal, message.statement, parameters, message.result_formats)
        if len(message.result_formats) > 1:
            rows = await self._session.describe_portal(message.portal)
            if rows is not None:
                column_formats(message.result_formats, rows)
        self._portal_formats[message.portal] = message.result_formats
        self._channel.machine.send(BindComplete())

    async def _describe(self, message: Describe) -> None:
        codes: tuple[int, ...] = ()
        if message.kind == "S":
            description = await self._session.describe_statement(message.name)
            self._channel.machine.send(parameter_description(description.parameter_types))
            rows = description.rows
        else:
            rows, codes = await self._session.describe_portal(message.name), self._portal_formats.get(message.name, ())
        if rows is None:
            self._channel.machine.send(NoData())
        else:
            self._channel.machine.describe(row_description(rows, tuple(column_formats(codes, rows))))
