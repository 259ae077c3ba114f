"""The place of a source in Amazon Kinesis: a stream."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class KinesisStream:
    """Records of a Kinesis stream, given by name or ARN.

    `connection`: to Amazon Web Services
    `settings`: of a client, without secrets; none until a replica is told of the stream
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    connection: GlobalId
    stream: str
    settings: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, GlobalId], ...] = ()

    @property
    def name(self) -> str:
        """The stream's name, which ends its ARN."""
        return self.stream.rpartition("/")[2]
