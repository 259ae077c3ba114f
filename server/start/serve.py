"""The server process: environment and wire, from start to a clean end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

import pyarrow as pa
import structlog
import uvloop

from catalog.nouns.items import SUPERUSER_OID
from compute.controller.clusters import ComputeClusters
from compute.controller.controller import ControllerOptions
from compute.log_lines import set_up_log
from model.errors.deep_recursion import allow_deep_recursion
from model.errors.sql_error import SqlError
from model.process.collecting import set_aside
from model.process.redaction import redacted, remember
from model.time.clock import Clock, Randomness, SystemClock, SystemRandomness
from planner.syntax.parse import prepare_parsing
from server.admission.gate import Gate
from server.agents.asking import AgentSessions
from server.agents.held_writes import HeldWrites
from server.agents.requests import AGENT, DEVELOPER, AgentRequests
from server.agents.tools import Tools
from server.api.door import Door
from server.api.health import EVERYTHING, LIVEZ, READYZ, Livez, NotYet, Readyz
from server.api.loop_delay import LoopDelay
from server.api.metrics import METRICS, MetricsRequests
from server.api.origins import Origins
from server.api.sockets import SOCKET, SocketRequests
from server.api.sql import SQL, SqlRequests
from server.api.token_requests import TOKEN, TokenRequests
from server.api.tokens import Tokens
from server.console.pages import ROOT, ConsolePages
from server.environment.environment import ComputeClient, Environment
from server.evaluation.pool import WorkerPool
from server.http.exchange import RequestHandler, Routes
from server.http.server import HttpServer
from server.ledgers.server_access import ServerAccess
from server.ledgers.statement_log import StatementLog
from server.ledgers.unfinished_paths import UnfinishedPaths
from server.ledgers.unfinished_uploads import LeftUploads, UnfinishedUploads
from server.objects.standby_holds import StandbyHolds
from server.options import SECRET_VARIABLES, ServeOptions
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.connection import ConnectionOptions
from server.pgwire.server import ServerOptions, WireServer
from server.pgwire.verifier import Verifier
from server.reloading import Reloading
from server.session.backend import SessionBackend
from server.start.bootstrap import open_environment
from server.start.entrance import Entrance, entrance_of, made_password
from server.start.formats import require_known_formats
from server.start.measured_calls import CallDurations, MeasuredBlob, MeasuredCompute, MeasuredConsensus
from server.start.places import CannotStart, keyring_of, reached_locations
from server.start.replica_places import ReplicaProcesses
from server.start.standing_by import StandbyPresence, StandingBy, refusing_options
from server.start.turn import TurnOfLeading, abandon, begin_turn
from server.start.understudy import Understudy
from server.subscription.limits import BufferLimits
from server.webhooks.receiving import WebhookReceiver
from server.webhooks.request import PREFIX
from storage.persist.large_blocks import give_back_large_blocks
from storage.persist.location import Blob, Consensus
from timeline.durable_oracle import TIMELINE_KEY
from timeline.fence import Fence, Fenced, raise_fence
from timeline.lease import Lease, PromotableStandby, is_followed, take_over
from timeline.promotion import StandbyRecord

log = structlog.get_logger()

_DRAIN_SECONDS = 5.0
_RELEASE_SECONDS = 2.0
"""So long open transactions may go on when a standby was promoted."""
_RESERVED_CONNECTIONS = 3
_EXIT_FAILED = 1
_EXIT_FENCED = 3
_GAVE_WAY = -1
"""Ends a turn of leading as a fence does, but on command."""
_ENDS_A_TURN = (_EXIT_FENCED, _GAVE_WAY)
_UNREADY: Mapping[str, RequestHandler] = {LIVEZ: Livez(), READYZ: Readyz(), EVERYTHING: NotYet()}


def run_server(options: ServeOptions) -> int:
    """Serves until told to stop; the process's exit code."""
    allow_deep_recursion()
    # Whatever is created, by the replica that is started too, is for the server's own user.
    os.umask(0o077)
    # Arrow's own allocator keeps what was freed; the system's gives large blocks back.
    pa.set_memory_pool(pa.system_memory_pool())
    give_back_large_blocks()
    set_up_log(for_reader=sys.stderr.isatty())
    remember(options.secrets)
    for name in [name for name in os.environ if name.upper() in SECRET_VARIABLES]:
        del os.environ[name]
    try:
        return uvloop.run(_serve(options))
    except (SqlError, CannotStart) as error:
        detail = error.detail if isinstance(error, SqlError) else None
        print(redacted(f"headwater: {error}" + (f"\n  {detail}" if detail else "")), file=sys.stderr)
        return 1


