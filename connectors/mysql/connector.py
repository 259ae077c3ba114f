"""MySQL and MariaDB, as a connection and as a destination."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.client_settings import divided
from connectors.mysql.settings import MYSQL_SETTINGS
from connectors.mysql.table import MysqlTable
from connectors.option_values import port, require_all, secret, ssl_mode, text, text_or_secret, wrong
from connectors.sinks.clauses import named_table
from connectors.sinks.description import SinkDescription
from connectors.sinks.destination_probe import examine
from connectors.sinks.driver import Driver
from connectors.system import Options, Reached, SystemConnection, SystemDestination, values_of
from model.external.sinks import ConnectedTable, SinkTarget
from model.ids.global_id import GlobalId

_SSL_MODES = ("disabled", "preferred", "required", "verify-ca", "verify-identity")


def _check(options: Options) -> None:
    require_all(options, "a MYSQL", "HOST", "DATABASE", "USER")
    verified = str(options.get("SSL MODE", "")).startswith("verify-")
    if "SSL CERTIFICATE AUTHORITY" in options and not verified:
        raise wrong("SSL CERTIFICATE AUTHORITY", "needs SSL MODE verify-ca or verify-identity beside it")


def _ask(options: Options, secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    from connectors.mysql.mysql_connections import ask_mysql

    ask_mysql(MYSQL_SETTINGS.all(options, secrets))


def _place(target: SinkTarget, reached: Reached) -> MysqlTable:
    assert isinstance(target, ConnectedTable), "it is a table"
    settings = divided(MYSQL_SETTINGS.all, MYSQL_SETTINGS.hidden(reached.options), reached.options)
    return MysqlTable(*settings, target.table)


def _driver(place: MysqlTable, _token: str, _directory: Path) -> Driver:
    from connectors.mysql.driver import MysqlDriver

    return MysqlDriver(place)


def _examine(sink: SinkDescription, place: MysqlTable, secrets: Mapping[GlobalId, str], timeout_s: int) -> None:
    from connectors.mysql.driver import MysqlDriver
    from connectors.mysql.mysql_connections import reason_of

    examine(MysqlDriver(place), sink, values_of(place.secrets, secrets), timeout_s, reason_of)


CONNECTION = SystemConnection(
    name="MYSQL",
    checks={
        "HOST": text,
        "PORT": port,
        "DATABASE": text,
        "USER": text_or_secret,
        "PASSWORD": secret,
        "SSL MODE": ssl_mode(*_SSL_MODES),
        "SSL CERTIFICATE AUTHORITY": text_or_secret,
    },
    check_together=_check,
    ask=_ask,
)
DESTINATION = SystemDestination(
    name="MYSQL",
    options=("TABLE",),
    connection="MYSQL",
    connected=named_table,
    places=(MysqlTable,),
    place=_place,
    open_driver=_driver,
    examine=_examine,
    locks_by_key=True,
)
