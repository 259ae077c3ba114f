"""The options of a replica: its command line, and the place for its files."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from compute.controller.process import SECRET_ON_INPUT
from compute.controller.replica_values import STATE_CACHE_BYTES
from compute.directory_lock import DirectoryLock
from compute.protocol.link_tls import ReplicaCertificate
from compute.spark.session import SparkOptions, default_master

_SECRET_VARIABLE = "HEADWATER_REPLICA_SECRET"
_STATE_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}")
_LOCKS: list[DirectoryLock] = []
"""Of the directories that this process works in: they are held for as long as it lives."""


@dataclass(frozen=True, slots=True)
class ReplicaOptions:
    """The options with which a replica starts. `listen` is `unix:/path` or `host:port`; `wait_s` how long to wait for
    an environment before ending.

    `data_dir` takes what the replica may lose: arrangements, Spark's files, large answers. `secret` is what
    environments must show. `state_in_blob`: the name below which arrangements are kept in blob instead, which no other
    replica has, and of which `state_cache_bytes` at most are kept in `data_dir`. `certificate` is shown
    to those who connect by TCP.
    """

    listen: str
    data_dir: Path
    master: str = field(default_factory=default_master)
    memory: str = "2g"
    executor_memory: str = "1g"
    wait_s: float = 60.0
    secret: str = field(default="", repr=False)
    warm_up: bool = True
    state_in_blob: str | None = None
    state_cache_bytes: int = STATE_CACHE_BYTES
    certificate: ReplicaCertificate | None = field(default=None, repr=False, compare=False)

    @property
    def spark(self) -> SparkOptions:
        """Returns the options of Spark, which is warmed up once it is there and idle."""
        return SparkOptions(
            app_dir=self.data_dir / "spark",
            master=self.master,
            memory=self.memory,
            executor_memory=self.executor_memory,
            warm=False,
        )


def options_from(arguments: list[str]) -> ReplicaOptions:
    """Returns the options of a command line. The secret comes from the environment, where `ps` does not show it and
    from which it is removed, or from standard input."""
    parser = argparse.ArgumentParser(
        prog="headwater replica",
        description="Run queries for the server that is started with --replica and this address.",
        epilog=f"{_SECRET_VARIABLE} in the environment of both is what the server proves itself with.",
    )
    parser.add_argument("--listen", required=True, help="unix:/path or host:port")
    parser.add_argument("--data-dir", required=True, type=Path, help="for files that may be lost")
    parser.add_argument("--master", default=default_master(), help="Spark's master, such as spark://host:7077")
    parser.add_argument("--memory", default="2g", help="the Spark driver's heap")
    parser.add_argument("--executor-memory", default="1g", help="each executor's heap, on a cluster")
    parser.add_argument("--wait", default=60.0, type=float, help="seconds to wait for an environment before ending")
    parser.add_argument(
        "--state-in-blob",
        type=_state_name,
        metavar="NAME",
        help="keep the state of views and indexes in the server's blob, under a name that no other replica has",
    )
    parser.add_argument(
        "--state-cache-bytes", default=STATE_CACHE_BYTES, type=int, help="of it, in the data directory at most"
    )
    parser.add_argument(
        "--warm-up",
        default=True,
        action=argparse.BooleanOptionalAction,
        help="try common queries in Spark's first idle moments",
    )
    parser.add_argument("--tls-cert", type=Path, help="the certificate to show by TLS, with those that have signed it")
    parser.add_argument("--tls-key", type=Path, help="its key")
    parser.add_argument(SECRET_ON_INPUT, action="store_true", help="read the secret from standard input, to its end")
    given = parser.parse_args(arguments)
    secret = os.environ.pop(_SECRET_VARIABLE, "")
    if given.secret_on_input:
        secret = sys.stdin.read()
    if not secret and not _is_local(given.listen):
        parser.error(f"set {_SECRET_VARIABLE}: without a secret, a replica listens on loopback only")
    certificate = _certificate(parser, given)
    return ReplicaOptions(
        listen=given.listen,
        data_dir=given.data_dir,
        master=given.master,
        memory=given.memory,
        executor_memory=given.executor_memory,
        wait_s=given.wait,
        secret=secret,
        warm_up=given.warm_up,
        state_in_blob=given.state_in_blob,
        state_cache_bytes=given.state_cache_bytes,
        certificate=certificate,
    )


def _certificate(parser: argparse.ArgumentParser, given: argparse.Namespace) -> ReplicaCertificate | None:
    """Returns the certificate of the options; ends the process where only half of it is given, or can be used."""
    cert, key = given.tls_cert, given.tls_key
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        parser.error("--tls-cert and --tls-key go together")
    if given.listen.startswith("unix:"):
        parser.error("--tls-cert is for a replica that listens by TCP")
    try:
        return ReplicaCertificate(cert, key)
    except OSError as error:
        parser.error(f"--tls-cert {cert}, --tls-key {key}: {error}")


def _state_name(text: str) -> str:
    if not _STATE_NAME.fullmatch(text):
        raise argparse.ArgumentTypeError("a name of letters, digits, - and _")
    return text


def _is_local(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    return address.startswith("unix:") or host in ("", "localhost") or host.startswith("127.") or host == "::1"


def settled(options: ReplicaOptions) -> ReplicaOptions:
    """Returns options with an existing directory locked for this process. Answers and arrangements are users' data:
    files of this process and of Spark are readable by its own user alone. Raises OSError, DirectoryTaken."""
    os.umask(0o077)
    options = dataclasses.replace(options, data_dir=options.data_dir.absolute())
    options.data_dir.mkdir(parents=True, exist_ok=True)
    options.data_dir.chmod(0o700)
    _LOCKS.append(DirectoryLock(options.data_dir))
    return options
