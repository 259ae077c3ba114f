"""A process with a JVM of its own, whose work stays inside Java when it is cancelled; it prints how the JVM ended.

python -m tests.compute.endless_work DIRECTORY
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from compute.replica import worker as workers
from compute.spark.session import Profile, SparkOptions, start_session


async def _cancelled(session: SparkSession) -> int:
    gateway: Any = session.sparkContext._gateway
    begun = threading.Event()

    def endless(session: SparkSession, _stop: threading.Event) -> None:
        jvm: Any = session._jvm
        begun.set()
        jvm.java.lang.Thread.sleep(10**9)

    task = asyncio.create_task(workers.SparkWorker(session).run("endless", Profile.SMALL, endless))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return int(await asyncio.to_thread(gateway.proc.wait))


if __name__ == "__main__":
    workers._PATIENCE_S = 0.5
    options = SparkOptions(app_dir=Path(sys.argv[1]), memory="512m", warm=False)
    print(asyncio.run(_cancelled(start_session(options))), flush=True)
    # Threads that waited for the JVM would keep the process.
    os._exit(0)
