"""What becomes of a range of upstream in a data collection: rows of records, or the changes of a table."""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from compute.replica.dataflows.places import Places
from compute.replica.ingestions.keyed_state import KeyedState
from connectors.sources.decode.changed_rows import changed_rows
from connectors.sources.decode.keyed_rows import keyed_rows
from connectors.sources.decode.records import RegistrySchemas
from connectors.sources.decode.rows import decoded_rows
from connectors.sources.description import ReclockedCollection
from connectors.sources.upstream import FetchedRange
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding


async def rows_of_records(
    records: pa.Table,
    collection: ReclockedCollection,
    encoding: RecordEncoding,
    schemas: RegistrySchemas,
    keyed: KeyedState | None,
    places: Places,
) -> pa.Table:
    """What records amount to; `diff` tells what is no new row. `keyed` is what their keys had before."""
    desc = collection.desc
    if keyed is None:
        return await places.work(records.num_rows, partial(decoded_rows, records, encoding, desc, schemas))
    told = await places.work(records.num_rows, partial(keyed_rows, records, encoding, desc, schemas))
    return await keyed.updates(told)


def changes_of_table(fetched: FetchedRange, collection: ReclockedCollection, table: UpstreamTable) -> list[pa.Table]:
    """What upstream did to a table, but for what goes where it was emptied before."""
    changes = fetched.tables.get(table.name or "")
    return [] if changes is None else [changed_rows(changes, collection.desc, collection.error_at)]


def is_emptied(collection: ReclockedCollection, fetched: FetchedRange) -> bool:
    """Whether nothing is left of what the collection held before the range."""
    return isinstance(collection.encoding, UpstreamTable) and collection.encoding.name in fetched.emptied
