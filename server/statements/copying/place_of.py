"""Returns the place that a COPY names, if allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from catalog.facts.roles.decide import has_privileges_of
from catalog.facts.roles.predefined import READ_SERVER_FILES, WRITE_SERVER_FILES
from catalog.translation.create_source import require_connection_to
from connectors.aws.settings import aws_settings
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from server.statements.copying.places import CopyPlace, ServerFile
from server.statements.sources.connection_probe import answer_of
from server.transactions.execution import Execution

_FOR_CLIENTS = "Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."
_OBJECT = "s3://"


async def place_of(path: str, connection: GlobalId | None, direction: str, execution: Execution) -> CopyPlace:
    """Returns the place of a COPY; `direction` is from or to. Raises 42501 for who may not touch the server's files."""
    if not path.startswith(_OBJECT):
        if connection is not None:
            message = f'COPY {direction} "{path}" takes no CONNECTION'
            raise SqlError(Sqlstate.SYNTAX_ERROR, message, hint="A connection leads to objects: 's3://bucket/key'.")
        _require_file_allowed(direction, execution)
        return ServerFile(path, execution.environment.outside.unfinished)
    bucket, _, key = path.removeprefix(_OBJECT).partition("/")
    if not bucket or not key:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'"{path}" is not an object: s3://bucket/key')
    if connection is None:
        hint = f"Say WITH (CONNECTION c), where c is a connection to AWS by which COPY {direction} objects is to go."
        raise SqlError(Sqlstate.SYNTAX_ERROR, f'COPY {direction} "{path}" needs a connection', hint=hint)
    to_aws = require_connection_to("AWS", execution.catalog.items[connection])

    def ask(secrets: Mapping[GlobalId, str]) -> Mapping[str, str]:
        return aws_settings(dict(to_aws.options), secrets)

    settings = await answer_of(to_aws, execution, ask, None)

    def made() -> CopyPlace:
        # Its clients are large, and few need them.
        from server.statements.copying.bucket_place import BegunUploads, BucketPlace

        return BucketPlace(settings, bucket, key, BegunUploads(execution.environment.outside.uploads, connection))

    return await asyncio.to_thread(made)


def _require_file_allowed(direction: str, execution: Execution) -> None:
    if (refused := execution.environment.outside.access.to_files()) is not None:
        raise refused
    name, oid = ("pg_write_server_files", WRITE_SERVER_FILES)
    if direction == "from":
        name, oid = ("pg_read_server_files", READ_SERVER_FILES)
    if not has_privileges_of(execution.newest_catalog, execution.role, oid):
        message = f"permission denied to COPY {direction} a file"
        detail = f'Only roles with privileges of the "{name}" role may COPY {direction} a file.'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail, hint=_FOR_CLIENTS)
