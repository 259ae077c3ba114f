"""The SparkSession of a process: its settings, its profiles, its first warm queries.

A job is small, large or huge, by the size of its input, and runs in the session of that profile; sessions are clones
that share one SparkContext.

    small   one job of one task: one partition, no broadcasts (each is a job of its own), no adaptive execution, no code
            generation (which costs more than it saves)
    large   the opposite of each, and fewer tasks at once than slots exist, so that a short statement always finds a
            free slot: Spark's fair scheduler does not pre-empt running tasks
    huge    like large, with as many tasks as needed to keep each short and its memory small

Prepared queries are no jobs, but have a session, too: planned like a small job of one task, with code to be generated
for those that run often.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, assert_never

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from compute.spark.collect import RESULTS_SETTING, collect_batches, result_files
from compute.spark.interruptible import plan_interruptibly
from compute.spark.launch import (
    NULLS_LIKE_SPARK,
    STOP_TIMEOUT_S,
    BegunJvm,
    await_jvm,
    begin_jvm,
    connect_gateway,
    stop_jvm,
)
from compute.spark.orphan import end_with_this_process
from model.process.children import SAFE_PATH
from model.time.clock import SystemRandomness

_SLOTS_PER_CORE = 4
SOCKET_DIR = "spark.python.unix.domain.socket.dir"
_SOCKET_DIR_MAX = 55  # a Unix socket's address has 108 bytes at most, 46 of them `tmp`, a name of Spark's and slashes
_POOLS = """\
<?xml version="1.0"?>
<allocations>
  <pool name="small"><schedulingMode>FAIR</schedulingMode><weight>4</weight><minShare>2</minShare></pool>
  <pool name="large"><schedulingMode>FAIR</schedulingMode><weight>2</weight><minShare>1</minShare></pool>
  <pool name="huge"><schedulingMode>FAIR</schedulingMode><weight>1</weight><minShare>0</minShare></pool>
</allocations>
"""


class Profile(StrEnum):
    """The ways to run a job; the value also names the scheduler pool. PREPARED is for queries that run many times
    without a job."""

    SMALL = "small"
    LARGE = "large"
    HUGE = "huge"
    PREPARED = "prepared"


def cores() -> int:
    """Returns the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0))


def default_master() -> str:
    """Returns a master inside this machine, with several slots a core."""
    return f"local[{cores() * _SLOTS_PER_CORE}]"


@dataclass(frozen=True, slots=True)
class SparkOptions:
    """The options of Spark's session. `app_dir` takes Spark's own files; `memory` is the driver's heap; `conf` wins
    over every setting made here. To `trained` the JVM writes a class cache when it ends."""

    app_dir: Path
    master: str = field(default_factory=default_master)
    memory: str = "2g"
    executor_memory: str = "1g"
    name: str = "headwater"
    warm: bool = True
    log_path: Path | None = None
    trained: Path | None = None
    conf: Mapping[str, str] = field(default_factory=dict)


def begin_session(options: SparkOptions) -> BegunJvm:
    """Starts the JVM of a session and does not wait for it. RuntimeError, OSError."""
    options.app_dir.mkdir(parents=True, exist_ok=True)
    log: IO[bytes] | None = options.log_path.open("ab") if options.log_path is not None else None
    try:
        return begin_jvm(options.app_dir, options.memory, log, options.trained)
    finally:
        if log is not None:
            log.close()


def start_session(options: SparkOptions, begun: BegunJvm | None = None) -> SparkSession:
    """Starts a SparkSession in the JVM that was `begun`, or in a new JVM; blocks for some seconds. RuntimeError,
    OSError or TimeoutError on failure.

    The session has the small profile; `profile_sessions` makes one of each. A process has one session at a time.
    """
    jvm = await_jvm(begin_session(options) if begun is None else begun)
    try:
        gateway = connect_gateway(jvm)
        end_with_this_process(gateway)
        context = SparkContext(gateway=gateway, conf=_conf(options))
        session = SparkSession(context)
        plan_interruptibly(session)
        _apply(session, Profile.SMALL)
        result_files(context).end_when_exhausted()
        if options.warm:
            warm_up(session)
    except BaseException:
        stop_jvm(jvm.process)
        raise
    return session


def stop_session(session: SparkSession, patience_s: float = STOP_TIMEOUT_S) -> None:
    """Stops Spark and its JVM, which is killed after `patience_s`; the process may start another session afterwards."""
    context = session.sparkContext
    gateway = context._gateway
    sockets = context.getConf().get(SOCKET_DIR)
    session.stop()
    with contextlib.suppress(OSError):  # it holds something else, too
        Path(str(sockets)).rmdir()
    if gateway is None:
        return
    gateway.shutdown()
    stop_jvm(gateway.proc, patience_s)
    SparkContext._gateway = None
    SparkContext._jvm = None


