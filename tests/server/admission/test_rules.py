"""The first rule that fits is an attempt's; files of rules are read as PostgreSQL reads them."""

from __future__ import annotations

import doctest
import ipaddress
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.declared.snapshot import RuleStatus
from server.admission import rules as rules_module
from server.admission.kept_rules import RuleFile
from server.admission.rule_file import parse_rules
from server.admission.rule_rows import rule_rows
from server.admission.rules import Attempt, Here, ProofMethod, matching, plain_address
from server.reloading import Unusable
from tests.judge import Judge

_HERE = Here(
    frozenset({ipaddress.ip_address("192.0.2.9")}),
    (ipaddress.ip_network("192.0.2.0/28"), ipaddress.ip_network("2001:db8::/64")),
)


def _attempt(address: str = "10.0.0.1", **fields: Any) -> Attempt:
    given = {"user": "ada", "database": "sales", "encrypted": False, "roles": frozenset({"ada", "staff"})}
    return Attempt(address=plain_address(address), **{**given, **fields})


def _matched(text: str, attempt: Attempt) -> int | None:
    """The line of the rule that fits."""
    parsed = parse_rules(text)
    assert not parsed.wrong
    found = matching(parsed.rules, attempt, _HERE)
    return None if found is None else found.line


def test_examples_hold() -> None:
    assert doctest.testmod(rules_module).failed == 0


@pytest.mark.parametrize(
    ("rule", "fitting", "others"),
    [
        ("local all all trust", [_attempt("")], [_attempt(), _attempt("127.0.0.1"), _attempt(encrypted=True)]),
        ("host all all all trust", [_attempt(), _attempt("::1"), _attempt(encrypted=True)], [_attempt("")]),
        ("hostssl all all all trust", [_attempt(encrypted=True)], [_attempt(), _attempt("", encrypted=True)]),
        ("hostnossl all all all trust", [_attempt()], [_attempt(encrypted=True), _attempt("")]),
        ("hostgssenc all all all trust", [], [_attempt(), _attempt(encrypted=True), _attempt("")]),
        ("hostnogssenc all all all trust", [_attempt(), _attempt(encrypted=True)], [_attempt("")]),
        ("host all all 10.0.0.0/8 trust", [_attempt("10.255.0.1"), _attempt("::ffff:10.1.1.1")], [_attempt("::1")]),
        ("host all all 10.0.0.1 255.255.255.255 trust", [_attempt("10.0.0.1")], [_attempt("10.0.0.2")]),
        ("host all all 0.0.0.0/0 trust", [_attempt("8.8.8.8")], [_attempt("2001:db8::1")]),
        ("host all all ::/0 trust", [_attempt("2001:db8::1"), _attempt("fe80::1%eth0")], [_attempt("8.8.8.8")]),
        ("host all all samehost trust", [_attempt("127.0.0.7"), _attempt("192.0.2.9")], [_attempt("192.0.2.8")]),
        ("host all all samenet trust", [_attempt("192.0.2.8"), _attempt("2001:db8::7")], [_attempt("192.0.2.16")]),
        ("host sales all all trust", [_attempt()], [_attempt(database="Sales"), _attempt(database="all")]),
        ("host other,sales all all trust", [_attempt(), _attempt(database="other")], [_attempt(database="third")]),
        ('host "all" all all trust', [_attempt(database="all")], [_attempt()]),
        ("host sameuser all all trust", [_attempt(database="ada")], [_attempt(), _attempt(database="sameuser")]),
        ("host samerole all all trust", [_attempt(database="staff"), _attempt(database="ada")], [_attempt()]),
        ("host replication all all trust", [], [_attempt(), _attempt(database="replication")]),
        ('host "replication" all all trust', [_attempt(database="replication")], [_attempt()]),
        ("host all +staff all trust", [_attempt()], [_attempt(user="bob", roles=frozenset({"bob"}))]),
        ('host all "+staff" all trust', [_attempt(user="+staff")], [_attempt()]),
        ("host all bob, ada all trust", [_attempt(), _attempt(user="bob")], [_attempt(user="bo")]),
        ('host all "a ""b"",c" all trust', [_attempt(user='a "b",c')], [_attempt()]),
    ],
)  # fmt: skip
def test_a_rule_fits_what_it_says(rule: str, fitting: list[Attempt], others: list[Attempt]) -> None:
    assert [_matched(rule, each) for each in fitting] == [1] * len(fitting)
    assert [_matched(rule, each) for each in others] == [None] * len(others)


