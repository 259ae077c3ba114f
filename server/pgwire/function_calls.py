"""Answers FunctionCall: a function called by oid, with values as in Bind, in a message of its own.

It runs as a statement of a name that no client can write, so the client's own statements stay as they are.

Nothing tells which type the value of a type that stands for others has. NULL is as good as a text, or what is made of
texts or integers.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import partial

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.type_table import TYPES
from server.pgwire.backend import ClientSession, Rows
from server.pgwire.encoding.data_rows import RowEncoder
from server.pgwire.large_values import LARGE_BYTES, done
from server.pgwire.messages import TEXT_FORMAT, Bind, FunctionCall, FunctionCallResponse
from server.pgwire.parameters import KnownReceivers, parameter_context, read_parameters
from server.pgwire.statements import Channel

_NAME = "\0function call"
_VALUE = struct.Struct(">cihi")
"""What stands in a row of one value before the value, with its length last."""
_ANY = {row.oid: name for name, row in TYPES.items() if name.startswith("any")} | {
    5079: "anycompatiblenonarray",
    5080: "anycompatiblerange",
    4538: "anycompatiblemultirange",
}
"""Types that stand for others, by oid."""
_RECEIVED = ("anyarray", "anycompatiblearray")
"""Those of them that can be read from bytes."""


async def answer_function_call(
    channel: Channel, session: ClientSession, message: FunctionCall, known: KnownReceivers
) -> None:
    """Runs the function, ends the transaction that is implicit in it, and answers."""
    sql, types = session.function_called(message.oid)
    if len(types) != len(message.arguments):
        text = f"function call message contains {len(message.arguments)} arguments but function requires {len(types)}"
        raise SqlError(Sqlstate.PROTOCOL_VIOLATION, text)
    types = [_settled(message, at, oid) for at, oid in enumerate(types)]
    try:
        value = await _value(channel, session, message, sql, types, known)
    finally:
        await session.close_portal(_NAME)
        await session.close_statement(_NAME)
    await session.sync()
    channel.machine.send(FunctionCallResponse(value))


def _settled(message: FunctionCall, at: int, oid: int) -> int:
    """Returns the type by which an argument is read. Raises SqlError for a value of a type that stands for others."""
    name = _ANY.get(oid)
    if name is None:
        return oid
    formats = message.argument_formats or (TEXT_FORMAT,)
    if formats[at if len(formats) > 1 else 0] != TEXT_FORMAT and name not in _RECEIVED:
        shown = '"any"' if name == "any" else name
        raise SqlError(Sqlstate.UNDEFINED_FUNCTION, f"no binary input function available for type {shown}")
    if message.arguments[at] is not None:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"cannot accept a value of type {name}")
    if name == "anyenum":
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "could not determine actual enum type")
    if name.endswith("range"):
        return TYPES["int4multirange" if "multi" in name else "int4range"].oid
    return TYPES["text"].array_oid if name in _RECEIVED else TYPES["text"].oid


async def _value(
    channel: Channel,
    session: ClientSession,
    message: FunctionCall,
    sql: str,
    oids: Sequence[int],
    known: KnownReceivers,
) -> bytes | None:
    await session.parse(_NAME, sql, oids)
    types = session.parameter_types(_NAME)
    formats = (message.result_format,)
    bind = Bind(_NAME, _NAME, message.argument_formats, message.arguments, formats)
    context = parameter_context(session, types)
    large = sum(len(data) for data in message.arguments if data is not None) >= LARGE_BYTES
    read = partial(read_parameters, bind, types, context, session.parameter_check, known)
    try:
        parameters = await done(read, large=large)
    except SqlError as error:
        # There is no portal that the client could know.
        error.context = None
        error.message = error.message.replace("in bind parameter", "in function argument")
        raise
    await session.bind(_NAME, _NAME, parameters, formats)
    result = await session.execute(_NAME, 0, last=True)
    assert isinstance(result, Rows), "a query has rows"
    rows = [*result.whole] if result.whole is not None else [row async for rows in result.batches for row in rows]
    if len(rows) != 1:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "a function call message can't call a function of sets")
    encoder = RowEncoder(result.desc, formats, session.text_context)
    encoded = await done(partial(encoder.encode, rows), large=encoder.is_large(rows))
    *_, length = _VALUE.unpack_from(encoded)
    return None if length < 0 else encoded[_VALUE.size :]
