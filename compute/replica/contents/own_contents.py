"""What a transaction sees of a collection that it has written: the shard's contents and its own updates.

with_own(Import(u7, "u7", desc, written=stream), snapshot(state, as_of))   # one inline piece more
"""

from __future__ import annotations

import msgspec

from compute.protocol.dataflow import Import
from storage.persist.snapshot import Snapshot, with_written
from storage.persist.state import Part


def with_own(item: Import, contents: Snapshot) -> Snapshot:
    """Adds what the asking transaction has written to the contents of a shard."""
    staged = [msgspec.msgpack.decode(each, type=Part) for each in item.staged]
    return with_written(contents, item.written, staged)
