"""Describes a system: its connections, what sources may read of it, and what sinks may write to it. Pure: a description
loads no client library.

A system has a module `connector` with up to three descriptions, listed in `connectors.systems`. Planner, catalog,
server and replica read there what differs between systems:

    CREATE CONNECTION c TO REDIS (HOST 'h')        CONNECTIONS["REDIS"]: the options, each with a check
    CREATE SOURCE s FROM PUBNUB SUBSCRIBE KEY '…'  SOURCES["PUBNUB"]: the options, the gauge of progress, the reader
    CREATE SINK s … INTO REDIS CONNECTION c (…)    DESTINATIONS["REDIS"]: the options, the place, the driver
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from connectors.client_settings import Secrets
from connectors.gauge import Gauge, Partition
from connectors.option_values import Check
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.description import SinkDescription, SinkPlace
from connectors.sinks.driver import Driver
from connectors.source_clauses import SourceClauses
from connectors.upstream import Arrived, RangeReader, UpstreamPlace, UpstreamReader, UpstreamRecords
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.connections import ConnectionOptions, ConnectionValue
from model.external.publications import PublishedTable
from model.external.sinks import ConnectorProgram, DirectoryOfFiles, SinkTarget, SqliteTable
from model.ids.global_id import GlobalId
from model.time.clock import Clock
from model.types.relation_desc import RelationDesc

Options = Mapping[str, ConnectionValue]
"""A connection's options, by name."""

