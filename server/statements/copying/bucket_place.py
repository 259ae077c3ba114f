"""Objects of a bucket as COPY's source and target."""

from __future__ import annotations

import contextlib
import io
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from connectors.aws.clients import AwsFailure, aws_client
from connectors.aws.uploads import abort_upload
from connectors.files.source.bucket_space import BucketSpace
from connectors.files.source.space import FoundFile
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from server.ledgers.unfinished_uploads import UnfinishedUploads
from server.statements.copying.parts import MadeParts, part_name, refuse_stopped, taken
from server.statements.copying.places import MadeFile, failed

# What a key that ends in a slash reads: what is right below, without `_SUCCESS` and the like.
_PARTS = "[!._]*"
_DONE = "_SUCCESS"
_BUFFER_BYTES = 8 << 20
_PART_BYTES = 16 << 20


class BegunUploads(NamedTuple):
    """The place where uploads of a connection are noted."""

    noted: UnfinishedUploads
    connection: GlobalId


class BucketPlace:
    """A place of COPY in a bucket. `s3://bucket/key`; what is read may be a pattern of keys, as a source's, or all
    parts below a key's slash."""

    noun = "object"

    def __init__(self, settings: Mapping[str, str], bucket: str, key: str, begun: BegunUploads) -> None:
        self.shown = f"s3://{bucket}/{key}"
        self._begun = begun
        self._settings = settings
        self._bucket = bucket
        self._key = key
        self._space = BucketSpace(settings, bucket, None, f"{key}{_PARTS}" if key.endswith("/") else key)
        self._found: dict[str, FoundFile] = {}

    def names(self) -> Sequence[str]:
        try:
            self._found = {file.path: file for file in self._space.look().files}
        except OSError as error:
            raise failed(f'could not look for "{self.shown}"', error) from None
        if not self._found:
            raise SqlError(Sqlstate.UNDEFINED_FILE, f'no object matches "{self.shown}"')
        return tuple(self._found)

    def open(self, name: str) -> BinaryIO:
        return self._space.open(self._found[name])

    def stream(self, name: str) -> BinaryIO:
        return cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", self.open(name)), _BUFFER_BYTES))

    def make(self) -> MadeFile:
        return _Upload(_Objects(self._settings, self._bucket, self._begun), self._key)

    def parts(self) -> MadeParts | None:
        if not self._key.endswith("/"):
            return None
        return _ObjectsOfParts(_Objects(self._settings, self._bucket, self._begun), self._key)

    def scratch(self) -> Path:
        return Path(tempfile.gettempdir())


class _Objects:
    """The objects of one bucket, by one client."""

    def __init__(self, settings: Mapping[str, str], bucket: str, begun: BegunUploads) -> None:
        self.bucket = bucket
        self.begun = begun
        self._settings = settings
        self._client: Any = None

    def s3(self) -> Any:
        if self._client is None:
            self._client = aws_client("s3", self._settings)
        return self._client


class _Upload:
    """An upload: a small object is put at once, a large one in parts."""

    def __init__(self, objects: _Objects, key: str) -> None:
        self._s3 = objects.s3
        self._begun = objects.begun
        self._bucket, self._key = objects.bucket, key
        self._named = {"Bucket": objects.bucket, "Key": key}
        self._upload: str | None = None
        self._note: Path | None = None
        self._tags: list[str] = []
        self._kept = bytearray()

    def write(self, data: bytes) -> int:
        self._kept += data
        if len(self._kept) >= _PART_BYTES:
            self._send_part()
        return len(data)

    def _send_part(self) -> None:
        with _os_errors():
            if self._upload is None:
                self._upload = str(self._s3().create_multipart_upload(**self._named)["UploadId"])
                noted, connection = self._begun
                self._note = noted.begin(connection, self._bucket, self._key, self._upload)
            part = {**self._named, "UploadId": self._upload, "PartNumber": len(self._tags) + 1}
            self._tags.append(str(self._s3().upload_part(**part, Body=bytes(self._kept))["ETag"]))
        self._kept.clear()

    def seal(self) -> None:
        """Sends everything written."""
        if self._kept:
            self._send_part()

    def finish(self) -> None:
        if self._upload is None:
            with _os_errors():
                self._s3().put_object(**self._named, Body=bytes(self._kept))
            return
        self.seal()
        parts = [{"PartNumber": at, "ETag": tag} for at, tag in enumerate(self._tags, 1)]
        with _os_errors():
            whole = {**self._named, "UploadId": self._upload, "MultipartUpload": {"Parts": parts}}
            self._s3().complete_multipart_upload(**whole)
        self._upload = None
        self._begun.noted.end(self._note)

    def abandon(self) -> None:
        upload, self._upload = self._upload, None
        if upload is not None:
            # One that can't be aborted stays noted, for the next start.
            with contextlib.suppress(*AwsFailure):
                abort_upload(self._s3(), self._bucket, self._key, upload)
                self._begun.noted.end(self._note)


class _ObjectsOfParts:
    """Objects below a key: parts, completed when all are there, then an object that marks the whole."""

    def __init__(self, objects: _Objects, key: str) -> None:
        self._objects = objects
        self._key = key

    def require_free(self) -> None:
        with _os_errors():
            # One named as the directory itself is how some programs make one.
            found = self._objects.s3().list_objects_v2(Bucket=self._objects.bucket, Prefix=self._key, MaxKeys=2)
        if any(each["Key"] != self._key for each in found.get("Contents", ())):
            raise taken("prefix", f"s3://{self._objects.bucket}/{self._key}")

    def publish(self, staged: Path, parts: Sequence[Path], suffix: str, stopped: threading.Event) -> None:
        uploads: list[_Upload] = []
        finished: list[str] = []
        try:
            for at, part in enumerate(parts):
                uploads.append(_Upload(self._objects, self._key + part_name(at, suffix)))
                with part.open("rb") as file:
                    while data := file.read(_PART_BYTES):
                        refuse_stopped(stopped)
                        uploads[-1].write(data)
                uploads[-1].seal()
            self.require_free()
            for at, upload in enumerate((*uploads, _Upload(self._objects, self._key + _DONE))):
                finished.append(self._key + (part_name(at, suffix) if at < len(parts) else _DONE))
                upload.finish()
        except BaseException:
            for upload in uploads:
                upload.abandon()
            self._remove(finished)
            raise

    def _remove(self, keys: Sequence[str]) -> None:
        for key in keys:
            with contextlib.suppress(*AwsFailure):
                self._objects.s3().delete_object(Bucket=self._objects.bucket, Key=key)


@contextlib.contextmanager
def _os_errors() -> Iterator[None]:
    try:
        yield
    except AwsFailure as failure:
        raise OSError(" ".join(str(failure).split())) from None
