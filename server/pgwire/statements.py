"""Writes statements' results on the wire: rows, tags, COPY in both directions."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.copy_options import CheckedCopyOptions, CopyFormat
from model.text.encodings import ArrivingText, ClientEncoding, known_encoding
from model.types.datum import Row
from server.pgwire.backend import Command, CopyIn, CopyOut, EmptyQuery, ResultDescription, Rows, StatementResult
from server.pgwire.copy.rows_in import CopyDecoder, copy_decoder
from server.pgwire.copy.rows_out import CopyEncoder
from server.pgwire.descriptions import row_description
from server.pgwire.encoding.data_rows import LastEncoder, RowEncoder, result_formats
from server.pgwire.large_values import LARGE_BYTES, done
from server.pgwire.messages import (
    BINARY_FORMAT,
    CommandComplete,
    CopyData,
    CopyDone,
    CopyFail,
    CopyInResponse,
    CopyOutResponse,
    EmptyQueryResponse,
    Malformed,
    PortalSuspended,
)
from server.pgwire.state import Event, Machine

_COPY_BATCH_BYTES = 1 << 16
_COPY_HEADER = struct.Struct(">ci")


class Channel(Protocol):
    """The connection, as statements see it."""

    machine: Machine
    encoders: LastEncoder

    async def next_event(self) -> Event:
        """Returns the client's next message; the connection ends inside when there is none."""
        ...

    async def drain(self) -> None:
        """Writes when enough is queued, and waits while the client doesn't take what was written."""
        ...

    def flush_soon(self) -> None:
        """Writes what is queued as soon as the statement waits for something."""
        ...


async def answer(
    channel: Channel,
    result: StatementResult,
    context: TextContext,
    formats: Sequence[int] | None,
) -> None:
    """Sends one result completely. `formats` is None in the simple protocol, which uses text, described before the
    rows."""
    match result:
        case Rows():
            await _answer_rows(channel, result, context, formats)
        case Command(tag=tag):
            channel.machine.send(CommandComplete(tag))
        case EmptyQuery():
            channel.machine.send(EmptyQueryResponse())
        case CopyIn():
            await _answer_copy_in(channel, result, context)
        case CopyOut():
            await _answer_copy_out(channel, result, context)
        case _:
            assert_never(result)


def column_formats(codes: Sequence[int], rows: ResultDescription) -> list[int]:
    """Returns the format of each result column, from the codes of a Bind message. Raises SqlError 08P01 when the
    message has codes for another number of columns."""
    arity = rows.desc.arity
    formats = result_formats(codes, arity)
    if formats is None:
        raise SqlError(
            Sqlstate.PROTOCOL_VIOLATION,
            f"bind message has {len(codes)} result formats but query has {arity} columns",
        )
    return formats


async def _answer_rows(channel: Channel, result: Rows, context: TextContext, codes: Sequence[int] | None) -> None:
    machine = channel.machine
    described = codes is not None
    if codes is None:
        codes = (BINARY_FORMAT,) if result.binary else ()
    formats = column_formats(codes, result.description)
    if not described:
        machine.describe(row_description(result.description, tuple(formats)))
    if result.names is not None:
        context = replace(context, objects=result.names)
    encoder = channel.encoders.of(result.desc, formats, context)
    if result.whole is None:
        async for batch in result.batches:
            await _send_rows(channel, batch, encoder)
            channel.flush_soon()
            await channel.drain()
    else:
        await _send_rows(channel, result.whole, encoder)
        await channel.drain()
    machine.send(PortalSuspended() if result.suspended() else CommandComplete(result.tag()))


async def _send_rows(channel: Channel, rows: Sequence[Row], encoder: RowEncoder) -> None:
    if rows:
        channel.machine.send_encoded(await done(partial(encoder.encode, rows), large=encoder.is_large(rows)))


async def _answer_copy_out(channel: Channel, result: CopyOut, context: TextContext) -> None:
    machine = channel.machine
    binary = result.options.format is CopyFormat.BINARY
    machine.send(CopyOutResponse(int(binary), result.desc.arity))
    encoder = CopyEncoder(result.desc, result.options, context)
    encoding = _copied_encoding(result.options, context)
    machine.send_encoded(_copy_frames(encoder.begin(), encoding))
    async for batch in result.batches:
        if batch:
            large = encoder.is_large(batch)
            machine.send_encoded(await done(partial(_copied, encoder, batch, encoding), large=large))
        channel.flush_soon()
        await channel.drain()
    machine.send_encoded(_copy_frames(encoder.end(), encoding))
    machine.send(CopyDone(), CommandComplete(result.tag()))


def _copied_encoding(options: CheckedCopyOptions, context: TextContext) -> ClientEncoding | None:
    """Returns the encoding of COPY's data, as its options say or else the client's; None for UTF8 and bytes."""
    if options.format is CopyFormat.BINARY:
        return None
    return context.encoding if options.encoding is None else known_encoding(options.encoding)


def _copied(encoder: CopyEncoder, rows: Sequence[Row], encoding: ClientEncoding | None) -> bytes:
    return _copy_frames(encoder.encode(rows), encoding)


def _copy_frames(rows: Sequence[bytes], encoding: ClientEncoding | None) -> bytes:
    """Returns one CopyData message for each row, as clients that iterate over messages expect."""
    parts = []
    for row in rows if encoding is None else map(encoding.from_utf8, rows):
        parts.append(_COPY_HEADER.pack(b"d", len(row) + 4))
        parts.append(row)
    return b"".join(parts)


async def _feed(result: CopyIn, decoder: CopyDecoder, data: Sequence[bytes], texts: ArrivingText | None) -> None:
    fed = data[0] if len(data) == 1 else b"".join(data)
    if texts is not None:
        fed = texts.utf8(fed)
    rows = await done(partial(decoder.feed, fed), large=decoder.held_bytes >= LARGE_BYTES)
    if rows:
        await result.receiver.feed(rows)


async def _answer_copy_in(channel: Channel, result: CopyIn, context: TextContext) -> None:
    machine = channel.machine
    binary = result.options.format is CopyFormat.BINARY
    encoding = _copied_encoding(result.options, context)
    texts = None if encoding is None else ArrivingText(encoding)
    try:
        decoder = copy_decoder(result.relation, result.desc, result.options, context)
        machine.send(CopyInResponse(int(binary), result.desc.arity))
        gathered, size = [], 0
        while True:
            event = await channel.next_event()
            match event:
                case CopyData(data=data):
                    # Some clients send a message for each row, and a batch costs more than its rows: what has come
                    # is read together, but nothing waits for what has not.
                    gathered.append(data)
                    size += len(data)
                    if size >= _COPY_BATCH_BYTES or not machine.buffered_bytes:
                        await _feed(result, decoder, gathered, texts)
                        gathered, size = [], 0
                case CopyDone():
                    if gathered:
                        await _feed(result, decoder, gathered, texts)
                    if texts is not None:
                        texts.utf8(b"", final=True)
                    break
                case CopyFail(message=message):
                    raise SqlError(Sqlstate.QUERY_CANCELED, f"COPY from stdin failed: {message}")
                case Malformed(error=error):
                    raise error
                case _:
                    raise AssertionError("the machine gives only COPY's messages here")
        rows = await done(decoder.finish, large=decoder.held_bytes >= LARGE_BYTES)
        if rows:
            await result.receiver.feed(rows)
    except SqlError as error:
        await result.receiver.fail(error)
        raise
    tag = await result.receiver.finish()
    machine.copy_ended()
    machine.send(CommandComplete(tag))
