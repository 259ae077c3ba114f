"""Statements about files that contain their own columns: the first file is read, and the statement planned with it."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.facts.roles.decide import has_privileges_of
from catalog.facts.roles.predefined import READ_SERVER_FILES
from catalog.translation.create_source import require_connection_to
from connectors.aws.settings import aws_settings
from connectors.files.source.directory_space import DirectorySpace
from connectors.files.source.first_columns import first_columns
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import BucketObjects, FilePattern
from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc
from planner.plans.sources import FindFilesPlan
from server.planning.statement_plans import Planned
from server.statements.sources.connection_probe import answer_of, in_probe
from server.statements.sources.schemas import planned_again
from server.transactions.execution import Execution


def require_files_allowed(execution: Execution) -> None:
    """Raises 42501 for users who may not read the server's files, and for everyone when they are switched off."""
    if (refused := execution.environment.outside.access.to_files()) is not None:
        raise refused
    if not has_privileges_of(execution.newest_catalog, execution.role, READ_SERVER_FILES):
        message = "permission denied to read files of the server"
        detail = 'Only roles with privileges of the "pg_read_server_files" role may.'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail)


async def planned_with_files(plan: FindFilesPlan, execution: Execution) -> Planned:
    """Returns the statement's plan, given the first file's columns. Raises SqlError without a file."""
    files = plan.files
    if isinstance(files, FilePattern):
        require_files_allowed(execution)
        space = DirectorySpace(files.pattern)
        found = await in_probe(lambda: first_columns(files, plan.delimiter, space), execution)
    else:
        found = await _of_bucket(files, plan.delimiter, execution)
    return planned_again(plan.answered(found), execution)


async def _of_bucket(objects: BucketObjects, delimiter: str | None, execution: Execution) -> tuple[ColumnDesc, ...]:
    connection = require_connection_to("AWS", execution.catalog.items[objects.connection])

    def ask(secrets: Mapping[GlobalId, str]) -> tuple[ColumnDesc, ...]:
        # Its clients are large, and few need them.
        from connectors.files.source.bucket_space import BucketSpace

        settings = aws_settings(dict(connection.options), secrets)
        space = BucketSpace(settings, objects.bucket, None, objects.files.pattern)
        return first_columns(objects.files, delimiter, space)

    return await answer_of(connection, execution, ask, None)
