"""Sinks in the catalog: the relation that each writes, and the destination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, assert_never

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    FileFormat,
    LakeDirectory,
    RegistryFormat,
    SinkEnvelope,
    SinkPolicy,
    SinkTarget,
    SqliteTable,
)
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import MZ_TIMESTAMP

SINK_PROGRESS_DESC = relation_desc(("frontier", MZ_TIMESTAMP, False))


@dataclass(frozen=True, slots=True)
class Sink:
    """A sink of item `source_id`; its recovery log has the sink's id.

    `columns`, `names`: places of the columns that are written, and their names in the destination, which never change
    `key`: places among `columns`; None: every change is written
    `enforced`: two rows with one key are an error
    `sums`: places of columns that hold sums of changes
    `generation`: how often it was told to write everything anew
    `lineage`: tells a restored sink in destinations from the original sink, which may still write there
    `why_paused`: the reason of a pause that nobody asked for
    `cluster`: the oid of the cluster that runs it
    """

    source_id: GlobalId
    target: SinkTarget
    columns: tuple[int, ...]
    names: tuple[str, ...]
    key: tuple[int, ...] | None
    enforced: bool
    policy: SinkPolicy
    sums: tuple[int, ...] = ()
    paused: bool = False
    generation: int = 0
    lineage: str = ""
    why_paused: str = ""
    cluster: int = DEFAULT_CLUSTER_OID

    @property
    def desc(self) -> RelationDesc:
        """Returns a description without columns: nobody reads from a sink."""
        return RelationDesc(())

    @property
    def connection(self) -> GlobalId | None:
        """The connection to its destination."""
        return self.target.connection if isinstance(self.target, ConnectedTable | ConnectedStore) else None

    @property
    def of(self) -> str:
        """The kind of destination."""
        return self.target.of

    @property
    def connections(self) -> tuple[GlobalId, ...]:
        """The connections to its destination and to schema registries."""
        own = () if self.connection is None else (self.connection,)
        return own + (self.target.registries if isinstance(self.target, ConnectedStore) else ())

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """The relation that is written, and the connections."""
        return frozenset((self.source_id, *self.connections))


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSink(Sink):
    """A sink of a view. It maintains the view itself, in the shard `collection`."""

    collection: GlobalId


def sink_over(sink: Sink, collection: GlobalId | None) -> Sink:
    """Returns the sink as one that maintains a view in this collection; with None, as one of a stored relation."""
    told = {each.name: getattr(sink, each.name) for each in fields(Sink)}
    return Sink(**told) if collection is None else ViewSink(**told, collection=collection)


@dataclass(frozen=True, slots=True)
class SinkProgress:
    """A sink's progress relation: its frontier, from its recovery log. Storage has nothing under its id."""

    sink_id: GlobalId

    @property
    def desc(self) -> RelationDesc:
        """Describes the column with the frontier: all updates at times before it are in the destination."""
        return SINK_PROGRESS_DESC


def sink_value(sink: Sink) -> dict[str, Any]:
    """Returns a sink as JSON for the catalog's shard."""
    policy = sink.policy
    kept = {"collection": str(sink.collection)} if isinstance(sink, ViewSink) else {}
    return {
        **kept,
        "kind": "sink",
        "source": str(sink.source_id),
        "target": _target_value(sink.target),
        "columns": list(sink.columns),
        "names": list(sink.names),
        "key": None if sink.key is None else list(sink.key),
        "enforced": sink.enforced,
        "policy": [policy.age_ms, policy.rows_max, policy.snapshot, policy.parallelism],
        "sums": list(sink.sums),
        "paused": sink.paused,
        "generation": sink.generation,
        **({"lineage": sink.lineage} if sink.lineage else {}),
        **({"why_paused": sink.why_paused} if sink.why_paused else {}),
        **({} if sink.cluster == DEFAULT_CLUSTER_OID else {"cluster": sink.cluster}),
    }


def sink_of(value: Mapping[str, Any]) -> Sink:
    """Reads a sink from the JSON that `sink_value` returns."""
    sink = Sink(
        GlobalId.parse(value["source"]),
        _target_of(value["target"]),
        tuple(value["columns"]),
        tuple(value["names"]),
        None if value["key"] is None else tuple(value["key"]),
        value["enforced"],
        SinkPolicy(*value["policy"]),
        tuple(value["sums"]),
        value["paused"],
        value["generation"],
        value.get("lineage", ""),
        value.get("why_paused", ""),
        value.get("cluster", DEFAULT_CLUSTER_OID),
    )
    kept = value.get("collection")
    return sink_over(sink, None if kept is None else GlobalId.parse(kept))


def _target_value(target: SinkTarget) -> dict[str, Any]:
    match target:
        case SqliteTable(path, table):
            return {"sqlite": [path, table]}
        case DirectoryOfFiles(path, format_):
            return {"files": [path, format_.value]}
        case LakeDirectory(of, path, table):
            return {"lake": [of, path], "table": list(table)}
        case ConnectorProgram(command, config):
            return {"command": command, "config": dict(config)}
        case ConnectedTable(of, connection, table):
            return {"of": of, "table": list(table), "connection": str(connection)}
        case ConnectedStore():
            return {
                "of": target.of,
                "connection": str(target.connection),
                "options": dict(target.options),
                "envelope": target.envelope.value,
                "format": _format_value(target.format),
                "key_format": _format_value(target.key_format),
                "headers": target.headers,
                "partition_by": target.partition_by,
            }
        case _:
            assert_never(target)


def _target_of(value: Mapping[str, Any]) -> SinkTarget:
    if "sqlite" in value:
        return SqliteTable(*value["sqlite"])
    if "files" in value:
        path, format_ = value["files"]
        return DirectoryOfFiles(path, FileFormat(format_))
    if "command" in value:
        return ConnectorProgram(value["command"], tuple(value["config"].items()))
    if "lake" in value:
        of, path = value["lake"]
        return LakeDirectory(of, path, tuple(value.get("table", ())))
    connection = GlobalId.parse(value["connection"])
    if "table" in value:
        return ConnectedTable(value["of"], connection, tuple(value["table"]))
    return ConnectedStore(
        value["of"],
        connection,
        tuple(value["options"].items()),
        SinkEnvelope(value["envelope"]),
        _format_of(value["format"]),
        _format_of(value["key_format"]),
        value.get("headers"),
        value.get("partition_by"),
    )


def _format_value(format_: str | RegistryFormat | None) -> str | list[str] | None:
    return format_ if isinstance(format_, str | None) else [format_.name, str(format_.registry)]


def _format_of(value: str | list[str] | None) -> str | RegistryFormat | None:
    return value if isinstance(value, str | None) else RegistryFormat(value[0], GlobalId.parse(value[1]))
