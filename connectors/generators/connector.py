"""Load generators, as sources."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.gauge import NUMBERED, OFFSET, Gauge
from connectors.sources.description import Generated
from connectors.system import SystemSource
from connectors.upstream import Arrived, UpstreamReader
from model.time.clock import Clock


def _open(
    place: Generated, _settings: Mapping[str, str], clock: Clock, _arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.generators.reader import GeneratorReader

    return GeneratorReader(place.generator, clock)


SOURCE = SystemSource(
    name="LOAD GENERATOR",
    kind="load-generator",
    gauge=Gauge(NUMBERED, OFFSET, alone=True),
    places=(Generated,),
    open=_open,
)
