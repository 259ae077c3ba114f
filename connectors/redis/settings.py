"""A connection's options as settings of a session. Pure; of secrets it is given the values."""

from __future__ import annotations

from collections.abc import Mapping

from model.ids.global_id import GlobalId

HOST, PORT, DATABASE, USER, PASSWORD = "host", "port", "database", "user", "password"
SSL_MODE, AUTHORITY, CERTIFICATE, KEY = "ssl_mode", "authority", "certificate", "key"
_NAMES = {
    "HOST": HOST,
    "PORT": PORT,
    "DATABASE": DATABASE,
    "USER": USER,
    "PASSWORD": PASSWORD,
    "SSL MODE": SSL_MODE,
    "SSL CERTIFICATE AUTHORITY": AUTHORITY,
    "SSL CERTIFICATE": CERTIFICATE,
    "SSL KEY": KEY,
}
_BY_DEFAULT = {PORT: "6379", DATABASE: "0", SSL_MODE: "disabled"}


def redis_secrets(options: Mapping[str, str | tuple[str, ...] | GlobalId]) -> tuple[tuple[str, GlobalId], ...]:
    """Returns the settings whose values are secrets, each with the secret's id."""
    found = ((setting, options.get(option)) for option, setting in _NAMES.items())
    return tuple((setting, value) for setting, value in found if isinstance(value, GlobalId))


def redis_settings(
    options: Mapping[str, str | tuple[str, ...] | GlobalId], secrets: Mapping[GlobalId, str]
) -> dict[str, str]:
    """Returns the settings that a session takes. `options` are those of a REDIS connection, by name."""
    settings = dict(_BY_DEFAULT)
    for option, setting in _NAMES.items():
        value = options.get(option)
        if value is not None:
            assert not isinstance(value, tuple), "no option is a list"
            settings[setting] = secrets[value] if isinstance(value, GlobalId) else value
    return settings
