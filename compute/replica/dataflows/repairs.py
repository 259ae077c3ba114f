"""Which materialized views were found to be wrong, and what was corrected when they were built anew."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import structlog

from compute.protocol.measures import RepairMeasure
from model.ids.global_id import GlobalId
from model.time.clock import Clock

log = structlog.get_logger()


class Repairs:
    """The repairs of a replica's views since its start. Who counts the rows of a large view holds `counting`, so that
    memory takes the parts of one view at a time."""

    def __init__(self, clock: Clock) -> None:
        self.counting = asyncio.Lock()
        self._clock = clock
        self._of: dict[GlobalId, RepairMeasure] = {}

    def refused(self, id_: GlobalId, rows: int) -> None:
        """Notes that a write was refused, which would have taken `rows` rows that are not there."""
        log.error("a view would lose rows that it does not hold: it is built anew", view=str(id_), rows=rows)
        known = self.measure(id_)
        self._of[id_] = replace(known, refused=known.refused + 1, last_at_ms=self._clock.now_ms())

    def corrected(self, id_: GlobalId, rows: int) -> None:
        """Notes that a view that was built anew differed in `rows` rows from what was written of it."""
        known = self.measure(id_)
        known = replace(known, built=known.built + 1)
        if rows:
            log.warning("a view is corrected", view=str(id_), rows=rows)
            known = replace(known, rows=known.rows + rows, last_at_ms=self._clock.now_ms())
        self._of[id_] = known

    def measure(self, id_: GlobalId) -> RepairMeasure:
        return self._of.get(id_, NONE)


NONE = RepairMeasure(0, 0, None)
