"""Whether a server can read what it is to take over.

A server looks before it raises its fence: the fence ends the server that leads, perhaps one of a newer version. A
standby looks when it starts, and once more when nobody leads: another server may have led meanwhile.
"""

from __future__ import annotations

from catalog.durable.history import CatalogHistory
from catalog.durable.migrations.steps import migrate
from catalog.durable.rows import CATALOG_DESC, CATALOG_SHARD_ID
from model.time.clock import Clock, Randomness
from server.start.bootstrap import all_updates
from storage.controller import StorageController
from storage.persist.location import Blob, Consensus


async def require_known_formats(consensus: Consensus, blob: Blob, clock: Clock, randomness: Randomness) -> None:
    """Reads the states of all shards and the rows of the catalog, and writes nothing. Raises SqlError XX001 for a shard
    or a catalog that a newer version has written."""
    storage = StorageController(consensus, blob, clock, randomness)
    if CATALOG_SHARD_ID in await storage.load():
        updates = await all_updates(storage, CATALOG_SHARD_ID, CATALOG_DESC)
        newest = max((update.time for update in updates), default=None)
        if newest is not None:
            migrate(CatalogHistory(updates, newest).rows_at(newest))
