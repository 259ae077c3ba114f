"""Lists the systems, a line for each, by name."""

from __future__ import annotations

from pathlib import Path

from connectors.aws import connector as aws
from connectors.delta import connector as delta
from connectors.dynamodb import connector as dynamodb
from connectors.files import connector as files
from connectors.iceberg import connector as iceberg
from connectors.kafka import connector as kafka
from connectors.mysql import connector as mysql
from connectors.postgres import connector as postgres
from connectors.program import connector as program
from connectors.redis import connector as redis
from connectors.registry import connector as registry
from connectors.sinks.description import SinkPlace
from connectors.sinks.driver import Driver
from connectors.sqlite import connector as sqlite
from connectors.system import SystemConnection, SystemDestination
from connectors.webhook import connector as webhook

_CONNECTIONS = (
    kafka.CONNECTION,
    registry.CONNECTION,
    postgres.CONNECTION,
    mysql.CONNECTION,
    redis.CONNECTION,
    webhook.CONNECTION,
    aws.CONNECTION,
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
    webhook.DESTINATION,
    delta.DESTINATION,
    iceberg.DESTINATION,
    kafka.DESTINATION,
)
CONNECTIONS: dict[str, SystemConnection] = {kind.name: kind for kind in _CONNECTIONS}
DESTINATIONS: dict[str, SystemDestination] = {kind.name: kind for kind in _DESTINATIONS}
_BY_PLACE = {place: kind for kind in _DESTINATIONS for place in kind.places}


def destination_of(place: SinkPlace) -> SystemDestination:
    """Returns the kind of a destination, by its description for a replica."""
    return _BY_PLACE[type(place)]


def open_driver(place: SinkPlace, token: str, directory: Path) -> Driver:
    """Returns a driver that waits for Open. `token` is unique to the session. Temporary files go to `directory`,
    which is swept later."""
    return destination_of(place).open_driver(place, token, directory)
