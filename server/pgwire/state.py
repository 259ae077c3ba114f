"""The protocol as a state machine, without I/O: which message may come when.

Feed it bytes with `receive`; ask `next_event` for what to do; pass it the answers with `send`, `fail` and `ready`;
write what `take_output` returns. It answers by itself: encryption requests, version negotiation, messages out of place,
everything between an error and the Sync that ends it.

    STARTUP → AUTHENTICATION → READY ⇄ COPY_IN        READY → SKIPPING → READY (at Sync)        any → CLOSED
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.booleans import parse_bool
from model.text.encodings import ClientEncoding, known_encoding
from server.pgwire.codec import MESSAGE_BYTES_MAX, Decoder, fatal, unsupported_version
from server.pgwire.encode import described, encode
from server.pgwire.large_values import LARGE_BYTES
from server.pgwire.messages import (
    BackendMessage,
    Bind,
    CancelRequest,
    Close,
    CopyData,
    CopyDone,
    CopyFail,
    CopyInResponse,
    Describe,
    EncryptionAccepted,
    EncryptionRefused,
    ErrorResponse,
    Execute,
    Flush,
    FrontendMessage,
    FunctionCall,
    GssEncryptionRequest,
    Malformed,
    NegotiateProtocolVersion,
    ParameterStatus,
    Parse,
    PasswordMessage,
    QueryMessage,
    ReadyForQuery,
    SslRequest,
    StartupMessage,
    Sync,
    Terminate,
)


class Phase(Enum):
    STARTUP = auto()
    AUTHENTICATION = auto()
    READY = auto()
    COPY_IN = auto()
    SKIPPING = auto()
    CLOSED = auto()


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Many messages that need no answer, such as those behind an error; more may follow."""


Event = (
    CancelRequest
    | SslRequest
    | StartupMessage
    | PasswordMessage
    | QueryMessage
    | Parse
    | Bind
    | Describe
    | Execute
    | Close
    | Flush
    | Sync
    | Terminate
    | FunctionCall
    | CopyData
    | CopyDone
    | CopyFail
    | Malformed
    | PassedOver
)
"""What the machine leaves to its driver. SslRequest was accepted: all that comes and goes from now on is encrypted by
the driver, and the machine is told with `encrypted`. Malformed also stands for a message out of place: the driver
tells the session, then calls `fail` with its error, as for any statement that failed."""

_PROTOCOL_OPTION_PREFIX = "_pq_."
_PASSED_AT_ONCE = 256


