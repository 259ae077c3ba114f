"""PubNub, as a source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from connectors.gauge import Gauge
from connectors.pubnub.channel import PubnubChannel
from connectors.source_clauses import SourceClauses
from connectors.system import InstalledSource, SystemSource
from connectors.upstream import Arrived, UpstreamReader
from model.time.clock import Clock
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import INT8

_ORIGIN = "https://ps.pndsn.com"
_AN_ORIGIN = re.compile(r"https?://[A-Za-z0-9_.-]+(?::\d{1,5})?")
_PORT_MAX = 65_535
_CHANNEL = re.compile(r"[^\s,/\\*:\x00-\x1f]{1,92}")
_LENGTH_MAX = 200


def _planned(clauses: SourceClauses) -> PubnubChannel:
    """Plans SUBSCRIBE KEY 'k' CHANNEL 'c' [ORIGIN 'o']. Messages have no key, headers or schema."""
    key, channel = clauses.text("SUBSCRIBE KEY"), clauses.text("CHANNEL")
    if not key or not channel:
        raise clauses.lacks("CHANNEL" if key else "SUBSCRIBE KEY")
    if len(key) > _LENGTH_MAX or not key.isprintable():
        raise clauses.invalid("SUBSCRIBE KEY")
    if not _CHANNEL.fullmatch(channel):
        raise clauses.invalid("CHANNEL")
    origin = clauses.text("ORIGIN") or _ORIGIN
    if not _is_origin(origin):
        raise clauses.invalid("ORIGIN")
    if clauses.keyed or clauses.envelope != "NONE":
        raise clauses.unsupported("KEY FORMAT and ENVELOPE of a PUBNUB source", "Messages have no key.")
    if clauses.by_schema:
        raise clauses.unsupported("a PUBNUB source of this FORMAT", "Messages are JSON. Say FORMAT JSON, or TEXT.")
    if clauses.includes("HEADERS"):
        raise clauses.unsupported("INCLUDE HEADERS of a PUBNUB source", "Messages have none.")
    return PubnubChannel(origin, key, channel)


def _is_origin(text: str) -> bool:
    if not _AN_ORIGIN.fullmatch(text):
        return False
    port = re.search(r":(\d+)$", text)
    return port is None or 1 <= int(port[1]) <= _PORT_MAX


def _stored(channel: PubnubChannel) -> dict[str, Any]:
    return {"origin": channel.origin, "key": channel.subscribe_key, "channel": channel.channel}


def _restored(stored: Mapping[str, Any]) -> PubnubChannel:
    return PubnubChannel(stored["origin"], stored["key"], stored["channel"])


def _place(channel: PubnubChannel, installed: InstalledSource) -> PubnubChannel:
    return replace(channel, listener=f"headwater-{installed.id}")


def _open(
    place: PubnubChannel, _settings: Mapping[str, str], clock: Clock, arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.pubnub.pubnub_reader import PubnubReader

    return PubnubReader(place, clock, arrived)


SOURCE = SystemSource(
    name="PUBNUB",
    kind="pubnub",
    gauge=Gauge(ColumnDesc("region", INT8, nullable=False), ColumnDesc("timetoken", INT8, nullable=False)),
    places=(PubnubChannel,),
    planned=_planned,
    stored=_stored,
    restored=_restored,
    stored_as="pubnub",
    place=_place,
    open=_open,
    address_options=("SUBSCRIBE KEY", "CHANNEL", "ORIGIN"),
    usual_format="TEXT",
)
