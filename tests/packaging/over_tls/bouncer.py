"""PgBouncer of Debian's package before a server, to which it speaks over TLS: clients share its few connections,
transaction by transaction."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.missing import present
from tests.packaging.over_tls.served import ROLE, Place
from tests.polling import await_that
from tests.ports import free_port

_PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
_SETTINGS = """
[databases]
* = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
server_tls_sslmode = verify-full
server_tls_ca_file = {folder}/authority.crt
logfile = {folder}/log
"""


@dataclass(frozen=True, slots=True)
class Bouncer:
    """A running PgBouncer: the place that clients see, and the file that it writes to."""

    place: Place
    log: Path


@contextmanager
def run_bouncer(place: Place, authority: Path, size: int) -> Iterator[Bouncer]:
    """Runs it with `size` connections to each database; it trusts servers of the authority, whose certificate is given.

    Root starts it as `nobody`, since it refuses to be root's. Its log is what an AssertionError says."""
    program = present(shutil.which("pgbouncer", path=_PLACES), "pgbouncer (Debian: apt-get install pgbouncer)")
    with tempfile.TemporaryDirectory(prefix="headwater-bouncer-") as made:
        folder, port = Path(made), free_port()
        password = place.variables("")["PGPASSWORD"]
        (folder / "users").write_text(f'"{ROLE}" "{password}"\n')
        (folder / "authority.crt").write_bytes(authority.read_bytes())
        (folder / "ini").write_text(_SETTINGS.format(server=place.port, port=port, folder=folder, size=size))
        user = "nobody" if os.geteuid() == 0 else None
        if user is not None:
            for each in (folder, *folder.iterdir()):
                shutil.chown(each, user)
        process = subprocess.Popen([program, "-q", folder / "ini"], user=user, stderr=subprocess.DEVNULL)
        bouncer = Bouncer(Place(port, place.superuser, {}), folder / "log")
        try:
            await_that(lambda: process.poll() is not None or _listens(port))
            assert process.poll() is None, bouncer.log.read_text()
            yield bouncer
        finally:
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    """Tells whether something speaks the protocol there: a client that names no database is refused in it."""
    try:
        psycopg.connect(f"host=127.0.0.1 port={port} user=nobody_of_it dbname=none").close()
    except psycopg.OperationalError as error:
        return "onnection refused" not in str(error)
    return True
