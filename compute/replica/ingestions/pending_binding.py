"""The next binding: read and decoded, or staged by tasks, and not yet durable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compute.replica.ingestions.reclocked_shards import Updates
from compute.replica.ingestions.tally import Amount
from compute.replica.running.shard_writer import WriteRefused
from connectors.gauge import UpstreamFrontier
from model.ids.global_id import GlobalId
from storage.persist.gc import ORPHAN_AGE_MS
from storage.persist.state import Part
from storage.persist.write import staged_ms

_KEPT_MS = ORPHAN_AGE_MS // 4


@dataclass(frozen=True, slots=True)
class PendingBinding:
    """A binding to be: the new frontier, the rows, and their amounts by source."""

    frontier: UpstreamFrontier
    rows: Updates
    amounts: Mapping[GlobalId, Amount]

    def require_kept(self, now_ms: int) -> None:
        """Raises WriteRefused when parts among the rows may have been swept, because no state has named them for
        long."""
        if any(staged_ms(key) + _KEPT_MS <= now_ms for key in self.staged_keys):
            raise WriteRefused("what tasks have staged is too old to be bound")

    @property
    def staged_keys(self) -> list[str]:
        """Returns the keys of staged parts among the rows."""
        return keys_of_parts(self.rows)


def keys_of_parts(rows: Updates) -> list[str]:
    """Returns the keys of staged parts."""
    return [each.key for updates in rows.values() for each in updates if isinstance(each, Part)]
