"""A Confluent schema registry, as a connection."""

from __future__ import annotations

from collections.abc import Mapping

from connectors.option_values import require_all, secret, text_or_secret, url, wrong
from connectors.registry.answers import ask_registry
from connectors.registry.schemas import RegistryAccess, registry_access
from connectors.system import Options, SystemConnection
from model.ids.global_id import GlobalId

_TIMEOUT_S = 10.0


def access_of(options: Options, secrets: Mapping[GlobalId, str]) -> RegistryAccess:
    """Returns the access to a registry, by a connection's options and the values of secrets."""
    texts = {name: secrets[value] if isinstance(value, GlobalId) else value for name, value in options.items()}
    return registry_access({name: text for name, text in texts.items() if isinstance(text, str)})


def _check(options: Options) -> None:
    require_all(options, "a CONFLUENT SCHEMA REGISTRY", "URL")
    if "PASSWORD" in options and "USERNAME" not in options:
        raise wrong("PASSWORD", "needs USERNAME beside it")


def _ask(options: Options, secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    access = access_of(options, secrets)
    ask_registry(access.url, access.login, access.authority, "subjects", _TIMEOUT_S)


CONNECTION = SystemConnection(
    name="CONFLUENT SCHEMA REGISTRY",
    checks={
        "URL": url,
        "USERNAME": text_or_secret,
        "PASSWORD": secret,
        "SSL CERTIFICATE AUTHORITY": text_or_secret,
    },
    check_together=_check,
    ask=_ask,
)
