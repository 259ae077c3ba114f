"""FROM KINESIS CONNECTION c (STREAM '…'): the stream, and the columns beside the data of its records."""

from __future__ import annotations

import re
from dataclasses import replace

from model.errors.sqlstate import Sqlstate
from planner.plans.sources import KinesisSourcePlan
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.options import ClauseOptions
from planner.syntax.source_statements import CreateSource, Decoding, FromConnection

_STREAM = re.compile(r"[a-zA-Z0-9_.-]{1,128}")
_ARN = re.compile(r"arn:aws[a-z-]*:kinesis:[a-z0-9-]+:\d{12}:stream/[a-zA-Z0-9_.-]{1,128}")


def plan_kinesis(analysis: Analysis, node: CreateSource, upstream: FromConnection) -> KinesisSourcePlan:
    """Plans a stream, by its name or ARN."""
    connection = access_object(analysis, "connection", upstream.connection).id
    said = ClauseOptions(analysis, upstream.options)
    stream, arn = said.text("STREAM"), said.text("ARN")
    if (stream is None) == (arn is None):
        message = "a KINESIS source needs STREAM, or ARN in its place"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
    if stream is not None and not _STREAM.fullmatch(stream):
        raise said.invalid("STREAM")
    if arn is not None and not _ARN.fullmatch(arn):
        raise said.invalid("ARN")
    return KinesisSourcePlan(connection, stream or arn or "")


def of_stream(analysis: Analysis, decoding: Decoding) -> Decoding:
    """Returns the clauses as they apply to a stream: the place of a record in its shard is a sequence number."""
    if decoding.envelope is not None and decoding.envelope.kind != "NONE":
        hint = "Records of one key may change their shard; a view can keep the last one of each."
        raise analysis.unsupported(f"ENVELOPE {decoding.envelope.kind} of a KINESIS source", hint=hint)
    if any(each.what == "HEADERS" for each in decoding.include):
        raise analysis.unsupported("INCLUDE HEADERS of a KINESIS source", hint="Records have none.")
    include = tuple(
        replace(each, what="SEQUENCE_NUMBER") if each.what == "OFFSET" else each for each in decoding.include
    )
    return replace(decoding, include=include)
