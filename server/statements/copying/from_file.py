"""COPY … FROM a file or objects: reads data that otherwise comes over the wire.

Data is read and decoded in threads, so that no disk holds up the server.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.copying import CopyFromPlan, CopyOptions
from server.pgwire.backend import Command, CopyIn, CopyReceiver
from server.pgwire.copy.blocks import Batch
from server.pgwire.copy.copied_columns import ColumnReader
from server.pgwire.copy.rows_in import CopyDecoder, copy_decoder
from server.statements.copying.copy_from import sequence_copy_from
from server.statements.copying.copy_options import named_context, require_utf8
from server.statements.copying.json_rows import JsonDecoder
from server.statements.copying.place_of import place_of
from server.statements.copying.places import CopyPlace, failed
from server.transactions.execution import Execution

_READ_BYTES = 1 << 18
"""More of it at once would have more lines read one by one where one of them needs that."""
_JSON = "json"


async def copied_from_file(plan: CopyFromPlan, path: str, execution: Execution) -> Command:
    """Adds the rows to the transaction. After a failure, none is added."""
    if plan.options.format == _JSON:
        require_plain(plan.options)
        copy_in = sequence_copy_from(replace(plan, options=CopyOptions()), execution)
        reader = ColumnReader(copy_in.relation, copy_in.desc, named_context(execution, copy_in.desc))
        return await _copied(plan, path, copy_in, lambda: JsonDecoder(reader), execution)
    require_utf8(plan.options)
    copy_in = sequence_copy_from(plan, execution)
    context = named_context(execution, copy_in.desc)

    def decoder() -> CopyDecoder:
        return copy_decoder(copy_in.relation, copy_in.desc, copy_in.options, context)

    return await _copied(plan, path, copy_in, decoder, execution)


async def _copied(
    plan: CopyFromPlan, path: str, copy_in: CopyIn, decoder: Callable[[], CopyDecoder], execution: Execution
) -> Command:
    receiver = copy_in.receiver
    try:
        place = await place_of(path, plan.connection, "from", execution)
        for name in await asyncio.to_thread(place.names):
            await _feed(receiver, place, name, decoder())
    except BaseException as error:
        cause = error if isinstance(error, SqlError) else SqlError(Sqlstate.QUERY_CANCELED, "COPY from a file ended")
        await receiver.fail(cause)
        raise
    return Command(await receiver.finish())


async def _feed(receiver: CopyReceiver, place: CopyPlace, name: str, decoder: CopyDecoder) -> None:
    what = f'could not read from {place.noun} "{name}"'
    file = await asyncio.to_thread(place.stream, name)
    with contextlib.closing(file):
        while (rows := await asyncio.to_thread(_next_rows, file, decoder, what)) is not None:
            if len(rows):
                await receiver.feed(rows)
    if rows := await asyncio.to_thread(decoder.finish):
        await receiver.feed(rows)


def _next_rows(file: BinaryIO, decoder: CopyDecoder, what: str) -> Batch | None:
    """Returns the rows completed by the next bytes; None at the file's end."""
    try:
        data = file.read(_READ_BYTES)
    except OSError as error:
        raise failed(what, error) from None
    return decoder.feed(data) if data else None


def require_plain(options: CopyOptions) -> None:
    """Raises 42601 for options that the format can't use."""
    if options != CopyOptions(format=options.format):
        message = f"COPY FORMAT {str(options.format).upper()} takes no other option"
        raise SqlError(Sqlstate.SYNTAX_ERROR, message)
