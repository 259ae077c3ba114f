"""Converts COPY's options from the planner's form to the wire's."""

from __future__ import annotations

from dataclasses import replace

from model.errors.sql_error import NotSupported
from model.text.context import TextContext
from model.text.copy_options import CheckedCopyOptions
from model.types.relation_desc import RelationDesc
from planner.plans.copying import CopyOptions as WrittenOptions
from server.pgwire.copy.options import CopyClause, encoding_named, resolve_options
from server.settings.object_names import names_objects
from server.transactions.execution import Execution


def wire_options(options: WrittenOptions, desc: RelationDesc, *, reading: bool) -> CheckedCopyOptions:
    """Checks and completes the options for copying columns of `desc`; raises SqlError as PostgreSQL."""
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


def require_utf8(options: WrittenOptions) -> None:
    """Raises SqlError 0A000 for another encoding than UTF8, which files are in."""
    if options.encoding is not None and encoding_named(options.encoding) != "UTF8":
        raise NotSupported(f'COPY of files in the encoding "{options.encoding}"')


def named_context(execution: Execution, desc: RelationDesc) -> TextContext:
    """Returns the session's settings for text, with names of objects if columns hold any."""
    if not names_objects(desc):
        return execution.asker.text_context
    return replace(execution.asker.text_context, objects=execution.catalog_lookup(execution.catalog).names)
