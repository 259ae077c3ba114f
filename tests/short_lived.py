"""What makes processes of tests cheap to start, of which there are hundreds, each for some seconds.

A JVM compiles what runs often a second time, and takes long over it. That pays after minutes; in tests servers are
started, killed and started again, and each query is new. Without the second time they take three quarters of the
processor, and new queries on one session little over half.

A Python that may not keep what it has compiled, as images of containers have it, compiles Headwater in each process
anew: two seconds for a server, and as much again for its replica and for its nursery.

A JVM fills the heap that it may have before it looks for what is garbage in it. A process of tests has up to three of
them at a time, and there are as many such processes as fit into memory: a heap of 1 GB holds what tests ask.

A server that has just started tries queries that somebody may ask: five seconds of the processor, as much as it takes
to start Spark. In tests most of those that would gain by it are killed before.
"""

from __future__ import annotations

import os
import sys

_JAVA = "JDK_JAVA_OPTIONS"
_PLAINLY = "-XX:TieredStopAtLevel=1"
_ROOM = "-XX:ReservedCodeCacheSize=240m"
"""What a JVM has for compiled code if it compiles twice; else it would have a fifth, which hours of queries fill."""


def compile_plainly() -> None:
    """For every JVM that this process and those that it starts will start; what JDK_JAVA_OPTIONS holds goes before."""
    held = os.environ.get(_JAVA, "")
    if _PLAINLY not in held.split():
        # Of two options that contradict each other a JVM follows the last.
        os.environ[_JAVA] = f"{_PLAINLY} {_ROOM} {held}".strip()


def start_cold() -> None:
    """For every server that this process and those that it starts will start."""
    os.environ["HEADWATER_WARM_UP"] = "false"


def keep_heaps_small() -> None:
    """For every server that this process and those that it starts will start, unless it is told otherwise."""
    os.environ["HEADWATER_REPLICA_MEMORY"] = "1g"


def keep_bytecode() -> None:
    """This process and those that it starts write what they have compiled beside the code, as Python does by itself."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
