"""What of the running dataflows a new environment can go on with.

A new environment's commands, up to InitializationComplete, say what should run. A running dataflow is kept iff

1. it is compatible: the same exports, imports, objects and until (but for the names of transient objects, which each
   environment gives anew), and its as_of is not in advance of the new as_of; and
2. it is uncompacted: no export was already allowed to compact beyond the new as_of.

Everything else that runs is dropped, first, to free what it holds; then what is new is created. The result is as if
everything was dropped and only the new commands ran (source: seed 4, Materialize's five conditions; dataflows here
have no subscribes, no COPY TO and no imported indexes, which are the other three).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from compute.protocol.command import DataflowDescription
from model.antichain import Antichain
from model.global_id import GlobalId, Namespace


@dataclass(frozen=True, slots=True)
class RunningDataflow:
    """An installed dataflow. `since`: per export, from when it is readable; `scheduled` and `writable` as commanded."""

    description: DataflowDescription
    since: Mapping[GlobalId, Antichain]
    scheduled: bool = False
    writable: bool = False

    @staticmethod
    def of(description: DataflowDescription) -> RunningDataflow:
        return RunningDataflow(description, dict.fromkeys(description.exports, description.as_of))


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """`kept`: running ones by the new description they serve; `dropped`: to be dropped, first; `created`: new ones."""

    kept: tuple[tuple[DataflowDescription, RunningDataflow], ...]
    dropped: tuple[RunningDataflow, ...]
    created: tuple[DataflowDescription, ...]


def reconcile(running: Iterable[RunningDataflow], wanted: Iterable[DataflowDescription]) -> Reconciliation:
    """Splits what runs and what is wanted into kept, dropped and created."""
    by_exports = {frozenset(dataflow.description.exports): dataflow for dataflow in running}
    kept: list[tuple[DataflowDescription, RunningDataflow]] = []
    created: list[DataflowDescription] = []
    for description in wanted:
        exports = frozenset(description.exports)
        old = by_exports.get(exports)
        if old is not None and compatible(old.description, description) and _uncompacted(old, description):
            kept.append((description, old))
            del by_exports[exports]
        else:
            created.append(description)
    return Reconciliation(tuple(kept), tuple(by_exports.values()), tuple(created))


def compatible(old: DataflowDescription, new: DataflowDescription) -> bool:
    """Whether a dataflow that was created as `old` yields what `new` asks for."""
    return old.as_of.precedes(new.as_of) and _normal_form(old) == _normal_form(new)


def _uncompacted(old: RunningDataflow, new: DataflowDescription) -> bool:
    return all(since.precedes(new.as_of) for since in old.since.values())


def _normal_form(description: DataflowDescription) -> object:
    """The description without as_of, its transient ids numbered in the order in which they appear."""
    names: dict[GlobalId, GlobalId] = {}

    def rename(value: Any) -> Any:
        if isinstance(value, GlobalId):
            if value.namespace is not Namespace.TRANSIENT:
                return value
            return names.setdefault(value, GlobalId.transient(len(names)))
        if isinstance(value, tuple):
            return tuple(map(rename, value))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {f.name: rename(getattr(value, f.name)) for f in dataclasses.fields(value)}
            return dataclasses.replace(value, **fields)
        return value

    objects = rename(description.objects)
    imports = sorted(description.imports, key=lambda item: (item.id, item.shard))
    return objects, imports, frozenset(description.exports), description.until
