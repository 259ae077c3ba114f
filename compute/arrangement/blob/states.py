"""The states of a replica in blob, and the process that owns them.

arrangements/REPLICA                    in consensus: as many versions as processes have owned the replica's states
arrangements/REPLICA/STATE              in consensus: the manifest of a state
arrangements/REPLICA/STATE/FILE/OBJECT  in blob

A process takes over by writing the next version of the first, before it reads any manifest. From then on no process
before it replaces a manifest, and each deletes files of its own and of earlier processes only. So a process that does
not know that it has been given up harms nobody, and what it writes is garbage, which is found when a state is opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import itertools
import threading
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import structlog

from compute.arrangement.blob.batches import (
    BlobBatches,
    BlobPlace,
    LiveFiles,
    delete_objects,
    incarnation_of,
    names_of,
)
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.calls import BlockingCalls
from compute.arrangement.blob.copying import StateCopy, state_at
from compute.arrangement.blob.key_door import KeyDoor, KeyTicket
from compute.arrangement.blob.manifest import ConsensusManifest
from compute.arrangement.blob.remote_place import RemotePlace
from compute.arrangement.checkpoint import ArrangementStore
from compute.arrangement.manifest import Manifest, encode_manifest
from compute.arrangement.stores import ManifestMoved
from model.errors.sql_error import SqlError
from model.time.clock import Randomness
from storage.persist.location import Blob, Consensus, Indeterminate
from storage.persist.open import access_of

PREFIX = "arrangements"
_ATTEMPTS = 5
_DELETED_AT_ONCE = 100
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True)
class _Owned:
    consensus: Consensus
    blob: Blob
    key: str
    incarnation: int


class BlobStates:
    """The states of the replica `replica`, by name. Any thread may call; what blocks waits for blob and consensus,
    which `open_places` opens. `url` is where tasks find blob, with this process's keys; without it they can't."""

    def __init__(
        self,
        replica: str,
        open_places: Callable[[], tuple[Consensus, Blob]],
        preconditions: Callable[[], Mapping[str, int | None]],
        cache: BlockCache,
        randomness: Randomness,
        url: str | None = None,
    ) -> None:
        self.replica = replica
        self._key = f"{PREFIX}/{replica}"
        self._open_places = open_places
        self._preconditions = preconditions
        self._cache = cache
        self._randomness = randomness
        self._url = url
        self._calls = BlockingCalls()
        self._live = LiveFiles()
        self._lock = threading.Lock()
        self._owned: _Owned | None = None
        self._door: KeyDoor | None = None

    def store(self, name: str) -> ArrangementStore:
        """Returns the store of a state. Raises OSError, ManifestMoved."""
        return ArrangementStore(
            BlobBatches(self._place(name), self._randomness.token()), self._manifest(name), f"{self._key}/{name}"
        )

    def copy(self, name: str, fingerprint: str, siblings: Collection[str]) -> str | None:
        """Copies the state `name` of the dataflow `fingerprint` from the furthest sibling, and returns the sibling;
        None when no sibling has a whole state. Raises OSError, ManifestMoved."""
        owned, token = self._own(), self._randomness.token()
        numbers = itertools.count()

        def new_name() -> str:
            return f"{names_of(owned.incarnation, token)}{next(numbers)}"

        async def found(sibling: str) -> Manifest | None:
            return await state_at(owned.consensus, f"{PREFIX}/{sibling}/{name}", fingerprint)

        try:
            states = {each: self._calls.call(found(each)) for each in siblings}
            there = {each: manifest for each, manifest in states.items() if manifest is not None}
            for each, manifest in sorted(there.items(), key=lambda item: -item[1].upper):
                source, target = f"{PREFIX}/{each}/{name}", f"{self._key}/{name}"
                copy = StateCopy(owned.consensus, owned.blob, source, target, new_name)
                copied = None
                try:
                    copied = self._calls.call(copy.copy(manifest))
                    if copied is not None:
                        self._manifest(name).replace(encode_manifest(copied))
                        return each
                finally:
                    if copied is None:
                        self._calls.call(copy.discard())
        except (Indeterminate, SqlError) as error:
            raise OSError(errno.EIO, f"consensus: {error}") from error
        return None

    def delete(self, name: str) -> None:
        """Deletes a state as far as possible; what is left is found by `retain`."""
        try:
            manifest = self._manifest(name)
            manifest.clear()
            manifest.forget()
        except OSError as error:
            _log.warning("a state can't be deleted now", state=f"{self._key}/{name}", reason=str(error))
            return
        self._delete_files(name)

    def retain(self, names: Collection[str]) -> None:
        """Deletes all other states, as far as possible."""
        try:
            owned = self._own()
            keys = self._calls.call(owned.consensus.list_keys(f"{self._key}/"))
            keys += self._calls.call(owned.blob.list_keys(f"{self._key}/"))
        except (OSError, Indeterminate, SqlError) as error:
            _log.warning("states that are not wanted can't be found now", replica=self._key, reason=str(error))
            return
        for name in sorted({key.removeprefix(f"{self._key}/").partition("/")[0] for key in keys} - set(names)):
            self.delete(name)

    def close(self) -> None:
        """Closes the places; no state is used any more."""
        with self._lock:
            owned = self._owned
        if owned is not None:
            self._calls.call(owned.blob.close())
            self._calls.call(owned.consensus.close())
        if self._door is not None:
            self._door.close()
        self._calls.close()

    def _delete_files(self, name: str) -> None:
        """Deletes the files of a deleted state; a file in use goes when nobody uses it any more."""
        place = self._place(name)
        with contextlib.suppress(OSError):
            files: dict[str, list[str]] = {}
            for key in self._calls.call(place.blob.list_keys(f"{place.prefix}/")):
                files.setdefault(key.removeprefix(f"{place.prefix}/").partition("/")[0], []).append(key)
            for file, keys in files.items():
                if incarnation_of(file) > place.incarnation:
                    continue
                in_use = self._live.get(f"{place.prefix}/{file}")
                if in_use is None:
                    self._calls.call(delete_objects(place, keys))
                else:
                    weakref.finalize(in_use, _begin_to_delete, place, keys).atexit = False

    def _place(self, name: str) -> BlobPlace:
        owned, prefix = self._own(), f"{self._key}/{name}"
        remote = (
            None if self._url is None else RemotePlace(self._url, prefix, owned.incarnation, self._ticket(self._url))
        )
        return BlobPlace(self._calls, owned.blob, self._cache, prefix, owned.incarnation, self._live, remote)

    def _ticket(self, url: str) -> KeyTicket | None:
        """Returns the ticket for this process's keys; None where none are needed."""
        with self._lock:
            if self._door is None and access_of(url) is not None:
                self._door = KeyDoor(lambda: access_of(url))
            return None if self._door is None else self._door.ticket

    def _manifest(self, name: str) -> ConsensusManifest:
        owned = self._own()
        return ConsensusManifest(
            self._calls, owned.consensus, f"{self._key}/{name}", self._preconditions, {owned.key: owned.incarnation}
        )

    def _own(self) -> _Owned:
        """Takes over the replica's states, the first time. Raises OSError."""
        with self._lock:
            if self._owned is None:
                self._owned = self._calls.call(self._taken_over())
            return self._owned

    async def _taken_over(self) -> _Owned:
        consensus, blob = self._open_places()
        try:
            incarnation = await _next_version(consensus, self._key, self._preconditions)
        except (OSError, Indeterminate, SqlError) as error:
            await blob.close()
            await consensus.close()
            raise OSError(errno.EIO, f"the states of {self._key} can't be taken over: {error}") from error
        _log.info("the states in blob are this process's", replica=self._key, incarnation=incarnation)
        return _Owned(consensus, blob, self._key, incarnation)


