"""Upstreams by their place: the one list of kinds."""

from __future__ import annotations

from model.clock import Clock
from storage.sources.description import KafkaTopic, UpstreamPlace
from storage.sources.upstream import Arrived, UpstreamReader


def open_upstream(place: UpstreamPlace, clock: Clock, arrived: Arrived) -> UpstreamReader:
    """A reader that waits to be told where to begin."""
    match place:
        case KafkaTopic():
            # Only who reads from Kafka loads its library.
            from storage.sources.kafka.reader import KafkaReader

            return KafkaReader(place, clock, arrived)