def test_the_first_rule_that_fits_is_the_only_one() -> None:
    text = "# who comes in\n\nhost all bob all reject\nhost all all 10.0.0.0/8 scram-sha-256\nhost all all all trust\n"
    assert _matched(text, _attempt(user="bob")) == 3
    assert _matched(text, _attempt()) == 4
    assert _matched(text, _attempt("8.8.8.8")) == 5
    assert _matched("", _attempt()) is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("host", "end-of-line before database specification"),
        ("host all", "end-of-line before role specification"),
        ("host all all", "end-of-line before IP address specification"),
        ("host all all 10.0.0.1", "end-of-line before netmask specification"),
        ("host all all all", "end-of-line before authentication method"),
        ("local all all", "end-of-line before authentication method"),
        ("tcp all all all trust", 'invalid connection type "tcp"'),
        ("host all all all kerberos", 'invalid authentication method "kerberos"'),
        ("host all all all ldap", 'authentication method "ldap" is not supported'),
        ("host all all all peer", "peer authentication is only supported on local sockets"),
        ("host all all all cert", "cert authentication is only supported on hostssl connections"),
        ("host all all 10.0.0.0/33 trust", 'invalid CIDR mask in address "10.0.0.0/33"'),
        ("host all all 10.0.0.0/-1 trust", 'invalid CIDR mask in address "10.0.0.0/-1"'),
        ("host all all 10.0.0.0 ::1 trust", "IP address and mask do not match"),
        ("host all all 10.0.0.0 255.0.255.0 trust", "a mask with gaps"),
        ("host all all db.example.com trust", "a host name as address is not supported"),
        ("host all /^a all trust", "a regular expression as role"),
        ("host @names all all trust", "a file of names as database"),
        ("include other.conf", "include is not supported"),
        ("hostssl all all all scram-sha-256 map=x", 'unrecognized authentication option name: "map"'),
        ("hostssl all all all scram-sha-256 clientcert", "not in name=value format"),
        ("hostssl all all all trust clientcert=1", 'invalid value for clientcert: "1"'),
        ("hostssl all all all cert clientcert=verify-ca", "only accepts"),
        ("host all all all trust clientcert=verify-ca", 'can only be configured for "hostssl" rows'),
        (f"host all all 10.0.0.0/{'8' * 5000} trust", "invalid CIDR mask"),
        ("host,hostssl all all all trust", "multiple values specified for connection type"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, error: str, tmp_path: Path) -> None:
    before = "host all all all \\\n  trust\n"
    (wrong,) = parse_rules(before + text).wrong
    assert wrong.line == 3 and error in wrong.error, wrong
    file = tmp_path / "rules"
    file.write_text(before)
    rules = RuleFile(file)
    kept = rules.rules
    file.write_text(before + text)
    with pytest.raises(Unusable, match="line 3"):
        rules.reload()
    assert rules.rules is kept
    for spoiled in ("", "# nothing\n", "\0", "host all all all trust\n" * 100_000):
        file.write_text(spoiled)
        with pytest.raises(Unusable):
            rules.reload()
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(Unusable, match="no file"):
        rules.reload()
    file.unlink()
    with pytest.raises(Unusable, match="No such file"):
        rules.reload()
    assert rules.rules is kept


