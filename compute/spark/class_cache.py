"""Spark's classes as a JVM has them once it has loaded them, in a file that the next JVMs map into memory.

Before it answers its first query Spark loads some ten thousand classes from jars, verifies them and runs them
interpreted: most of what a start costs. From version 25 on a JVM that ends can write what it has loaded and how methods
ran (its AOT cache), and one that starts with the same jars and options begins with that. One that doesn't fit, the JVM
passes over by itself.
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
    """Where the cache for this Java and Spark's jars is, or will be; None for a Java that makes none. The first part of
    its name is that of the installation, the second that of what is installed."""
    if java.major < _SINCE:
        return None
    jars = Path(pyspark.__file__).parent / "jars"
    held = [(each.name, each.stat().st_size, each.stat().st_mtime_ns) for each in sorted(jars.glob("*.jar"))]
    release = (java.home / "release").read_text()
    return _home() / f"spark-{_digest(java.home, jars)}-{_digest(release, held)}.aot"


def cache_options(java: Java) -> list[str]:
    """With which a JVM uses the cache, if there is one."""
    file = cache_file(java)
    return [f"-XX:AOTCache={file}", *_QUIET] if file is not None and file.exists() else []


def training_options(target: Path) -> list[str]:
    """With which a JVM writes `target` when it ends."""
    return [f"-XX:AOTCacheOutput={target}", *_QUIET]


def _home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headwater"


def _digest(*told: object) -> str:
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]
