"""The parameters of a Bind message as datums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.types.datum import Datum
from model.types.scalar_type import REGISTERED, ScalarType, holds_domain
from server.pgwire.backend import ClientSession
from server.pgwire.encoding.dispatch import receiver
from server.pgwire.messages import TEXT_FORMAT, Bind

Check = Callable[[ScalarType], Callable[[Datum], Datum]]
Receive = Callable[[bytes | None], Datum]
_RECEIVERS_MAX = 256


class KnownReceivers:
    """A connection's receivers of parameters, by type and format, reused between statements. Types are told apart by
    identity, because comparing them takes longer than reading most values."""

    __slots__ = ("_context", "_known")

    def __init__(self) -> None:
        self._context: TextContext | None = None
        self._known: dict[tuple[int, int], tuple[ScalarType, Receive]] = {}

    def of(self, type_: ScalarType, code: int, context: TextContext, check: Check) -> Receive:
        """Returns the receiver of a type and format."""
        if context is not self._context:
            self._context = context
            self._known.clear()
        known = self._known.get((id(type_), code))
        if known is not None:
            return known[1]
        receive = _receiver(type_, code, context, check)
        if not holds_domain(type_) and len(self._known) < _RECEIVERS_MAX:
            # The type is kept with it, so that no other gets its number. What a domain checks is a session's to say.
            self._known[id(type_), code] = type_, receive
        return receive


def parameter_context(session: ClientSession, types: Sequence[ScalarType]) -> TextContext:
    """Returns the context in which texts of parameters are read, with names of objects where a type has them."""
    context = session.text_context
    return replace(context, objects=session.names) if any(type_.name in REGISTERED for type_ in types) else context


def read_parameters(
    message: Bind, types: Sequence[ScalarType], context: TextContext, check: Check, known: KnownReceivers
) -> list[Datum]:
    """Decodes a Bind's parameters. Raises SqlError: 08P01 when counts differ, classes 22 and 23 for a value that its
    type refuses. `check` returns the session's check of a type's values; `known` is the connection's."""
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
    # Thousands of parameters may be of a few domains.
    receivers: dict[tuple[int, int], Receive] = {}
    values: list[Datum] = []
    for number, (data, type_, code) in enumerate(zip(message.parameters, types, codes, strict=True), start=1):
        try:
            receive = receivers.get((id(type_), code))
            if receive is None:
                receive = receivers[id(type_), code] = known.of(type_, code, context, check)
            values.append(receive(data))
        except SqlError as error:
            raise _placed(error, message, number, data, code) from None
    return values


def _receiver(type_: ScalarType, code: int, context: TextContext, check: Check) -> Receive:
    """Returns the function that reads a parameter; only domains are asked about NULL."""
    receive = receiver(type_, code, context)
    if holds_domain(type_):
        checked = check(type_)
        return lambda data: checked(None if data is None else receive(data))
    return lambda data: None if data is None else receive(data)


def _placed(error: SqlError, message: Bind, number: int, data: bytes | None, code: int) -> SqlError:
    """Adds the parameter to an error; the value is not shown, as with PostgreSQL's default settings."""
    if error.sqlstate is Sqlstate.INVALID_BINARY_REPRESENTATION and error.message.endswith("data format"):
        error.message = f"{error.message} in bind parameter {number}"
        return error
    portal = f'portal "{message.portal}"' if message.portal else "unnamed portal"
    shown = " = '...'" if data is not None and code == TEXT_FORMAT else ""
    place = f"{portal} parameter ${number}{shown}"
    error.context = place if error.context is None else f"{error.context}\n{place}"
    return error
