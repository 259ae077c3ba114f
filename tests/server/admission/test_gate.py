"""Who comes in to a server by its rules: over TCP, TLS and a Unix socket, as the system and certificates know him."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest

from model.errors.sql_error import SqlError
from model.time.clock import SystemRandomness
from server.admission.gate import WITHOUT_PASSWORD, Gate, Knock, Proof, given_rules
from server.admission.kept_rules import RuleFile
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions
from server.pgwire.verifier import Verifier
from server.reloading import Reloading
from server.tls.files import ReloadableTls, TlsFiles
from server.tls.session import Encryption
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.tls.authority import Authority

_KNOCK = Knock("ada", "headwater", ("192.0.2.7", 5000), ("192.0.2.1", 6875))


_NEAR = Knock("ada", "sales")
_ENCRYPTED = replace(_KNOCK, encryption=Encryption("TLSv1.3", "", 256, None, None))
_NOWHERE = replace(_KNOCK, there=("no address", 1))
_WHO = 'user "ada", database'


@pytest.mark.parametrize(
    ("rules", "knock", "refused"),
    [
        ("host all bob all trust", _KNOCK, f'no pg_hba.conf entry for host "192.0.2.7", {_WHO} "headwater", no'),
        ("host all all all reject", _ENCRYPTED, f'rejects connection for host "192.0.2.7", {_WHO} "headwater", SSL'),
        ("host all all all ident", _KNOCK, 'Ident authentication failed for user "ada"'),
        ("local all all peer", _NEAR, 'Peer authentication failed for user "ada"'),
        ("local all all reject", _NEAR, f'rejects connection for host "[local]", {_WHO} "sales", no encryption'),
        ("local all all trust", _NOWHERE, "no pg_hba.conf entry"),
        ("hostssl all all all cert", _ENCRYPTED, "connection requires a valid client certificate"),
    ],
)
async def test_who_does_not_come_in_is_told_as_by_postgresql(rules: str, knock: Knock, refused: str) -> None:
    with pytest.raises(SqlError, match=re.escape(refused)) as raised:
        await Gate(given_rules(rules)).proof(knock)
    assert raised.value.sqlstate == "28000"


async def test_a_server_without_a_password_asks_others_for_one() -> None:
    gate = Gate(given_rules(WITHOUT_PASSWORD))
    assert await gate.proof(_KNOCK) is Proof.PASSWORD
    # An address that the system knows nothing of, though it is the loopback's.
    near = Knock("ada", "headwater", ("127.0.0.1", 1), ("127.0.0.1", 2))
    assert await gate.proof(near) is Proof.PASSWORD


@dataclass(frozen=True, slots=True)
class _Served:
    server: MemoryServer
    rules: RuleFile
    reloading: Reloading
    directory: Path
    authority: Authority

    def with_rules(self, text: str) -> None:
        self.rules.path.write_text(text)
        with psycopg.connect(f"host={self.directory} port={self.server.port} user=headwater") as connection:
            connection.execute("SELECT pg_reload_conf()")
        self.server.run(self.reloading.done())

    def user(self, options: str = "", host: str = "127.0.0.1") -> str:
        """Who came in."""
        place = f"host={host} port={self.server.port} user=headwater dbname=headwater {options}"
        with psycopg.connect(place) as connection:
            row = connection.execute("SELECT current_user").fetchone()
            assert row is not None
            return str(row[0])


_ALWAYS = "local all all owner\n"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[_Served]:
    authority = Authority(tmp_path)
    file = tmp_path / "rules.conf"
    file.write_text(_ALWAYS)
    rules, tls = RuleFile(file), ReloadableTls(TlsFiles(*authority.server(), authority.file))
    policy = AuthenticationPolicy(Verifier.of("right", SystemRandomness()))
    connection = ConnectionOptions(gate=Gate(rules), authentication=policy, tls=tls)
    with memory_server(wire=ServerOptions(connection=connection), sockets_in=tmp_path) as server:

        async def begin() -> Reloading:
            reloading = Reloading({"rules": rules, "certificates": tls})
            server.environment.options.reload_configuration = reloading.ask
            server.environment.options.rules = lambda: rules.rows
            return reloading

        yield _Served(server, rules, server.run(begin()), tmp_path, authority)


def _refused(come: Callable[[], str]) -> str:
    with pytest.raises(psycopg.OperationalError) as raised:
        come()
    return str(raised.value)


def test_rules_are_read_again_and_the_first_that_fits_holds(served: _Served) -> None:
    assert "no pg_hba.conf entry" in _refused(served.user)
    served.with_rules(_ALWAYS + "hostssl all all all scram-sha-256\nhost all all 127.0.0.1/32 reject\n")
    assert "pg_hba.conf rejects connection" in _refused(lambda: served.user("sslmode=disable password=right"))
    assert served.user("sslmode=require password=right channel_binding=require") == "headwater"
    assert "password authentication failed" in _refused(lambda: served.user("sslmode=require password=wrong"))
    assert "no password supplied" in _refused(lambda: served.user("sslmode=require"))
    served.with_rules(_ALWAYS + "host all headwater samehost trust\n")
    assert served.user() == "headwater"
    # What is wrong changes nothing, and is shown.
    served.with_rules(_ALWAYS + "host all all all nothing\n")
    assert served.user() == "headwater"
    with psycopg.connect(f"host={served.directory} port={served.server.port} user=headwater") as connection:
        shown = connection.execute(
            "SELECT rule_number, line_number, type, database, user_name, address, netmask, auth_method, options, error"
            " FROM pg_hba_file_rules ORDER BY line_number"
        ).fetchall()
    assert shown == [
        (1, 1, "local", ["all"], ["all"], None, None, "owner", None, None),
        (None, 2, None, None, None, None, None, None, None, 'invalid authentication method "nothing"'),
    ]


def test_a_certificate_in_the_users_name_is_proof(served: _Served) -> None:
    mine, theirs = served.authority.issue("mine", names=("headwater",)), served.authority.issue("theirs")
    other = Authority(served.directory, "other").issue("forged", names=("headwater",))

    def with_certificate(pair: tuple[Path, Path]) -> str:
        return f"sslmode=require sslcert={pair[0]} sslkey={pair[1]}"

    served.with_rules(_ALWAYS + "hostssl all all all cert\n")
    assert served.user(with_certificate(mine)) == "headwater"
    assert "certificate authentication failed" in _refused(lambda: served.user(with_certificate(theirs)))
    assert "requires a valid client certificate" in _refused(lambda: served.user("sslmode=require"))
    assert "no pg_hba.conf entry" in _refused(lambda: served.user("sslmode=disable"))
    _refused(lambda: served.user(with_certificate(other)))
    served.with_rules(_ALWAYS + "hostssl all all all scram-sha-256 clientcert=verify-ca\n")
    assert served.user(with_certificate(theirs) + " password=right") == "headwater"
    assert "password authentication failed" in _refused(lambda: served.user(with_certificate(theirs) + " password=x"))
    assert "requires a valid client certificate" in _refused(lambda: served.user("sslmode=require password=right"))


def test_over_a_unix_socket_comes_in_whom_the_system_names(served: _Served) -> None:
    directory = str(served.directory)
    assert served.user(host=directory) == "headwater"
    with psycopg.connect(f"host={directory} port={served.server.port} user=headwater") as connection:
        assert connection.execute(
            "SELECT client_addr, client_port, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)"
            " WHERE pid = pg_backend_pid()"
        ).fetchall() == [(None, None, False)]
    served.with_rules("local all all peer\n")
    assert "Peer authentication failed" in _refused(lambda: served.user(host=directory))


def test_the_owner_of_a_port_on_the_loopback_comes_in(served: _Served) -> None:
    served.with_rules(_ALWAYS + "host all all 127.0.0.0/8 owner\nhost all all ::1/128 owner\n")
    assert served.user() == "headwater"
    assert served.user("sslmode=require") == "headwater"
    served.with_rules(_ALWAYS + "host all all all ident\n")
    assert "Ident authentication failed" in _refused(served.user)


def test_guesses_become_slow_for_who_makes_them(served: _Served) -> None:
    served.with_rules(_ALWAYS + "host all all all scram-sha-256\n")
    for _ in range(4):
        assert "password authentication failed" in _refused(lambda: served.user("password=wrong"))
    # Still he comes in who knows it.
    assert served.user("password=right") == "headwater"
