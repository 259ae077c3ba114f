"""Opens the reader of an ingestion: that of its one source, or one of several sources bound together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from connectors.sources.description import IngestionDescription, members
from connectors.sources.transactional_reader import LoadValues, TransactionalReader
from connectors.upstream import UpstreamPlace, UpstreamReader
from model.ids.global_id import GlobalId
from model.time.clock import Clock


def open_members(
    description: IngestionDescription,
    open_place: Callable[[UpstreamPlace], UpstreamReader],
    load: LoadValues,
    clock: Clock,
) -> UpstreamReader:
    """Returns a reader that waits for `begin`. `load` decodes records of sources that are bound together."""
    if not description.followers:
        return open_place(description.place)
    readers: dict[GlobalId, UpstreamReader] = {}
    try:
        for member in members(description):
            readers[member.source] = open_place(member.place)
    except Exception:
        for reader in readers.values():
            reader.close()
        raise
    counted_as = {each.source: each.counted_as for each in description.followers}
    open_past = partial(open_place, description.place)
    return TransactionalReader(description.source, readers, counted_as, load, open_past, clock)
