"""Uploads that COPY has begun in buckets, until completed: their parts are invisible, and paid for.

    DATA/uploads/TOKEN  ->  {"connection": "u5", "bucket": "results", "key": "t.parquet", "upload": "…"}

Each is noted durably from before its first part (an upload without parts costs nothing) until completed or aborted. The
next start aborts leftovers of a killed server in the background, with the connections' present options: a bucket that
does not answer is tried several times, and again at the next start.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path

import msgspec
import structlog

from catalog.nouns.connections import Connection
from catalog.state.catalog_state import CatalogState
from connectors.aws.settings import aws_settings
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff
from model.time.clock import Clock, Randomness
from server.secrets.keyring import Keyring
from server.secrets.stored import secrets_of

_LOG = structlog.get_logger()

_ATTEMPTS_MAX = 8
_BACK_OFF = BackOff(5.0, 300.0)


class NotedUpload(msgspec.Struct, frozen=True):
    """A noted upload; `connection` reaches its bucket."""

    connection: str
    bucket: str
    key: str
    upload: str


Abort = Callable[[Mapping[str, str], NotedUpload], None]
"""Aborts an upload, with the settings of a client; Unreachable. It blocks, for a bounded time."""


class UnfinishedUploads:
    """The noted uploads. `notes` is a directory of this machine and server alone; without it nothing is noted.
    Functions that are not async block, and are for threads."""

    def __init__(self, notes: Path | None, randomness: Randomness) -> None:
        self._notes = notes
        self._randomness = randomness

    def begin(self, connection: GlobalId, bucket: str, key: str, upload: str) -> Path | None:
        """Notes an upload without parts; returns the note for `end`. Raises OSError."""
        if self._notes is None:
            return None
        self._notes.mkdir(mode=0o700, exist_ok=True)
        note = self._notes / self._randomness.token()
        noted = NotedUpload(str(connection), bucket, key, upload)
        try:
            with note.open("xb") as file:
                file.write(msgspec.json.encode(noted))
                file.flush()
                os.fsync(file.fileno())
            _sync_directory(self._notes)
        except OSError:
            self.end(note)
            raise
        return note

    def end(self, note: Path | None) -> None:
        """Removes the note of a completed or aborted upload. Idempotent, and raises nothing."""
        if note is not None:
            with contextlib.suppress(OSError):
                note.unlink(missing_ok=True)

    def left(self) -> dict[Path, NotedUpload]:
        """Returns the uploads that an earlier server has neither completed nor aborted."""
        found = {}
        with contextlib.suppress(FileNotFoundError):
            for note in sorted(self._notes.iterdir() if self._notes is not None else ()):
                try:
                    noted = msgspec.json.decode(note.read_bytes(), type=NotedUpload)
                    GlobalId.parse(noted.connection)
                    found[note] = noted
                except (msgspec.DecodeError, ValueError):
                    self.end(note)  # killed while it was written: no part was sent
        return found


class LeftUploads:
    """Aborts `left`, to which nobody sends parts any more. `probes` are the threads that talk to buckets; `state`
    returns the newest catalog."""

    def __init__(
        self,
        uploads: UnfinishedUploads,
        left: Mapping[Path, NotedUpload],
        clock: Clock,
        keyring: Keyring,
        probes: Executor,
        state: Callable[[], CatalogState],
    ) -> None:
        self._uploads = uploads
        self._left = dict(left)
        self._clock = clock
        self._keyring = keyring
        self._probes = probes
        self._state = state

    async def abort(self, how: Abort | None = None) -> None:
        """Ends the noted uploads, in some attempts. `how`: by Amazon's API if None."""
        if not self._left:
            return
        abort = await asyncio.to_thread(_amazons) if how is None else how
        for failures in range(_ATTEMPTS_MAX):
            if failures:
                await _BACK_OFF.wait(self._clock, failures)
            reasons = [await self._attempt(each, abort) for each in list(self._left)]
            missed = [each for each in reasons if each is not None]
            if not missed:
                return
            _LOG.info("uploads are not aborted yet", uploads=len(missed), failures=failures + 1, error=missed[0])

    async def _attempt(self, note: Path, abort: Abort) -> str | None:
        """Tries to abort an upload; returns the reason of a failure."""
        noted, state, loop = self._left[note], self._state(), asyncio.get_running_loop()
        item = state.items.get(GlobalId.parse(noted.connection))
        if item is None or not isinstance(item.definition, Connection):
            where = f"s3://{noted.bucket}/{noted.key}"
            _LOG.warning("the connection of an upload is gone: abort it by hand", of=where, upload=noted.upload)
        else:
            try:
                secrets = secrets_of(self._keyring, state, item.definition)
                settings = aws_settings(dict(item.definition.options), secrets)
                await loop.run_in_executor(self._probes, abort, settings, noted)
            except SqlError as error:
                return error.message
            except Unreachable as failure:
                return failure.reason
        await loop.run_in_executor(self._probes, self._uploads.end, note)
        del self._left[note]
        return None


def _amazons() -> Abort:
    """Returns a function that aborts an upload. Amazon's client is large, and imported only when a server has left
    an upload."""
    from connectors.aws.clients import AwsFailure, aws_client
    from connectors.aws.uploads import abort_upload

    def abort(settings: Mapping[str, str], noted: NotedUpload) -> None:
        try:
            s3 = aws_client("s3", settings, attempts=1)
            try:
                abort_upload(s3, noted.bucket, noted.key, noted.upload)
            finally:
                s3.close()
        except AwsFailure as failure:
            raise Unreachable(" ".join(str(failure).split())) from None

    return abort


def _sync_directory(directory: Path) -> None:
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
