"""What pg_settings says of run-time parameters, against PostgreSQL's."""

from __future__ import annotations

import psycopg

from catalog.declared.snapshot import SettingStatus
from model.errors.sql_error import SqlError
from server.pgwire.backend import StartupParameters
from server.settings.settings import Settings
from server.settings.start_values import SessionIdentity
from tests.judge import Judge


class _Client:
    sent_bytes = 0

    def set_parameter(self, name: str, value: str) -> None:
        pass

    def notify(self, message: object) -> None:
        pass

    @property
    def taking(self) -> bool:
        return True

    def terminate(self, error: object) -> None:
        pass


_NO_RANGE = {"max_identifier_length", "max_index_keys", "max_prepared_transactions", "server_version_num"}
"""What can't be changed has no range here."""
_CHOICES = {"password_encryption": ["scram-sha-256"]}
"""The choices that are taken, where these are fewer than PostgreSQL's."""
_SET = {
    "statement_timeout": ("1500ms", "1h", "0", "2.5s", "0x10", "1e3"),
    "lock_timeout": ("90s",),
    "work_mem": ("64MB", "1GB", "65kB", "100", "0x400", "1.5MB"),
    "effective_cache_size": ("1MB", "8kB", "7"),
    "temp_buffers": ("900",),
    "random_page_cost": ("1.10", "1e3"),
    "geqo_effort": ("7",),
    "extra_float_digits": ("-15", "0x3", " 2 "),
    "bytea_output": ("ESCAPE",),
    "enable_sort": ("no",),
}


def _facts(status: SettingStatus) -> tuple[object, ...]:
    least, most = (None, None) if status.name in _NO_RANGE else (status.least, status.most)
    return status.unit, status.kind, least, most, None if status.choices is None else list(status.choices)


def _settings() -> Settings:
    identity = SessionIdentity(10, True, (), lambda oid: "headwater")
    return Settings(_Client(), StartupParameters("headwater", "headwater", {}, ""), identity)


def test_parameters_have_the_kinds_units_and_ranges_of_postgres(judge: Judge) -> None:
    ours = {status.name: status for status in _settings().statuses()}
    query = "SELECT name, unit, vartype, min_val, max_val, enumvals FROM pg_settings"
    with judge.connect() as connection:
        theirs = {name: facts for name, *facts in connection.execute(query).fetchall()}
    wrong = []
    for name in ours.keys() & theirs.keys():
        wanted = tuple(theirs[name])
        if name in _NO_RANGE:
            wanted = (*wanted[:2], None, None, wanted[4])
        wanted = (*wanted[:4], _CHOICES.get(str(name), wanted[4]))
        if _facts(ours[str(name)]) != wanted:
            wrong.append(f"{name}: {_facts(ours[str(name)])}, PostgreSQL {wanted}")
    assert len(ours.keys() & theirs.keys()) > 80 and not wrong, "\n".join(wrong)


def test_settings_are_told_in_their_units(judge: Judge) -> None:
    wrong = []
    with judge.connect() as connection:
        for name, values in _SET.items():
            for value in values:
                settings = _settings()
                settings.set(name, value, local=False)
                connection.execute("SELECT set_config(%s, %s, false)", (name, value))
                query = "SELECT setting, boot_val, current_setting(name) FROM pg_settings WHERE name = %s"
                theirs = connection.execute(query, (name,)).fetchone()
                status = next(status for status in settings.statuses() if status.name == name)
                ours = status.value, status.default, settings.get(name)
                if ours != theirs:
                    wrong.append(f"{name} = {value}: {ours}, PostgreSQL {theirs}")
    assert not wrong, "\n".join(wrong)


_ODD = (
    "9" * 5000,
    "0x" + "f" * 5000,
    "1e999",
    "-1",
    "1 ms ms",
    "1MS",
    "1KB",
    "1kb",
    "",
    "x",
    "1.5.2",
    "٣",
    "0x",
    "1e",
    "NaN",
    "inf",
    ".5",
    "5.",
)


def test_odd_values_are_taken_or_refused_as_by_postgres(judge: Judge) -> None:
    """Any number of digits among them."""
    wrong = []
    with judge.connect() as connection:
        for name in (
            "statement_timeout",
            "work_mem",
            "temp_buffers",
            "random_page_cost",
            "geqo_effort",
            "extra_float_digits",
        ):
            for value in _ODD:
                try:
                    connection.execute("SELECT set_config(%s, %s, false)", (name, value))
                    theirs: object = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
                except psycopg.Error as failure:
                    theirs = failure.sqlstate
                settings = _settings()
                try:
                    settings.set(name, value, local=False)
                    ours: object = (settings.get(name),)
                except SqlError as failure:
                    ours = failure.sqlstate.value
                if ours != theirs:
                    wrong.append(f"{name} = {value[:20]}: {ours}, PostgreSQL {theirs}")
    assert not wrong, "\n".join(wrong)
