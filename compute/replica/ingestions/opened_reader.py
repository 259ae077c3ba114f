"""The reader of an ingestion's upstream: opened with secrets, at one place at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.running.places import Places
from compute.replica.running.secret_values import SecretValues
from connectors.sources.decode.loaded_changes import loaded_values
from connectors.sources.description import IngestionDescription, members
from connectors.sources.open_members import open_members
from connectors.sources.transactional_reader import LoadValues
from connectors.upstream import VALUE, Arrived, RereadableReader, UpstreamPlace, UpstreamReader
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from model.time.clock import Clock

OpenUpstream = Callable[[UpstreamPlace, Mapping[GlobalId, str], Clock, Arrived], UpstreamReader]


class OpenedReader:
    """Opens upstream for an ingestion, and closes it. `woken` is called on the loop when something has arrived.

    `place`: where the reader reads.
    `secrets`: the secrets that the reader was opened with.
    """

    def __init__(
        self,
        description: IngestionDescription,
        places: Places,
        secrets: SecretValues,
        schemas: KnownSchemas,
        open_upstream: OpenUpstream,
        woken: Callable[[], None],
    ) -> None:
        self._description = description
        self._members = members(description)
        self._places = places
        self._values = secrets
        self._schemas = schemas
        self._open_upstream = open_upstream
        self._woken = woken
        self._reader: UpstreamReader | None = None
        self.place: UpstreamPlace | None = None
        self.secrets: Mapping[GlobalId, str] = {}

    async def at(self, place: UpstreamPlace) -> UpstreamReader:
        """Returns the reader of a place: the one that is open, or another one, after closing it."""
        if place != self.place:
            await self.close()
        if self._reader is None:
            description, opening = replace(self._description, place=place), await self._opening()
            open_all = partial(open_members, description, opening, self._loading(), self._places.clock)
            self._reader = await self._places.runner.run(open_all)
            self.place = place
        return self._reader

    async def _opening(self) -> Callable[[UpstreamPlace], UpstreamReader]:
        """Returns a function that opens upstream, with secrets; takes its time."""
        loop = asyncio.get_running_loop()

        def arrived() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended before the reader's thread
                loop.call_soon_threadsafe(self._woken)

        secrets = await self._values.of(id_ for member in self._members for _, id_ in member.place.secrets)
        self.secrets = secrets

        def open_place(place: UpstreamPlace) -> UpstreamReader:
            return self._open_upstream(place, secrets, self._places.clock, arrived)

        return open_place

    def _loading(self) -> LoadValues:
        """Returns a function that decodes records about transactions; it returns None while their schemas are being
        fetched."""
        loop = asyncio.get_running_loop()
        encodings = {each.source: each.collections[0].encoding for each in self._members}

        def load(source: GlobalId, records: pa.Table) -> list[Any] | None:
            encoding = encodings[source]
            assert isinstance(encoding, RecordEncoding), "records tell of transactions"
            schemas = self._schemas.known(records, [encoding])
            if schemas is None:
                with contextlib.suppress(RuntimeError):  # the loop may have ended
                    loop.call_soon_threadsafe(self._schemas.of, records, [encoding])
                return None
            return loaded_values(records.column(VALUE).to_pylist(), encoding.value, schemas)

        return load

    async def again(self, place: UpstreamPlace) -> RereadableReader:
        """Opens a place beside the reader that is open, to read its past anew."""
        reader = await self._places.runner.run(partial(await self._opening(), place))
        assert isinstance(reader, RereadableReader), "no table is added to a source whose past can't be read again"
        return reader

    async def close(self) -> None:
        """Closes the reader, if one is open."""
        reader, self._reader = self._reader, None
        if reader is not None:
            await self._places.runner.run(reader.close)
