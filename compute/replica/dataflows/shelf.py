"""Where the state of a dataflow is kept: by what it computes, so that it outlives the coming and going of exports.

What several exports have in common is their shelf: the imports, and the relation once views are written out. The names
of views do not count, nor do the exports. So an index and a materialized view of one query find one state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription, SubscribeExport
from compute.protocol.vocabulary import CODEC, VERSION
from compute.replica.dataflows.outputs import computation_of, computes_nothing, errors_name
from compute.replica.reconcile import fingerprint, renamed, without_transient_names
from model.ids.global_id import GlobalId, Namespace

_OWN_IDS = 1 << 40
"""Transient ids from here on stand for what a dataflow itself defines."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The state's directory is named `name`; where there is none, and there is one named `alone`, that one becomes it.

    `computed` tells what is computed; `exports` are the layouts of what exports keep beside it. By the names of those
    that tell whose they are, `own` has the directory in which an export that was computed by itself had its state.
    """

    name: str
    computed: str
    alone: str | None = None
    exports: Mapping[str, Layout] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)


def is_shared(description: DataflowDescription) -> bool:
    """Whether others may have a part in its state. What computes nothing has none, and a subscription ends; ids that
    other environments give anew say nothing."""
    if len(description.exports) != 1 or not description.until.empty:
        return False
    (export,) = description.exports
    if isinstance(export, SubscribeExport) or export.id.namespace is Namespace.TRANSIENT:
        return False
    return not computes_nothing(computation_of(description))


def computed_name(description: DataflowDescription) -> str:
    """Equal for dataflows that compute the same, and no others."""
    if not is_shared(description):
        return fingerprint(description)
    computation = computation_of(description)
    own = {id_: GlobalId.transient(_OWN_IDS + i) for i, (id_, _) in enumerate(computation.objects)}
    imports = tuple(sorted(description.imports, key=lambda item: (item.id, item.shard)))
    normal = without_transient_names(renamed((computation.objects, computation.outputs, imports), own))
    return hashlib.sha256(VERSION.encode() + CODEC.encode(normal)).hexdigest()[:32]


def alone_name(computed: str, export: GlobalId) -> str:
    """The directory of an export that is computed by itself, while others of its kind have the one in common."""
    return f"{computed}-{export}"


def shelf_names(description: DataflowDescription) -> Iterator[str]:
    """All directories that may have its state."""
    name = computed_name(description)
    yield name
    if is_shared(description):
        yield alone_name(name, description.exports[0].id)


def shelf_for(name: str, descriptions: Sequence[DataflowDescription], layouts: Mapping[str, Layout]) -> Shelf:
    """The shelf at `name` for all of these, which compute the same; `layouts` are of what their exports keep."""
    computed = computed_name(descriptions[0])
    if not is_shared(descriptions[0]):
        return Shelf(name, computed, exports=layouts)
    ids = [id_ for description in descriptions for id_ in description.export_ids]
    own = {errors_name(id_): alone_name(computed, id_) for id_ in ids}
    return Shelf(name, computed, alone_name(computed, ids[0]), layouts, own)
