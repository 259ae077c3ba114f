"""A connection's options as librdkafka's settings. Pure; of secrets it is given the values."""

from __future__ import annotations

from collections.abc import Mapping

from model.ids.global_id import GlobalId

BROKERS = "bootstrap.servers"
_NAMES = {
    "SASL MECHANISMS": "sasl.mechanisms",
    "SASL USERNAME": "sasl.username",
    "SASL PASSWORD": "sasl.password",
    "SSL CERTIFICATE AUTHORITY": "ssl.ca.pem",
    "SSL CERTIFICATE": "ssl.certificate.pem",
    "SSL KEY": "ssl.key.pem",
}


def secret_settings(options: Mapping[str, str | tuple[str, ...] | GlobalId]) -> tuple[tuple[str, GlobalId], ...]:
    """Returns the settings whose values are secrets, each with the secret's id."""
    found = ((setting, options.get(option)) for option, setting in _NAMES.items())
    return tuple((setting, value) for setting, value in found if isinstance(value, GlobalId))


def kafka_settings(
    options: Mapping[str, str | tuple[str, ...] | GlobalId], protocol: str, secrets: Mapping[GlobalId, str]
) -> dict[str, str]:
    """Returns the settings of a librdkafka client. `options` are those of a KAFKA connection, by name; `protocol` is
    the security protocol to speak to the brokers."""
    brokers = options.get("BROKERS", options.get("BROKER", ()))
    assert not isinstance(brokers, GlobalId), "addresses are no secrets"
    settings = {
        BROKERS: brokers if isinstance(brokers, str) else ",".join(brokers),
        "security.protocol": protocol.lower(),
    }
    for option, setting in _NAMES.items():
        value = options.get(option)
        if value is not None:
            assert not isinstance(value, tuple), "only addresses are lists"
            settings[setting] = secrets[value] if isinstance(value, GlobalId) else value
    return settings
