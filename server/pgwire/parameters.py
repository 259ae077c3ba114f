"""The parameters of a Bind message as datums."""

from __future__ import annotations

from collections.abc import Sequence

from model.datum import Datum
from model.errors import SqlError
from model.scalar_type import ScalarType
from model.sqlstate import Sqlstate
from model.text.context import TextContext
from server.pgwire.encoding.dispatch import receiver
from server.pgwire.messages import Bind


def read_parameters(message: Bind, types: Sequence[ScalarType], context: TextContext) -> list[Datum]:
    """SqlError: 08P01 when counts differ, class 22 for a value that its type refuses."""
    count, formats = len(message.parameters), message.parameter_formats
    if len(formats) > 1 and len(formats) != count:
        raise SqlError(
            Sqlstate.PROTOCOL_VIOLATION,
            f"bind message has {len(formats)} parameter formats but {count} parameters",
        )
    if count != len(types):
        raise SqlError(
            Sqlstate.PROTOCOL_VIOLATION,
            f"bind message supplies {count} parameters, but prepared statement "
            f'"{message.statement}" requires {len(types)}',
        )
    codes = formats if len(formats) == count else (formats or (0,)) * count
    values: list[Datum] = []
    for index, (data, type_, code) in enumerate(zip(message.parameters, types, codes, strict=True)):
        values.append(None if data is None else _read(data, type_, code, context, index + 1))
    return values


def _read(data: bytes, type_: ScalarType, code: int, context: TextContext, number: int) -> Datum:
    try:
        return receiver(type_, code, context)(data)
    except SqlError as error:
        if error.sqlstate is Sqlstate.INVALID_BINARY_REPRESENTATION and error.message.endswith("data format"):
            message = f"{error.message} in bind parameter {number}"
            raise SqlError(error.sqlstate, message) from None
        raise
