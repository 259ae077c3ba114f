"""Read holds of the leader for present standbys, which read beside the leader's own replicas.

An absent standby, with a record that has stood still (`timeline/promotion.py`), holds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.controller import StorageController
from storage.holds import StorageReadHold
from timeline.promotion import PresentStandby


class StandbyHolds:
    """The holds of a leader for standbys."""

    def __init__(self, storage: StorageController) -> None:
        self._storage = storage
        self._holds: dict[str, dict[str, StorageReadHold]] = {}

    def follow(self, present: Sequence[PresentStandby]) -> Mapping[str, int]:
        """Takes and moves the holds that the present standbys ask for, and releases those of absent standbys; returns
        the version of each standby's record."""
        for name in self._holds.keys() - {each.name for each in present}:
            for hold in self._holds.pop(name).values():
                hold.release()
        for each in present:
            self._hold(self._holds.setdefault(each.name, {}), each.record.holds)
        return {each.name: each.seqno for each in present}

    def _hold(self, holds: dict[str, StorageReadHold], wanted: Mapping[str, tuple[int, int]]) -> None:
        for shard in holds.keys() - wanted.keys():
            holds.pop(shard).release()
        for shard, (since, seqno) in wanted.items():
            hold = holds.get(shard) or self._taken(shard, Timestamp(since))
            if hold is None:
                continue
            holds[shard] = hold
            if hold.frontier.precedes(Antichain(Timestamp(since))):
                hold.downgrade(Antichain(Timestamp(since)))
            hold.reads_from(seqno)

    def _taken(self, shard: str, since: Timestamp) -> StorageReadHold | None:
        """Returns a hold from `since` on, or from the shard's own since; None for a dropped shard."""
        try:
            id_ = GlobalId.parse(shard)
            known = self._storage.frontiers(id_).since.join(Antichain(since))
            return None if known.time is None else self._storage.reads.hold(id_, known.time)
        except (SqlError, ValueError):
            return None