async def _serve(options: ServeOptions) -> int:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    entrance = entrance_of(options)
    reloading = Reloading(entrance.reloadable)
    loop.add_signal_handler(signal.SIGHUP, reloading.ask)
    # Until it stands by it means nothing, and must not end the server.
    loop.add_signal_handler(signal.SIGUSR1, lambda: None)
    http, routes = await _listen_http(options, entrance)
    server = _wire_server(options, entrance)
    doors = _Doors(entrance, server, http, routes, reloading)
    if options.standby:
        await server.start(entrance.sockets)
        # What was imported by then need not be when the server is to lead.
        await asyncio.to_thread(prepare_parsing)
    try:
        lost, again = 0, False
        while True:
            if options.standby:
                print(f"standing by on {options.host_and_port[0]}:{server.port}", flush=True)
            code = await _lead(options, doors, stopping, lost, again=again)
            if code not in _ENDS_A_TURN or not await _goes_on(options, code):
                break
            lost += code == _EXIT_FENCED
            again = True
        return _EXIT_FENCED if code == _GAVE_WAY else code
    finally:
        await asyncio.gather(server.shut_down(0), http.shut_down(0))
        entrance.leave()


@dataclass(frozen=True, slots=True)
class _Doors:
    """The doors that stay open while the server stands by and leads by turns."""

    entrance: Entrance
    server: WireServer
    http: HttpServer
    routes: Routes
    reloading: Reloading

    async def release(self, options: ServeOptions) -> None:
        """Has new clients hear that the server stands by, and each session end behind its transaction."""
        self.server.change(StandingBy(), refusing_options(options, self.entrance))
        self.routes.replace(_UNREADY)
        await self.server.release(_RELEASE_SECONDS)

    async def close(self, options: ServeOptions, *, for_good: bool) -> None:
        """Ends the clients' sessions. Unless `for_good`, the sockets stay open, and new clients hear that the server
        stands by.
        """
        if for_good:
            await asyncio.gather(self.server.shut_down(_DRAIN_SECONDS), self.http.shut_down(_DRAIN_SECONDS))
            self.entrance.leave()
            return
        self.server.change(StandingBy(), refusing_options(options, self.entrance))
        self.routes.replace(_UNREADY)
        await asyncio.gather(self.server.dismiss(_DRAIN_SECONDS), self.http.dismiss(_DRAIN_SECONDS))


async def _goes_on(options: ServeOptions, code: int) -> bool:
    """Returns whether the server goes on after a turn: as a standby, or because the promoted standby does not lead."""
    if options.standby or code != _GAVE_WAY:
        return options.standby
    clock = SystemClock()
    consensus, blob = await reached_locations(options, clock)
    try:
        followed = await is_followed(consensus, clock, options.lease_ms)
    finally:
        await consensus.close()
        await blob.close()
    if not followed:
        print("headwater: no standby leads: this one leads again", file=sys.stderr, flush=True)
    return not followed


