"""The replica process: options, Spark, server.

listen ─▶ (in a thread) start Spark ─▶ ready ─▶ warm up, when nobody waits for an answer
end: told to (SIGTERM), without an environment for too long, asked for what only a fresh process can do,
     or the JVM died
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
import uvloop
from pyspark.sql import SparkSession

from compute.log_lines import set_up_log
from compute.processes import stat_of
from compute.protocol.command import CreateInstance
from compute.protocol.link_tls import ReplicaCertificate
from compute.protocol.siblings import ARRANGEMENTS
from compute.replica.peeks.peek import Rendering
from compute.replica.process.instance import BlobKeeping, OpenedInstance
from compute.replica.process.options import ReplicaOptions
from compute.replica.process.server import ReplicaServer, listen
from compute.replica.running.worker import SparkWorker
from compute.replica.tasks.events import Event
from compute.spark.launch import BegunJvm
from compute.spark.session import SparkOptions, start_session, stop_session, warm_up, warm_up_large
from model.errors.deep_recursion import allow_deep_recursion
from model.process.collecting import set_aside
from model.process.redaction import remember
from model.time.clock import SystemClock, SystemRandomness

log = structlog.get_logger()

_POLL_S = 0.25
_STOPPED_LOOKS = 40
"""A JVM that is stopped whenever it is looked at, so many times in a row, is ended."""
_WARM_AFTER_S = 1.0
EXIT_JVM_DIED = 3
EXIT_SPARK_FAILED = 4


def run(options: ReplicaOptions, begun: BegunJvm | None = None) -> int:
    """Runs a replica in this process until it ends, with a JVM already begun or a new one; returns the exit code."""
    from compute.render import prepare_peek, render_peek

    return run_with(options, Rendering(render_peek, prepare_peek), begun)


def run_with(options: ReplicaOptions, rendering: Rendering, begun: BegunJvm | None = None) -> int:
    """Runs a replica with another renderer."""
    set_up_log(for_reader=True)
    if options.secret:
        remember([options.secret])
    allow_deep_recursion()
    return uvloop.run(_run(options, rendering, begun))


async def _run(options: ReplicaOptions, rendering: Rendering, begun: BegunJvm | None) -> int:
    loop = asyncio.get_running_loop()
    answers = _own_scratch(options.data_dir)

    def open_instance(instance: CreateInstance, on: Callable[[Event], None]) -> OpenedInstance:
        data_dir, name = options.data_dir, options.state_in_blob
        keeping = None
        if name is not None:
            keeping = BlobKeeping(name, data_dir / "state-cache", options.state_cache_bytes, server.give_up)
        return OpenedInstance(instance, on, rendering, data_dir / ARRANGEMENTS, data_dir / "copies", answers, keeping)

    server = ReplicaServer(options.secret, open_instance)
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, server.ended.set)
    certificate = options.certificate
    if certificate is not None:
        loop.add_signal_handler(signal.SIGHUP, _reload, certificate)
    listener, address = await listen(server, options.listen, None if certificate is None else certificate.context)
    log.info("replica listening", address=address, pid=os.getpid())
    async with listener:
        starting = asyncio.create_task(asyncio.to_thread(_start, options.spark, begun))
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


def _reload(certificate: ReplicaCertificate) -> None:
    """Reads the files of a certificate again; those that can't be used are told of, and change nothing."""
    try:
        certificate.reload()
        log.info("certificate read again")
    except OSError as error:
        log.warning("certificate not read again", error=str(error))


def _own_scratch(data_dir: Path) -> Path:
    """Returns a directory for this process alone, and deletes those of earlier processes."""
    scratch = data_dir / "tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    own = scratch / f"{os.getpid()}-{SystemRandomness().token()[:8]}"
    own.mkdir(parents=True)
    return own


def _start(options: SparkOptions, begun: BegunJvm | None) -> SparkSession:
    session = start_session(options, begun)
    set_aside()
    return session


async def _watch(server: ReplicaServer, starting: asyncio.Task[SparkSession], options: ReplicaOptions) -> int:
    """Waits for a reason to end; the exit code."""
    loop = asyncio.get_running_loop()
    alone_since = loop.time()
    jvm: subprocess.Popen[bytes] | None = None
    stopped_looks = 0
    ended = asyncio.create_task(server.ended.wait())
    while True:
        awaited: set[asyncio.Task[Any]] = {ended} if starting.done() else {ended, starting}
        await asyncio.wait(awaited, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            return 0
        if jvm is None and starting.done():
            error = starting.exception()
            if error is not None:
                server.exit_reason = f"Spark did not start: {error}"
                return EXIT_SPARK_FAILED
            jvm = _jvm_of(starting.result())
            server.worker_ready(SparkWorker(starting.result(), SystemClock()))
            log.info("replica ready", jvm=jvm.pid)
            if options.warm_up:
                warming = asyncio.create_task(_warm(server, starting.result(), options.data_dir))
                warming.add_done_callback(_forget)
        if jvm is not None:
            found = stat_of(jvm.pid)
            stopped_looks = stopped_looks + 1 if found is not None and found.stopped else 0
            if stopped_looks > _STOPPED_LOOKS:
                server.exit_reason = "the JVM was stopped"
                jvm.kill()
        if jvm is not None and jvm.poll() is not None:
            server.exit_reason = server.exit_reason or f"the JVM ended with exit code {jvm.returncode}"
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


async def _warm(server: ReplicaServer, session: SparkSession, directory: Path) -> None:
    """Warms up in moments when nobody waits for an answer: who asks first is answered first. Then large work, later,
    since the first statements are seldom large."""
    while server.busy:
        await asyncio.sleep(_POLL_S)
    await asyncio.to_thread(warm_up, session)
    await asyncio.sleep(_WARM_AFTER_S)
    while server.busy:
        await asyncio.sleep(_WARM_AFTER_S)
    await asyncio.to_thread(warm_up_large, session, directory)


def _forget(warming: asyncio.Task[None]) -> None:
    """Logs the failure of a warm-up, which (a statement's cancellation, a stop) costs time only."""
    if not warming.cancelled() and warming.exception() is not None:
        log.warning("warm-up ended early", error=str(warming.exception()))
