"""The values with which a session begins: PostgreSQL's defaults, what the server was started with, ALTER SYSTEM, ALTER
ROLE and ALTER DATABASE, and what the client has sent; of several for a variable the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from server.pgwire.backend import StartupParameters
from server.settings.startup_options import is_passed_over, startup_settings
from server.settings.variables import VARIABLES, canonical_value

DEFAULT, FILE = "default", "configuration file"
"""Two of the places that pg_settings names."""


@dataclass(frozen=True, slots=True)
class SessionIdentity:
    """The role of a new session, and the settings `name=value` of the role and the database, the strongest last, each
    behind the place that pg_settings names for it.
    `name_of` gives the present name of a role; SqlError 42704 for a dropped role. `given` are the values that the
    server was started with, `system` those of ALTER SYSTEM that hold."""

    role: int
    superuser: bool
    settings: tuple[tuple[str, str], ...]
    name_of: Callable[[int], str]
    given: Mapping[str, str] = field(default_factory=dict)
    system: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StartValues:
    """Values by the names of variables, and the places that they come from, where these are not the defaults."""

    values: Mapping[str, str]
    places: Mapping[str, str]


def start_values(startup: StartupParameters, identity: SessionIdentity) -> StartValues:
    """Returns the values. Raises SqlError for what the client has sent and can't be set."""
    values = {name: variable.default for name, variable in VARIABLES.items()} | dict(identity.given)
    places = dict.fromkeys(identity.given, "command line")
    values["session_authorization"] = str(identity.role)
    values["is_superuser"] = "on" if identity.superuser else "off"
    for place, name, value in _settings(startup, identity):
        values[name], places[name] = canonical_value(name, value), place
    return StartValues(values, places)


def _settings(startup: StartupParameters, identity: SessionIdentity) -> Iterator[tuple[str, str, str]]:
    for place, setting in (*((FILE, each) for each in identity.system), *identity.settings):
        name, _, value = setting.partition("=")
        if name in VARIABLES or "." in name:
            yield place, name, value
    for name, value in startup_settings(startup.options):
        if name.lower() in VARIABLES or not is_passed_over(name.lower()):
            yield "client", name.lower(), value
