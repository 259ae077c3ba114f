"""Makes the class cache: starts Spark like a replica, runs the first queries, and ends the JVM."""

from __future__ import annotations

import tempfile
from pathlib import Path

from compute.spark.class_cache import cache_file
from compute.spark.java import java_from_environment
from compute.spark.session import SparkOptions, start_session, stop_session, warm_up_large

_WRITTEN_S = 900.0


def train() -> Path | None:
    """Returns the cache's file, made in a minute or two if missing; None for a Java too old for caches.

    RuntimeError when the JVM wrote no cache; raises OSError without a place for it.
    """
    file = cache_file(java_from_environment())
    if file is None or file.exists():
        return file
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="headwater-training-", dir=file.parent) as directory:
        app_dir, target = Path(directory) / "spark", Path(directory) / "classes.aot"
        session = start_session(SparkOptions(app_dir, log_path=Path(directory) / "log", trained=target))
        warm_up_large(session, app_dir)
        stop_session(session, patience_s=_WRITTEN_S)
        if not target.exists():
            raise RuntimeError(f"Java wrote no cache to {target}")
        target.replace(file)
    installation = file.name.rpartition("-")[0]
    for other in file.parent.glob(f"{installation}-*.aot"):
        if other != file:
            other.unlink()
    return file
