"""Spark's planner applies its rules round after round, and never looks whether anybody still wants the plan.

A rule of ours among them does: it raises when its thread was interrupted. What goes on and on within one rule is not
ended by that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession


def plan_interruptibly(session: SparkSession) -> None:
    """The sessions that are cloned from this one from now on end planning, with an exception, when their thread in Java
    is interrupted."""
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
