"""A connection's options as libpq's. Pure; of secrets it is given the values."""

from __future__ import annotations

from collections.abc import Mapping

from model.ids.global_id import GlobalId

PORT = "5432"
_NAMES = {
    "HOST": "host",
    "PORT": "port",
    "DATABASE": "dbname",
    "USER": "user",
    "PASSWORD": "password",
    "SSL MODE": "sslmode",
}
_SECRETS = frozenset(("USER", "PASSWORD"))
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


def postgres_secrets(options: Mapping[str, str | tuple[str, ...] | GlobalId]) -> tuple[tuple[str, GlobalId], ...]:
    """Returns the settings whose values are secrets, each with the secret's id."""
    found = ((_NAMES[option], options.get(option)) for option in sorted(_SECRETS))
    return tuple((setting, value) for setting, value in found if isinstance(value, GlobalId))


def postgres_settings(
    options: Mapping[str, str | tuple[str, ...] | GlobalId],
    secrets: Mapping[GlobalId, str],
    *,
    only_by_password: bool = False,
) -> dict[str, str]:
    """Returns libpq's settings. `options` are those of a POSTGRES connection, by name.

    With `only_by_password`, a server that does not ask for a password that there is is left at once: it may have let us
    in as the user of this process, which is not the user who made the connection.
    """
    settings = {"port": PORT, "sslmode": "prefer"}
    for option, setting in _NAMES.items():
        value = options.get(option)
        if value is not None:
            assert not isinstance(value, tuple), "no option is a list"
            settings[setting] = secrets[value] if isinstance(value, GlobalId) else value
    asked = {"require_auth": _PASSWORDS} if only_by_password and "password" in settings else {}
    return {**settings, **_ALWAYS, **asked}
