"""Keeps Spark's loaded classes in a file that later JVMs map into memory.

Before its first answer Spark loads some ten thousand classes from jars, verifies and interprets them: most of the cost
of a start. From version 25 on, a JVM can write its loaded classes and profiles of methods at its end (the AOT cache),
and a JVM with equal jars and options begins with them. A JVM ignores a cache that does not fit.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pyspark

from compute.spark.java import Java

_SINCE = 25
_QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")
"""What a JVM warns of while it uses a cache is of no use to anybody."""


def cache_file(java: Java) -> Path | None:
    """Returns the path of the cache for this Java and Spark's jars; None for a Java without caches. The name's first
    part identifies the installation, the second its contents."""
    if java.major < _SINCE:
        return None
    jars = Path(pyspark.__file__).parent / "jars"
    held = [(each.name, each.stat().st_size, each.stat().st_mtime_ns) for each in sorted(jars.glob("*.jar"))]
    release = (java.home / "release").read_text()
    return _home() / f"spark-{_digest(java.home, jars)}-{_digest(release, held)}.aot"


def cache_options(java: Java) -> list[str]:
    """Returns the options by which a JVM uses the cache, if the cache exists."""
    file = cache_file(java)
    return [f"-XX:AOTCache={file}", *_QUIET] if file is not None and file.exists() else []


def training_options(target: Path) -> list[str]:
    """Returns the options by which a JVM writes `target` at its end."""
    return [f"-XX:AOTCacheOutput={target}", *_QUIET]


def _home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headwater"


def _digest(*told: object) -> str:
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]
