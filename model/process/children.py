"""Makes command lines and environments of the processes that Headwater starts.

Python of our own looks for modules where this code lies and where PYTHONPATH leads, never in the directory that it is
started in: a user's project may have a folder `model` or `server` there. No child has the server's own options
(HEADWATER_…), of which some are secrets.

    subprocess.Popen(python_module("compute.replica"), env=own_environment())
    subprocess.Popen(["./my_connector"], env=program_environment())
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SAFE_PATH = {"PYTHONSAFEPATH": "1"}
"""For Python that others start for us, such as Spark's workers, who give it no -P."""
_OWN_OPTIONS = "HEADWATER_"
_OF_PYSPARK = "PYSPARK_"
"""What PySpark takes from its own process's environment, where a replica has put it."""
_CODE = str(Path(__file__).resolve().parents[2])
_OF_SYSTEM = frozenset(
    ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TZDIR", "TMPDIR", "LD_LIBRARY_PATH")
)
_OF_SYSTEM_BY_PREFIX = ("LC_", "PYTHON")


def python_module(module: str) -> list[str]:
    """Returns the command line that runs a module of this code in another Python process."""
    return [sys.executable, "-P", "-m", module]


def own_environment() -> dict[str, str]:
    """Returns the environment for a process of this code that connects to other systems, as replicas do: everything
    except the server's options."""
    return {**_without_options(), "PYTHONPATH": _python_path()}


def bare_environment() -> dict[str, str]:
    """Returns the environment for a process of this code that connects to nothing: only the variables that the
    system's libraries and Python read."""
    found = {
        name: value for name, value in os.environ.items() if name in _OF_SYSTEM or name.startswith(_OF_SYSTEM_BY_PREFIX)
    }
    return {**found, "PYTHONPATH": _python_path()}


def program_environment() -> dict[str, str]:
    """Returns the environment for a user's program: that with which the server was started, without the server's
    options, and without the additions of `own_environment`."""
    environment = {name: value for name, value in _without_options().items() if not name.startswith(_OF_PYSPARK)}
    path = environment.get("PYTHONPATH", "").split(os.pathsep)
    if path[0] == _CODE:
        environment["PYTHONPATH"] = os.pathsep.join(path[1:])
    if not environment.get("PYTHONPATH"):
        environment.pop("PYTHONPATH", None)
    return environment


def _without_options() -> dict[str, str]:
    # In small letters they are read, too.
    return {name: value for name, value in os.environ.items() if not name.upper().startswith(_OWN_OPTIONS)}


def _python_path() -> str:
    """Returns the path of this code, then the user's; an empty part would stand for the current directory."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join([_CODE, *(part for part in given if part and part != _CODE)])
