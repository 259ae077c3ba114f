"""The schemas with which a source's records were written: fetched from registries as records name them.

Fetching takes time, and may fail for long: meanwhile the source goes on binding. A registry's answer about a number
holds for ever. A missing schema is an error of the records that name it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.running.secret_values import SecretValues
from connectors.registry.place import RegistryPlace
from connectors.registry.schemas import registry_access, schema_by_number
from connectors.sources.decode.framing import FRAME_BYTES, WriterSchemas
from connectors.sources.description import ReclockedCollection
from connectors.unreachable import Unreachable
from connectors.upstream import KEY, VALUE
from model.errors.sql_error import SqlError
from model.external.records import RecordEncoding, SchemaFields, SchemaLanguage
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff
from model.time.clock import Clock

_TIMEOUT_S = 10.0
_BACK_OFF = BackOff(0.2, 10.0)
_KEPT_CHARACTERS = 32 << 20
_HANDED_ON_CHARACTERS = 256 << 10
_Number = tuple[GlobalId, SchemaLanguage, int]


class KnownSchemas:
    """The known schemas of one source. `arrived` is called when more schemas are known, or the reason of a failure."""

    def __init__(
        self,
        collections: Iterable[ReclockedCollection],
        secrets: SecretValues,
        clock: Clock,
        arrived: Callable[[], None],
    ) -> None:
        self._places: dict[GlobalId, RegistryPlace] = {
            place.id: place for each in collections for place in each.registries
        }
        self._secrets = secrets
        self._clock = clock
        self._arrived = arrived
        self._known: dict[GlobalId, dict[int, str | SqlError]] = {id_: {} for id_ in self._places}
        self._characters = 0
        self._asking: asyncio.Task[None] | None = None
        self.trouble: str | None = None

    def of(self, records: pa.Table, encodings: Iterable[RecordEncoding]) -> Mapping[GlobalId, WriterSchemas] | None:
        """Returns the schemas that the records name, by registry; None while some are still asked for."""
        if not self._places:
            return {}
        wanted = {number for encoding in encodings for number in named_schemas(records, encoding)}
        missing = [each for each in sorted(wanted) if each[2] not in self._known[each[0]]]
        if not missing:
            return self._known
        if self._asking is None:
            if self._characters > _KEPT_CHARACTERS:
                self._forget({(registry, number) for registry, _, number in wanted})
            self._asking = asyncio.create_task(self._ask(missing), name="schemas of writers")
            self._asking.add_done_callback(self._asked)
        return None

    def known(self, records: pa.Table, encodings: Iterable[RecordEncoding]) -> Mapping[GlobalId, WriterSchemas] | None:
        """Returns the schemas that the records name; None when some are unknown. Callable from any thread: fetches
        nothing."""
        found: dict[GlobalId, dict[int, str | SqlError]] = {id_: {} for id_ in self._places}
        for registry, _, number in {each for encoding in encodings for each in named_schemas(records, encoding)}:
            told = self._known[registry].get(number)
            if told is None:
                return None
            found[registry][number] = told
        return found

    def all_known(self) -> Mapping[GlobalId, WriterSchemas] | None:
        """Returns all known schemas, for tasks, which can't fetch; None when they are too large to hand on."""
        if self._characters > _HANDED_ON_CHARACTERS:
            return None
        return {registry: dict(known) for registry, known in self._known.items()}

    def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._asking = None
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._arrived()
        else:
            # A defect, or a secret that is no login: it is tried again when the source is bound again.
            self.trouble = f"{type(error).__name__}: {error}"

    def _forget(self, wanted: set[tuple[GlobalId, int]]) -> None:
        """Forgets schemas that can be fetched again."""
        for registry, known in self._known.items():
            for number in [number for number in known if (registry, number) not in wanted]:
                self._characters -= _size(known.pop(number))

    async def _ask(self, missing: list[_Number]) -> None:
        for registry, language, number in missing:
            self._known[registry][number] = told = await self._schema(self._places[registry], language, number)
            self._characters += _size(told)
        self.trouble = None

    async def _schema(self, place: RegistryPlace, language: SchemaLanguage, number: int) -> str | SqlError:
        failures = 0
        while True:
            access = registry_access(place.texts(await self._secrets.of(place.secrets)))
            try:
                # In a thread of its own kind: those of storage are not to wait for somebody's registry.
                return await asyncio.to_thread(schema_by_number, access, number, language, _TIMEOUT_S)
            except SqlError as error:
                return error
            except Unreachable as failure:
                failures += 1
                self.trouble = f"the schema registry does not tell schema {number}: {failure.reason}"
                self._arrived()
                await _BACK_OFF.wait(self._clock, failures)


def named_schemas(records: pa.Table, encoding: RecordEncoding) -> Iterable[_Number]:
    """Returns the schemas named by keys and values, if reading them needs the schemas."""
    for part, format_ in ((KEY, encoding.key), (VALUE, encoding.value)):
        if not isinstance(format_, SchemaFields) or format_.language is SchemaLanguage.PROTOBUF:
            continue
        if format_.registry is not None:
            column = records.column(part)
            frames = pc.unique(pc.binary_slice(column, 0, FRAME_BYTES)).to_pylist()
            for frame in frames:
                if frame is not None and len(frame) == FRAME_BYTES and frame[0] == 0:
                    yield format_.registry, format_.language, int.from_bytes(frame[1:], "big")


def _size(told: str | SqlError) -> int:
    return len(told) if isinstance(told, str) else len(told.message)
