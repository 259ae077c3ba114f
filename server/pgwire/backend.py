"""The interface between the wire and sessions: a Backend opens Sessions, one for each client.

A session's methods are called one after another, never two at a time, always from one task; that task is cancelled when
the client disconnects while a statement runs, and `close` is called after that. `Backend.cancel` comes from another
connection. Every failure that the client may see is raised as SqlError.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from catalog.declared.snapshot import ClientKind
from model.errors.sql_error import SqlError
from model.text.context import ObjectNames, TextContext
from model.text.copy_options import CheckedCopyOptions
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from server.pgwire.copy.blocks import Batch
from server.pgwire.messages import NoticeResponse, NotificationResponse
from server.tls.session import Encryption

TransactionStatus = Literal["I", "T", "E"]
"""Idle, in a transaction, in a failed transaction."""


@dataclass(frozen=True, slots=True)
class StartupParameters:
    """A client's start-up message. `options` has all other parameters, with `options=-c …` unsplit; `encryption` is
    the connection's, if any; `kind` tells what protocol the client speaks; `server`: our address and port, as the
    client reaches them. `reads_only`: each transaction is READ ONLY. `effectless`: what would take effect before a
    commit, or beside it, is refused: functions such as set_config(), and locks on rows."""

    user: str
    database: str
    options: Mapping[str, str]
    client_address: str
    client_port: int | None = None
    encryption: Encryption | None = None
    kind: ClientKind = "client backend"
    reads_only: bool = False
    effectless: bool = False
    server: tuple[str, int | None] = "", None


@dataclass(frozen=True, slots=True)
class Credentials:
    """A role at log-in: the verifier of its password, None without a password; whether the password has `expired`;
    whether the role is the superuser that the server began with, or any `superuser`; `roles`: the names of the roles of
    that role, itself among them."""

    password: str | None = field(default=None, repr=False)
    expired: bool = False
    first_superuser: bool = False
    superuser: bool = False
    roles: frozenset[str] = frozenset()


class Client(Protocol):
    """A session's client, to which the session may do this at any time, in the event loop's thread."""

    def set_parameter(self, name: str, value: str) -> None:
        """Reports a parameter's value when the client is next ready, if the client knows another value then."""
        ...

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        """Sends it with the next output, at once when the client is idle."""
        ...

    @property
    def taking(self) -> bool:
        """Returns whether the client reads what is sent."""
        ...

    @property
    def sent_bytes(self) -> int:
        """Returns how much was sent so far, or waits to be."""
        ...

    def terminate(self, error: SqlError) -> None:
        """Ends the connection with a FATAL error, as soon as no statement runs."""
        ...


class LiveRows(Protocol):
    """Rows of a subscription, which keep coming."""

    @property
    def waiting(self) -> bool:
        """Tells whether the next batch, or the end, is there already."""
        ...

    async def catch_up(self, time: Timestamp) -> None:
        """Waits until everything up to `time` waits to be read."""
        ...


def _never_suspended() -> bool:
    return False


Origins = Sequence[tuple[int, int] | None]
"""For each column of a result the oid of the table or view that it is a column of, and its number there from 1; None
for what is computed. None at all is short for that of all columns."""


@dataclass(frozen=True, slots=True)
class ResultDescription:
    """The description of rows that a client gets before them."""

    desc: RelationDesc
    origins: Origins = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """A statement with a result. The wire reads `batches` to the end, then asks `tag` ("SELECT 3") and whether the
    portal is `suspended` at its row limit; what must happen before the client is answered, such as an implicit
    commit, happens before `batches` ends. Batches may be of any size, a few thousand rows serve best."""

    desc: RelationDesc
    batches: AsyncIterator[Sequence[Row]]
    tag: Callable[[], str]
    suspended: Callable[[], bool] = field(default=_never_suspended)
    names: ObjectNames | None = None
    """What regclass and its kin print as; None when there are none in it."""
    live: LiveRows | None = None
    """For rows without an end: their first batch, which may be empty, says that they have begun."""
    origins: Origins = ()
    whole: Sequence[Row] | None = None
    """All rows, where they are there already: who takes these reads no `batches`, which have them too."""
    binary: bool = False
    """Sent in binary format in the simple protocol: of a cursor that was declared so."""

    @property
    def description(self) -> ResultDescription:
        return ResultDescription(self.desc, self.origins)

    def of(self, origins: Origins) -> Rows:
        """Returns the rows with the origins of their columns."""
        # Written out, since `replace` takes five times as long, and many results are small.
        return Rows(
            self.desc, self.batches, self.tag, self.suspended, self.names, self.live, origins, self.whole, self.binary
        )


@dataclass(frozen=True, slots=True)
class Command:
    """A statement without a result, already done: "INSERT 0 3"."""

    tag: str


