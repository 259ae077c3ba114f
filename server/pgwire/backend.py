"""What the wire asks of whoever answers statements: a Backend opens Sessions, one for each client.

A session's methods are called one after another, never two at a time, always from one task; that task is cancelled
when the client goes away while a statement runs, and `close` is called after that. `Backend.cancel` comes from
another connection. Every failure that the client may see is raised as SqlError.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

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
    """`options` holds everything else that the client sent at start-up, `options=-c …` not yet taken apart;
    `encryption` is what the connection has, if any."""

    user: str
    database: str
    options: Mapping[str, str]
    client_address: str
    client_port: int | None = None
    encryption: Encryption | None = None


@dataclass(frozen=True, slots=True)
class Credentials:
    """A role at log-in: the verifier of its password, None without a password; whether the password has `expired`;
    whether the role is the superuser that the server began with; `roles`: the names of the roles of that role, itself
    among them."""

    password: str | None = field(default=None, repr=False)
    expired: bool = False
    first_superuser: bool = False
    roles: frozenset[str] = frozenset()


class Client(Protocol):
    """What a session may do to its client at any time, from the event loop's thread."""

    def set_parameter(self, name: str, value: str) -> None:
        """Tells of it when the client is ready the next time, if it knows another value until then."""
        ...

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        """Sends it with the next output, at once when the client is idle."""
        ...

    def terminate(self, error: SqlError) -> None:
        """Ends the connection with a FATAL error, as soon as no statement runs."""
        ...


class LiveRows(Protocol):
    """Rows that go on coming: a subscription's."""

    @property
    def waiting(self) -> bool:
        """Whether the next batch, or the end, is there already."""
        ...

    async def catch_up(self, time: Timestamp) -> None:
        """Returns when everything up to `time` waits to be read."""
        ...


def _never_suspended() -> bool:
    return False


Origins = Sequence[tuple[int, int] | None]
"""For each column of a result the oid of the table or view that it is a column of, and its number there from 1; None
for what is computed. None at all is short for that of all columns."""


@dataclass(frozen=True, slots=True)
class ResultDescription:
    """What a client is told about rows before they come."""

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
        """With where its columns come from."""
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
        """All rows have come; gives the tag, "COPY 3"."""
        ...

    async def fail(self, error: SqlError) -> None:
        """The client gave up or sent what can't be read; `error` is what it will be told."""
        ...


@dataclass(frozen=True, slots=True)
class CopyIn:
    """`desc` names the columns that the data holds, with their types' modifiers; `relation` is for error contexts."""

    relation: str
    desc: RelationDesc
    options: CheckedCopyOptions
    receiver: CopyReceiver


@dataclass(frozen=True, slots=True)
class CopyOut:
    """As Rows, written as COPY's data."""

    desc: RelationDesc
    options: CheckedCopyOptions
    batches: AsyncIterator[Sequence[Row]]
    tag: Callable[[], str]
    live: LiveRows | None = None


StatementResult = Rows | Command | EmptyQuery | CopyIn | CopyOut


@dataclass(frozen=True, slots=True)
class StatementDescription:
    """`rows` is None for a statement without a result."""

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
        """How parameters name relations, types and the like; None where they can't."""
        ...

    def simple_query(self, sql: str) -> AsyncIterator[StatementResult]:
        """The results of the statements in `sql`, one after another; each is consumed before the next is asked for,
        and the first error ends them. An empty text gives one EmptyQuery."""
        ...

    async def parse(self, name: str, sql: str, parameter_oids: Sequence[int]) -> None:
        """Prepares a statement; "" names the unnamed one, which is replaced; oid 0 leaves a type to be inferred."""
        ...

    def parameter_types(self, statement: str) -> Sequence[ScalarType]:
        """The types of a prepared statement's parameters; 26000 when there is no such statement."""
        ...

    def parameter_check(self, type_: ScalarType) -> Callable[[Datum], Datum]:
        """What makes of each value what a parameter's type demands: a domain looks at NULL, too."""
        ...

    async def describe_statement(self, name: str) -> StatementDescription: ...

    async def bind(
        self, portal: str, statement: str, parameters: Sequence[Datum], result_formats: Sequence[int]
    ) -> None:
        """Opens a portal; "" names the unnamed one, which is replaced."""
        ...

    async def describe_portal(self, portal: str) -> ResultDescription | None: ...

    async def execute(self, portal: str, max_rows: int, *, last: bool = False) -> StatementResult:
        """Runs a portal, or goes on with a suspended one, for at most `max_rows` rows; 0 means all. `last`: Sync comes
        next."""
        ...

    async def close_statement(self, name: str) -> None:
        """Not an error when there is none."""
        ...

    async def close_portal(self, name: str) -> None:
        """Not an error when there is none."""
        ...

    async def sync(self) -> None:
        """A pipeline ends: an implicit transaction commits; an error here is the pipeline's."""
        ...

    async def fail(self, error: SqlError) -> None:
        """A statement ended in `error`, raised by this session or by the wire (a parameter that can't be read, a
        malformed message): an open transaction is now failed, an implicit one is rolled back. Must not raise."""
        ...

    async def close(self) -> None:
        """The client is gone: roll back, release everything. Called exactly once. Must not raise."""
        ...


class Backend(Protocol):
    def credentials(self, user: str) -> Credentials:
        """Returns the proof that a client must give to log in as `user`; empty for a missing role."""
        ...

    async def open_session(self, startup: StartupParameters, client: Client) -> ClientSession:
        """SqlError refuses the client, as FATAL."""
        ...

    async def cancel(self, pid: int, secret: int) -> None:
        """Cancels what the session of that key runs, if anything; silent in every case."""
        ...
