"""The server process: environment and wire, from start to a clean end."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

import pyarrow as pa
import structlog
import uvloop

from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.process import ProcessHost, ProcessOptions
from model.clock import SystemClock, SystemRandomness
from model.errors import SqlError
from server.coordinator.bootstrap import close_environment, open_environment
from server.coordinator.environment import ComputeClient, Environment
from server.options import ServeOptions
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions, WireServer
from server.session.backend import SessionBackend
from storage.persist.open import open_blob, open_consensus
from timeline.fence import Fenced

_DRAIN_SECONDS = 5.0
_EXIT_FENCED = 3


def run_server(options: ServeOptions) -> int:
    """Serves until told to stop; the process's exit code."""
    # Arrow's own allocator keeps what was freed; the system's gives large blocks back.
    pa.set_memory_pool(pa.system_memory_pool())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
            if sys.stderr.isatty()
            else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    try:
        return uvloop.run(_serve(options))
    except SqlError as error:
        print(f"headwater: {error.message}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"headwater: {error}", file=sys.stderr)
        return 1


async def _serve(options: ServeOptions) -> int:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    options.data_dir.mkdir(parents=True, exist_ok=True)
    clock, randomness = SystemClock(), SystemRandomness()
    consensus = open_consensus(options.consensus_url)
    blob = open_blob(options.blob_url)

    def make_compute(epoch: int) -> ComputeClient:
        host = ProcessHost(
            ProcessOptions(
                data_dir=options.data_dir,
                master=options.spark_master,
                memory=options.replica_memory,
                wait_s=options.replica_grace_ms / 1000,
            ),
            clock,
            randomness,
        )
        controller = ControllerOptions(options.consensus_url, options.blob_url, nonce=f"{epoch:020d}")
        return ComputeController(controller, host, clock, randomness)

    environment = await open_environment(
        consensus,
        blob,
        clock,
        randomness,
        make_compute,
        retain_history_ms=options.retain_history_ms,
        keep_alive_ms=options.keep_alive_ms,
    )
    server = await _listen(options, environment)
    host, _ = options.host_and_port
    print(f"listening on {host}:{server.port}", flush=True)
    code = await _until_stopped(environment, stopping)
    await server.shut_down(_DRAIN_SECONDS)
    await close_environment(environment)
    await consensus.close()
    await blob.close()
    return code


async def _listen(options: ServeOptions, environment: Environment) -> WireServer:
    host, port = options.host_and_port
    password = options.password
    policy = AuthenticationPolicy() if password is None else AuthenticationPolicy(lambda _user: password)
    server = WireServer(
        SessionBackend(environment),
        ServerOptions(
            host=host,
            port=port,
            connections_max=options.max_connections,
            connection=ConnectionOptions(authentication=policy),
        ),
    )
    await server.start()
    return server


async def _until_stopped(environment: Environment, stopping: asyncio.Event) -> int:
    """Waits for a signal, or for a task that ends: that is a fence, or a defect."""
    waiter = asyncio.create_task(stopping.wait())
    done, _ = await asyncio.wait({waiter, *environment.tasks}, return_when=asyncio.FIRST_COMPLETED)
    waiter.cancel()
    for task in done - {waiter}:
        error = task.exception()
        if isinstance(error, Fenced):
            print(f"headwater: fenced: {error.message}", file=sys.stderr, flush=True)
            return _EXIT_FENCED
        if error is not None:
            raise error
    return 0