@dataclass(frozen=True, slots=True)
class EmptyQuery:
    """Nothing but white space and comments."""


class CopyReceiver(Protocol):
    """Takes the rows of COPY FROM STDIN: `feed` any number of times, then exactly one of the other two."""

    async def feed(self, rows: Batch) -> None: ...

    async def finish(self) -> str:
        """Ends a COPY of which all rows have come; gives the tag, "COPY 3"."""
        ...

    async def fail(self, error: SqlError) -> None:
        """Ends the copy after the client gave up, or sent unreadable data; `error` is what the client is told."""
        ...


@dataclass(frozen=True, slots=True)
class CopyIn:
    """A COPY FROM STDIN to be fed. `desc` describes the data's columns, with their types' modifiers; `relation` is
    for error contexts."""

    relation: str
    desc: RelationDesc
    options: CheckedCopyOptions
    receiver: CopyReceiver


@dataclass(frozen=True, slots=True)
class CopyOut:
    """A result to be written as COPY's data."""

    desc: RelationDesc
    options: CheckedCopyOptions
    batches: AsyncIterator[Sequence[Row]]
    tag: Callable[[], str]
    live: LiveRows | None = None


StatementResult = Rows | Command | EmptyQuery | CopyIn | CopyOut


@dataclass(frozen=True, slots=True)
class StatementDescription:
    """The description of a prepared statement. `rows` is None for a statement without a result."""

    parameter_types: Sequence[ScalarType]
    rows: ResultDescription | None


class ClientSession(Protocol):
    """One client's state. `parameters` are the first ParameterStatus values (server_version, client_encoding, …)."""

    @property
    def pid(self) -> int: ...

    @property
    def secret(self) -> int: ...

    @property
    def parameters(self) -> Mapping[str, str]: ...

    @property
    def transaction_status(self) -> TransactionStatus: ...

    @property
    def text_context(self) -> TextContext: ...

    @property
    def names(self) -> ObjectNames | None:
        """The names of relations, types and the like in parameters; None where parameters can't name any."""
        ...

    def simple_query(self, sql: str) -> AsyncIterator[StatementResult]:
        """Yields the results of the statements in `sql`; each is consumed before the next is asked for, and the
        first error ends them. An empty text yields one EmptyQuery."""
        ...

    def function_called(self, oid: int) -> tuple[str, Sequence[int]]:
        """Returns a query that calls the function with an oid, and the oids of its parameters' types; raises 42883
        when there is no such function."""
        ...

    async def parse(self, name: str, sql: str, parameter_oids: Sequence[int]) -> None:
        """Prepares a statement; "" is the unnamed one, which is replaced; oid 0 leaves a type to be inferred."""
        ...

    def parameter_types(self, statement: str) -> Sequence[ScalarType]:
        """Returns the types of a prepared statement's parameters; raises 26000 when there is no such statement."""
        ...

    def parameter_check(self, type_: ScalarType) -> Callable[[Datum], Datum]:
        """Returns the function that checks and converts each value of a parameter to its type; a domain's also takes
        NULL."""
        ...

    async def describe_statement(self, name: str) -> StatementDescription: ...

    async def bind(
        self, portal: str, statement: str, parameters: Sequence[Datum], result_formats: Sequence[int]
    ) -> None:
        """Opens a portal; "" is the unnamed one, which is replaced."""
        ...

    async def describe_portal(self, portal: str) -> ResultDescription | None: ...

    async def execute(self, portal: str, max_rows: int, *, last: bool = False) -> StatementResult:
        """Runs a portal, or goes on with a suspended one, for at most `max_rows` rows; 0 means all. `last`: Sync comes
        next."""
        ...

    async def close_statement(self, name: str) -> None:
        """Closes a statement; does nothing when there is none."""
        ...

    async def close_portal(self, name: str) -> None:
        """Closes a portal; does nothing when there is none."""
        ...

    async def sync(self) -> None:
        """Ends a pipeline: an implicit transaction commits; an error here is the pipeline's."""
        ...

    async def fail(self, error: SqlError) -> None:
        """Notes that a statement ended in `error`, raised by this session or by the wire (a parameter that can't
        be read, a malformed message): an open transaction is now failed, an implicit one is rolled back. Must not
        raise."""
        ...

    async def close(self) -> None:
        """Rolls back and releases everything: the client is gone. Called exactly once. Must not raise."""
        ...


class Backend(Protocol):
    def credentials(self, user: str) -> Credentials:
        """Returns the proof that a client must give to log in as `user`; empty for a missing role."""
        ...

    async def open_session(self, startup: StartupParameters, client: Client) -> ClientSession:
        """Opens a session for a client. An SqlError refuses the client, as FATAL."""
        ...

    async def cancel(self, pid: int, secret: int) -> None:
        """Cancels the statement of the session with this key, if any; never fails."""
        ...
