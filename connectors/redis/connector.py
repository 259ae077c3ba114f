"""Redis, as a connection and as a destination."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.client_settings import divided
from connectors.option_values import (
    number_between,
    port,
    require_all,
    require_pair,
    secret,
    ssl_mode,
    text,
    text_or_secret,
    wrong,
)
from connectors.redis.keys import RedisKeys
from connectors.redis.settings import REDIS_SETTINGS
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import Options, Reached, SystemConnection, SystemDestination
from model.external.sinks import ConnectedTable, SinkTarget
from model.ids.global_id import GlobalId

_SSL_MODES = ("disabled", "required", "verify-ca", "verify-identity")
_SSL = ("SSL CERTIFICATE AUTHORITY", "SSL CERTIFICATE", "SSL KEY")
_DATABASE_MAX = 9_999
_PREFIX_LENGTH_MAX = 1_000


def _check(options: Options) -> None:
    require_all(options, "a REDIS", "HOST")
    if "USER" in options and "PASSWORD" not in options:
        raise wrong("USER", "needs PASSWORD beside it")
    mode = str(options.get("SSL MODE", _SSL_MODES[0]))
    for name in _SSL:
        if name in options and mode == "disabled":
            raise wrong(name, f"needs SSL MODE {', '.join(_SSL_MODES[1:-1])} or {_SSL_MODES[-1]} beside it")
    if "SSL CERTIFICATE AUTHORITY" in options and mode == "required":
        raise wrong("SSL CERTIFICATE AUTHORITY", "needs SSL MODE verify-ca or verify-identity beside it")
    require_pair(options)


def _ask(options: Options, secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    from connectors.redis.redis_connections import ask_redis

    ask_redis(REDIS_SETTINGS.all(options, secrets))


def _target(clauses: SinkClauses) -> SinkTarget:
    """Plans the target of a sink: the keys with a common prefix, taken from TABLE or else from the relation's name. The
    prefix is a single name and may contain any character but a zero byte."""
    clauses.refuse_messages()
    target = clauses.text("TABLE") or clauses.relation
    if len(target) > _PREFIX_LENGTH_MAX or "\x00" in target:
        raise clauses.invalid("TABLE")
    return ConnectedTable(clauses.into, clauses.connection, (target,))


def _place(target: SinkTarget, reached: Reached) -> RedisKeys:
    assert isinstance(target, ConnectedTable), "keys are told as a table"
    (keys,) = target.table
    settings = divided(REDIS_SETTINGS.all, REDIS_SETTINGS.hidden(reached.options), reached.options)
    return RedisKeys(*settings, keys)


def _driver(place: RedisKeys, token: str, directory: Path) -> Driver:
    from connectors.redis.driver import RedisDriver

    return RedisDriver(place, token, directory)


CONNECTION = SystemConnection(
    name="REDIS",
    checks={
        "HOST": text,
        "PORT": port,
        "DATABASE": number_between(0, _DATABASE_MAX),
        "USER": text_or_secret,
        "PASSWORD": secret,
        "SSL MODE": ssl_mode(*_SSL_MODES),
        "SSL CERTIFICATE AUTHORITY": text_or_secret,
        "SSL CERTIFICATE": text_or_secret,
        "SSL KEY": secret,
    },
    check_together=_check,
    ask=_ask,
)
DESTINATION = SystemDestination(
    name="REDIS",
    options=("TABLE",),
    connection="REDIS",
    connected=_target,
    places=(RedisKeys,),
    place=_place,
    open_driver=_driver,
)
