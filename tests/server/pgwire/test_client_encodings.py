"""Clients that speak another encoding than UTF8, beside PostgreSQL: what they send, what they get, and what fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from model.text.encodings import ENCODINGS, known_encoding
from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import COPY_DONE, SYNC, Message, bind, describe, execute, frame, parse, query
from tests.server.pgwire.talk import Talk, talking

_SINGLE = [each for each in ENCODINGS if each.structure == "single"]
_LETTERS = "aé€ß½ñłşžαЖЩєґшקغกญ日本語한中文、。ーｱ①"
_DIFFERENT = {"EUC_JP": "①", "GBK": "€"}
"""Characters that PostgreSQL has in an encoding, and Python has not."""


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def _heard(talk: Talk, data: bytes) -> list[Message]:
    """Returns what matters of an answer: rows and errors without their places."""
    talk.send(data)
    found = []
    for kind, body in talk.until("Z"):
        if kind == "E":
            fields = {part[:1]: part[1:] for part in body.split(b"\0") if part}
            found.append((kind, fields[b"C"] + b" " + fields[b"M"]))
        elif kind in "DTSdAN":
            # Of a table, the oid differs.
            found.append((kind, body if kind != "T" else body[: body.index(b"\0", 2)]))
    return found


def _raw(sql: bytes) -> bytes:
    return frame("Q", sql + b"\0")


def _bound(value: bytes, *, binary: bool = False) -> bytes:
    formats = (1,) if binary else ()
    return (
        parse("", "SELECT $1::text, length($1::text)")
        + bind("", "", (value,), formats, formats)
        + describe("P", "")
        + execute("")
        + SYNC
    )


@pytest.mark.parametrize("encoding", _SINGLE, ids=lambda each: each.name)
def test_every_byte_means_what_it_means_to_postgres(server: MemoryServer, judge: Judge, encoding: object) -> None:
    name = encoding.name  # type: ignore[attr-defined]
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            told = _heard(talk, query(f"SET client_encoding = '{name}'"))
            talk.send(b"".join(_raw(b"SELECT '%c', ascii('%c')" % (byte, byte)) for byte in range(0x80, 0x100)))
            rows = [told]
            for _ in range(0x80, 0x100):
                rows.append([(kind, body) for kind, body in talk.until("Z") if kind == "D"] or [("E", b"")])
            answers.append(rows)
    ours, theirs = answers
    assert ours == theirs


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda each: each.name)
def test_letters_come_and_go_as_with_postgres(server: MemoryServer, judge: Judge, encoding: object) -> None:
    name, codec = encoding.name, encoding.codec  # type: ignore[attr-defined]
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            found = [_heard(talk, query(f"SET client_encoding = '{name}'"))]
            for letter in set(_LETTERS) - set(_DIFFERENT.get(name, "")):
                found.append(_heard(talk, query(f"SELECT chr({ord(letter)})")))
                own = letter.encode(codec, errors="ignore")
                if own:
                    found.append(_heard(talk, _bound(own + b"x")))
                    found.append(_heard(talk, _bound(own, binary=True)))
            answers.append(found)
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("encoding", "bad"),
    [
        ("EUC_JP", b"\xa4"),
        ("EUC_JP", b"\xa4\x20"),
        ("SJIS", b"\x81"),
        ("SJIS", b"\x82\x20"),
        ("SJIS", b"a\x80"),
        ("SJIS", b"\xf0\x40"),
        ("BIG5", b"\xa4"),
        ("GBK", b"\x81"),
        ("EUC_KR", b"\xb0\x41"),
        ("LATIN1", b"a\0b"),
    ],
)
def test_bytes_that_are_no_character_fail_as_with_postgres(
    server: MemoryServer, judge: Judge, encoding: str, bad: bytes
) -> None:
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            talk.say(query(f"SET client_encoding = '{encoding}'"))
            answers.append([_heard(talk, _bound(bad)), _heard(talk, query("SELECT 1"))])
    assert answers[0] == answers[1]


def test_everything_that_is_said_is_in_the_clients_encoding(server: MemoryServer, judge: Judge) -> None:
    turns = [
        _raw(b"SET client_encoding = 'latin1'"),
        _raw(b"SELECT '\xe9' AS \xe9, '\xa3'::bytea"),
        _raw(b'SELECT "\xe9"'),
        _raw(b"SET search_path = '\xe9', public"),
        _raw(b"SHOW search_path"),
        _raw(b"LISTEN \xe9"),
        _raw(b"NOTIFY \xe9, '\xfc'"),
        _raw(b"SELECT array['\xe9', U&'\\20AC']"),
        _raw(b"SELECT 1 AS \"\xe9\", U&'\\20AC'"),
        _raw(b"CREATE TEMPORARY TABLE own (a text)"),
        _raw(b"INSERT INTO own VALUES ('\xe9'), ('b')"),
        _raw(b"COPY own TO STDOUT"),
        _raw(b"SET client_encoding = 'UTF8'"),
        query("SELECT 'é', U&'\\20AC'"),
        _raw(b"BEGIN; SET LOCAL client_encoding = 'win1252'"),
        query("SELECT U&'\\20AC'"),
        query("ROLLBACK"),
        query("SELECT U&'\\20AC'"),
        query("SET client_encoding = 'utf-16'"),
        query("SET client_encoding = 'ISO-8859-15'"),
        query("SHOW client_encoding"),
        query("SELECT U&'\\20AC'"),
    ]
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            found = [_heard(talk, turn) for turn in turns]
            # A notification has a pid.
            answers.append([[(kind, body[4:] if kind == "A" else body) for kind, body in each] for each in found])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_copy_takes_characters_in_any_pieces(server: MemoryServer, judge: Judge, size: int) -> None:
    lines = "日本\n語、x\n".encode("cp932")
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            talk.say(query("SET client_encoding = 'SJIS'"))
            talk.say(query("CREATE TEMPORARY TABLE own (a text)"))
            talk.send(query("COPY own FROM STDIN"))
            talk.until("G")
            pieces = [frame("d", lines[at : at + size]) for at in range(0, len(lines), size)]
            found = [_heard(talk, b"".join(pieces) + COPY_DONE), _heard(talk, query("TABLE own"))]
            talk.send(query("COPY own FROM STDIN"))
            talk.until("G")
            found.append(_heard(talk, frame("d", b"\x93") + COPY_DONE))
            talk.send(query("COPY own FROM STDIN"))
            talk.until("G")
            found.append(_heard(talk, frame("d", b"a\x80\n") + COPY_DONE))
            answers.append(found)
    assert answers[0][:2] == answers[1][:2]
    for failed in (2, 3):
        assert [body[:5] for each in answers for _, body in each[failed]] == [b"22021", b"22021"]


@pytest.mark.parametrize("client", ["latin1", "utf8"])
@pytest.mark.parametrize("option", ["utf8", "UTF-8", "latin1", "ISO-8859-15", "sjis", "SQL_ASCII", "EUC_KR", "none"])
def test_copy_is_in_the_encoding_that_its_option_names(
    server: MemoryServer, judge: Judge, client: str, option: str
) -> None:
    lines = "가\n나\n".encode("euc_kr") if option == "EUC_KR" else "é\nñ\n".encode()
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            talk.say(query(f"SET client_encoding = '{client}'"))
            talk.say(query("CREATE TEMPORARY TABLE own (a text)"))
            found = []
            for format_ in ("text", "csv"):
                options = f"(FORMAT {format_}, ENCODING '{option}')"
                talk.send(query(f"COPY own FROM STDIN {options}"))
                kind, body = talk.until("GZ")[-1]
                found.append([(kind, body)])
                if kind == "G":
                    found.append(_heard(talk, frame("d", lines) + COPY_DONE))
                found.append(_heard(talk, query("SELECT a::bytea FROM own ORDER BY a")))
                found.append(_heard(talk, query(f"COPY (SELECT a FROM own ORDER BY a) TO STDOUT {options}")))
            answers.append(found)
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [("EUC_JP", "\u00a5n"), ("EUC_JP", "\u203e"), ("EUC_KR", "\uac02"), ("SJIS", "\ue000"), ("SJIS", "\x80")],
)
def test_characters_that_pythons_codecs_are_lax_about_are_judged_as_by_postgresql(
    server: MemoryServer, judge: Judge, name: str, text: str
) -> None:
    answers = []
    for port in (server.port, judge.port):
        with talking(port) as talk:
            talk.say(query(f"SET client_encoding = '{name}'"))
            characters = " || ".join(f"chr({ord(character)})" for character in text)
            answers.append(_heard(talk, query(f"SELECT {characters}")))
    assert answers[0] == answers[1]


def test_encodings_without_a_codec_are_refused() -> None:
    assert known_encoding("EUC_TW") is None and known_encoding("UTF8") is None
    found = known_encoding("Windows-1252")
    assert found is not None and found.name == "WIN1252"
