"""Finds the running dataflows with which a new environment can go on.

A new environment's commands, up to InitializationComplete, describe the wanted dataflows. A running dataflow is kept
iff

1. it is compatible: the same exports, imports, objects and until (except for names of transient objects, which each
   environment gives anew), and its as_of is not in advance of the new as_of; and
2. it is uncompacted: no export was already allowed to compact beyond what the commands allow it.

A subscribe ends with its connection, as what was sent is gone with that: one that runs is the same environment's. All
other running dataflows are dropped, first, to free their resources; then new ones are created. The result is as if
everything was dropped and only the new commands ran (source: seed 4, Materialize's five conditions; dataflows here
have no COPY TO and no imported indexes, which are two of the others).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compute.protocol.dataflow import DataflowDescription, Installed
from compute.protocol.plan_form import form_of
from compute.protocol.response import (
    DataflowPhase,
    DataflowStatus,
    Frontiers,
    Measures,
    Reconciled,
    ReplacedDataflow,
)
from model.ids.global_id import GlobalId, Namespace
from model.time.antichain import Antichain

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunningDataflow:
    """An installed dataflow, and its last reports.

    `number`: tells the dataflow from others that had the same exports.
    `since`: per export, the time from which it is to be readable.
    `scheduled`, `writable`: as commanded.
    """

    description: Installed
    since: Mapping[GlobalId, Antichain]
    frontiers: Mapping[GlobalId, Frontiers]
    statuses: Mapping[GlobalId, DataflowStatus]
    measures: Mapping[GlobalId, Measures] = field(default_factory=dict)
    scheduled: bool = False
    writable: bool = False
    number: int = field(default=0, compare=False)

    @staticmethod
    def of(description: Installed, number: int = 0) -> RunningDataflow:
        ids, as_of = description.export_ids, description.as_of
        return RunningDataflow(
            description,
            since=dict.fromkeys(ids, as_of),
            frontiers={id_: Frontiers(id_, as_of, as_of, as_of, as_of) for id_ in ids},
            statuses={id_: DataflowStatus(id_, DataflowPhase.CREATED, 0, 0, "", 0) for id_ in ids},
            number=number,
        )

    def kept_for(self, description: Installed) -> RunningDataflow:
        """Returns the dataflow as it goes on for an environment with this description, which decides anew whether it
        may write."""
        as_of = description.as_of
        return dataclasses.replace(
            self,
            description=description,
            since=dict.fromkeys(description.export_ids, as_of),
            frontiers={id_: advanced(frontiers, as_of) for id_, frontiers in self.frontiers.items()},
            scheduled=False,
            writable=False,
        )


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The outcome: running dataflows `kept` by the new description; dataflows to be `dropped`, first; descriptions
    to be `created`. `reasons`: why each was dropped, in the same order; empty where nobody wants
    it any more."""

    kept: tuple[tuple[Installed, RunningDataflow], ...]
    dropped: tuple[RunningDataflow, ...]
    created: tuple[Installed, ...]
    reasons: tuple[str, ...]

    @property
    def told(self) -> Reconciled:
        """Returns what the environment is told."""
        pairs = zip(self.dropped, self.reasons, strict=True)
        replaced = tuple(ReplacedDataflow(tuple(old.description.export_ids), reason) for old, reason in pairs)
        return Reconciled(len(self.kept), replaced)


def reconcile(
    running: Iterable[RunningDataflow], wanted: Iterable[Installed], sinces: Mapping[GlobalId, Antichain] | None = None
) -> Reconciliation:
    """Splits running and wanted dataflows into kept, dropped and created. `sinces`: up to where exports are to be
    compacted at once; where nothing is said, as_of. A dataflow's as_of is the least of its exports'."""
    by_exports = {frozenset(dataflow.description.export_ids): dataflow for dataflow in running}
    kept: list[tuple[Installed, RunningDataflow]] = []
    created: list[Installed] = []
    differences: dict[frozenset[GlobalId], str] = {}
    for description in wanted:
        exports = frozenset(description.export_ids)
        old = by_exports.get(exports)
        difference = "" if old is None else _difference(old, description, sinces or {})
        if old is not None and not difference:
            kept.append((description, old))
            del by_exports[exports]
        else:
            differences[exports] = difference
            created.append(description)
    exported = {id_ for description in created for id_ in description.export_ids}
    reasons = (
        differences.get(exports) or ("exported together with others" if exports & exported else "")
        for exports in by_exports
    )
    return Reconciliation(tuple(kept), tuple(by_exports.values()), tuple(created), tuple(reasons))