class Machine:
    """One connection's protocol. After CLOSED only its last output is left."""

    def __init__(self, message_bytes_max: int = MESSAGE_BYTES_MAX, *, tls: bool = False) -> None:
        """`tls`: whether the driver can encrypt."""
        self.phase = Phase.STARTUP
        self._tls = tls
        self._decoder = Decoder(message_bytes_max)
        self._output: list[bytes] = []
        self._output_bytes = 0
        self._taken_bytes = 0
        self._encryption_asked: set[type] = set()
        self._status = ""
        self._extended = False
        self._parameters: dict[str, str] = {}
        self._parameters_told: dict[str, str] = {}
        self._encoding: ClientEncoding | None = None

    @property
    def buffered_bytes(self) -> int:
        """Bytes received and not yet given out as events."""
        return self._decoder.buffered_bytes

    @property
    def large_is_next(self) -> bool:
        """Tells whether `next_event` would take long."""
        return self.phase is not Phase.CLOSED and self._decoder.large_is_next

    @property
    def sync_is_next(self) -> bool:
        """Tells whether a Sync has arrived right behind the last event."""
        return self._decoder.next_kind == b"S"

    @property
    def expecting_more(self) -> bool:
        """Tells whether an incomplete message is held."""
        return self._decoder.expecting_more

    @property
    def output_bytes(self) -> int:
        return self._output_bytes

    @property
    def sent_bytes(self) -> int:
        """Returns the bytes of all output so far, taken or not."""
        return self._taken_bytes + self._output_bytes

    def receive(self, data: bytes) -> None:
        if self.phase is not Phase.CLOSED:
            self._decoder.feed(data)

    def without_tls(self) -> None:
        """Refuses TLS from here on: over a Unix socket nobody stands between client and server."""
        self._tls = False

    def encrypted(self) -> None:
        """Notes that TLS has begun; nobody may ask for encryption within."""
        assert self.phase is Phase.STARTUP
        self._encryption_asked = {SslRequest, GssEncryptionRequest}

    def next_event(self) -> Event | None:
        """Returns the next thing to do; None when more bytes are needed, or none will be taken any more."""
        for _ in range(_PASSED_AT_ONCE):
            if self.phase is Phase.CLOSED:
                return None
            try:
                message = self._decoder.next()
                if message is None:
                    return None
                event = self._judge(message)
            except SqlError as error:
                self._end(error)
                return None
            if event is not None:
                self._status = ""
                return event
        return PassedOver()

    @property
    def between_transactions(self) -> bool:
        """Returns whether the client was last told that it is in no transaction, and has sent nothing since."""
        return self._status == "I" and not self.buffered_bytes

    def send(self, *messages: BackendMessage) -> None:
        """Queues messages; CopyInResponse turns the connection to COPY_IN."""
        for message in messages:
            if isinstance(message, CopyInResponse):
                assert self.phase is Phase.READY
                self.phase = Phase.COPY_IN
            self._enqueue(encode(message, self._encoding))

    def describe(self, encoded: bytes) -> None:
        """Queues a RowDescription. Raises SqlError 22P05 for names that the client's encoding lacks."""
        self._enqueue(described(encoded, self._encoding))

    def send_encoded(self, data: bytes) -> None:
        """Queues messages that are encoded already."""
        self._enqueue(data)

    def set_parameter(self, name: str, value: str) -> None:
        """Notes a parameter's value, to be reported when the client is next ready, if it knows another value then. The
        client's encoding counts from the next message on."""
        self._parameters[name] = value
        if name == "client_encoding":
            self._encoding = self._decoder.encoding = known_encoding(value)

    def tell_parameters(self) -> None:
        """Queues a ParameterStatus for each value that the client doesn't know."""
        for name, value in self._parameters.items():
            if self._parameters_told.get(name) != value:
                self._parameters_told[name] = value
                self._enqueue(encode(ParameterStatus(name, value), self._encoding))
        self._parameters.clear()

    def copy_ended(self) -> None:
        """Notes that the client's CopyDone or CopyFail was taken."""
        assert self.phase is Phase.COPY_IN
        self.phase = Phase.READY

    def authenticated(self) -> None:
        assert self.phase is Phase.AUTHENTICATION
        self.phase = Phase.READY

    def fail(self, error: SqlError, status: str) -> None:
        """Notes that the present message ended in `error`. After a simple query the client is ready again, with the
        transaction's `status`; after a message of the extended protocol everything up to Sync is skipped."""
        if error.severity is Severity.FATAL or self.phase in (Phase.STARTUP, Phase.AUTHENTICATION):
            error.severity = Severity.FATAL
            self._end(error)
            return
        self._enqueue(encode(ErrorResponse(error), self._encoding))
        if self._extended:
            self.phase = Phase.SKIPPING
        else:
            self.ready(status)

    def ready(self, status: str) -> None:
        """Queues changed parameters, then ReadyForQuery."""
        self.phase = Phase.READY
        self._status = status
        self.tell_parameters()
        self._enqueue(encode(ReadyForQuery(status)))

    def close(self) -> None:
        self.phase = Phase.CLOSED
        self._decoder.clear()

    def take_output(self) -> list[bytes]:
        """Returns the output to write now, joined except for large parts, which are not copied; empties the queue."""
        pieces: list[bytes] = []
        small: list[bytes] = []
        for data in self._output:
            if len(data) < LARGE_BYTES:
                small.append(data)
                continue
            pieces += (b"".join(small), data)
            small = []
        pieces.append(b"".join(small))
        self._output.clear()
        self._taken_bytes += self._output_bytes
        self._output_bytes = 0
        return [piece for piece in pieces if piece]

    def _enqueue(self, data: bytes) -> None:
        self._output.append(data)
        self._output_bytes += len(data)

    def _end(self, error: SqlError) -> None:
        self._enqueue(encode(ErrorResponse(error), self._encoding))
        self.phase = Phase.CLOSED

    def _judge(self, message: FrontendMessage) -> Event | None:
        """Returns the event for a message in the present phase; None when it is handled. Raises SqlError FATAL for
        one that ends the connection."""
        match self.phase:
            case Phase.READY:
                return self._judge_ready(message)
            case Phase.COPY_IN:
                return self._judge_copy(message)
            case Phase.SKIPPING:
                return self._judge_skipping(message)
            case Phase.STARTUP:
                return self._judge_startup(message)
            case Phase.AUTHENTICATION:
                if not isinstance(message, PasswordMessage):
                    raise fatal("expected password response, got another message")
                return message
            case Phase.CLOSED:
                return None
            case _:
                assert_never(self.phase)

    def _judge_ready(self, message: FrontendMessage) -> Event | None:
        match message:
            case QueryMessage():
                self._extended = False
                return message
            case Parse() | Bind() | Describe() | Execute() | Close() | Flush():
                self._extended = True
                return message
            case Sync():
                # An error in what Sync does (a commit) is answered with ReadyForQuery at once.
                self._extended = False
                return message
            case CopyData() | CopyDone() | CopyFail():
                # A client may still be sending after a COPY that failed.
                return None
            case FunctionCall():
                self._extended = False
                return message
            case Malformed():
                self._extended = message.extended
                return message
            case Terminate():
                return message
            case _:
                raise fatal(f"unexpected message {type(message).__name__}")

    def _judge_copy(self, message: FrontendMessage) -> Event | None:
        match message:
            case CopyData() | CopyDone() | CopyFail() | Terminate():
                return message
            case Flush() | Sync():
                return None
            case Malformed():
                return message
            case _:
                name = type(message).__name__
                error = SqlError(Sqlstate.PROTOCOL_VIOLATION, f"unexpected message {name} during COPY from stdin")
                return Malformed(error, self._extended)

    def _judge_skipping(self, message: FrontendMessage) -> Event | None:
        match message:
            case Sync():
                self.phase = Phase.READY
                self._extended = False
                return message
            case Terminate():
                return message
            case Malformed(error=error) if error.severity is Severity.FATAL:
                raise error
            case _:
                return None

    def _judge_startup(self, message: FrontendMessage) -> Event | None:
        match message:
            case SslRequest() | GssEncryptionRequest():
                if type(message) in self._encryption_asked:
                    unsupported_version(80877103 if isinstance(message, SslRequest) else 80877104)
                self._encryption_asked.add(type(message))
                if isinstance(message, SslRequest) and self._tls:
                    return self._accept_tls(message)
                self.send(EncryptionRefused())
                return None
            case CancelRequest():
                self.phase = Phase.CLOSED
                return message
            case StartupMessage():
                return self._started(message)
            case _:
                raise AssertionError("the decoder gives only start-up packets here")

    def _accept_tls(self, request: SslRequest) -> SslRequest:
        if self._decoder.buffered_bytes:
            # They would be taken for a part of what is encrypted.
            raise fatal(
                "received unencrypted data after SSL request",
                detail="This could be either a client-software bug or evidence of an attempted man-in-the-middle "
                "attack.",
            )
        self.send(EncryptionAccepted())
        return request

    def _started(self, message: StartupMessage) -> StartupMessage:
        unknown = tuple(name for name in message.parameters if name.startswith(_PROTOCOL_OPTION_PREFIX))
        if message.minor_version > 0 or unknown:
            self.send(NegotiateProtocolVersion(0, unknown))
        if not message.parameters.get("user"):
            raise fatal(
                "no PostgreSQL user name specified in startup packet",
                Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
            )
        _refuse_replication(message.parameters.get("replication", "false"))
        self.phase = Phase.AUTHENTICATION
        self._decoder.started = True
        return message


def _refuse_replication(wanted: str) -> None:
    """Raises SqlError FATAL for a client that speaks the replication protocol, which begins as any other's."""
    try:
        replicates = wanted == "database" or parse_bool(wanted)
    except SqlError:
        message = f'invalid value for parameter "replication": "{wanted}"'
        hint = 'Valid values are: "false", 0, "true", 1, "database".'
        raise fatal(message, Sqlstate.INVALID_PARAMETER_VALUE, hint=hint) from None
    if replicates:
        raise fatal("replication connections are not supported", Sqlstate.FEATURE_NOT_SUPPORTED)
