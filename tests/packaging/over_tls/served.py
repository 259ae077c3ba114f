"""The server that tools find, over TLS alone and by a password alone, and how they are told where it is.

Everything that stands on libpq is told by libpq's variables.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import psycopg_binary

from model.time.clock import SystemRandomness
from server.admission.gate import Gate, given_rules
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions
from server.pgwire.verifier import Verifier
from server.tls.files import ReloadableTls, TlsFiles
from tests.judge import Judge, binaries
from tests.missing import present
from tests.server.memory_server import memory_server
from tests.server.tls.authority import Authority

ROLE, _PASSWORD, _SUPERUSERS = "shop", "sold", "whole"
_RULES = "hostssl all all all scram-sha-256"
_TOOLS = Path(sys.prefix) / "tools" / "bin"
_LIMIT_S = 240.0


@dataclass(frozen=True, slots=True)
class Place:
    """A server in which ROLE owns databases, and may do nothing that is not its own. `superuser` is a connection string
    of another role; `tls` are libpq's variables for TLS."""

    port: int
    superuser: str
    tls: Mapping[str, str]

    def variables(self, database: str) -> Mapping[str, str]:
        """Returns libpq's variables for the role in one of its databases."""
        told = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": ROLE, "PGPASSWORD": _PASSWORD}
        return {**told, "PGDATABASE": database, **self.tls}

    def make(self, *databases: str) -> None:
        """Makes the role, and databases that it owns."""
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{_PASSWORD}'".encode())
            for each in databases:
                connection.execute(f"CREATE DATABASE {each} OWNER {ROLE}".encode())

    def connect(self, database: str, **settings: str) -> psycopg.Connection[Any]:
        """Returns a connection of the role's in autocommit mode; the caller closes it."""
        told = self.variables(database)
        words = [f"host={told['PGHOST']} port={self.port} user={ROLE} password={_PASSWORD} dbname={database}"]
        words += [f"{name.removeprefix('PG').lower()}={value}" for name, value in self.tls.items()]
        return psycopg.connect(
            " ".join((*words, *(f"{name}={value}" for name, value in settings.items()))), autocommit=True
        )


@contextmanager
def run_place(authority: Authority, *databases: str) -> Iterator[Place]:
    """Runs an empty Headwater whose certificate is the authority's, with the role and its databases."""
    policy = AuthenticationPolicy(Verifier.of(_SUPERUSERS, SystemRandomness()))
    connection = ConnectionOptions(
        gate=Gate(given_rules(_RULES)), authentication=policy, tls=ReloadableTls(TlsFiles(*authority.server()))
    )
    with memory_server(wire=ServerOptions(connection=connection)) as server:
        tls = {"PGSSLMODE": "verify-full", "PGSSLROOTCERT": str(authority.file)}
        place = Place(server.port, f"{server.dsn()} password={_SUPERUSERS} sslmode=require", tls)
        place.make(*databases)
        yield place


@contextmanager
def judged_place(judge: Judge, *databases: str) -> Iterator[Place]:
    """Lends the judge's PostgreSQL, which has no TLS and asks for no password, with the role and its databases."""
    place = Place(judge.port, judge.dsn(), {})
    place.make(*databases)
    try:
        yield place
    finally:
        with judge.connect() as connection:
            for each in databases:
                connection.execute(f"DROP DATABASE {each} WITH (FORCE)".encode())
            connection.execute(f"DROP ROLE {ROLE}".encode())


def tool(name: str) -> Path:
    """Returns a program of the tools' own environment."""
    made = "(python -m venv .venv/tools; its pip install -r tests/packaging/over_tls/constraints.txt)"
    return Path(present(_TOOLS / name, f"{name} of the tools {made}"))


def run_tool(
    command: Sequence[str | Path], place: Place, database: str, folder: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs a program in `folder` as the role, and waits for its end."""
    environment = {**os.environ, **place.variables(database), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=environment, input=stdin, capture_output=True, text=True, timeout=_LIMIT_S, check=False
    )


def told_by(script: str, place: Place, database: str, folder: Path, stdin: str = "") -> Any:
    """Returns what a script beside this file, which lies in `folder`, prints as JSON in its last line."""
    done = run_tool([tool("python"), folder / script], place, database, folder, stdin)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def with_tls(program: str) -> list[str | Path]:
    """Returns the words that start a program of PostgreSQL's. Those of tests are built without TLS; here they have the
    libpq of psycopg, which has it."""
    (libpq,) = Path(psycopg_binary.__file__).parent.with_name("psycopg_binary.libs").glob("libpq-*.so*")
    return ["env", f"LD_PRELOAD={libpq}", binaries() / program]
