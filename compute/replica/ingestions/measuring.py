"""Reports the measures of an ingestion from time to time, for each of its sources."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.reclocked_shards import ReclockedShards
from compute.replica.ingestions.tally import Amount, IngestionTally
from compute.replica.running.places import Places
from compute.replica.running.reporter import MEASURE_PERIOD_S, Report
from connectors.gauge import UpstreamFrontier
from connectors.sources.description import (
    IngestionDescription,
    members,
)
from connectors.sources.transactional_reader import of_member
from connectors.systems import system_of_source
from connectors.upstream import UpstreamReader
from model.ids.global_id import GlobalId


class IngestionMeasuring:
    """The tallies of an ingestion's sources, and when they are reported."""

    def __init__(self, description: IngestionDescription, places: Places, report: Report) -> None:
        self._tallies = {
            each.source: IngestionTally(wide=system_of_source(each.place).gauge.wide) for each in members(description)
        }
        self._grouped = bool(description.followers)
        self._places = places
        self._report = report
        self._timer: asyncio.TimerHandle | None = None

    def note(self, amounts: Mapping[GlobalId, Amount]) -> None:
        """Adds what has been bound of each source."""
        for source, amount in amounts.items():
            self._tallies[source].note(amount, self._places.clock.now_ms())

    def soon(self, reader: UpstreamReader, shards: ReclockedShards | GroupedShards) -> None:
        """Reports the ingestion's measures after some seconds."""

        def measure() -> None:
            self._timer = None
            known, bound = reader.status().known, shards.frontier
            for source, tally in self._tallies.items():
                ends = self._of_source(source, known), self._of_source(source, bound)
                self._report(tally.measures(source, *ends))

        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(MEASURE_PERIOD_S, measure)

    def end(self) -> None:
        """Reports nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _of_source(self, source: GlobalId, frontier: UpstreamFrontier) -> UpstreamFrontier:
        return of_member(source, frontier) if self._grouped else frontier
