"""How the JVMs of tests compile: once, and plainly.

A JVM compiles what runs often a second time, and takes long over it. That pays after minutes; a server that a test
starts lives for seconds, and each query that it is asked is new. Without the second time servers that are started,
killed and started again take three quarters of the processor, and new queries on one session little over half.
"""

from __future__ import annotations

import os

_VARIABLE = "JDK_JAVA_OPTIONS"
_PLAINLY = "-XX:TieredStopAtLevel=1"
_ROOM = "-XX:ReservedCodeCacheSize=240m"
"""What a JVM has for compiled code if it compiles twice; else it would have a fifth, which hours of queries fill."""


def compile_plainly() -> None:
    """For every JVM that this process and those that it starts will start; what JDK_JAVA_OPTIONS holds goes before."""
    held = os.environ.get(_VARIABLE, "")
    if _PLAINLY not in held.split():
        # Of two options that contradict each other a JVM follows the last.
        os.environ[_VARIABLE] = f"{_PLAINLY} {_ROOM} {held}".strip()
