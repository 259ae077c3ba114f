"""What is bound next: read and decoded, or staged by tasks, and not yet durable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compute.replica.ingestions.reclocked_shards import Updates
from compute.replica.ingestions.tally import Amount
from model.global_id import GlobalId
from storage.persist.state import Part
from storage.sources.gauge import UpstreamFrontier


@dataclass(frozen=True, slots=True)
class PendingBinding:
    """How far it goes, the rows, and by source what these come to."""

    frontier: UpstreamFrontier
    rows: Updates
    amounts: Mapping[GlobalId, Amount]

    @property
    def staged_keys(self) -> list[str]:
        """Of the parts among the rows."""
        return [each.key for updates in self.rows.values() for each in updates if isinstance(each, Part)]
