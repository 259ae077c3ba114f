"""A JVM that is stuck ends all the same when the process that started it has been killed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

_STUCK = """
import sys, time
from pathlib import Path
from compute.spark.launch import await_jvm, begin_jvm, connect_gateway
from compute.spark.orphan import end_with_this_process

started = await_jvm(begin_jvm(Path(sys.argv[1]), "256m", None))
gateway = connect_gateway(started)
end_with_this_process(gateway)
jvm = gateway.jvm
compiler = jvm.org.codehaus.janino.SimpleCompiler()
compiler.cook("public class Stuck extends Thread { public void run() { while (true) { Thread.yield(); } } }")
hook = compiler.getClassLoader().loadClass("Stuck").getConstructors()[0].newInstance(None)
jvm.java.lang.Runtime.getRuntime().addShutdownHook(hook)
print(started.process.pid, flush=True)
time.sleep(3600)
"""
_LONG_ENOUGH_S = 120.0


@pytest.mark.spark
def test_a_stuck_jvm_ends_after_its_parent_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", _STUCK, str(tmp_path)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    jvm = int(parent.stdout.readline())
    watched = os.pidfd_open(jvm)
    try:
        parent.kill()
        parent.wait()
        ended, _, _ = select.select([watched], [], [], _LONG_ENOUGH_S)
        assert ended, "the JVM goes on"
    finally:
        parent.stdout.close()
        if not select.select([watched], [], [], 0)[0]:
            os.kill(jvm, signal.SIGKILL)
        os.close(watched)
