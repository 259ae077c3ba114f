"""Blob on an S3-compatible object store. An object is durable when the store acknowledges it.

The endpoint, region and credentials come from the usual AWS environment variables (AWS_ENDPOINT_URL among them), or
from another process, as BlobAccess.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import boto3
import botocore.config
import botocore.exceptions

from storage.persist.location import BlobAccess

T = TypeVar("T")

_THREADS = 8
_CONNECT_TIMEOUT_S = 3
_READ_TIMEOUT_S = 30
_MISSING = ("NoSuchKey", "404")
_BEYOND = "InvalidRange"


def access_here() -> BlobAccess | None:
    """Returns what this process's environment has for S3; None without keys."""
    session = boto3.Session()
    found = session.get_credentials()
    if found is None:
        return None
    keys = found.get_frozen_credentials()
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    return BlobAccess(endpoint, session.region_name, keys.access_key, keys.secret_key, keys.token)


def _arguments(access: BlobAccess) -> dict[str, str | None]:
    return {
        "endpoint_url": access.endpoint,
        "region_name": access.region,
        "aws_access_key_id": access.key_id,
        "aws_secret_access_key": access.secret,
        "aws_session_token": access.token,
    }


class S3Blob:
    """Keys lie under `prefix` (empty, or ending in a slash) of `bucket`, which exists."""

    def __init__(self, bucket: str, prefix: str = "", access: BlobAccess | None = None) -> None:
        config = botocore.config.Config(
            retries={"mode": "standard", "max_attempts": 5},
            max_pool_connections=_THREADS,
            connect_timeout=_CONNECT_TIMEOUT_S,
            read_timeout=_READ_TIMEOUT_S,
            s3={"addressing_style": "auto"},
        )
        self._client = boto3.client("s3", config=config, **({} if access is None else _arguments(access)))
        self._bucket = bucket
        self._prefix = prefix
        self._threads = ThreadPoolExecutor(_THREADS, "blob")

    async def put(self, key: str, data: bytes) -> None:
        await self._on_thread(lambda: self._client.put_object(Bucket=self._bucket, Key=self._prefix + key, Body=data))

    async def get(self, key: str) -> bytes | None:
        return await self._on_thread(lambda: self._get(key))

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        if len(ranges) == 1:
            found = [self._read(key, ranges[0])]
        else:
            found = list(self._threads.map(lambda each: self._read(key, each), ranges))
        there = [each for each in found if each is not None]
        return there if len(there) == len(found) else None

    def _read(self, key: str, range_: tuple[int, int]) -> bytes | None:
        offset, size = range_
        return _translated(lambda: self._get(key, Range=f"bytes={offset}-{offset + size - 1}"))

    async def delete(self, key: str) -> None:
        await self._on_thread(lambda: self._client.delete_object(Bucket=self._bucket, Key=self._prefix + key))

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._on_thread(lambda: self._list(prefix))

    def uri(self, key: str) -> str:
        return f"s3://{self._bucket}/{self._prefix}{key}"

    async def close(self) -> None:
        # Whoever was cancelled may have left a write under way, which ends by itself.
        self._threads.shutdown(wait=False)
        self._client.close()

    def _get(self, key: str, **options: str) -> bytes | None:
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=self._prefix + key, **options)
            body: bytes = found["Body"].read()
        except botocore.exceptions.ClientError as error:
            code = error.response.get("Error", {}).get("Code")
            if code in _MISSING:
                return None
            if code == _BEYOND:
                return b""
            raise
        return body

    def _list(self, prefix: str) -> list[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix + prefix
        )
        keys = [entry["Key"].removeprefix(self._prefix) for page in pages for entry in page.get("Contents", ())]
        return sorted(keys)

    async def _on_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: _translated(work))


def _translated(work: Callable[[], T]) -> T:
    try:
        return work()
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError) as error:
        raise OSError(errno.EIO, f"object store: {error}") from error
