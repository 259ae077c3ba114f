"""`python -m compute.replica`: a replica process, as the environment starts it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from compute.controller.process import SECRET_VARIABLE
from compute.replica.main import ReplicaOptions, run
from compute.spark.session import default_master


def options_from(arguments: list[str]) -> ReplicaOptions:
    """The options that a command line gives; the secret comes from the environment, where `ps` does not show it."""
    parser = argparse.ArgumentParser(prog="headwater replica", description="Run queries for an environment.")
    parser.add_argument("--listen", required=True, help="unix:/path or host:port")
    parser.add_argument("--data-dir", required=True, type=Path, help="for files that may be lost")
    parser.add_argument("--master", default=default_master(), help="Spark's master, such as spark://host:7077")
    parser.add_argument("--memory", default="2g", help="the Spark driver's heap")
    parser.add_argument("--executor-memory", default="1g", help="each executor's heap, on a cluster")
    parser.add_argument("--wait", default=60.0, type=float, help="seconds to wait for an environment before ending")
    given = parser.parse_args(arguments)
    return ReplicaOptions(
        listen=given.listen,
        data_dir=given.data_dir,
        master=given.master,
        memory=given.memory,
        executor_memory=given.executor_memory,
        wait_s=given.wait,
        secret=os.environ.get(SECRET_VARIABLE, ""),
    )


if __name__ == "__main__":
    sys.exit(run(options_from(sys.argv[1:])))
