"""Passwords as they are kept: verifiers, made of what is not too long."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from model.time.clock import SystemRandomness
from server.pgwire.verifier import Verifier
from server.statements.session.role_statements import kept_password


def test_a_verifier_stays_and_a_password_becomes_one() -> None:
    made = kept_password("x" * 65_535, SystemRandomness())
    assert Verifier.is_one(made) and kept_password(made, SystemRandomness()) == made


@pytest.mark.parametrize(
    "password",
    ["x" * 65_536, "ä" * 40_000, f"SCRAM-SHA-256$4096:{'A' * 100_000}${'A' * 43}=:{'A' * 43}="],
)
def test_what_is_too_long_is_refused(password: str) -> None:
    with pytest.raises(SqlError) as raised:
        kept_password(password, SystemRandomness())
    assert raised.value.sqlstate == "54000"
