"""Starts a replica: its JVM begins first, and boots while Python imports the replica's modules."""

from __future__ import annotations

import contextlib
import sys
from typing import NoReturn

from compute.directory_lock import DirectoryTaken
from compute.replica.process.options import options_from, settled
from compute.spark.session import begin_session


def main(arguments: list[str]) -> NoReturn:
    """Runs a replica as a command line says, and ends the process with its exit code."""
    try:
        options = settled(options_from(arguments))
    except DirectoryTaken as error:
        sys.exit(f"headwater replica: {error}")
    begun = None
    # What keeps Java from starting is said by the replica once it can be asked: it tries again.
    with contextlib.suppress(OSError, RuntimeError):
        begun = begin_session(options.spark)
    from compute.replica.process.main import run

    sys.exit(run(options, begun))
