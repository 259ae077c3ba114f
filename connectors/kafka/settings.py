"""The settings of librdkafka's clients, by a connection's options."""

from __future__ import annotations

from collections.abc import Mapping

from connectors.client_settings import ClientSettings, Secrets, Settings, divided
from model.external.connections import ConnectionValue
from model.ids.global_id import GlobalId

BROKERS = "bootstrap.servers"
SASL = ("SASL MECHANISMS", "SASL USERNAME", "SASL PASSWORD")
SSL = ("SSL CERTIFICATE AUTHORITY", "SSL CERTIFICATE", "SSL KEY")
_SETTINGS = ClientSettings(
    {
        "SASL MECHANISMS": "sasl.mechanisms",
        "SASL USERNAME": "sasl.username",
        "SASL PASSWORD": "sasl.password",
        "SSL CERTIFICATE AUTHORITY": "ssl.ca.pem",
        "SSL CERTIFICATE": "ssl.certificate.pem",
        "SSL KEY": "ssl.key.pem",
    }
)


def security_protocol(options: Mapping[str, ConnectionValue]) -> str:
    """Returns the security protocol for the brokers; without the option it follows from other options."""
    said = options.get("SECURITY PROTOCOL")
    if isinstance(said, str):
        return said
    if any(name in options for name in SASL):
        return "SASL_SSL"
    return "SSL" if any(name in options for name in SSL) else "PLAINTEXT"


def kafka_settings(options: Mapping[str, ConnectionValue], secrets: Mapping[GlobalId, str]) -> dict[str, str]:
    """Returns the settings of a client. `options` are those of a KAFKA connection, by name."""
    brokers = options.get("BROKERS", options.get("BROKER", ()))
    assert not isinstance(brokers, GlobalId), "addresses are no secrets"
    addresses = brokers if isinstance(brokers, str) else ",".join(brokers)
    protocol = security_protocol(options).lower()
    return {BROKERS: addresses, "security.protocol": protocol, **_SETTINGS.all(options, secrets)}


def kafka_login(options: Mapping[str, ConnectionValue]) -> tuple[Settings, Secrets]:
    """Divides a client's settings into visible and secret settings."""
    return divided(kafka_settings, _SETTINGS.hidden(options), options)
