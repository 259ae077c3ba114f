"""`python -m tests.forking.shown FILE`: writes what a process finds of itself, and ends with 7. With `child` before the
file it starts another that does so, and waits for it; with `wait`, it waits for ever.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil

from model.process.children import own_environment, python_module

MODULE = "tests.forking.shown"
STACK_BYTES = 5 << 20
"""What a process that starts another has as its stack then."""


def found() -> dict[str, Any]:
    process = psutil.Process()
    return {
        "pid": os.getpid(),
        "parent": os.getppid(),
        "name": __name__,
        "arguments": sys.argv[1:],
        "command": process.cmdline()[:5],
        "environment": dict(os.environ),
        "cwd": os.getcwd(),
        "leads": os.getsid(0) == os.getpid(),
        "threads": process.num_threads(),
        "stack": resource.getrlimit(resource.RLIMIT_STACK)[0],
        "open": sorted(each.fd for each in process.open_files()),
    }


def main(arguments: list[str]) -> None:
    if arguments[0] == "wait":
        print("waits", flush=True)
        signal.pause()
    if arguments[0] != "child":
        print(sys.stdin.readline(), end="")
        Path(arguments[0]).write_text(json.dumps(found()))
        sys.exit(7)
    for each in arguments[1:]:
        environment = {**own_environment(), "TOLD": each}
        os.umask(0o077)
        resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, resource.getrlimit(resource.RLIMIT_STACK)[1]))
        child = subprocess.Popen(
            [*python_module(MODULE), each],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        assert child.communicate(b"heard\n")[0] == b"heard\n"
        assert child.returncode == 7


if __name__ == "__main__":
    main(sys.argv[1:])
