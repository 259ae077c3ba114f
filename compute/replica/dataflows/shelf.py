"""The directory of a dataflow's state: named by the computation, so that it survives changes of exports.

Several exports share the shelf of their computation: the imports, and the relation with views written out. Names of
views and exports do not count. An index and a materialized view of one query therefore find one state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription, SubscribeExport
from compute.protocol.plan_form import form_of
from compute.replica.dataflows.outputs import computation_of, computes_nothing, errors_name
from compute.replica.running.reconcile import fingerprint, renamed
from model.ids.global_id import GlobalId, Namespace

_OWN_IDS = 1 << 40
"""Transient ids from here on stand for what a dataflow itself defines."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The place of a state.

    `name`: the state's directory; if missing, an existing directory `alone` is renamed to it.
    `computed`: the name of the computation.
    `carried_out`: the name of how it is carried out, by `compute/maintain/plan_names.py`; empty where nothing
        is computed.
    `exports`: the layouts of the exports' arrangements.
    `own`: by the name of an export's arrangement, the directory of an export that was computed alone.
    """

    name: str
    computed: str
    alone: str | None = None
    exports: Mapping[str, Layout] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    carried_out: str = ""


def is_shared(description: DataflowDescription) -> bool:
    """Returns whether others may share the state. A dataflow without computation has no state, a subscription ends,
    and ids given anew by other environments identify nothing."""
    if len(description.exports) != 1 or not description.until.empty:
        return False
    (export,) = description.exports
    if is_followed(description) or export.id.namespace is Namespace.TRANSIENT:
        return False
    return not computes_nothing(computation_of(description))


def is_followed(description: DataflowDescription) -> bool:
    """Returns whether somebody follows the dataflow's changes. No state of it is kept: of what another one of equal
    computation has come to, or an earlier life of its own, this subscriber may have heard nothing."""
    return any(isinstance(export, SubscribeExport) for export in description.exports)


def computed_name(description: DataflowDescription) -> str:
    """Returns a name equal exactly for equal computations."""
    if not is_shared(description):
        return fingerprint(description)
    computation = computation_of(description)
    own = {id_: GlobalId.transient(_OWN_IDS + i) for i, (id_, _) in enumerate(computation.objects)}
    imports = tuple(sorted(description.imports, key=lambda item: (item.id, item.shard)))
    normal = renamed((computation.objects, computation.outputs, imports), own)
    return form_of(normal)


def alone_name(computed: str, export: GlobalId) -> str:
    """Returns the directory of an export that is computed alone while others share the common directory."""
    return f"{computed}-{export}"


def shelf_names(description: DataflowDescription) -> Iterator[str]:
    """Yields all directories that may hold the state."""
    name = computed_name(description)
    yield name
    if is_shared(description) or is_followed(description):
        yield alone_name(name, description.exports[0].id)


def shelf_for(name: str, descriptions: Sequence[DataflowDescription], layouts: Mapping[str, Layout]) -> Shelf:
    """Returns the shelf at `name` for descriptions of equal computation; `layouts` are those of their exports."""
    computed = computed_name(descriptions[0])
    if not is_shared(descriptions[0]):
        return Shelf(name, computed, exports=layouts)
    ids = [id_ for description in descriptions for id_ in description.export_ids]
    own = {errors_name(id_): alone_name(computed, id_) for id_ in ids}
    return Shelf(name, computed, alone_name(computed, ids[0]), layouts, own)
