"""The log tells who was refused; nobody can fill it."""

from __future__ import annotations

import structlog

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.admission.refusals import Refusals

_WRONG = SqlError(Sqlstate.INVALID_PASSWORD, 'password authentication failed for user "ada"')


def test_a_refusal_is_told_with_its_client_and_reason() -> None:
    with structlog.testing.capture_logs() as told:
        Refusals().tell(5.0, "192.0.2.7", "ada", _WRONG)
    assert told == [
        {
            "event": "client refused",
            "log_level": "info",
            "client": "192.0.2.7",
            "user": "ada",
            "error": _WRONG.message,
            "sqlstate": "28P01",
        }
    ]


def test_of_many_refusals_some_are_told_and_the_others_counted() -> None:
    refusals = Refusals()
    with structlog.testing.capture_logs() as told:
        for number in range(10_000):
            refusals.tell(number / 1000, "192.0.2.7", "ada", _WRONG)
    assert len(told) == 100
    assert sum(line.get("left_out", 0) for line in told) + len(told) == 10_000 - 990
