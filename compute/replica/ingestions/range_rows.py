"""Turns a range of upstream into updates of a data collection: rows of records, or the changes of a table."""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from compute.replica.ingestions.keyed_state import KeyedState
from compute.replica.running.places import Places
from connectors.sources.decode.changed_rows import changed_rows
from connectors.sources.decode.keyed_rows import keyed_rows
from connectors.sources.decode.records import RegistrySchemas
from connectors.sources.decode.rows import decoded_rows
from connectors.sources.description import ReclockedCollection
from connectors.upstream import FetchedRange
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
    """Returns the updates made of records; `diff` marks retractions. `keyed` is the state of their keys before."""
    desc = collection.desc
    if keyed is None:
        return await places.work(records.num_rows, partial(decoded_rows, records, encoding, desc, schemas))
    told = await places.work(records.num_rows, partial(keyed_rows, records, encoding, desc, schemas))
    return await keyed.updates(told)


def changes_of_table(fetched: FetchedRange, collection: ReclockedCollection, table: UpstreamTable) -> list[pa.Table]:
    """Returns upstream's changes of a table, except retractions implied by emptying the table."""
    changes = fetched.tables.get(table.name or "")
    return [] if changes is None else [changed_rows(changes, collection.desc, collection.error_at)]


def is_emptied(collection: ReclockedCollection, fetched: FetchedRange) -> bool:
    """Returns whether the range empties the collection before adding rows."""
    return isinstance(collection.encoding, UpstreamTable) and collection.encoding.name in fetched.emptied