async def _lead(options: ServeOptions, doors: _Doors, stopping: asyncio.Event, lost: int, *, again: bool) -> int:
    """Serves until told to stop, or superseded; returns the process's exit code. A standby waits for its turn first.
    `again`: the server has led before."""
    entrance, server, reloading = doors.entrance, doors.server, doors.reloading
    durations = CallDurations(SystemClock())
    opening = asyncio.create_task(_open(options, durations, lost, server.port if options.standby else 0))
    waiter = asyncio.create_task(stopping.wait())
    await asyncio.wait({opening, waiter}, return_when=asyncio.FIRST_COMPLETED)
    waiter.cancel()
    if not opening.done():
        await abandon(opening)
        return 0
    try:
        turn = await opening
    except Fenced as error:
        return _fenced(options, error)
    environment = turn.environment
    environment.outside.lease = turn.lease
    turn.lease.hold = StandbyHolds(environment.storage).follow
    environment.options.reload_configuration = reloading.ask
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, environment.reload)
    durations.register(environment.observed.measures.registry)
    aborting = asyncio.create_task((await _left_uploads(environment)).abort(), name="abort uploads")
    aborting.add_done_callback(_tell_defect)
    environment.options.rules = lambda: entrance.rules.rows
    backend, gate = SessionBackend(environment), Gate(entrance.rules)
    policy = await _authentication(options, environment, entrance)
    server.change(backend, _connection_options(options, entrance, gate, policy))
    if not options.standby and not again:
        await server.start(entrance.sockets)
    tokens = Tokens(environment.clock, environment.randomness, lambda: environment.catalog.state.roles)
    door = Door(backend, gate, policy, tokens)
    origins = Origins(options.http_names)
    sessions = AgentSessions(backend, server.places)
    writes = HeldWrites(sessions, environment.randomness)
    tools = Tools(sessions, writes)
    asked: dict[str, RequestHandler] = {
        SQL: SqlRequests(backend, door, origins, server.places),
        SOCKET: SocketRequests(backend, door, origins, server.places, options.http_limits),
        TOKEN: TokenRequests(lambda: environment.catalog.state, tokens, door, origins),
        METRICS: MetricsRequests(environment, door, origins),
        AGENT: AgentRequests(tools.of_agents(), door, origins),
        DEVELOPER: AgentRequests(tools.of_developers(), door, origins),
        # The last one: what nobody else answers is asked of it.
        ROOT: ConsolePages(origins),
    }
    _route(doors.routes, options, environment, asked)
    delay = LoopDelay(environment.observed.measures.registry)
    delay.start()
    _tell_place(options, environment, entrance, doors.http)
    code = None
    try:
        host, _ = options.host_and_port
        print(f"listening on {host}:{server.port}", flush=True)
        # Whoever writes the first word of our own finds the dialect imported.
        await asyncio.to_thread(prepare_parsing)
        set_aside()
        code = await _until_stopped(options, turn, stopping)
        return code
    finally:
        if code == _GAVE_WAY:
            await doors.release(options)
        await doors.close(options, for_good=not (code == _GAVE_WAY or (code in _ENDS_A_TURN and options.standby)))
        await writes.close()
        delay.stop()
        aborting.cancel()
        await turn.end(fenced=code == _EXIT_FENCED)


async def _open(options: ServeOptions, durations: CallDurations, lost: int, port: int) -> TurnOfLeading:
    """Takes over, a standby once nobody leads; the lease is kept from then on. A standby listens on the `port`."""
    clock, randomness = SystemClock(), SystemRandomness()
    reached = await reached_locations(options, clock)
    consensus, blob = MeasuredConsensus(reached[0], durations), MeasuredBlob(reached[1], durations)
    keyring = keyring_of(options, randomness)
    places = ReplicaProcesses(options, consensus, blob, clock, randomness).chosen()

    def make_compute(fence: Fence) -> ComputeClient:
        controller = ControllerOptions(
            options.consensus_url,
            options.blob_url,
            nonce=f"{fence.epoch:020d}",
            timeline=TIMELINE_KEY,
            preconditions=tuple(fence.precondition.items()),
        )
        compute = ComputeClusters(controller, places.given(), clock, randomness)
        return MeasuredCompute(compute, durations)

    async def look() -> None:
        await require_known_formats(consensus, blob, clock, randomness)

    await look()
    evaluations = WorkerPool(clock)
    evaluations.begin()
    understudy = None
    if options.standby:
        fence, understudy = await _next_to_lead(options, consensus, blob, clock, randomness, look, lost, port, places)
        places = understudy.places_to_lead
        log.info("no other server leads: this one takes over", epoch=fence.epoch)
    else:
        fence = await raise_fence(consensus, randomness)
    lease = Lease(consensus, fence, clock, options.lease_ms, places.place)
    opening = open_environment(
        consensus,
        blob,
        clock,
        randomness,
        make_compute,
        retain_history_ms=options.retain_history_ms,
        keep_alive_ms=options.keep_alive_ms,
        subscribe_limits=BufferLimits(options.subscribe_memory_bytes, options.subscribe_spill_bytes),
        evaluations=evaluations,
        keyring=keyring,
        access=ServerAccess(options.server_files, options.server_programs),
        superuser=options.superuser,
        prepared_max=options.max_prepared_transactions,
        fence=fence,
        replica_places=places,
    )
    opening = _furnished(opening, options, clock, randomness)
    return await begin_turn(lease, opening if understudy is None else _after(understudy.end(leads=True), opening))


