"""PubNub, as a source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.gauge import Gauge
from connectors.sources.description import PubnubChannel
from connectors.system import SystemSource
from connectors.upstream import Arrived, UpstreamReader
from model.time.clock import Clock
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import INT8


def _open(
    place: PubnubChannel, _settings: Mapping[str, str], clock: Clock, arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.pubnub.reader import PubnubReader

    return PubnubReader(place, clock, arrived)


SOURCE = SystemSource(
    name="PUBNUB",
    kind="pubnub",
    gauge=Gauge(ColumnDesc("region", INT8, nullable=False), ColumnDesc("timetoken", INT8, nullable=False)),
    places=(PubnubChannel,),
    open=_open,
    address_options=("SUBSCRIBE KEY", "CHANNEL", "ORIGIN"),
)
