"""What others on the machine can get at: which ports our processes open, and that none of them serves who has no
secret; which files they make, and that these are for their own user alone."""

from __future__ import annotations

import contextlib
import socket
import stat
import struct
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.server_process import ServerProcess, start_server

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    # With a name as long as this, Spark's own sockets can't lie in it.
    server = start_server(tmp_path_factory.mktemp("ports-" + "x" * 60))
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int)")
            connection.execute("INSERT INTO t VALUES (1)")
            # So that all that Spark opens is open.
            assert connection.execute("SELECT count(*) FROM t").fetchone() == (1,)
        yield server
    finally:
        server.stop()


def _listening(server: ServerProcess) -> dict[tuple[str, int], set[str]]:
    """The programs that hold each address and port on which the server's processes, or their children, listen. They are
    several for a moment while a process starts another: until that one runs its own program, it holds what its parent
    holds, under the name of a thread."""
    data_dir = str(Path(server.log).parent)
    own = [psutil.Process(server.process.pid)]
    own += [each for each in psutil.process_iter() if data_dir in " ".join(_line(each))]
    family = {child for process in own for child in (process, *process.children(recursive=True))}
    found = defaultdict(set)
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            for each in process.net_connections("inet"):
                if each.status == psutil.CONN_LISTEN:
                    found[each.laddr.ip.removeprefix("::ffff:"), each.laddr.port].add(process.name())
    return found


def _lasting(server: ServerProcess) -> dict[tuple[str, int], set[str]]:
    """What is listened on for longer than a second: Spark opens ports for one answer, too, and closes them with it."""
    found = _listening(server)
    for _ in range(4):
        time.sleep(0.5)
        now = _listening(server)
        found = {place: programs | now[place] for place, programs in found.items() if place in now}
    return found


def _line(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def _asked(port: int, data: bytes, patience_s: float = 2.0) -> bytes:
    """What is answered; nothing where the connection is closed, or stays silent so long."""
    with socket.create_connection(("127.0.0.1", port), patience_s) as connection:
        connection.sendall(data)
        try:
            return connection.recv(4096)
        except (TimeoutError, ConnectionResetError):
            return b""


def test_ports_are_those_of_clients_and_of_spark_which_asks_for_a_secret(server: ServerProcess) -> None:
    listening = _lasting(server)
    assert {address for address, _ in listening} == {"127.0.0.1"}
    of_spark = [port for (_, port), programs in listening.items() if "java" in programs]
    assert server.port not in of_spark, listening
    (http,) = {port for _, port in listening} - {*of_spark, server.port}
    assert _asked(http, b"GET /none HTTP/1.0\r\n\r\n", 60.0).startswith(b"HTTP/1.1 404 ")
    # Spark's frames: their length, RpcRequest, its number, the length of its body.
    call = struct.pack(">QBqI", 25, 3, 7, 4) + b"call"
    # Py4J's commands: one of its own objects, then who asks.
    gateway = b"c\nt\nsetConf\ne\n"
    answers = [(_asked(port, call), _asked(port, gateway)) for port in of_spark]
    assert len(answers) == 3, "the driver's, the block manager's, and the gateway of its Python"
    secured = [answer for answer, _ in answers if b"Expected SaslMessage" in answer]
    assert len(secured) == 2
    assert all(b"y" not in answer[:2] for _, answer in answers)


def test_what_is_created_is_for_the_servers_own_user(server: ServerProcess) -> None:
    data_dir = server.log.parent
    made = [data_dir, *(path for path in data_dir.rglob("*") if path != server.log and not path.is_symlink())]
    assert any(path.name.startswith("consensus") for path in made)
    # Libraries that Java unpacks may be executable to all, in a directory that nobody else may enter.
    open_to_others = [f"{path}: {stat.filemode(mode)}" for path in made if (mode := path.lstat().st_mode) & 0o066]
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700
    assert open_to_others == []