async def _after(first: Awaitable[None], then: Awaitable[Environment]) -> Environment:
    await first
    return await then


async def _next_to_lead(
    options: ServeOptions,
    consensus: Consensus,
    blob: Blob,
    clock: Clock,
    randomness: Randomness,
    look: Callable[[], Awaitable[None]],
    lost: int,
    port: int,
    places: ReplicaProcesses,
) -> tuple[Fence, Understudy]:
    """Stands by until nobody leads, or until promoted; returns the raised fence, and the understudy, still to be
    ended."""
    address = f"{options.host_and_port[0]}:{port}"
    # Containers that listen on 0.0.0.0 all have one address, and often one id of the process.
    candidate = PromotableStandby(f"{address}/{socket.gethostname()}/{os.getpid()}")

    record = StandbyRecord(address=address, pid=os.getpid(), ready=True, message="")
    understudy = Understudy(options, consensus, blob, clock, randomness, places, candidate, record)

    def promote() -> None:
        log.info("this standby is to lead", standby=candidate.name)
        understudy.promote()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, promote)
    presence = StandbyPresence(consensus, clock, candidate.name, understudy.record, understudy.said)
    presence.begin()
    log.info("this standby would lead at once", standby=candidate.name)
    following = asyncio.create_task(understudy.run(), name="understudy")
    taking = asyncio.create_task(
        take_over(consensus, clock, randomness, options.lease_ms, look, lost=lost, candidate=candidate)
    )
    leads = False
    try:
        await asyncio.wait({following, taking}, return_when=asyncio.FIRST_COMPLETED)
        if not taking.done():
            await following
        fence = await taking
        leads = True
    finally:
        following.cancel()
        taking.cancel()
        await asyncio.gather(following, taking, return_exceptions=True)
        loop.add_signal_handler(signal.SIGUSR1, lambda: None)
        await presence.end()
        if not leads:
            await understudy.end(leads=False)
    return fence, understudy


async def _furnished(
    opening: Awaitable[Environment], options: ServeOptions, clock: Clock, randomness: Randomness
) -> Environment:
    """Gives the environment what lies in the data directory, and the log of statements."""
    environment = await opening
    environment.outside.unfinished = UnfinishedPaths(options.data_dir.absolute() / "unfinished", randomness)
    # What an earlier server left is nobody's now that this one has taken its data over.
    await asyncio.to_thread(environment.outside.unfinished.sweep)
    environment.observed.statement_log = StatementLog(clock, options.statement_log)
    environment.outside.uploads = UnfinishedUploads(options.data_dir.absolute() / "uploads", randomness)
    return environment


async def _left_uploads(environment: Environment) -> LeftUploads:
    """Finds uploads that an earlier server left, before this one begins any."""
    left = await asyncio.to_thread(environment.outside.uploads.left)
    probes = environment.clock, environment.outside.keyring, environment.outside.probes
    return LeftUploads(environment.outside.uploads, left, *probes, lambda: environment.catalog.state)