def profile_sessions(session: SparkSession) -> dict[Profile, SparkSession]:
    """Returns a clone of `session` for each profile."""
    clones = {profile: session.newSession() for profile in Profile}
    for profile, clone in clones.items():
        _apply(clone, profile)
    return clones


def slots(master: str) -> int:
    """Returns the number of tasks that Spark runs at once: from `local[n]` and `local-cluster[workers,cores,…]`,
    else a guess."""
    if master == "local":
        return 1
    numbers = [int(number) for number in re.findall(r"\d+", master.partition("[")[2])]
    if master.startswith("local-cluster"):
        return numbers[0] * numbers[1]
    return numbers[0] if master.startswith("local") and numbers else cores() * _SLOTS_PER_CORE


def range_tasks_max() -> int:
    """Returns the most tasks at once that read ahead for sources: one core is left for bindings and everybody else."""
    return max(2, cores() - 1)


def large_tasks_max() -> int:
    """Returns the most tasks that one large job starts at once."""
    return max(2, cores())


def wide_tasks_max(master: str, executors_cores: Callable[[], int]) -> int:
    """Returns how many tasks of Python work at once for a step: one a core of this machine, if there are slots; where
    executors may be on others, one a core of theirs, which `executors_cores` tells."""
    return min(slots(master), cores()) if master.startswith("local") else max(2, executors_cores())


def _apply(session: SparkSession, profile: Profile) -> None:
    for name, value in _settings(profile).items():
        session.conf.set(name, value)


def _settings(profile: Profile) -> dict[str, str]:
    compiled = {
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.codegen.wholeStage": "true",
        "spark.sql.codegen.factoryMode": "FALLBACK",
    }
    # Rows of a window's group that Spark holds outside its memory, which it counts: 4,096 long texts fill a heap.
    large = {**compiled, "spark.sql.windowExec.buffer.in.memory.threshold": "64"}
    match profile:
        case Profile.SMALL:
            return {
                "spark.sql.codegen.wholeStage": "false",
                "spark.sql.codegen.factoryMode": "NO_CODEGEN",
                **_one_task(),
            }
        case Profile.PREPARED:
            return {**compiled, **_one_task()}
        case Profile.LARGE:
            most = large_tasks_max()
            return {**large, **_partitions(most), "spark.sql.files.maxPartitionNum": str(most)}
        case Profile.HUGE:
            return {**large, **_partitions(2 * cores()), "spark.sql.files.maxPartitionBytes": str(32 << 20)}
        case _:
            assert_never(profile)


def _one_task() -> dict[str, str]:
    return {
        "spark.sql.adaptive.enabled": "false",
        **_partitions(1),
        "spark.sql.files.maxPartitionNum": "1",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
    }


def _partitions(count: int) -> dict[str, str]:
    return {"spark.sql.shuffle.partitions": str(count), "spark.sql.leafNodeDefaultParallelism": str(count)}


def socket_dir(app_dir: Path) -> Path:
    """Returns the directory of sockets between Spark's Java and its Python; RuntimeError for a directory of another
    user.

    Without a Unix socket Spark's Python listens on a port. When `app_dir` has too long a name for a socket, a short
    directory replaces it, the same at each start, so that killed processes leave one at most.
    """
    preferred = app_dir / "tmp"
    if len(os.fsencode(preferred)) <= _SOCKET_DIR_MAX:
        return preferred
    name = hashlib.sha256(os.fsencode(app_dir.resolve())).hexdigest()[:16]
    short = Path(tempfile.gettempdir()) / f"headwater-{name}"
    short.mkdir(mode=0o700, exist_ok=True)
    found = short.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise RuntimeError(f"{short} is not a directory of this user alone, and Spark's sockets would be in it")
    return short


def _authentication(master: str) -> dict[str, str]:
    """Returns settings by which Spark's ports ask for a secret of this process: any user of the machine could
    connect. Another cluster has a secret of its own, or none."""
    if master.startswith("spark://"):
        return {}
    return {"spark.authenticate": "true", "spark.authenticate.secret": SystemRandomness().token()}


