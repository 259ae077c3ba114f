"""No text that is shown has a secret in it, however a library has written that."""

from __future__ import annotations

import base64
import http.client
import json
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.process import redaction
from model.process.redaction import redacted, remember

_KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nAQEFAASCBKcwggSjAgEAAo\n-----END PRIVATE KEY-----\n"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_remembered", redaction._Remembered())


def test_a_librarys_error_is_shown_without_the_secret() -> None:
    token = "Bearer s3cret\n"
    remember([token])
    connection = http.client.HTTPConnection("127.0.0.1")
    with pytest.raises(ValueError) as raised:
        connection.putrequest("GET", "/", skip_host=True)
        connection.putheader("Authorization", token)
    assert "s3cret" in str(raised.value)
    assert redacted(str(raised.value)) == "Invalid header value b'…\\n'"


_WRITTEN: tuple[Callable[[str], str], ...] = (
    str,
    repr,
    lambda secret: repr(secret.encode()),
    json.dumps,
    lambda secret: json.dumps({"a": [f"x={secret}"]}),
    lambda secret: f"postgresql://u:{urllib.parse.quote(secret, safe='')}@h/d",
    urllib.parse.quote_plus,
    lambda secret: base64.b64encode(secret.encode()).decode(),
    lambda secret: f"tried\n{secret}\n{secret}",
)


@settings(max_examples=30)
@given(
    secret=st.text(st.characters(codec="utf-8"), min_size=4, max_size=40).map(str.strip).filter(lambda s: len(s) > 3)
)
def test_however_it_is_written_it_is_cut(secret: str) -> None:
    redaction._remembered = redaction._Remembered()
    remember([secret])
    for written in _WRITTEN:
        shown = redacted(f"<{written(secret)}>")
        assert "…" in shown and written(secret) not in shown


def test_lines_of_a_key_are_secrets_too() -> None:
    remember([_KEY])
    assert redacted("unable to load 'MIIEvQIBADANBgkqhkiG9w0'") == "unable to load '…'"
    assert "MIIE" not in redacted(f"key {_KEY!r}")


def test_words_that_hold_a_secret_by_chance_stay() -> None:
    remember(["1234", "abc", "headwater", "root"])
    told = "order 12345 of abc, headwater: the rooted 1234x"
    assert redacted(told) == told
    assert redacted("password=1234, user root") == "password=…, user …"


def test_what_was_opened_long_ago_is_forgotten_for_what_is_opened_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_MAX", 3)
    remember(f"secret-{number}" for number in range(5))
    assert redacted("secret-1 secret-2 secret-4") == "secret-1 … …"
