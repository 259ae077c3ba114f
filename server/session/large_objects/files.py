"""lo_import and lo_export: bytes of a large object from and to files of the server, a piece at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial

from catalog.facts.roles.decide import is_superuser
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.session.large_objects.contents import LargeObjects
from server.statements.copying.places import PartialServerFile, ServerFile, failed, require_regular
from server.transactions.execution import Execution

_PIECE_BYTES = 1 << 20


def require_files(function: str, execution: Execution) -> None:
    """Raises SqlError 42501 where files of the server are closed, or the role is no superuser."""
    if (refused := execution.environment.outside.access.to_files()) is not None:
        raise refused
    if not is_superuser(execution.newest_catalog, execution.role):
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"permission denied for function {function}")


async def imported(path: str, oid: int, objects: LargeObjects) -> None:
    """Writes a file's bytes into a new, empty object."""

    def opened() -> int:
        try:
            # Nobody may ever write into a pipe.
            require_regular(path)
            return os.open(path, os.O_RDONLY)
        except OSError as error:
            raise failed(f'could not open server file "{path}"', error) from None

    def piece() -> bytes:
        try:
            return os.read(file, _PIECE_BYTES)
        except OSError as error:
            raise failed(f'could not read server file "{path}"', error) from None

    file = await asyncio.to_thread(opened)
    try:
        place = 0
        while data := await asyncio.to_thread(piece):
            await objects.write(oid, place, data)
            place += len(data)
    finally:
        os.close(file)


async def exported(oid: int, path: str, objects: LargeObjects, execution: Execution) -> None:
    """Writes an object's bytes into a file, and names the file when complete."""
    size = await objects.size(oid)
    await objects.settle()
    place = ServerFile(path, execution.environment.outside.unfinished)
    file = await asyncio.to_thread(place.make, f'could not create server file "{path}"')
    try:
        # Bytes that no page has take no time, and no room either: they are holes of the file.
        async for pages in objects.stored_pages(oid):
            await _written(path, partial(_put, file, pages))
        await _written(path, partial(file.resize, size))
        await _written(path, file.finish)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(file.abandon))
        raise


def _put(file: PartialServerFile, pages: Sequence[tuple[int, bytes]]) -> None:
    for place, data in pages:
        file.put(place, data)


async def _written(path: str, work: Callable[[], object]) -> None:
    try:
        await asyncio.to_thread(work)
    except OSError as error:
        raise failed(f'could not write server file "{path}"', error) from None