def _difference(old: RunningDataflow, new: Installed, sinces: Mapping[GlobalId, Antichain]) -> str:
    """Returns why a running dataflow can't go on as `new`; empty when it can."""
    if not old.description.as_of.precedes(new.as_of):
        return f"its state begins at {old.description.as_of.time}, and is to be read from {new.as_of.time} on"
    if not compatible(old.description, new):
        return _changed(old.description, new)
    for id_, since in old.since.items():
        wanted = new.as_of.join(sinces.get(id_, new.as_of))
        if not since.precedes(wanted):
            return f"its state is compacted up to {since.time}, and is to be read from {wanted.time} on"
    return ""


def _changed(old: Installed, new: Installed) -> str:
    if not isinstance(old, DataflowDescription) or not isinstance(new, DataflowDescription):
        return "its definition has changed"
    before, after = _normal_form(old), _normal_form(new)
    parts = ("its definition has", "its inputs have", "its exports have", "its end has")
    changed = [part for part, one, other in zip(parts, before, after, strict=True) if one != other]
    return f"{' and '.join(changed)} changed"


def compatible(old: Installed, new: Installed) -> bool:
    """Returns whether a dataflow created as `old` fulfils `new`."""
    if not old.as_of.precedes(new.as_of):
        return False
    if not isinstance(old, DataflowDescription) or not isinstance(new, DataflowDescription):
        return old == dataclasses.replace(new, as_of=old.as_of)
    return _normal_form(old) == _normal_form(new)


def fingerprint(description: DataflowDescription) -> str:
    """Returns a text equal for dataflows with interchangeable states, apart from the times covered."""
    return form_of(_normal_form(description))


def advanced(frontiers: Frontiers, to: Antichain) -> Frontiers:
    """Returns `frontiers`, advanced to at least `to`."""
    return Frontiers(
        frontiers.id,
        since=to.join(frontiers.since or to),
        upper=to.join(frontiers.upper or to),
        input=to.join(frontiers.input or to),
        durable=to.join(frontiers.durable or to),
    )


def _normal_form(description: DataflowDescription) -> tuple[object, object, object, object]:
    """Returns the description without as_of, its transient ids numbered in order of appearance."""
    objects, exports = without_transient_names((description.objects, description.exports))
    imports = tuple(sorted(description.imports, key=lambda item: (item.id, item.shard)))
    return objects, imports, tuple(sorted(exports, key=lambda export: export.id)), description.until


def without_transient_names(value: T) -> T:
    """Returns dataclasses and tuples with transient ids numbered in order of appearance."""
    names: dict[GlobalId, GlobalId] = {}

    def name(id_: GlobalId) -> GlobalId:
        if id_.namespace is not Namespace.TRANSIENT:
            return id_
        return names.setdefault(id_, GlobalId.transient(len(names)))

    return _renamed(value, name)


def renamed(value: T, names: Mapping[GlobalId, GlobalId]) -> T:
    """Returns dataclasses and tuples with ids renamed."""
    return _renamed(value, lambda id_: names.get(id_, id_))


def _renamed(value: T, name: Callable[[GlobalId], GlobalId]) -> T:
    def rename(value: Any) -> Any:
        if isinstance(value, GlobalId):
            return name(value)
        if isinstance(value, tuple):
            return tuple(map(rename, value))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {f.name: rename(getattr(value, f.name)) for f in dataclasses.fields(value)}
            return dataclasses.replace(value, **fields)
        return value

    result: T = rename(value)
    return result