def _tell_defect(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("what an earlier server has uploaded could not be aborted", exc_info=error)


async def _authentication(options: ServeOptions, environment: Environment, entrance: Entrance) -> AuthenticationPolicy:
    """Returns how passwords are checked; makes a password when none was given."""
    password, given = entrance.password, bool(entrance.password)
    if not password:
        port = entrance.sockets[0].getsockname()[1]
        role = environment.catalog.state.roles[SUPERUSER_OID].name
        password = await asyncio.to_thread(made_password, options, port, role, environment.randomness)
        remember([password])
        told = (
            "NOTICE: no password is set: this Unix user comes in from this machine, others by the password in the file"
        )
        log.info(told, file=str(options.pass_file))
    return AuthenticationPolicy(Verifier.of(password, environment.randomness), given)


def _wire_server(options: ServeOptions, entrance: Entrance) -> WireServer:
    """Returns a server that refuses everybody, and does not listen yet."""
    most = options.max_connections
    reserved = min(_RESERVED_CONNECTIONS, most // 2)
    connection = refusing_options(options, entrance)
    wire = ServerOptions(connections_max=most, superusers_reserved=reserved, connection=connection)
    return WireServer(StandingBy(), wire)


def _connection_options(
    options: ServeOptions, entrance: Entrance, gate: Gate, policy: AuthenticationPolicy
) -> ConnectionOptions:
    return replace(refusing_options(options, entrance), gate=gate, authentication=policy)


async def _listen_http(options: ServeOptions, entrance: Entrance) -> tuple[HttpServer, Routes]:
    """Begins to answer that the process lives, and that the server is not ready."""
    routes = Routes(_UNREADY)
    server = HttpServer(routes, options.http_limits)
    await server.start(entrance.for_http, entrance.tls)
    return server, routes


def _route(
    routes: Routes, options: ServeOptions, environment: Environment, asked: Mapping[str, RequestHandler]
) -> None:
    """Has everything answered over HTTP."""
    ready = Readyz(lambda: not any(task.done() for task in environment.tasks))
    webhooks = WebhookReceiver(environment, options.http_limits)
    routes.replace({LIVEZ: Livez(), READYZ: ready, PREFIX: webhooks, **asked})


def _tell_place(options: ServeOptions, environment: Environment, entrance: Entrance, server: HttpServer) -> None:
    """Tells in the log, and in the URLs of webhook sources, where the server is reached over HTTP."""
    place = options.http_host_and_port
    if place is not None and entrance.for_http:
        host = f"[{place[0]}]" if ":" in place[0] else place[0]
        environment.options.webhooks_at = f"{'http' if entrance.tls is None else 'https'}://{host}:{server.port}"
        log.info("the console is open, and SQL is taken over HTTP", at=environment.options.webhooks_at)


async def _until_stopped(options: ServeOptions, turn: TurnOfLeading, stopping: asyncio.Event) -> int:
    """Waits for a signal, for a standby that is to lead, or for a task to end: because of a fence, or a defect."""
    waiters = {asyncio.create_task(stopping.wait()), asyncio.create_task(turn.lease.asked.wait())}
    done, _ = await asyncio.wait({*waiters, *turn.environment.tasks}, return_when=asyncio.FIRST_COMPLETED)
    for waiter in waiters:
        waiter.cancel()
    for task in done - waiters:
        # Whoever looks at the fence first ends: group commit by raising, maintenance by returning.
        error = task.exception() or Fenced()
        if isinstance(error, Fenced):
            return _fenced(options, error)
        log.error("the server can't go on", task=task.get_name(), exc_info=error)
        told = redacted(f"headwater: {task.get_name()} failed, and the server with it: {_sentence(error)}")
        print(told, file=sys.stderr)
        return _EXIT_FAILED
    if turn.lease.asked.is_set() and not stopping.is_set():
        told = "this one stands by" if options.standby else "this one ends"
        print(f"headwater: gives way: a standby is to lead; {told}", file=sys.stderr, flush=True)
        return _GAVE_WAY
    return 0


def _fenced(options: ServeOptions, error: Fenced) -> int:
    """Tells that another server leads, and whether this one ends."""
    told = "another server has taken over this data; this one stands by" if options.standby else error.message
    print(f"headwater: fenced: {told}", file=sys.stderr, flush=True)
    return _EXIT_FENCED


def _sentence(error: BaseException) -> str:
    return error.message if isinstance(error, SqlError) else f"{type(error).__name__}: {error}"
