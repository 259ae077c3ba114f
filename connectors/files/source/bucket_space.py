"""Finds the objects of a bucket, by listing it, by the notifications of a queue, or both; and reads them.

An object is complete, and a version of it (its ETag) never changes. Small objects are fetched ahead, several in
parallel; of large ones ranges are fetched as they are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import botocore.exceptions

from connectors.aws.clients import AwsFailure, aws_client
from connectors.files.source.fetched_ahead import FetchedAhead
from connectors.files.source.key_pattern import KeyPattern
from connectors.files.source.notifications import Notifications, Notified
from connectors.files.source.space import ChangedMeanwhile, FoundFile, FoundFiles, PartHash
from connectors.gauge import UpstreamFrontier

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_THREADS = 8
_CHUNK_BYTES = 8 << 20
_GONE = ("NoSuchKey", "404")
_CHANGED = ("PreconditionFailed", "412")


class BucketSpace:
    """The objects of `bucket` whose keys match `pattern`; with a queue, only those that it announces from the first
    look on. Without a bucket, the objects of any bucket that the queue announces; a path is then the bucket's name,
    a slash and the key."""

    atomic = True
    noun = "object"

    def __init__(self, settings: Mapping[str, str], bucket: str | None, queue: str | None, pattern: str) -> None:
        assert bucket is not None or queue is not None, "there is something to look at"
        self._settings = settings
        self._bucket = bucket
        self._pattern = KeyPattern(pattern)
        self._notifications = None if queue is None else Notifications(settings, queue)
        self._threads = ThreadPoolExecutor(_THREADS, "bucket")
        self._ahead = FetchedAhead(self._threads, _THREADS, self._whole)
        self._client: Any = None
        self._scanned = bucket is None
        self._offered: dict[str, FoundFile] = {}
        """What was found and may not have been read, where it is not listed again."""
        self._accepted: dict[str, str] = {}
        """Which versions of these the reader has looked at."""
        self._settled: UpstreamFrontier = {}

    def look(self) -> FoundFiles:
        if self._notifications is None:
            return FoundFiles(self._listed(), all=True)
        self._forget_settled(self._notifications)
        if not self._scanned:
            self._offered |= {file.path: file for file in self._listed()}
            self._scanned = True
        told = [each for each in self._notifications.receive() if self._is_wanted(each)]
        trouble = self._notifications.trouble
        for notified, file in zip(told, self._threads.map(self._found, told), strict=True):
            if isinstance(file, FoundFile):
                self._offered[file.path] = file
            elif file is None:
                self._notifications.done(notified)
            else:
                trouble = file
        return FoundFiles([file for _, file in sorted(self._offered.items())], all=False, trouble=trouble)

    def _listed(self) -> list[FoundFile]:
        assert self._bucket is not None, "a bucket is listed"
        found = []
        with self._failing(f'bucket "{self._bucket}"'):
            pages = self._s3().get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._pattern.prefix):
                for each in page.get("Contents", ()):
                    if self._pattern.matches(each["Key"]):
                        came_ms = int(each["LastModified"].timestamp() * 1000)
                        found.append(FoundFile(each["Key"], each["Size"], each["ETag"], came_ms))
        return sorted(found, key=lambda file: file.path)

    def _is_wanted(self, notified: Notified) -> bool:
        assert self._notifications is not None
        wanted = self._bucket in (None, notified.bucket) and self._pattern.matches(notified.key)
        if not wanted:
            self._notifications.done(notified)
        return wanted

    def _found(self, notified: Notified) -> FoundFile | str | None:
        """Looks an announced object up. Returns None when it is gone; a text with the reason when it can't be looked
        at now (the queue announces it again)."""
        path = notified.key if self._bucket is not None else f"{notified.bucket}/{notified.key}"
        try:
            with self._failing(f'object "{path}"'):
                told = self._s3().head_object(**self._place(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            return str(error)
        came_ms = int(told["LastModified"].timestamp() * 1000)
        return FoundFile(path, told["ContentLength"], told["ETag"], came_ms)

    def _forget_settled(self, notifications: Notifications) -> None:
        """Deletes the notifications of objects that were offered, and are now read durably."""
        for path, file in list(self._offered.items()):
            if self._settled.get(path, 0) >= file.size and self._accepted.get(path) == file.version:
                self.leave(path)
        notifications.forget_done()

    def accept(self, file: FoundFile) -> None:
        if file.path in self._offered:
            self._accepted[file.path] = file.version

    def leave(self, path: str) -> None:
        self._offered.pop(path, None)
        self._accepted.pop(path, None)
        if self._notifications is not None:
            self._notifications.done(self._named(path))

    def _named(self, path: str) -> Notified:
        place = self._place(path)
        return Notified(place["Bucket"], place["Key"])

    def settled(self, frontier: UpstreamFrontier) -> None:
        self._settled = frontier

    def expect(self, files: Iterable[FoundFile]) -> None:
        self._ahead.expect(files)

    def open(self, file: FoundFile) -> BinaryIO:
        data = self._ahead.take(file)
        return io.BytesIO(data) if data is not None else cast("BinaryIO", _ObjectFile(self, file))

    def _whole(self, file: FoundFile) -> bytes:
        return self.read(file, 0, file.size)

    def read(self, file: FoundFile, offset: int, length: int) -> bytes:
        """Reads bytes of an object. Raises FileNotFoundError, ChangedMeanwhile or OSError."""
        if not length:
            return b""
        with self._failing(f'object "{file.path}"'):
            last = offset + length - 1
            asked = {"IfMatch": file.version, "Range": f"bytes={offset}-{last}"}
            data: bytes = self._s3().get_object(**self._place(file.path), **asked)["Body"].read()
            return data

    def hash_of(self, file: BinaryIO, length: int) -> PartHash:
        """Returns the hash of all the bytes: an object that has grown was written anew, so its tail alone would not
        do."""
        hashed = WholeHash()
        file.seek(0)
        while length and (chunk := file.read(min(_CHUNK_BYTES, length))):
            hashed.update(chunk)
            length -= len(chunk)
        return hashed

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _place(self, path: str) -> dict[str, str]:
        if self._bucket is not None:
            return {"Bucket": self._bucket, "Key": path}
        bucket, _, key = path.partition("/")
        return {"Bucket": bucket, "Key": key}

    def _s3(self) -> Any:
        if self._client is None:
            self._client = aws_client("s3", self._settings, connections=_THREADS + 1)
        return self._client

    @contextlib.contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        """Turns exceptions of Amazon's client into OSError, and drops the client, since its credentials may have
        ended."""
        try:
            yield
        except AwsFailure as failure:
            code = failure.response["Error"]["Code"] if isinstance(failure, botocore.exceptions.ClientError) else ""
            if code in _GONE:
                raise FileNotFoundError(what) from None
            if code in _CHANGED:
                raise ChangedMeanwhile(what) from None
            self._client = None
            raise OSError(f"{what}: {' '.join(str(failure).split())}") from None


class WholeHash:
    """A hash of all bytes of a beginning."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)

    def update(self, data: bytes) -> None:
        self._hash.update(data)

    def digest(self) -> str:
        return self._hash.hexdigest()


class _ObjectFile(io.RawIOBase):
    """A version of an object as a file, read by requests for ranges."""

    def __init__(self, space: BucketSpace, file: FoundFile) -> None:
        self._space = space
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size}[whence]
        self._at = base + offset
        return self._at

    def readall(self) -> bytes:
        return self._next(self._file.size)

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._next(len(view))
        view[: len(data)] = data
        return len(data)

    def _next(self, length: int) -> bytes:
        """Returns the next bytes, as many as one request gives."""
        data = self._space.read(self._file, self._at, max(0, min(length, self._file.size - self._at)))
        self._at += len(data)
        return data
