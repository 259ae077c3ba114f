"""Apache Iceberg, as a destination on the server."""

from __future__ import annotations

from pathlib import Path

from connectors.iceberg.table import IcebergPlace
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import ONE_COMMIT_AFTER_THE_OTHER, Reached, SystemDestination
from model.external.sinks import LakeDirectory, SinkTarget

_NAME_PARTS, _NAMESPACE = 2, "public"
"""A namespace, which is this one unless told, and a name."""


def _target(clauses: SinkClauses) -> SinkTarget:
    """Plans (PATH p [, TABLE [namespace.]t])."""
    clauses.refuse_messages()
    table = clauses.name("TABLE") or (clauses.relation,)
    if (
        len(table) > _NAME_PARTS
        or any(sign in part for part in table for sign in "./\\\x00")
        or not all(map(_in_locations, table))
    ):
        raise clauses.invalid("TABLE")
    named = table if len(table) == _NAME_PARTS else (_NAMESPACE, *table)
    path = clauses.path()
    if not _in_locations(path):
        raise clauses.invalid("PATH")
    return LakeDirectory(clauses.into, path, named)


def _in_locations(name: str) -> bool:
    """Tells whether a name works as a file's location for readers of the format."""
    return not any(sign in "?#%" for sign in name)


def _place(target: SinkTarget, _reached: Reached) -> IcebergPlace:
    assert isinstance(target, LakeDirectory), "it is in a directory"
    namespace, name = target.table
    return IcebergPlace(target.path, (namespace, name))


def _driver(place: IcebergPlace, _token: str, directory: Path) -> Driver:
    from connectors.iceberg.driver import IcebergDriver

    return IcebergDriver(place, directory)


DESTINATION = SystemDestination(
    name="ICEBERG",
    options=("PATH", "TABLE"),
    on_server=_target,
    places=(IcebergPlace,),
    place=_place,
    open_driver=_driver,
    undivided=ONE_COMMIT_AFTER_THE_OTHER,
    age_ms=10_000,
)