def _conf(options: SparkOptions) -> SparkConf:
    results = options.app_dir / "results"
    results.mkdir(exist_ok=True)
    sockets = socket_dir(options.app_dir)
    pools = options.app_dir / "pools.xml"
    pools.write_text(_POOLS)
    settings = {
        "spark.master": options.master,
        "spark.app.name": options.name,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": os.environ.get("SPARK_LOCAL_IP", "127.0.0.1"),
        "spark.driver.bindAddress": os.environ.get("SPARK_LOCAL_IP", "127.0.0.1"),
        "spark.driver.memory": options.memory,
        "spark.driver.maxResultSize": "0",  # results are spooled by the replica, which bounds them itself
        "spark.executor.memory": options.executor_memory,
        **{f"spark.executorEnv.{name}": value for name, value in {**NULLS_LIKE_SPARK, **SAFE_PATH}.items()},
        "spark.executor.heartbeatInterval": "5s",  # tells how far tasks are; at 2s it came before Spark was up
        "spark.buffer.pageSize": "1m",  # by the heap's size it would be 16 to 64 MiB, for each small aggregate and join
        "spark.local.dir": str(options.app_dir / "tmp"),
        "spark.python.unix.domain.socket.enabled": str(len(os.fsencode(sockets)) <= _SOCKET_DIR_MAX).lower(),
        SOCKET_DIR: str(sockets),
        RESULTS_SETTING: str(results),
        "spark.executor.killOnFatalError.depth": "0",  # a task that runs out of memory fails alone
        "spark.sql.warehouse.dir": str(options.app_dir / "spark-warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.scheduler.mode": "FAIR",
        "spark.scheduler.allocation.file": pools.resolve().as_uri(),
        "spark.sql.ansi.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.datetime.java8API.enabled": "true",  # the older classes have no -infinity in filters of files
        "spark.sql.decimalOperations.allowPrecisionLoss": "false",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
        "spark.sql.execution.arrow.maxBytesPerBatch": str(4 << 20),
        # Columns that go to Python as they come are bounded by rows alone: 16384 long texts fill a heap.
        "spark.sql.execution.arrow.pythonUDF.columnarInput.enabled": "false",
        "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
        "spark.hadoop.fs.permissions.umask-mode": "077",  # Hadoop gives its files modes of their own
        "spark.sql.timestampType": "TIMESTAMP_LTZ",
        "spark.sql.caseSensitive": "true",
        # A column that is compared would be one that is not NULL, too. Moved below the projections that compute it, the
        # condition takes their text in place of each column, which doubles with each level: an average has ten.
        "spark.sql.constraintPropagation.enabled": "false",
        # A level of nested calls takes several iterations; the default, 100, ends at thirty sums in a row.
        "spark.sql.analyzer.maxIterations": "10000",
        "spark.sql.parquet.enableVectorizedReader": "true",
        "spark.sql.parquet.filterPushdown": "true",
        "spark.sql.crossJoin.enabled": "true",
        "spark.sql.ui.explainMode": "simple",  # each job's plan is written out for listeners; nobody reads the text
        "spark.sql.ui.retainedExecutions": "10",
        "spark.ui.retainedJobs": "10",
        "spark.ui.retainedStages": "10",
        "spark.ui.retainedTasks": "100",
        "spark.python.worker.reuse": "true",
        "spark.sql.debug.maxToStringFields": "25",
        **_authentication(options.master),
        **options.conf,
    }
    conf = SparkConf(loadDefaults=False)
    for name, value in settings.items():
        conf.set(name, value)
    return conf


def warm_up(session: SparkSession) -> None:
    """Runs a few queries of the common shapes, since the first query of a shape costs seconds.

    Uses both the planner's paths (projection, aggregation, join, sort) and the Arrow path of results.
    """
    for query in (
        "SELECT c0 + 1 AS c0, CAST(c1 AS STRING) AS c1 FROM VALUES (1L, 2), (3L, 4) AS t(c0, c1) WHERE c0 > 0",
        "SELECT c0, count(*) AS c1, sum(c1) AS c2 FROM VALUES (1L, 2), (3L, 4) AS t(c0, c1) GROUP BY c0 ORDER BY c0",
        "SELECT l.c0, r.c1 FROM VALUES (1L, 2) AS l(c0, c1) JOIN VALUES (1L, 5) AS r(c0, c1) ON l.c0 = r.c0",
    ):
        collect_batches(session.sql(query), _ignored)


def warm_up_large(session: SparkSession, directory: Path) -> None:
    """Runs a scan, an aggregation and a join of files in the large profile. Leaves no files."""
    large = profile_sessions(session)[Profile.LARGE]
    large.sparkContext.setLocalProperty("spark.scheduler.pool", Profile.LARGE.value)
    with tempfile.TemporaryDirectory(dir=directory, prefix="warm-") as path:
        rows = large.range(0, 1000, 1, 1).selectExpr("id AS c0", "id % 10 AS c1", "CAST(id AS STRING) AS c2")
        rows.write.mode("overwrite").parquet(path)
        large.read.schema(rows.schema).parquet(path).createOrReplaceTempView("warm")
        try:
            for query in (
                "SELECT c1 AS c0, count(*) AS c1, sum(CAST(c0 AS DECIMAL(38, 0))) AS c2 FROM warm GROUP BY c1",
                "SELECT l.c0, r.c2 AS c1 FROM warm l JOIN warm r ON l.c0 = r.c1 ORDER BY l.c0, r.c2 LIMIT 5",
            ):
                collect_batches(large.sql(query), _ignored)
        finally:
            large.catalog.dropTempView("warm")


def _ignored(_batch: object) -> None:
    return
