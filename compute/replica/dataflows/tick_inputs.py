"""The inputs of a tick: the contents of the imports, or their changes."""

from __future__ import annotations

from collections.abc import Mapping

from compute.replica.dataflows.maintained import Input
from compute.replica.dataflows.opening import OpenedDataflow
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MAX, Timestamp
from storage.persist.snapshot import Changes, Snapshot, updates_between
from storage.source_progress import counted_changes, counted_snapshot


def changed_inputs(opened: OpenedDataflow, lower: Timestamp, target: Antichain) -> dict[GlobalId, Changes]:
    """Returns the changes of each changed import, at times from `lower` until before `target`."""
    upper = TIMESTAMP_MAX if target.time is None else target.time
    imports = opened.description.imports
    changes = {each.id: updates_between(opened.state(each), lower, upper, each.stored) for each in imports}
    return {id_: each for id_, each in changes.items() if each.parts or each.inline}


async def counted_inputs(opened: OpenedDataflow, inputs: Mapping[GlobalId, Input]) -> Mapping[GlobalId, Input]:
    """Returns the inputs, with counted imports as rows that include their multiplicities."""
    places = opened.around.places
    counted = dict(inputs)
    for item in opened.description.imports:
        if item.counted and item.id in counted:
            state, input_ = opened.state(item), counted[item.id]
            if isinstance(input_, Snapshot):
                counted[item.id] = await counted_snapshot(state, input_.as_of, item.desc, places.blob, places.runner)
            else:
                lower, upper = input_.lower, input_.upper
                counted[item.id] = await counted_changes(state, lower, upper, item.desc, places.blob, places.runner)
    return counted
