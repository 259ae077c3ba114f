"""Makes Spark's planner interruptible: it applies rules round after round without checking for cancellation.

A rule of ours checks: it raises when its thread was interrupted. Endless work within a single rule is not ended.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession


def plan_interruptibly(session: SparkSession) -> None:
    """Makes planning in sessions cloned from `session` later raise an exception when their thread in Java is
    interrupted."""
    jvm: Any = session._jvm
    gateway: Any = session.sparkContext._gateway
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(Path(__file__).with_name("Interruptible.java").read_text())
    class_ = compiler.getClassLoader().loadClass("headwater.Interruptible")
    (extend,) = [each for each in class_.getDeclaredMethods() if each.getName() == "extend"]
    arguments = gateway.new_array(jvm.java.lang.Object, 1)
    java: Any = session._jsparkSession
    arguments[0] = java.extensions()
    extend.invoke(None, arguments)
