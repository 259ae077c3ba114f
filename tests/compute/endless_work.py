"""A process with a JVM of its own, whose work stays inside Java when it is cancelled, or for longer than it may; it
prints how the JVM ended, and what became of the work.

python -m tests.compute.endless_work DIRECTORY cancelled|planned
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from compute.replica import worker as workers
from compute.spark.session import Profile, SparkOptions, start_session
from model.errors import SqlError


async def _ended(session: SparkSession, *, cancel: bool) -> str:
    gateway: Any = session.sparkContext._gateway
    begun = threading.Event()

    def endless(session: SparkSession, _stop: threading.Event) -> None:
        jvm: Any = session._jvm
        begun.set()
        jvm.java.lang.Thread.sleep(10**9)

    told: list[str] = []
    worker = workers.SparkWorker(session)
    work = worker.run("endless", Profile.SMALL, endless, gave_up=lambda: told.append("given up"))
    task = asyncio.create_task(work)
    await asyncio.to_thread(begun.wait)
    if cancel:
        task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        told.append("cancelled")
    except SqlError as error:
        told.append(error.sqlstate.value)
    return f"{await asyncio.to_thread(gateway.proc.wait)} {' '.join(told)}"


if __name__ == "__main__":
    workers._PATIENCE_S = workers._LOOK_S = 0.5
    workers._PLANNING_S = 1.0
    options = SparkOptions(app_dir=Path(sys.argv[1]), memory="512m", warm=False)
    print(asyncio.run(_ended(start_session(options), cancel=sys.argv[2] == "cancelled")), flush=True)
    # Threads that waited for the JVM would keep the process.
    os._exit(0)
