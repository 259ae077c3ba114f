"""Amazon Kinesis, as a source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from connectors.aws.settings import aws_login
from connectors.gauge import Gauge
from connectors.kinesis.stream import KinesisStream
from connectors.source_clauses import SourceClauses
from connectors.system import InstalledSource, SystemSource
from connectors.upstream import Arrived, UpstreamReader
from model.ids.global_id import GlobalId
from model.time.clock import Clock
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import INT8, TEXT

_STREAM = re.compile(r"[a-zA-Z0-9_.-]{1,128}")
_ARN = re.compile(r"arn:aws[a-z-]*:kinesis:[a-z0-9-]+:\d{12}:stream/[a-zA-Z0-9_.-]{1,128}")


def _planned(clauses: SourceClauses) -> KinesisStream:
    """Plans CONNECTION c (STREAM 's') or (ARN 'a'). Records have no headers, and a key may change its shard."""
    connection = clauses.connection
    stream, arn = clauses.text("STREAM"), clauses.text("ARN")
    if (stream is None) == (arn is None):
        raise clauses.lacks("STREAM, or ARN in its place")
    if stream is not None and not _STREAM.fullmatch(stream):
        raise clauses.invalid("STREAM")
    if arn is not None and not _ARN.fullmatch(arn):
        raise clauses.invalid("ARN")
    if clauses.envelope != "NONE":
        hint = "Records of one key may change their shard; a view can keep the last one of each."
        raise clauses.unsupported(f"ENVELOPE {clauses.envelope} of a KINESIS source", hint)
    if clauses.includes("HEADERS"):
        raise clauses.unsupported("INCLUDE HEADERS of a KINESIS source", "Records have none.")
    return KinesisStream(connection, stream or arn or "")


def _stored(stream: KinesisStream) -> dict[str, Any]:
    return {"connection": str(stream.connection), "stream": stream.stream}


def _restored(stored: Mapping[str, Any]) -> KinesisStream:
    return KinesisStream(GlobalId.parse(stored["connection"]), stored["stream"])


def _place(stream: KinesisStream, installed: InstalledSource) -> KinesisStream:
    settings, secrets = aws_login(installed.options)
    return replace(stream, settings=settings, secrets=secrets)


def _subject(stream: KinesisStream) -> str:
    return stream.name


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
    planned=_planned,
    stored=_stored,
    restored=_restored,
    stored_as="kinesis",
    place=_place,
    open=_open,
    options=("STREAM", "ARN"),
    connection="AWS",
    subject=_subject,
    included={"OFFSET": "SEQUENCE_NUMBER"},
)
