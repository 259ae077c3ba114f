"""Objects of a bucket: uploaded in invisible parts, and completed once the log names the object.

    s3://<bucket>/<prefix>/v1/00001795444186543-00001795444188065-0000.parquet

An upload that the log doesn't name is garbage of a session that ended, and is aborted when the next one opens, of
earlier versions too. Completing an upload twice changes nothing.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import botocore.exceptions

from connectors.aws.clients import AwsFailure, aws_client
from connectors.aws.uploads import abort_upload, error_code, is_gone
from connectors.files.objects import BucketOfFiles
from connectors.files.store import another_sinks_files
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_OWNER = ".headwater"
_PART_BYTES = 16 << 20
"""A part has at least 5 MiB, unless it is the last."""
_THREADS = 4
_VERSION = re.compile(r"v(\d+)/")
_TAKEN = ("PreconditionFailed", "ConditionalRequestConflict")


class BucketStore:
    """Writes each file completely into a local directory of its own before uploading it. The directory holds the
    files of one transaction, each within the size limit."""

    failures: tuple[type[Exception], ...] = (*AwsFailure, OSError)

    def __init__(self, place: BucketOfFiles, directory: Path) -> None:
        self._place = place
        self._directory = directory
        self._client: Any = None
        self._local: Path | None = None
        self._version = 0

    def open(self, name: str, version: int, staged: Sequence[Any], secrets: Mapping[str, str]) -> None:
        self._client = aws_client("s3", {**dict(self._place.settings), **secrets}, connections=_THREADS)
        self._version = version
        self._claim(name)
        wanted = {upload for _, upload, _ in staged}
        for key, upload in self._uploads():
            if upload not in wanted:
                abort_upload(self._client, self._place.bucket, key, upload)

    @property
    def _prefix(self) -> str:
        return f"{self._place.prefix.strip('/')}/" if self._place.prefix.strip("/") else ""

    def _claim(self, name: str) -> None:
        key = self._prefix + _OWNER
        try:
            self._client.put_object(Bucket=self._place.bucket, Key=key, Body=name.encode(), IfNoneMatch="*")
        except botocore.exceptions.ClientError as error:
            if error_code(error) not in _TAKEN:
                raise
            owner = self._client.get_object(Bucket=self._place.bucket, Key=key)["Body"].read()
            if owner != name.encode():
                raise another_sinks_files(self._shown) from None

    def _uploads(self) -> Iterator[tuple[str, str]]:
        """Yields the uploads under way, except those of later versions: a session of an older version must not end
        the uploads of a newer one."""
        pages = self._client.get_paginator("list_multipart_uploads")
        for page in pages.paginate(Bucket=self._place.bucket, Prefix=f"{self._prefix}v"):
            for upload in page.get("Uploads", ()):
                of = _VERSION.match(upload["Key"].removeprefix(self._prefix))
                if of is not None and int(of[1]) <= self._version:
                    yield upload["Key"], upload["UploadId"]

    def begin(self, number: int) -> Path:
        if self._local is None:
            self._local = Path(tempfile.mkdtemp(prefix="sink-", dir=self._directory))
        return self._local / f"{number:04}"

    def stage(self, files: Sequence[tuple[Path, str]]) -> list[Any]:
        with ThreadPoolExecutor(_THREADS, "sink-upload") as threads:
            return [self._upload(path, f"{self._prefix}v{self._version}/{name}", threads) for path, name in files]

    def _upload(self, path: Path, key: str, threads: ThreadPoolExecutor) -> list[Any]:
        named = {"Bucket": self._place.bucket, "Key": key}
        upload = self._client.create_multipart_upload(**named)["UploadId"]

        def part(number: int) -> str:
            with path.open("rb") as file:
                file.seek(number * _PART_BYTES)
                data = file.read(_PART_BYTES)
            answer = self._client.upload_part(**named, UploadId=upload, PartNumber=number + 1, Body=data)
            return str(answer["ETag"])

        tags = list(threads.map(part, range(-(-path.stat().st_size // _PART_BYTES))))
        path.unlink()
        return [key, upload, tags]

    def apply(self, staged: Any) -> bool:
        key, upload, tags = staged
        parts = [{"PartNumber": at, "ETag": tag} for at, tag in enumerate(tags, 1)]
        named = {"Bucket": self._place.bucket, "Key": key}
        try:
            self._client.complete_multipart_upload(**named, UploadId=upload, MultipartUpload={"Parts": parts})
        except botocore.exceptions.ClientError as error:
            if not is_gone(error):
                raise
            return self._exists(key)
        return True

    def _exists(self, key: str) -> bool:
        try:
            self._client.head_object(Bucket=self._place.bucket, Key=key)
        except botocore.exceptions.ClientError as error:
            if is_gone(error):
                return False
            raise
        return True

    def applied(self) -> None:
        """Does nothing: a completed object is durable."""

    def close(self) -> None:
        if self._local is not None:
            shutil.rmtree(self._local, ignore_errors=True)
            self._local = None
        if self._client is not None:
            self._client.close()

    @property
    def _shown(self) -> str:
        return f"s3://{self._place.bucket}/{self._prefix}"

    def failed(self, error: Exception) -> SqlError:
        said = " ".join(str(error).split())
        return SqlError(Sqlstate.IO_ERROR, f'files in "{self._shown}": {said}')
