"""FROM PUBNUB SUBSCRIBE KEY '…' CHANNEL '…': which channel, and what rows become of its messages."""

from __future__ import annotations

import re
from dataclasses import replace

from model.errors.sqlstate import Sqlstate
from model.external.records import RecordEncoding, RecordMetadata, SchemaFields
from model.types.relation_desc import RelationDesc
from planner.plans.sources import PubnubSourcePlan
from planner.scope.analysis import Analysis
from planner.statements.sources.encoding import plan_encoding
from planner.statements.sources.options import ClauseOptions
from planner.syntax.source_statements import CreateSource, FromAddress, KeyValueFormat, PlainFormat

_ORIGIN = "https://ps.pndsn.com"
_AN_ORIGIN = re.compile(r"https?://[A-Za-z0-9_.-]+(?::\d{1,5})?")
_PORT_MAX = 65_535
_CHANNEL = re.compile(r"[^\s,/\\*:\x00-\x1f]{1,92}")
_LENGTH_MAX = 200


def plan_pubnub(
    analysis: Analysis, node: CreateSource, upstream: FromAddress, options: ClauseOptions
) -> tuple[PubnubSourcePlan, RecordEncoding, RelationDesc]:
    """The channel, how its messages are read, and the columns: a message is a text of JSON unless FORMAT says more."""
    said = ClauseOptions(analysis, upstream.options)
    key, channel = said.text("SUBSCRIBE KEY"), said.text("CHANNEL")
    if not key or not channel:
        missing = "CHANNEL" if key else "SUBSCRIBE KEY"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"a PUBNUB source needs {missing}", node.name.location)
    if len(key) > _LENGTH_MAX or not key.isprintable():
        raise said.invalid("SUBSCRIBE KEY")
    if not _CHANNEL.fullmatch(channel):
        raise said.invalid("CHANNEL")
    origin = said.text("ORIGIN") or _ORIGIN
    if not _AN_ORIGIN.fullmatch(origin) or int((re.findall(r":(\d+)$", origin) or ["1"])[0]) not in range(
        1, _PORT_MAX + 1
    ):
        raise said.invalid("ORIGIN")
    decoding = node.decoding
    if isinstance(decoding.format, KeyValueFormat) or (
        decoding.envelope is not None and decoding.envelope.kind != "NONE"
    ):
        raise analysis.unsupported("KEY FORMAT and ENVELOPE of a PUBNUB source", hint="Messages have no key.")
    if decoding.format is None:
        decoding = replace(decoding, format=PlainFormat("TEXT"))
    encoding, desc = plan_encoding(analysis, decoding, node.columns, options)
    if isinstance(encoding.value, SchemaFields):
        raise analysis.unsupported(
            "a PUBNUB source of this FORMAT", hint="Messages are JSON. Say FORMAT JSON, or TEXT."
        )
    if RecordMetadata.HEADERS in encoding.metadata:
        raise analysis.unsupported("INCLUDE HEADERS of a PUBNUB source", hint="Messages have none.")
    return PubnubSourcePlan(origin, key, channel), encoding, desc
