"""A process with a JVM of its own, whose work stays inside Java: what it prints is what became of each piece, whether
its JVM lives, and what was told.

python -m tests.compute.replica.endless_work DIRECTORY cancelled|planned|stuck
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from compute.replica.running.standstill import CallLimits
from compute.replica.running.supervision import STUCK_MAX, SparkWork
from compute.replica.running.worker import SparkWorker
from compute.spark.session import Profile, SparkOptions, start_session
from model.errors.sql_error import SqlError
from model.time.clock import SystemClock

_STUCK = "public class Stuck { public static void run() { while (true) { Thread.onSpinWait(); } } }"


class Endless:
    """Work that waits in Java, as what an interrupt ends does, or works on and on, as the planner may."""

    def __init__(self, session: SparkSession) -> None:
        jvm: Any = session._jvm
        self._jvm = jvm
        self._gateway: Any = session.sparkContext._gateway
        compiler = self._jvm.org.codehaus.janino.SimpleCompiler()
        compiler.cook(_STUCK)
        self._spin = compiler.getClassLoader().loadClass("Stuck").getDeclaredMethods()[0]

    def wait(self, _session: SparkSession, _stop: threading.Event) -> None:
        self._jvm.java.lang.Thread.sleep(10**9)

    def spin(self, _session: SparkSession, _stop: threading.Event) -> None:
        self._spin.invoke(None, self._gateway.new_array(self._jvm.java.lang.Object, 0))


async def _scenario(session: SparkSession, what: str) -> list[str]:
    gateway: Any = session.sparkContext._gateway
    worker, endless, told = SparkWorker(session, SystemClock()), Endless(session), list[str]()
    worker.supervision.ends = told.append
    worker.supervision._limits = CallLimits(own_s=0.2, all_s=10_000.0)

    async def ended(piece: SparkWork, work: Any, *, cancel: bool) -> str:
        task = asyncio.create_task(worker.run(piece, Profile.SMALL, work))
        while piece.thread is None or worker._calls.call(piece.thread) is None:
            await asyncio.sleep(0.01)
        if cancel:
            task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return "cancelled"
        except SqlError as error:
            return error.sqlstate.value
        return "done"

    if what == "cancelled":
        for number in range(20):  # more than there are threads
            told.append(await ended(SparkWork(f"{number}", "statement"), endless.wait, cancel=True))
    elif what == "planned":
        given_up = asyncio.Event()
        piece = SparkWork("a", "statement", gave_up=lambda _: given_up.set())
        task = asyncio.create_task(ended(piece, endless.spin, cancel=False))
        await given_up.wait()
        told.append("given up")
        task.cancel()
    else:
        tasks = [
            asyncio.create_task(ended(SparkWork(f"{number}", f"{number}"), endless.spin, cancel=True))
            for number in range(STUCK_MAX + 1)
        ]
        told.append(str(await asyncio.to_thread(gateway.proc.wait)))
        del tasks
        return told
    count = await worker.run(SparkWork("next", "statement"), Profile.SMALL, lambda session, _: session.range(7).count())
    return [*told, str(count), str(gateway.proc.poll())]


if __name__ == "__main__":
    options = SparkOptions(app_dir=Path(sys.argv[1]), memory="512m", warm=False)
    print("; ".join(asyncio.run(_scenario(start_session(options), sys.argv[2]))), flush=True)
    # Threads that wait for the JVM would keep the process.
    os._exit(0)
