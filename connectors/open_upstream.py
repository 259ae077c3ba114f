"""Opens upstreams by the kind of their place: the only list of kinds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from connectors.files.source.directory_space import DirectorySpace
from connectors.files.source.reader import FilesReader
from connectors.files.source.whole_files import WholeFiles
from connectors.generators.reader import GeneratorReader
from connectors.pubnub.reader import PubnubReader
from connectors.sources.description import (
    DivisiblePlace,
    FilesOfServer,
    Generated,
    KafkaTopic,
    KinesisStream,
    ObjectsOfBucket,
    PostgresTables,
    PubnubChannel,
    UpstreamPlace,
)
from connectors.sources.gauge import Partition
from connectors.sources.upstream import Arrived, RangeReader, UpstreamReader
from model.ids.global_id import GlobalId
from model.time.clock import Clock


def open_upstream(
    place: UpstreamPlace, secrets: Mapping[GlobalId, str], clock: Clock, arrived: Arrived, copies: Path
) -> UpstreamReader:
    """Returns a reader that waits for `begin`. `secrets` has the values of the place's secrets; files that are to
    survive the process until they are bound go below `copies`."""
    match place:
        case KafkaTopic():
            # Only who reads from Kafka loads its library.
            from connectors.kafka.source.reader import KafkaReader

            settings = {**dict(place.settings), **{name: secrets[id_] for name, id_ in place.secrets}}
            return KafkaReader(place, settings, clock, arrived)
        case KinesisStream():
            # Its clients are large, and few need them.
            from connectors.kinesis.reader import KinesisReader

            settings = {**dict(place.settings), **{name: secrets[id_] for name, id_ in place.secrets}}
            return KinesisReader(place, settings, clock, arrived)
        case PostgresTables():
            from connectors.postgres.source.reader import PostgresReader

            settings = {**dict(place.settings), **{name: secrets[id_] for name, id_ in place.secrets}}
            return PostgresReader(place, settings, clock, arrived, copies)
        case PubnubChannel():
            return PubnubReader(place, clock, arrived)
        case FilesOfServer(files, parquet, until_ms):
            return FilesReader(files, parquet, until_ms, DirectorySpace(files.pattern), clock, arrived)
        case ObjectsOfBucket(_, _, bucket, queue, files, parquet, until_ms):
            from connectors.files.source.bucket_space import BucketSpace

            settings = {**dict(place.settings), **{name: secrets[id_] for name, id_ in place.secrets}}
            space = BucketSpace(settings, bucket, queue, files.pattern)
            return FilesReader(files, parquet, until_ms, space, clock, arrived)
        case Generated(generator):
            return GeneratorReader(generator, clock)
        case _:
            assert_never(place)


def open_range(
    place: DivisiblePlace, versions: Mapping[Partition, str | None], secrets: Mapping[GlobalId, str], clock: Clock
) -> RangeReader:
    """Returns a reader of these partitions only, which waits for `begin`, and reads in the thread that takes
    records."""
    settings: dict[str, str] = {}
    if not isinstance(place, FilesOfServer):
        settings = {**dict(place.settings), **{name: secrets[id_] for name, id_ in place.secrets}}
    match place:
        case KafkaTopic():
            from connectors.kafka.identity import TopicIdentity
            from connectors.kafka.source.partition_reader import PartitionReader, consumers

            (partition,) = versions
            identity = None if place.topic_id is None else TopicIdentity(settings, place.topic)
            return PartitionReader(place, int(partition), consumers(settings), identity, clock)
        case FilesOfServer(files, parquet):
            return WholeFiles(DirectorySpace(files.pattern), parquet, versions)
        case ObjectsOfBucket(_, _, bucket, queue, files, parquet):
            from connectors.files.source.bucket_space import BucketSpace

            return WholeFiles(BucketSpace(settings, bucket, queue, files.pattern), parquet, versions)
        case _:
            assert_never(place)
