"""COPY's options as the planner found them, as the wire wants them."""

from __future__ import annotations

from model.relation_desc import RelationDesc
from planner.plans.copying import CopyOptions as WrittenOptions
from server.pgwire.copy.options import CheckedCopyOptions, CopyClause, resolve_options


def wire_options(options: WrittenOptions, desc: RelationDesc, *, reading: bool) -> CheckedCopyOptions:
    """Checked and completed, for copying columns of `desc`; SqlError as PostgreSQL."""
    clause = CopyClause(
        format=options.format,
        delimiter=options.delimiter,
        null=options.null,
        header=options.header,
        quote=options.quote,
        escape=options.escape,
        force_quote=options.force_quote,
        force_not_null=options.force_not_null,
        force_null=options.force_null,
        encoding=options.encoding,
    )
    return resolve_options(clause, desc.names, reading=reading)
