"""The compose file's server, run as a process: who comes over the network logs in with the password, and with it alone,
over TLS or without.

psql and the drivers run in a network of their own, to which the server's address is not the loopback.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from tests.judge import psql
from tests.missing import lacks, present
from tests.network import Network, run_network
from tests.packaging.compose import services
from tests.server.tls.authority import Authority
from tests.server_process import ServerProcess, run_server
from tests.tidy.sources import ROOT

pytestmark = pytest.mark.spark

_JDBC_JAR = Path("/usr/share/java/postgresql.jar")
_NODE_MODULES = Path(sys.prefix) / "node" / "node_modules"
_SERVICE = services()["headwater"]
_PASSWORD = _SERVICE.variables({})["HEADWATER_PASSWORD"]
_GUESTS = "of a guest"
_Client = Callable[[str, int], list[str]]


def _python(driver: str) -> _Client:
    program = "tests.packaging.far_client"
    return lambda host, port: [sys.executable, "-m", program, driver, host, str(port)]


def _psql(host: str, port: int) -> list[str]:
    asked = ["-c", "SELECT 41 + 1"]
    return [str(psql()), "-XAt", "-h", host, "-p", str(port), "-d", "headwater", *asked]


def _node(host: str, port: int) -> list[str]:
    node = present(shutil.which("node"), "node")
    present(_NODE_MODULES / "pg", "node-postgres (npm install --prefix .venv/node pg)")
    return [str(node), str(ROOT / "tests/packaging/far_client.js"), host, str(port)]


def _pgjdbc(host: str, port: int) -> list[str]:
    present(_JDBC_JAR, "pgjdbc (Debian: apt-get install libpostgresql-jdbc-java)")
    return _python("pgjdbc")(host, port)


_CLIENTS: Mapping[str, _Client] = {
    "psql": _psql,
    "psycopg": _python("psycopg"),
    "asyncpg": _python("asyncpg"),
    "pg8000": _python("pg8000"),
    "pgjdbc": _pgjdbc,
    "node-postgres": _node,
}


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    with run_network() as network:
        yield network


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, network: Network, authority: Authority) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("far")
    places = {":6875": ":0", "/data": str(folder / "data")}
    cert, key = authority.server(hosts=[network.here])
    variables = {"HEADWATER_TLS_CERT": str(cert), "HEADWATER_TLS_KEY": str(key), **_SERVICE.variables(places)}
    server = run_server(_SERVICE.line(places), folder, variables, ROOT, 60.0)
    try:
        place = f"host=127.0.0.1 port={server.port} user=headwater dbname=headwater password={_PASSWORD}"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE guest LOGIN PASSWORD '{_GUESTS}'".encode())
        yield server
    finally:
        assert server.stop() == 0


def _run(
    network: Network,
    server: ServerProcess,
    client: str,
    password: str,
    authority: Path | None = None,
    role: str = "headwater",
) -> subprocess.CompletedProcess[str]:
    environment = {"PGUSER": role, "PGPASSWORD": password, "JDBC_JAR": str(_JDBC_JAR), "NODE_PATH": str(_NODE_MODULES)}
    if authority is not None:
        environment["AUTHORITY"] = str(authority)
    return network.run(_CLIENTS[client](network.here, server.port), environment)


@pytest.mark.parametrize("client", _CLIENTS)
def test_a_client_from_elsewhere_logs_in_with_the_password_alone(
    network: Network, server: ServerProcess, client: str
) -> None:
    done = _run(network, server, client, _PASSWORD)
    assert (done.returncode, done.stdout.strip()) == (0, "42"), done.stderr
    refused = _run(network, server, client, "another")
    assert refused.returncode != 0 and "password authentication failed" in refused.stderr, refused.stderr


@pytest.mark.parametrize("client", [name for name in _CLIENTS if name != "psql"])
def test_a_client_from_elsewhere_comes_over_tls_to_a_server_that_it_knows(
    network: Network, server: ServerProcess, authority: Authority, client: str
) -> None:
    """And as a role without superuser. The psql of tests is built without TLS."""
    done = _run(network, server, client, _GUESTS, authority.file, "guest")
    assert (done.returncode, done.stdout.strip()) == (0, "42"), done.stderr
    other = Authority(authority.file.parent, "other")
    refused = _run(network, server, client, _GUESTS, other.file, "guest")
    assert refused.returncode != 0 and "certifica" in refused.stderr.lower(), refused.stderr


def test_on_the_machine_itself_the_password_is_asked_for_too(server: ServerProcess) -> None:
    with pytest.raises(psycopg.OperationalError, match="no password supplied"):
        psycopg.connect(host="127.0.0.1", port=server.port, user="headwater", dbname="headwater")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(host="127.0.0.1", port=server.port, user="headwater", dbname="headwater", password="another")


def _as_another_user(server: ServerProcess, password: str) -> str:
    """What a process of another Unix user of this machine is told, which connects and asks for code to be run."""
    script = """
import os, sys, psycopg
os.setgid(65534)
os.setuid(65534)
try:
    with psycopg.connect(sys.argv[1], autocommit=True) as connection:
        connection.execute("COPY (SELECT 1) TO '/tmp/never-written'")
except psycopg.Error as error:
    print(error)
"""
    place = f"host=127.0.0.1 port={server.port} user=headwater dbname=headwater password={password}"
    done = subprocess.run([sys.executable, "-c", script, place], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_another_user_of_the_machine_is_not_the_servers_user(server: ServerProcess) -> None:
    if os.geteuid() != 0:
        lacks("only root becomes another user")
    for password in ("''", "another"):
        assert re.search("no password supplied|password authentication failed", _as_another_user(server, password))
    assert not Path("/tmp/never-written").exists()


def test_the_image_is_asked_for_its_health_with_the_password(server: ServerProcess) -> None:
    """The health check runs in the container, with the container's environment."""
    health = re.search(r"HEALTHCHECK .* CMD (\[.*\])", (ROOT / "Dockerfile").read_text())
    assert health is not None
    words = shlex.split(health[1].strip("[]").replace(",", " "))
    url = f"postgresql://headwater@127.0.0.1:{server.port}/headwater"
    line = [sys.executable, "-m", "server.cli", *words[1:], "--url", url]
    environment = {**os.environ, **_SERVICE.variables({})}
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
