"""Turns the options of an AWS connection into settings of a client. Pure; the values of secrets are passed in."""

from __future__ import annotations

from collections.abc import Mapping

from model.ids.global_id import GlobalId

ENDPOINT, REGION = "endpoint", "region"
KEY_ID, KEY, TOKEN = "key_id", "key", "token"
ROLE, ROLE_SESSION = "role", "role_session"
_NAMES = {
    "ENDPOINT": ENDPOINT,
    "REGION": REGION,
    "ACCESS KEY ID": KEY_ID,
    "SECRET ACCESS KEY": KEY,
    "SESSION TOKEN": TOKEN,
    "ASSUME ROLE ARN": ROLE,
    "ASSUME ROLE SESSION NAME": ROLE_SESSION,
}


_SECRETS = ("ACCESS KEY ID", "SECRET ACCESS KEY", "SESSION TOKEN")


def aws_secrets(options: Mapping[str, str | tuple[str, ...] | GlobalId]) -> tuple[tuple[str, GlobalId], ...]:
    """Returns the settings whose values are secrets, each with the secret's id."""
    found = ((_NAMES[option], options.get(option)) for option in _SECRETS)
    return tuple((setting, value) for setting, value in found if isinstance(value, GlobalId))


def aws_settings(
    options: Mapping[str, str | tuple[str, ...] | GlobalId], secrets: Mapping[GlobalId, str]
) -> dict[str, str]:
    """Returns the settings that `aws_client` takes. `options` are those of an AWS connection, by name."""
    settings = {REGION: "us-east-1"}
    for option, setting in _NAMES.items():
        value = options.get(option)
        if value is not None:
            assert not isinstance(value, tuple), "no option is a list"
            # Keys go into headers; a secret that was made of a file may have a line end.
            settings[setting] = (secrets[value] if isinstance(value, GlobalId) else value).strip()
    return settings
