"""A line of the log: no secret, no local variable, whoever reads it."""

from __future__ import annotations

import io
import json
import sys

import pytest
import structlog

from compute.log_lines import set_up_log
from model.process.redaction import remember


@pytest.mark.parametrize("for_reader", [True, False])
def test_a_trace_shows_neither_secrets_nor_local_variables(for_reader: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(["tell-nobody\n"])
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)

    def fail(value: str) -> None:
        row = [value, "a user's row"]
        raise ValueError(f"Invalid header value {b'Bearer tell-nobody'!r} of {len(row)}\ntell-nobody")

    before = structlog.get_config()
    try:
        set_up_log(for_reader=for_reader)
        try:
            fail("tell-nobody")
        except ValueError:
            structlog.get_logger().exception("it failed", reason="tell-nobody", after="\ntell-nobody")
    finally:
        structlog.configure(**before)
    told = shown.getvalue()
    assert "it failed" in told and "Invalid header value" in told and "in fail" in told
    assert "tell-nobody" not in told and "a user's row" not in told.replace('row = [value, "a user', "")
    if not for_reader:
        assert json.loads(told)["level"] == "error"


@pytest.mark.parametrize("for_reader", [True, False])
def test_a_value_has_no_lines_of_its_own(for_reader: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    before = structlog.get_config()
    try:
        set_up_log(for_reader=for_reader)
        structlog.get_logger().info("client refused", user="ada\n2026-01-01 [info] all is well\x1b[2J\u2028", left=3)
    finally:
        structlog.configure(**before)
    (line,) = shown.getvalue().splitlines()
    assert "ada\\n2026" in line and "\x1b[2J" not in line
