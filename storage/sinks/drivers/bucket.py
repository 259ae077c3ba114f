"""Objects of a bucket: uploaded in parts, which nobody sees, and completed when the log names them.

    s3://<bucket>/<prefix>/v1/00001795444186543-00001795444188065-0000.parquet

An upload that the log doesn't name is garbage of a session that ended, and is given up when the next one opens. To
complete one again changes nothing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import botocore.exceptions

from model.errors import SqlError
from model.sqlstate import Sqlstate
from storage.aws.clients import AwsFailure, aws_client
from storage.sinks.description import BucketOfFiles
from storage.sinks.drivers.file_store import another_sinks_files

_OWNER = ".headwater"
_PART_BYTES = 16 << 20
"""A part has at least 5 MiB, unless it is the last."""
_THREADS = 4
_TAKEN = ("PreconditionFailed", "ConditionalRequestConflict")
_GONE = ("NoSuchUpload", "NoSuchKey", "404")


class BucketStore:
    """Files are whole in a directory of its own before they are uploaded: a transaction's, of at most their sizes."""

    failures: tuple[type[Exception], ...] = (*AwsFailure, OSError)

    def __init__(self, place: BucketOfFiles, directory: Path) -> None:
        self._place = place
        self._directory = directory
        self._client: Any = None
        self._local: Path | None = None
        self._under = ""

    def open(self, name: str, version: int, staged: Sequence[Any], secrets: Mapping[str, str]) -> None:
        self._client = aws_client("s3", {**dict(self._place.settings), **secrets}, connections=_THREADS)
        self._under = f"{self._prefix}v{version}/"
        self._claim(name)
        wanted = {upload for _, upload, _ in staged}
        for key, upload in self._uploads():
            if upload not in wanted:
                self._give_up(key, upload)

    @property
    def _prefix(self) -> str:
        return f"{self._place.prefix.strip('/')}/" if self._place.prefix.strip("/") else ""

    def _claim(self, name: str) -> None:
        key = self._prefix + _OWNER
        try:
            self._client.put_object(Bucket=self._place.bucket, Key=key, Body=name.encode(), IfNoneMatch="*")
        except botocore.exceptions.ClientError as error:
            if _code(error) not in _TAKEN:
                raise
            owner = self._client.get_object(Bucket=self._place.bucket, Key=key)["Body"].read()
            if owner != name.encode():
                raise another_sinks_files(self._shown) from None

    def _uploads(self) -> Iterator[tuple[str, str]]:
        pages = self._client.get_paginator("list_multipart_uploads")
        for page in pages.paginate(Bucket=self._place.bucket, Prefix=self._under):
            for upload in page.get("Uploads", ()):
                if upload["Key"].startswith(self._under):
                    yield upload["Key"], upload["UploadId"]

    def _give_up(self, key: str, upload: str) -> None:
        try:
            self._client.abort_multipart_upload(Bucket=self._place.bucket, Key=key, UploadId=upload)
        except botocore.exceptions.ClientError as error:
            if _code(error) not in _GONE:
                raise

    def begin(self, number: int) -> Path:
        if self._local is None:
            self._local = Path(tempfile.mkdtemp(prefix="sink-", dir=self._directory))
        return self._local / f"{number:04}"

    def stage(self, files: Sequence[tuple[Path, str]]) -> list[Any]:
        with ThreadPoolExecutor(_THREADS, "sink-upload") as threads:
            return [self._upload(path, self._under + name, threads) for path, name in files]

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
            if _code(error) not in _GONE:
                raise
            return self._exists(key)
        return True

    def _exists(self, key: str) -> bool:
        try:
            self._client.head_object(Bucket=self._place.bucket, Key=key)
        except botocore.exceptions.ClientError as error:
            if _code(error) in _GONE:
                return False
            raise
        return True

    def applied(self) -> None:
        """An object that is complete is durable."""

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


def _code(error: botocore.exceptions.ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