EACH_CHANGE = "Changes are written there one behind the other."
ONE_COMMIT_AFTER_THE_OTHER = "A commit there fails where another has come since its session has begun."
"""Reasons of `SystemDestination.undivided` that several systems have."""
WHOLE = "Exactly once: what is written and how far it is are one transaction of the destination's"
FILES = "Exactly once: a file is named by the times that it covers, and appears whole"
"""Promises that several systems have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemConnection:
    """A kind of connection.

    `name`: after TO, in capitals
    `checks`: each option's check
    `check_together`: raises SqlError for options that don't go together, and for a missing option
    `ask`: asks whether the system answers, with the secrets' values; raises Unreachable. Blocks, for a bounded time.
        With `by_password` the system has to ask for the password
    """

    name: str
    checks: Mapping[str, Check]
    check_together: Callable[[Options], None]
    ask: Callable[[Options, Mapping[GlobalId, str], bool], None]

    def checked(self, options: ConnectionOptions) -> ConnectionOptions:
        """Returns the options in a standard form; raises 42601 for an unknown option, 22023 for a wrong value."""
        self.require_names(name for name, _ in options)
        given = dict(options)
        found = {name: check(name, given[name]) for name, check in self.checks.items() if name in given}
        self.check_together(found)
        return tuple(found.items())

    def require_names(self, names: Iterable[str]) -> None:
        """Raises 42601 for the first name that is no option of such a connection."""
        for name in names:
            if name not in self.checks:
                hint = f"Options of a {self.name} connection are: {', '.join(self.checks)}."
                raise SqlError(Sqlstate.SYNTAX_ERROR, f'option "{name}" not recognized', hint=hint)


@dataclass(frozen=True, slots=True)
class Reached:
    """The way to a destination.

    `options`: the connection's, none for a destination on the server
    `by_password`: the other system has to ask for the password
    `registries`: returns the options of the connection to a schema registry
    """

    options: Options
    by_password: bool
    registries: Callable[[GlobalId], Options]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDestination:
    """A kind of destination.

    `name`: after INTO, in capitals
    `options`: the names of its options
    `on_server`: plans a destination on the server, if the system can be there
    `connection`: the kind of connection to the destination, if any leads to it
    `connected`: plans a destination behind the connection
    `places`: the class of the destination's description for a replica, and classes within it
    `place`: makes that description
    `open_driver`: returns a driver that waits for Open; its arguments are those of `connectors.systems.open_driver`
    `examine`: asks the destination, where possible, whether a table there fits the sink: raises SqlError as opening the
        sink would, and Unreachable. Blocks, for a bounded time
    `promise`: what readers of the destination may rely on, for EXPLAIN
    `repeated`: a document can't be taken back, and may be there more than once
    `pushed`: never read, or with parts of transactions that never ended: no place for sums
    `undivided`: the reason why several sessions, each with a range of keys, can't write at once; None where they can
    `locks_by_key`: sessions wait for each other's rows unless the key is unique
    `has_headers`: messages have headers
    `age_ms`: the least time between transactions, where a transaction costs more than elsewhere
    """

    name: str
    options: tuple[str, ...]
    places: tuple[type, ...]
    place: Callable[[SinkTarget, Reached], SinkPlace]
    open_driver: Callable[[Any, str, Path], Driver]
    on_server: Callable[[SinkClauses], SinkTarget] | None = None
    connection: str | None = None
    connected: Callable[[SinkClauses], SinkTarget] | None = None
    examine: Callable[[SinkDescription, Any, Mapping[GlobalId, str], int], None] | None = None
    promise: str = WHOLE
    repeated: bool = False
    pushed: bool = False
    undivided: str | None = None
    locks_by_key: bool = False
    has_headers: bool = False
    age_ms: int | None = None


@dataclass(frozen=True, slots=True)
class InstalledSource:
    """A source about to be read, as its system makes the description for a replica.

    `id`: the source's
    `created_ms`: the time of its creation, in ms since 1970
    `desc`: its columns
    `options`: the connection's, none for a source without a connection
    `by_password`: the other system has to ask for the password
    `tables`: upstream's tables to follow, for a system of tables
    """

    id: GlobalId
    created_ms: int
    desc: RelationDesc
    options: Options
    by_password: bool
    tables: tuple[PublishedTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSource:
    """A kind of source.

    `name`: after FROM, in capitals
    `kind`: the name of the kind in the catalog's relations
    `gauge`: the form of a source's frontiers
    `places`: the classes of the source's records, as they are planned and as a replica is told of them
    `stored`, `restored`: turn planned records into JSON of the catalog, and back; stored JSON is never changed
    `stored_as`: the word before that JSON in a source's row
    `place`: makes the description for a replica
    `open`: returns a reader that waits for `begin`; its arguments are those of `connectors.systems.open_upstream`, with
        the settings of the client instead of secrets
    `open_range`: returns a reader of some partitions, for systems whose backlog may be read in parts by several tasks
    `planned`: plans the records; raises SqlError for clauses on records that the system does not have. None for systems
        whose statements the planner plans: it asks upstream for tables or columns first
    `options`: the names of options behind a connection; None for a system that no connection leads to
    `address_options`: the names of options of a source without a connection; None for any, which the planner checks
    `connection`: the kind of connection to the system, if any leads to it
    `subject`: returns the name by which schema registries know the records; None for records without schemas
    `usual_format`: the FORMAT of records without the clause
    `on_server`: files of the server are read
    `elsewhere`: returns the records as a restored copy of the server reads them, beside the first server, by a name
        that no other copy has; None for systems that don't tell their readers apart
    `included`: parts of records that INCLUDE gives in place of others, by the others' names
    """

    name: str
    kind: str
    gauge: Gauge
    places: tuple[type, ...]
    stored: Callable[[Any], dict[str, Any]]
    restored: Callable[[Mapping[str, Any]], UpstreamRecords]
    stored_as: str
    place: Callable[[Any, InstalledSource], UpstreamPlace]
    open: Callable[[Any, Mapping[str, str], Clock, Arrived, Path], UpstreamReader]
    open_range: Callable[[Any, Mapping[Partition, str | None], Mapping[str, str], Clock], RangeReader] | None = None
    planned: Callable[[SourceClauses], UpstreamRecords] | None = None
    options: tuple[str, ...] | None = None
    address_options: tuple[str, ...] | None = None
    connection: str | None = None
    subject: Callable[[Any], str] | None = None
    usual_format: str | None = None
    on_server: bool = False
    elsewhere: Callable[[Any, str], UpstreamRecords] | None = None
    included: Mapping[str, str] = field(default_factory=dict)


def as_planned(target: SinkTarget, _reached: Reached) -> SinkPlace:
    """Returns a target on the server, which is told to a replica as planned."""
    assert isinstance(target, SqliteTable | DirectoryOfFiles | ConnectorProgram), "the others have a place of their own"
    return target


def values_of(secrets: Secrets, values: Mapping[GlobalId, str]) -> dict[str, str]:
    """Returns the values of secret settings, by the settings' names."""
    return {name: values[id_] for name, id_ in secrets}
