"""Chooses an implementation of consensus or blob by the scheme of a URL."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from storage.persist.files import FileBlob
from storage.persist.location import Blob, Consensus
from storage.persist.sqlite import SqliteConsensus


def open_consensus(url: str) -> Consensus:
    """Opens `sqlite:///path` (`sqlite:relative/path` too) or `postgresql://…`; ValueError for other schemes."""
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        rest = unquote(url.removeprefix("sqlite:"))
        path = rest.removeprefix("//")
        if not path:
            raise ValueError(f"no path in {url!r}")
        return SqliteConsensus(Path(path))
    if scheme in ("postgresql", "postgres"):
        # A database client is loaded only by those who use it.
        from storage.persist.postgres import PostgresConsensus

        return PostgresConsensus(url)
    raise ValueError(f"consensus is sqlite:///path or postgresql://…, not {url!r}")


def open_blob(url: str) -> Blob:
    """Opens a directory's path, `file:///path`, or `s3://bucket/prefix`; ValueError for other schemes."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        from storage.persist.s3 import S3Blob

        prefix = parts.path.strip("/")
        return S3Blob(parts.netloc, prefix + "/" if prefix else "")
    if parts.scheme == "file":
        return FileBlob(Path(unquote(parts.path)))
    if "://" in url:
        raise ValueError(f"blob is a directory, file:///path or s3://bucket/prefix, not {url!r}")
    return FileBlob(Path(url))