def _begin_to_delete(place: BlobPlace, keys: Sequence[str]) -> None:
    """Deletes a file's objects, in a moment when any code may be running: nothing is waited for."""
    with contextlib.suppress(RuntimeError):
        place.calls.begin(delete_objects(place, keys))


async def _next_version(consensus: Consensus, key: str, preconditions: Callable[[], Mapping[str, int | None]]) -> int:
    """Writes the next version of a key, and returns its number."""
    for _ in range(_ATTEMPTS):
        head = (await consensus.head([key]))[key]
        known = None if head is None else head.seqno
        # A version more than was taken is nobody's, and does no harm.
        if await consensus.compare_and_set({**preconditions(), key: known}, {key: b"owned"}):
            version = (known or 0) + 1
            await consensus.truncate(key, version)
            return version
    raise ManifestMoved(f"others take over {key}, or the fence has moved")


async def replicas_with_states(consensus: Consensus) -> set[str]:
    """Returns the replicas that have, or had, states in blob. Raises OSError, SqlError, Indeterminate."""
    return {key.split("/")[1] for key in await consensus.list_keys(f"{PREFIX}/")}


async def forget_replica(consensus: Consensus, blob: Blob, replica: str) -> None:
    """Deletes all states of a replica that is no more: it is found by `replicas_with_states` until then. Raises
    OSError, SqlError, Indeterminate."""
    key = f"{PREFIX}/{replica}"
    await consensus.forget(await consensus.list_keys(f"{key}/"))
    objects = await blob.list_keys(f"{key}/")
    for start in range(0, len(objects), _DELETED_AT_ONCE):
        await asyncio.gather(*(blob.delete(each) for each in objects[start : start + _DELETED_AT_ONCE]))
    await consensus.forget([key])
