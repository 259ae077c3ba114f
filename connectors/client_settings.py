"""Turns a connection's options into the settings of a client. Pure: of secrets the values are passed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from model.external.connections import ConnectionValue
from model.ids.global_id import GlobalId

Settings = tuple[tuple[str, str], ...]
Secrets = tuple[tuple[str, GlobalId], ...]
"""Settings whose values are secrets, by the secrets' ids."""


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The settings of a system's client.

    `names`: the setting of each option
    `defaults`: settings where no option says another
    """

    names: Mapping[str, str]
    defaults: Mapping[str, str] = field(default_factory=dict)

    def hidden(self, options: Mapping[str, ConnectionValue]) -> Secrets:
        """Returns the secret settings, each with the secret's id."""
        found = ((setting, options.get(option)) for option, setting in self.names.items())
        return tuple((setting, value) for setting, value in found if isinstance(value, GlobalId))

    def all(self, options: Mapping[str, ConnectionValue], secrets: Mapping[GlobalId, str]) -> dict[str, str]:
        """Returns all settings. `secrets` has the secrets' values."""
        settings = dict(self.defaults)
        for option, setting in self.names.items():
            value = options.get(option)
            if value is not None:
                assert not isinstance(value, tuple), "an option with a name of its own is no list"
                settings[setting] = secrets[value] if isinstance(value, GlobalId) else value
        return settings


def divided(
    settings: Callable[[Mapping[str, ConnectionValue], Mapping[GlobalId, str]], dict[str, str]],
    hidden: Secrets,
    options: Mapping[str, ConnectionValue],
) -> tuple[Settings, Secrets]:
    """Divides the settings into visible and secret settings. `settings` returns all."""
    unknown = {value: "" for value in options.values() if isinstance(value, GlobalId)}
    names = {name for name, _ in hidden}
    return tuple((name, value) for name, value in settings(options, unknown).items() if name not in names), hidden
