"""Objects of a bucket that a sink writes, as the replica is told of them."""

from __future__ import annotations

from dataclasses import dataclass

from model.external.sinks import FileFormat
from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class BucketOfFiles:
    """Objects of a bucket whose keys begin with `prefix`.

    `settings`: of a client of S3, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    bucket: str
    prefix: str
    format: FileFormat
