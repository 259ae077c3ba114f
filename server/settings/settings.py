"""The values of a session's variables: from defaults, start-up, SET and SET LOCAL; and their consequences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from catalog.declared.snapshot import SettingStatus
from model.text.configurations import parse_configuration
from model.text.context import TextContext
from model.text.encodings import known_encoding
from planner.temporary_schema import split_identifiers
from server.pgwire.backend import Client, StartupParameters
from server.settings.durations import parse_duration_ms
from server.settings.start_values import DEFAULT, SessionIdentity, start_values
from server.settings.variables import (
    SIMILARITY_THRESHOLDS,
    TRANSACTION_VARIABLES,
    VARIABLES,
    Variable,
    canonical_value,
    display_name,
    unknown_variable,
    variable_named,
)


@dataclass(frozen=True, slots=True)
class Undo:
    """A variable's value before a change.

    `beneath`: the value that holds again once the transaction ends, if `value` was for the transaction only. `local`:
    the change is for the transaction only."""

    name: str
    value: str
    beneath: str | None
    local: bool


_ROLES = frozenset(("role", "session_authorization"))
"""Variables that hold a role's oid, and show its name."""


def _on(value: bool) -> str:
    return "on" if value else "off"


class Settings:
    """The values of a session's variables. `set` returns what undoes it, for ROLLBACK."""

    def __init__(self, client: Client, startup: StartupParameters, identity: SessionIdentity) -> None:
        self._client = client
        self._identity = identity
        self._start = start_values(startup, identity)
        self._startup, self._offered = startup, identity.system
        self._values = dict(self._start.values)
        self._local: dict[str, str] = {}
        self._chosen: set[str] = set()
        self._definer: int | None = None
        self._text_context: TextContext | None = None
        self._search_path: tuple[str, tuple[str, ...]] | None = None

    @property
    def unchanged(self) -> bool:
        """Tells whether all variables have the values with which the session has begun."""
        return not self._local and self._values == self._start.values

    def offer(self, system: tuple[str, ...]) -> None:
        """Takes what is to hold of ALTER SYSTEM from the next statement on."""
        self._offered = system

    def take_offered(self) -> None:
        """Gives the variables that the session has not set the values of the present settings of the system."""
        if self._offered == self._identity.system:
            return
        self._identity = replace(self._identity, system=self._offered)
        before, self._start = self._start, start_values(self._startup, self._identity)
        for name, value in self._start.values.items():
            if value == before.values.get(name) or name in self._chosen:
                continue
            if name in self._local:
                self._local[name] = value
            else:
                self._put(name, value)

    def get(self, name: str) -> str:
        """Returns the value as SHOW prints it; raises SqlError 42704 for an unknown name."""
        value = self.find(name)
        if value is None:
            raise unknown_variable(name)
        return value

    def find(self, name: str) -> str | None:
        """Finds a setting by name, or None."""
        key = name.lower()
        if key in TRANSACTION_VARIABLES and key not in self._local:
            key = f"default_{key}"
        value = self._values.get(key)
        if key in _ROLES and value is not None and value != "none":
            return self._identity.name_of(int(value))
        return value

    def role_name(self, role: int) -> str:
        """Returns the name of a role. Raises SqlError 42704 when the role has been dropped."""
        return self._identity.name_of(role)

    @property
    def authenticated_role(self) -> int:
        """Returns the oid of the role that the client has logged in as."""
        return self._identity.role

    @property
    def session_role(self) -> int:
        """Returns the role that RESET ROLE leads back to."""
        return int(self._values["session_authorization"])

    @property
    def current_role(self) -> int:
        """Returns the role whose rights statements have."""
        if self._definer is not None:
            return self._definer
        role = self._values["role"]
        return self.session_role if role == "none" else int(role)

    def become(self, role: int | None, *, superuser: bool, local: bool) -> list[Undo]:
        """Becomes a role by SET ROLE; None: NONE."""
        named = "none" if role is None else str(role)
        return [self._changed("role", named, local=local), self._changed("is_superuser", _on(superuser), local=local)]

    def become_session(self, role: int, *, superuser: bool, local: bool) -> list[Undo]:
        """Becomes a user by SET SESSION AUTHORIZATION, which ends SET ROLE."""
        return [
            self._changed("session_authorization", str(role), local=local),
            *self.become(None, superuser=superuser, local=local),
        ]

    @property
    def within_definer(self) -> bool:
        """Tells whether a SECURITY DEFINER routine runs, in which nobody becomes another role."""
        return self._definer is not None

    @contextmanager
    def of_routine(self, definer: int | None, values: Iterable[tuple[str, str]]) -> Iterator[dict[str, Undo]]:
        """Has the settings of a routine, and the rights of its definer if it has one, while the routine runs. Yields
        what they were before by name; those that are still there are so again afterwards."""
        given = {variable_named(name).name: canonical_value(name, value) for name, value in values}
        before, outer = {name: self._before(name, local=True) for name in given}, self._definer
        self._definer = outer if definer is None else definer
        try:
            for name, value in given.items():
                self._put(name, value)
            yield before
        finally:
            self._definer = outer
            self.undo(before.values())

    def set(self, name: str, value: str | None, *, local: bool) -> Undo:
        """Sets a variable, or resets it to the start-up value (None). Raises SqlError for a value or variable that
        can't be set."""
        variable = variable_named(name)
        if value is not None and variable.partial:
            value = f"{self._values[variable.name]}, {value}"
        local = local or variable.name in TRANSACTION_VARIABLES
        canonical = self._start.values.get(variable.name, "") if value is None else canonical_value(name, value)
        if value is None:
            self._chosen.discard(variable.name)
        elif not local:
            self._chosen.add(variable.name)
        return self._changed(variable.name, canonical, local=local)

    def _changed(self, name: str, value: str, *, local: bool) -> Undo:
        before = self._before(name, local=local)
        if local:
            self._local.setdefault(name, before.value)
        else:
            self._local.pop(name, None)
        self._put(name, value)
        return before

    def _before(self, name: str, *, local: bool) -> Undo:
        # What a variable of the user's own was before it was set, it is when that is undone: nothing.
        return Undo(name, self._values.get(name, ""), self._local.get(name), local)

    def reset_all(self) -> list[Undo]:
        """Resets all variables that can be changed to their start-up values."""
        return [
            self.set(name, None, local=False)
            for name, value in list(self._values.items())
            if name not in TRANSACTION_VARIABLES
            and variable_named(name).rule is not None
            and value != self._start.values.get(name, "")
        ]

    def undo(self, undone: Iterable[Undo]) -> None:
        """Restores values, latest change first."""
        for each in undone:
            self._put(each.name, each.value)
            if each.value == self._start.values.get(each.name, ""):
                self._chosen.discard(each.name)
            if each.beneath is None:
                self._local.pop(each.name, None)
            else:
                self._local[each.name] = each.beneath

    def end_transaction(self) -> None:
        """Ends the values of SET LOCAL."""
        local, self._local = self._local, {}
        for name, value in local.items():
            self._put(name, value)

    def _put(self, name: str, value: str) -> None:
        if self._values.get(name) == value:
            return
        self._values[name] = value
        self._text_context = self._search_path = None
        if variable_named(name).reported:
            self._client.set_parameter(display_name(name), self.find(name) or value)

    def reported(self) -> Mapping[str, str]:
        """Returns the variables reported by ParameterStatus at start-up."""
        return {display_name(name): self.find(name) or "" for name, variable in VARIABLES.items() if variable.reported}

    def statuses(self) -> tuple[SettingStatus, ...]:
        """Returns the rows of pg_settings."""
        return tuple(self._status(name, variable) for name, variable in VARIABLES.items())

    def _status(self, name: str, variable: Variable) -> SettingStatus:
        facts = variable.facts
        place = self._start.places.get(name, DEFAULT)
        set_since = name in self._local or name in self._chosen
        return SettingStatus(
            name=display_name(name),
            value=facts.in_units(self.find(name) or ""),
            description=variable.description,
            kind=facts.kind,
            unit=facts.unit,
            context="internal" if variable.rule is None else "user",
            default=facts.in_units(variable.default),
            reset=facts.in_units(self._start.values[name]),
            source="session" if set_since else place,
            least=facts.least,
            most=facts.most,
            choices=facts.choices,
        )

    @property
    def text_context(self) -> TextContext:
        if self._text_context is None:
            self._text_context = TextContext(
                time_zone=self._values["timezone"],
                date_style=self._values["datestyle"],
                interval_style=self._values["intervalstyle"],
                extra_float_digits=int(self._values["extra_float_digits"]),
                bytea_output=self._values["bytea_output"],
                similarity=self._thresholds(),
                text_search=parse_configuration(self._values["default_text_search_config"]),
                encoding=known_encoding(self._values["client_encoding"]),
            )
        return self._text_context

    def _thresholds(self) -> tuple[float, float, float]:
        texts, words, strict_words = (float(self._values[name]) for name in SIMILARITY_THRESHOLDS)
        return texts, words, strict_words

    @property
    def search_path(self) -> tuple[str, ...]:
        """The schemas' names, `$user` in place."""
        user = self._identity.name_of(self.current_role)
        if self._search_path is None or self._search_path[0] != user:
            names = split_identifiers(self._values["search_path"]) or ()
            self._search_path = user, tuple(user if name == "$user" else name for name in names)
        return self._search_path[1]

    @property
    def statement_timeout_ms(self) -> int:
        return parse_duration_ms("statement_timeout", self._values["statement_timeout"])

    @property
    def idle_in_transaction_timeout_ms(self) -> int:
        name = "idle_in_transaction_session_timeout"
        return parse_duration_ms(name, self._values[name])

    @property
    def max_staleness_ms(self) -> int | None:
        value = self._values["max_staleness"]
        return None if value == "off" else int(value.removesuffix("ms"))
