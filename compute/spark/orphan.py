"""Ends a JVM that would outlive the process that started it.

The gateway ends the JVM in good order at the end of its standard input, with hooks that wait for running work. A stuck
JVM would never finish the hooks, so a separate thread watches the parent and halts the JVM.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

_GRACE_S = 5.0
"""How long good order may take."""


def end_with_this_process(gateway: Any) -> None:
    """Ends the gateway's JVM some seconds after this process at the latest, from now on."""
    jvm = gateway.jvm
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(Path(__file__).with_name("ParentWatch.java").read_text())
    class_ = compiler.getClassLoader().loadClass("headwater.ParentWatch")
    (begin,) = [each for each in class_.getDeclaredMethods() if each.getName() == "begin"]
    arguments = gateway.new_array(jvm.java.lang.Object, 2)
    arguments[0] = jvm.java.lang.ProcessHandle.of(os.getpid()).get()
    arguments[1] = int(_GRACE_S * 1000)
    begin.invoke(None, arguments)
