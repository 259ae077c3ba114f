"""Lists the systems, a line for each, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.aws import connector as aws
from connectors.delta import connector as delta
from connectors.dynamodb import connector as dynamodb
from connectors.files import connector as files
from connectors.gauge import Partition
from connectors.generators import connector as generators
from connectors.iceberg import connector as iceberg
from connectors.kafka import connector as kafka
from connectors.kinesis import connector as kinesis
from connectors.mysql import connector as mysql
from connectors.opensearch import connector as opensearch
from connectors.postgres import connector as postgres
from connectors.program import connector as program
from connectors.pubnub import connector as pubnub
from connectors.redis import connector as redis
from connectors.registry import connector as registry
from connectors.sinks.description import SinkPlace
from connectors.sinks.driver import Driver
from connectors.sqlite import connector as sqlite
from connectors.system import SystemConnection, SystemDestination, SystemSource, values_of
from connectors.upstream import Arrived, RangeReader, UpstreamPlace, UpstreamReader, UpstreamRecords
from connectors.webhook import connector as webhook
from model.ids.global_id import GlobalId
from model.time.clock import Clock

_CONNECTIONS = (
    kafka.CONNECTION,
    registry.CONNECTION,
    postgres.CONNECTION,
    mysql.CONNECTION,
    redis.CONNECTION,
    opensearch.CONNECTION,
    webhook.CONNECTION,
    aws.CONNECTION,
)
_SOURCES = (
    kafka.SOURCE,
    postgres.SOURCE,
    kinesis.SOURCE,
    pubnub.SOURCE,
    files.FILES_SOURCE,
    files.OBJECTS_SOURCE,
    generators.SOURCE,
)
_DESTINATIONS = (
    sqlite.DESTINATION,
    files.DIRECTORY,
    files.BUCKET,
    program.DESTINATION,
    postgres.DESTINATION,
    mysql.DESTINATION,
    redis.DESTINATION,
    dynamodb.DESTINATION,
    opensearch.DESTINATION,
    webhook.DESTINATION,
    delta.DESTINATION,
    iceberg.DESTINATION,
    kafka.DESTINATION,
)
CONNECTIONS: dict[str, SystemConnection] = {kind.name: kind for kind in _CONNECTIONS}
SOURCES: dict[str, SystemSource] = {kind.name: kind for kind in _SOURCES}
DESTINATIONS: dict[str, SystemDestination] = {kind.name: kind for kind in _DESTINATIONS}
_BY_PLACE = {place: kind for kind in _DESTINATIONS for place in kind.places}
_SOURCE_BY_PLACE = {place: kind for kind in _SOURCES for place in kind.places}


def destination_of(place: SinkPlace) -> SystemDestination:
    """Returns the kind of a destination, by its description for a replica."""
    return _BY_PLACE[type(place)]


def open_driver(place: SinkPlace, token: str, directory: Path) -> Driver:
    """Returns a driver that waits for Open. `token` is unique to the session. Temporary files go to `directory`,
    which is swept later."""
    return destination_of(place).open_driver(place, token, directory)


def system_of_source(place: UpstreamPlace | UpstreamRecords) -> SystemSource:
    """Returns the kind of a source, by its records as they are planned, or as a replica is told of them."""
    return _SOURCE_BY_PLACE[type(place)]


def open_upstream(
    place: UpstreamPlace, secrets: Mapping[GlobalId, str], clock: Clock, arrived: Arrived, copies: Path
) -> UpstreamReader:
    """Returns a reader that waits for `begin`. `secrets` has the values of the place's secrets; files that are to
    survive the process until they are bound go below `copies`."""
    return system_of_source(place).open(place, _settings(place, secrets), clock, arrived, copies)


def open_range(
    place: UpstreamPlace, versions: Mapping[Partition, str | None], secrets: Mapping[GlobalId, str], clock: Clock
) -> RangeReader:
    """Returns a reader of these partitions only, which waits for `begin`, and reads in the thread that takes
    records."""
    open_ = system_of_source(place).open_range
    assert open_ is not None, "it is divisible"
    return open_(place, versions, _settings(place, secrets), clock)


def _settings(place: UpstreamPlace, secrets: Mapping[GlobalId, str]) -> dict[str, str]:
    """Returns the settings of the system's client, with the values of secrets."""
    return {**dict(place.settings), **values_of(place.secrets, secrets)}
