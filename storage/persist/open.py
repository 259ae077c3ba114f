"""Chooses an implementation of consensus or blob by the scheme of a URL."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from storage.persist.files import FileBlob
from storage.persist.location import Blob, BlobAccess, Consensus
from storage.persist.sqlite import SqliteConsensus


def open_consensus(url: str) -> Consensus:
    """Opens `sqlite:///path` (`sqlite:relative/path` too) or `postgresql://…`; raises ValueError for other schemes."""
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


def open_blob(url: str, access: BlobAccess | None = None) -> Blob:
    """Opens a directory's path, `file:///path`, or `s3://bucket/prefix`, that with the keys of `access`, or else with
    those of the environment; raises ValueError for other schemes."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        from storage.persist.s3 import S3Blob

        prefix = parts.path.strip("/")
        return S3Blob(parts.netloc, prefix + "/" if prefix else "", access)
    if parts.scheme == "file":
        return FileBlob(Path(unquote(parts.path)))
    if "://" in url:
        raise ValueError(f"blob is a directory, file:///path or s3://bucket/prefix, not {url!r}")
    return FileBlob(Path(url))


def access_of(url: str) -> BlobAccess | None:
    """Returns what this process reaches a blob with, by its environment; None where nothing is needed, or known."""
    if urlsplit(url).scheme != "s3":
        return None
    from storage.persist.s3 import access_here

    return access_here()


def blobs_overlap(one: str, other: str) -> bool:
    """Tells whether two blobs are one, or one lies in the other; by their URLs, as `open_blob` takes them."""
    first, second = _address(one), _address(other)
    return first.startswith(second) or second.startswith(first)


def _address(url: str) -> str:
    """Returns what all addresses in a blob begin with."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        return "/".join(filter(None, (f"s3://{parts.netloc}", parts.path.strip("/")))) + "/"
    path = unquote(parts.path) if parts.scheme == "file" else url
    return os.path.realpath(path).rstrip("/") + "/"
