"""The replica process: options, Spark, server.

listen ─▶ (in a thread) start Spark, warm up ─▶ ready
end: told to (SIGTERM), without an environment for too long, asked for what only a fresh process can do,
     or the JVM died
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import structlog
import uvloop
from pyspark.sql import SparkSession

from compute.controller.process import SECRET_VARIABLE
from compute.protocol.command import CreateInstance
from compute.replica.events import Event
from compute.replica.instance import OpenedInstance
from compute.replica.peeks import Rendering
from compute.replica.server import ReplicaServer, listen
from compute.replica.worker import SparkWorker
from compute.spark.handles import set_aside
from compute.spark.session import SparkOptions, default_master, start_session, stop_session, warm_up_large
from model.deep_recursion import allow_deep_recursion

log = structlog.get_logger()

_POLL_S = 0.25
_WARM_AFTER_S = 1.0
EXIT_JVM_DIED = 3
EXIT_SPARK_FAILED = 4


@dataclass(frozen=True, slots=True)
class ReplicaOptions:
    """`listen` is `unix:/path` or `host:port`; `wait_s` how long to wait for an environment before ending.

    `data_dir` takes what the replica may lose: arrangements, Spark's files, large answers. `secret` is what
    environments must show.
    """

    listen: str
    data_dir: Path
    master: str = field(default_factory=default_master)
    memory: str = "2g"
    executor_memory: str = "1g"
    wait_s: float = 60.0
    secret: str = ""
    warm: bool = True


def options_from(arguments: list[str]) -> ReplicaOptions:
    """The options that a command line gives; the secret comes from the environment, where `ps` does not show it."""
    parser = argparse.ArgumentParser(
        prog="headwater replica",
        description="Run queries for the server that is started with --replica and this address.",
        epilog=f"{SECRET_VARIABLE} in the environment of both is what the server proves itself with.",
    )
    parser.add_argument("--listen", required=True, help="unix:/path or host:port")
    parser.add_argument("--data-dir", required=True, type=Path, help="for files that may be lost")
    parser.add_argument("--master", default=default_master(), help="Spark's master, such as spark://host:7077")
    parser.add_argument("--memory", default="2g", help="the Spark driver's heap")
    parser.add_argument("--executor-memory", default="1g", help="each executor's heap, on a cluster")
    parser.add_argument("--wait", default=60.0, type=float, help="seconds to wait for an environment before ending")
    given = parser.parse_args(arguments)
    secret = os.environ.get(SECRET_VARIABLE, "")
    if not secret and not _is_local(given.listen):
        parser.error(f"set {SECRET_VARIABLE}: without a secret, a replica listens on loopback only")
    return ReplicaOptions(
        listen=given.listen,
        data_dir=given.data_dir,
        master=given.master,
        memory=given.memory,
        executor_memory=given.executor_memory,
        wait_s=given.wait,
        secret=secret,
    )


def _is_local(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    return address.startswith("unix:") or host in ("", "localhost") or host.startswith("127.") or host == "::1"


def main(arguments: list[str]) -> NoReturn:
    """Runs a replica as a command line says, and ends the process with its exit code."""
    sys.exit(run(options_from(arguments)))


def run(options: ReplicaOptions) -> int:
    """Runs a replica in this process until it ends; its exit code."""
    from compute.render import prepare_peek, render_peek

    return run_with(options, Rendering(render_peek, prepare_peek))


def run_with(options: ReplicaOptions, rendering: Rendering) -> int:
    """As `run`, with another renderer."""
    allow_deep_recursion()
    options = dataclasses.replace(options, data_dir=options.data_dir.absolute())
    # Answers and arrangements are users' data: files are for the replica's own user, and so are Spark's.
    os.umask(0o077)
    options.data_dir.mkdir(parents=True, exist_ok=True)
    options.data_dir.chmod(0o700)
    return uvloop.run(_run(options, rendering))


async def _run(options: ReplicaOptions, rendering: Rendering) -> int:
    loop = asyncio.get_running_loop()
    answers = options.data_dir / "tmp"
    # What an earlier process left is known to nobody any more.
    shutil.rmtree(answers, ignore_errors=True)
    answers.mkdir(parents=True)

    def open_instance(instance: CreateInstance, on: Callable[[Event], None]) -> OpenedInstance:
        return OpenedInstance(instance, on, rendering, options.data_dir / "arrangements", answers)

    server = ReplicaServer(options.secret, open_instance)
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, server.ended.set)
    listener, address = await listen(server, options.listen)
    log.info("replica listening", address=address, pid=os.getpid())
    async with listener:
        starting = asyncio.create_task(asyncio.to_thread(_start, options))
        watching = asyncio.create_task(_watch(server, starting, options))
        code = await watching
        listener.close()
        server.hang_up()
    log.info("replica ends", reason=server.exit_reason or "it was told to", code=code)
    if code != 0 or not starting.done():
        # A thread that waits for the JVM would keep the process; a JVM that still starts ends with it.
        os._exit(code)
    await server.stop()
    await asyncio.to_thread(stop_session, await starting)
    return code


def _start(options: ReplicaOptions) -> SparkSession:
    session = start_session(
        SparkOptions(
            app_dir=options.data_dir / "spark",
            master=options.master,
            memory=options.memory,
            executor_memory=options.executor_memory,
            warm=options.warm,
        )
    )
    set_aside()
    return session


async def _watch(server: ReplicaServer, starting: asyncio.Task[SparkSession], options: ReplicaOptions) -> int:
    """Waits for a reason to end; the exit code."""
    loop = asyncio.get_running_loop()
    alone_since = loop.time()
    jvm: subprocess.Popen[bytes] | None = None
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(server.ended.wait(), _POLL_S)
            return 0
        if jvm is None and starting.done():
            error = starting.exception()
            if error is not None:
                server.exit_reason = f"Spark did not start: {error}"
                return EXIT_SPARK_FAILED
            jvm = _jvm_of(starting.result())
            server.worker_ready(SparkWorker(starting.result()))
            log.info("replica ready", jvm=jvm.pid)
            if options.warm:
                warming = asyncio.create_task(_warm_large(server, starting.result(), options.data_dir))
                warming.add_done_callback(_forget)
        if jvm is not None and jvm.poll() is not None:
            server.exit_reason = f"the JVM ended with exit code {jvm.returncode}"
            return EXIT_JVM_DIED
        if server.connected:
            alone_since = loop.time()
        elif loop.time() - alone_since > options.wait_s:
            server.exit_reason = f"no environment came for {options.wait_s:.0f} s"
            return 0


def _jvm_of(session: SparkSession) -> subprocess.Popen[bytes]:
    gateway: Any = session.sparkContext._gateway
    process: subprocess.Popen[bytes] = gateway.proc
    return process


async def _warm_large(server: ReplicaServer, session: SparkSession, directory: Path) -> None:
    """Warms up large work in a moment when nobody waits for an answer: the first statements are seldom large."""
    await asyncio.sleep(_WARM_AFTER_S)
    while server.busy:
        await asyncio.sleep(_WARM_AFTER_S)
    await asyncio.to_thread(warm_up_large, session, directory)


def _forget(warming: asyncio.Task[None]) -> None:
    """A warm-up that fails (a statement's cancellation, a stop) costs time only."""
    if not warming.cancelled() and warming.exception() is not None:
        log.warning("warm-up ended early", error=str(warming.exception()))
