"""The settings of libpq, by a connection's options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from connectors.client_settings import ClientSettings, Secrets, Settings, divided
from model.external.connections import ConnectionValue
from model.ids.global_id import GlobalId

PORT = "5432"
_SETTINGS = ClientSettings(
    {
        "HOST": "host",
        "PORT": "port",
        "DATABASE": "dbname",
        "USER": "user",
        "PASSWORD": "password",
        "SSL MODE": "sslmode",
    },
    {"port": PORT, "sslmode": "prefer"},
)
_SERVER = (
    "client_encoding=UTF8",
    "DateStyle=ISO",
    "IntervalStyle=postgres",
    "TimeZone=UTC",
    "extra_float_digits=3",
    "bytea_output=hex",
    "statement_timeout=0",
    "lock_timeout=0",
    "idle_in_transaction_session_timeout=0",
)
"""So that texts are as we read them, whatever the database's defaults are, and long copies are not ended."""
_PASSWORDS = "password,md5,scram-sha-256"
"""The ways to ask for a password, in libpq's words."""
_ALWAYS = {
    "application_name": "headwater",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "options": " ".join(f"-c {setting}" for setting in _SERVER),
}


def postgres_settings(
    options: Mapping[str, ConnectionValue],
    secrets: Mapping[GlobalId, str],
    *,
    only_by_password: bool = False,
) -> dict[str, str]:
    """Returns libpq's settings. `options` are those of a POSTGRES connection, by name.

    With `only_by_password`, a server that does not ask for a password that there is is left at once: it may have let us
    in as the user of this process, which is not the user who made the connection.
    """
    settings = _SETTINGS.all(options, secrets)
    asked = {"require_auth": _PASSWORDS} if only_by_password and "password" in settings else {}
    return {**settings, **_ALWAYS, **asked}


def postgres_login(
    options: Mapping[str, ConnectionValue], *, only_by_password: bool = False
) -> tuple[Settings, Secrets]:
    """Divides libpq's settings into visible and secret settings."""
    settings = partial(postgres_settings, only_by_password=only_by_password)
    return divided(settings, _SETTINGS.hidden(options), options)
