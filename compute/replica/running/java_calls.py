"""The threads of Java that work for threads of this process: their calls, their processor time, their interruption.

py4j gives each thread here a thread of its own in the JVM, for as long as the connection lasts.
"""

from __future__ import annotations

import re
import sys
import threading
from dataclasses import dataclass
from typing import Any, Protocol

from py4j.protocol import Py4JError
from pyspark import SparkContext

from compute.processes import stat_of
from compute.replica.running.standstill import Worked
from compute.spark.progress import has_jobs

_THREAD = re.compile(r"/task/(\d+)$")
_FRAMES_TOLD = 8


@dataclass(frozen=True, slots=True)
class CallingThread:
    """A thread of this process.

    `ident`: Python's number of the thread.
    `tag`: the tag of its jobs.
    `java`: the thread of Java that works for it.
    `number`: the system's number of the thread of Java, if known.
    """

    ident: int
    tag: str
    java: Any
    number: int | None


class JavaCalls(Protocol):
    """Questions about threads inside Java, and actions on them. All but `call` may block as long as Java does."""

    def call(self, thread: CallingThread) -> object | None:
        """Returns the call in which the thread waits for Java's answer; another object for another call."""
        ...

    def worked(self, thread: CallingThread) -> Worked:
        """Returns the processor time of the thread of Java, and of all threads of Java."""
        ...

    def has_jobs(self, thread: CallingThread) -> bool:
        """Returns whether a job started by the thread is under way."""
        ...

    def cancel_jobs(self, thread: CallingThread) -> None: ...

    def interrupt(self, thread: CallingThread) -> None:
        """Interrupts Java's thread: waits end, and so does code that checks for interruption."""
        ...

    def calm(self, thread: CallingThread) -> None:
        """Clears an interrupt that nothing has seen. Called by the thread itself."""
        ...

    def place(self, thread: CallingThread) -> str:
        """Returns the thread's place in Java, for people."""
        ...

    def end(self) -> None:
        """Ends the JVM."""
        ...


class SparkCalls:
    """JavaCalls of the JVM that runs Spark."""

    def __init__(self, context: SparkContext) -> None:
        self._context = context
        gateway: Any = context._gateway
        self._process = gateway.proc
        self._jvm: Any = context._jvm

    def here(self, tag: str) -> CallingThread:
        """Returns the calling thread, whose jobs have the tag."""
        found = _THREAD.search(str(self._jvm.java.io.File("/proc/thread-self").getCanonicalPath()))
        thread = self._jvm.java.lang.Thread.currentThread()
        return CallingThread(threading.get_ident(), tag, thread, int(found[1]) if found else None)

    def call(self, thread: CallingThread) -> object | None:
        frame = sys._current_frames().get(thread.ident)
        call = None
        while frame is not None:
            if str(frame.f_globals.get("__name__")).startswith("py4j."):
                call = frame
            frame = frame.f_back
        return call

    def worked(self, thread: CallingThread) -> Worked:
        pid = self._process.pid
        own = None if thread.number is None else stat_of(pid, thread.number)
        all_ = stat_of(pid)
        return Worked(None if own is None else own.processor_s, None if all_ is None else all_.processor_s)

    def has_jobs(self, thread: CallingThread) -> bool:
        return has_jobs(self._context, thread.tag)

    def cancel_jobs(self, thread: CallingThread) -> None:
        self._context.cancelJobsWithTag(thread.tag)

    def interrupt(self, thread: CallingThread) -> None:
        thread.java.interrupt()

    def calm(self, thread: CallingThread) -> None:
        try:
            self._jvm.java.lang.Thread.interrupted()
            # A job that it was about to wait for goes on by itself.
            self._context.cancelJobsWithTag(thread.tag)
        except (Py4JError, OSError):
            # The JVM has ended, and its threads with it.
            return

    def place(self, thread: CallingThread) -> str:
        frames = thread.java.getStackTrace()
        return " < ".join(str(frames[at].toString()) for at in range(min(_FRAMES_TOLD, len(frames))))

    def end(self) -> None:
        self._process.kill()
