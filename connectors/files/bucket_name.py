"""Names a bucket and the beginning of its keys, as clauses of a sink have them."""

from __future__ import annotations

import re

from connectors.sinks.clauses import SinkClauses

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX_BYTES_MAX = 1_000


def bucket_options(clauses: SinkClauses) -> tuple[tuple[str, str], ...]:
    """Reads BUCKET, and PREFIX where there is one."""
    bucket, prefix = clauses.text("BUCKET"), clauses.text("PREFIX") or ""
    if not bucket:
        raise clauses.lacks("BUCKET")
    if not _BUCKET.fullmatch(bucket):
        raise clauses.invalid("BUCKET")
    if len(prefix.encode()) > _PREFIX_BYTES_MAX or any(sign < " " for sign in prefix):
        raise clauses.invalid("PREFIX")
    return (("BUCKET", bucket), ("PREFIX", prefix)) if prefix else (("BUCKET", bucket),)
