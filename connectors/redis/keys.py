"""The keys that a sink writes, as the replica is told of them."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class RedisKeys:
    """Keys of a database of a Redis server that begin with `target`, or the stream named `target`.

    `settings`: of a session, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    target: str
