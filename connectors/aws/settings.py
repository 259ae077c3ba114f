"""The settings of a client of Amazon's services, by a connection's options."""

from __future__ import annotations

from collections.abc import Mapping

from connectors.client_settings import ClientSettings, Secrets, Settings, divided
from model.external.connections import ConnectionValue
from model.ids.global_id import GlobalId

ENDPOINT, REGION = "endpoint", "region"
KEY_ID, KEY, TOKEN = "key_id", "key", "token"
ROLE, ROLE_SESSION = "role", "role_session"
_SETTINGS = ClientSettings(
    {
        "ENDPOINT": ENDPOINT,
        "REGION": REGION,
        "ACCESS KEY ID": KEY_ID,
        "SECRET ACCESS KEY": KEY,
        "SESSION TOKEN": TOKEN,
        "ASSUME ROLE ARN": ROLE,
        "ASSUME ROLE SESSION NAME": ROLE_SESSION,
    },
    {REGION: "us-east-1"},
)


def aws_settings(options: Mapping[str, ConnectionValue], secrets: Mapping[GlobalId, str]) -> dict[str, str]:
    """Returns the settings that `aws_client` takes. `options` are those of an AWS connection, by name."""
    # Keys go into headers; a secret that was made of a file may have a line end.
    return {name: value.strip() for name, value in _SETTINGS.all(options, secrets).items()}


def aws_login(options: Mapping[str, ConnectionValue]) -> tuple[Settings, Secrets]:
    """Divides a client's settings into visible and secret settings."""
    return divided(aws_settings, _SETTINGS.hidden(options), options)
