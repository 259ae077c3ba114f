"""The messages of client (frontend) and server (backend), as values.

Field names are those of PostgreSQL's "Message Formats". Formats are 0 for text, 1 for binary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from model.errors.sql_error import Severity, SqlError

TEXT_FORMAT = 0
BINARY_FORMAT = 1


PROTOCOL_MAJOR = 3


@dataclass(frozen=True, slots=True)
class SslRequest:
    """May come once before StartupMessage; the answer is one byte: `S` where TLS begins with the next, or `N`."""


@dataclass(frozen=True, slots=True)
class GssEncryptionRequest:
    """A request for GSS encryption, always answered by `N`."""


@dataclass(frozen=True, slots=True)
class CancelRequest:
    """Instead of StartupMessage; gets no answer, the connection is closed."""

    pid: int
    secret: int


@dataclass(frozen=True, slots=True)
class StartupMessage:
    minor_version: int
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PasswordMessage:
    """Also SASLInitialResponse and SASLResponse: the type byte is the same, the state tells them apart."""

    body: bytes


@dataclass(frozen=True, slots=True)
class QueryMessage:
    sql: str


@dataclass(frozen=True, slots=True)
class Parse:
    name: str
    sql: str
    parameter_oids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bind:
    portal: str
    statement: str
    parameter_formats: tuple[int, ...]
    parameters: tuple[bytes | None, ...]
    result_formats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Describe:
    """Asks to describe a statement (`kind` "S") or a portal ("P")."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Execute:
    """Asks for up to `max_rows` rows of a portal; 0 means all rows."""

    portal: str
    max_rows: int


@dataclass(frozen=True, slots=True)
class Close:
    """Closes a statement or a portal; `kind` as in Describe."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Flush:
    pass


@dataclass(frozen=True, slots=True)
class Sync:
    pass


@dataclass(frozen=True, slots=True)
class Terminate:
    pass


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """Calls a function by oid. `argument_formats` are as Bind's: one for each argument, or one for all, or none."""

    oid: int
    argument_formats: tuple[int, ...]
    arguments: tuple[bytes | None, ...]
    result_format: int


@dataclass(frozen=True, slots=True)
class CopyData:
    """A piece of COPY's data. Boundaries between pieces mean nothing: a client's may cut a row."""

    data: bytes


@dataclass(frozen=True, slots=True)
class CopyDone:
    pass


@dataclass(frozen=True, slots=True)
class CopyFail:
    message: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message with a right frame and a wrong body. `extended`: the protocol recovers at the next Sync."""

    error: SqlError
    extended: bool


FrontendMessage = (
    SslRequest
    | GssEncryptionRequest
    | CancelRequest
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
)


@dataclass(frozen=True, slots=True)
class EncryptionAccepted:
    """The single byte `S`."""


@dataclass(frozen=True, slots=True)
class EncryptionRefused:
    """The single byte `N`."""


@dataclass(frozen=True, slots=True)
class AuthenticationOk:
    pass


@dataclass(frozen=True, slots=True)
class AuthenticationSasl:
    mechanisms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuthenticationSaslContinue:
    data: bytes


@dataclass(frozen=True, slots=True)
class AuthenticationSaslFinal:
    data: bytes


@dataclass(frozen=True, slots=True)
class NegotiateProtocolVersion:
    """The newest version that is spoken here, of version 3, and the options that are not known."""

    minor_version: int
    unknown_options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackendKeyData:
    pid: int
    secret: int


@dataclass(frozen=True, slots=True)
class ParameterStatus:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ReadyForQuery:
    """Tells the client that the server awaits the next query. `status` is I (idle), T (in a transaction) or E (in a
    failed one)."""

    status: str


@dataclass(frozen=True, slots=True)
class FieldDescription:
    """Describes a column; `table_oid` and `attribute` are 0 for one that is not a table's."""

    name: str
    type_oid: int
    type_size: int
    type_modifier: int
    format: int
    table_oid: int = 0
    attribute: int = 0


@dataclass(frozen=True, slots=True)
class RowDescription:
    fields: Sequence[FieldDescription]


@dataclass(frozen=True, slots=True)
class ParameterDescription:
    type_oids: Sequence[int]


@dataclass(frozen=True, slots=True)
class DataRows:
    """Encoded DataRow messages, many in one value."""

    encoded: bytes


@dataclass(frozen=True, slots=True)
class CommandComplete:
    tag: str


@dataclass(frozen=True, slots=True)
class EmptyQueryResponse:
    pass


@dataclass(frozen=True, slots=True)
class PortalSuspended:
    pass


@dataclass(frozen=True, slots=True)
class FunctionCallResponse:
    value: bytes | None


@dataclass(frozen=True, slots=True)
class ParseComplete:
    pass


@dataclass(frozen=True, slots=True)
class BindComplete:
    pass


@dataclass(frozen=True, slots=True)
class CloseComplete:
    pass


@dataclass(frozen=True, slots=True)
class NoData:
    pass


@dataclass(frozen=True, slots=True)
class CopyInResponse:
    format: int
    columns: int


@dataclass(frozen=True, slots=True)
class CopyOutResponse:
    format: int
    columns: int


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    error: SqlError


@dataclass(frozen=True, slots=True)
class NoticeResponse:
    """A notice, with the fields of an error; its severity is WARNING, NOTICE and the like."""

    sqlstate: str
    message: str
    severity: Severity = Severity.NOTICE
    detail: str | None = None
    hint: str | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class NotificationResponse:
    pid: int
    channel: str
    payload: str = field(default="")


BackendMessage = (
    EncryptionAccepted
    | EncryptionRefused
    | AuthenticationOk
    | AuthenticationSasl
    | AuthenticationSaslContinue
    | AuthenticationSaslFinal
    | NegotiateProtocolVersion
    | BackendKeyData
    | ParameterStatus
    | ReadyForQuery
    | RowDescription
    | ParameterDescription
    | DataRows
    | CommandComplete
    | EmptyQueryResponse
    | PortalSuspended
    | FunctionCallResponse
    | ParseComplete
    | BindComplete
    | CloseComplete
    | NoData
    | CopyInResponse
    | CopyOutResponse
    | CopyData
    | CopyDone
    | ErrorResponse
    | NoticeResponse
    | NotificationResponse
)