_WORDS = (
    "all", "sameuser", "samerole", "replication", "sales", '"all"', '"with ""signs"", and a blank"', "+staff",
    '"+staff"', 'x"y z"', '""', "a#b", "é", "samehost", "samenet", "10.0.0.0/8", "192.0.2.77/24", "::1/128",
    "2001:db8::5/32", "127.0.0.1", "255.255.255.0", "::1", "ffff::", "1.2.3/8", "10.0.0.0/x", "host", "hostssl",
    "local", "hostnossl", "hostgssenc", "trust", "reject", "scram-sha-256", "md5", "ident", "peer", "cert",
    "clientcert=verify-full", "clientcert=verify-ca", "a=b", "TRUST", "# a comment", "\\",
    "10.0.0.0/008", "10.0.0.0/0256",
)  # fmt: skip
_PARTS = (
    ("host", "hostssl", "local", "hostnossl", "hostnogssenc", "host"),
    ("all", "sales", "sameuser", "sales,other", '"all" , x', "a,,b"),
    ("all", "ada", "+staff", "ada, bob"),
    ("10.0.0.0/8", "192.0.2.77/24", "all", "samehost", "::1/128", "10.0.0.1 255.255.255.0", "2001:db8::5 ffff:ffff::"),
    ("trust", "reject", "scram-sha-256", "md5", "ident", "cert", "peer"),
    ("", "", "", "clientcert=verify-full", "# why", "clientname=CN"),
)


def _drawn(random_: random.Random) -> str:
    """A file most of whose lines are rules, or nearly so."""
    lines = []
    for _ in range(20):
        parts = [random_.choice(each) for each in _PARTS]
        if parts[0] == "local" and random_.random() < 0.9:
            parts[3] = ""
        if random_.random() < 0.3:
            parts[random_.randrange(len(parts))] = random_.choice(_WORDS)
        if random_.random() < 0.1:
            del parts[random_.randrange(len(parts))]
        lines.append(random_.choice((" ", "\t", "  ")).join(parts))
    # As editors of Windows end lines, too.
    return "".join(line + random_.choice(("\n", "\n", "\r\n")) for line in lines)


@pytest.fixture
def their_file(judge: Judge) -> Iterator[Path]:
    """The judge's own file of rules, put back at the end; it is never loaded."""
    with judge.connect() as connection:
        row = connection.execute("SHOW hba_file").fetchone()
    assert row is not None
    path = Path(str(row[0]))
    kept = path.read_bytes()
    yield path
    path.write_bytes(kept)


def _compared(row: RuleStatus) -> tuple[object, ...]:
    names = [None if each is None else list(each) for each in (row.databases, row.users, row.options)]
    return row.place, names[0], names[1], row.address, row.netmask, row.method, names[2]


def test_files_are_read_as_postgresql_reads_them(judge: Judge, their_file: Path) -> None:
    """Line for line the same rules, and the same lines wrong, but for what only one of us has. Theirs is built without
    TLS, and says so of rules that are right otherwise."""
    random_ = random.Random(7)
    ask = (
        b"SELECT line_number, type, database, user_name, address, netmask, auth_method, options FROM pg_hba_file_rules"
    )
    right = wrong = 0
    with judge.connect() as connection:
        for _ in range(60):
            text = _drawn(random_)
            their_file.write_text(text)
            theirs = {row[0]: row[1:] for row in connection.execute(ask).fetchall()}
            parsed = parse_rules(text)
            # What they have and we have not; they take anything for the name of a host.
            left_out = {each.line for each in parsed.wrong if "not supported" in each.error}
            left_out |= {each.line for each in parsed.rules if each.method is ProofMethod.CERT}
            ours = {row.line: _compared(row) for row in rule_rows(parsed, their_file)}
            assert {n: row for n, row in ours.items() if n not in left_out} == {
                n: row for n, row in theirs.items() if n not in left_out
            }, text
            right += len(parsed.rules)
            wrong += len(parsed.wrong) - len(left_out)
    assert right > 300 and wrong > 100


def test_ident_over_a_socket_is_peer() -> None:
    (rule,) = parse_rules("local all all ident").rules
    assert rule.method is ProofMethod.PEER
