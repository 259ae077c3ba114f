"""The views of PostgreSQL's extension pg_stat_statements, version 1.10, which are there without CREATE EXTENSION."""

from __future__ import annotations

from catalog.declared.relation import Declaration, RelationKind
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, FLOAT8, INT8, NUMERIC, OID, TEXT, TIMESTAMPTZ, ScalarType

STATISTICS_OID = 16712
STATISTICS_INFO_OID = 16713


def _durations(what: str) -> tuple[tuple[str, ScalarType], ...]:
    return tuple((f"{figure}_{what}_time", FLOAT8) for figure in ("total", "min", "max", "mean", "stddev"))


_BLOCKS = tuple(
    (f"{kind}_blks_{figure}", INT8)
    for kind, figures in (
        ("shared", ("hit", "read", "dirtied", "written")),
        ("local", ("hit", "read", "dirtied", "written")),
        ("temp", ("read", "written")),
    )
    for figure in figures
)
_BLOCK_TIMES = tuple((f"{kind}_{way}_time", FLOAT8) for kind in ("blk", "temp_blk") for way in ("read", "write"))
_JIT = tuple(
    column
    for step in ("inlining", "optimization", "emission")
    for column in ((f"jit_{step}_count", INT8), (f"jit_{step}_time", FLOAT8))
)

PG_STAT_STATEMENTS = (
    Declaration(
        STATISTICS_OID,
        "pg_catalog",
        "pg_stat_statements",
        RelationKind.VIEW,
        relation_desc(
            ("userid", OID),
            ("dbid", OID),
            ("toplevel", BOOL),
            ("queryid", INT8),
            ("query", TEXT),
            ("plans", INT8),
            *_durations("plan"),
            ("calls", INT8),
            *_durations("exec"),
            ("rows", INT8),
            *_BLOCKS,
            *_BLOCK_TIMES,
            ("wal_records", INT8),
            ("wal_fpi", INT8),
            ("wal_bytes", NUMERIC),
            ("jit_functions", INT8),
            ("jit_generation_time", FLOAT8),
            *_JIT,
        ),
    ),
    Declaration(
        STATISTICS_INFO_OID,
        "pg_catalog",
        "pg_stat_statements_info",
        RelationKind.VIEW,
        relation_desc(("dealloc", INT8), ("stats_reset", TIMESTAMPTZ)),
    ),
)
