"""Amazon Kinesis, as a source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.gauge import Gauge
from connectors.sources.description import KinesisStream
from connectors.system import SystemSource
from connectors.upstream import Arrived, UpstreamReader
from model.time.clock import Clock
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import INT8, TEXT


def _open(
    place: KinesisStream, settings: Mapping[str, str], clock: Clock, arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.kinesis.reader import KinesisReader

    return KinesisReader(place, settings, clock, arrived)


SOURCE = SystemSource(
    name="KINESIS",
    kind="kinesis",
    gauge=Gauge(
        ColumnDesc("shard_id", INT8, nullable=False), ColumnDesc("sequence_number", TEXT, nullable=False), wide=True
    ),
    places=(KinesisStream,),
    open=_open,
    options=("STREAM", "ARN"),
)
