"""What a server stands on: its address, its data directory, consensus and blob. Checked before anything is changed."""

from __future__ import annotations

import errno
import os
import socket
import tempfile

import structlog

from model.clock import Clock
from server.options import ServeOptions
from server.pgwire.server import bind
from storage.persist.location import Blob, Consensus, Indeterminate
from storage.persist.open import open_blob, open_consensus
from storage.persist.retry import retried

log = structlog.get_logger()

_NO_KEY = "reachable"


class CannotStart(Exception):
    """One of the options can't be had; the message is for the user."""


def password_of(options: ServeOptions) -> str | None:
    """What clients from elsewhere are asked for; CannotStart when its file can't be read, or is empty."""
    try:
        password = options.asked_password
    except OSError as error:
        raise CannotStart(f"cannot read the password file {options.password_file}: {_reason(error)}") from error
    if options.password_file is not None and not password:
        raise CannotStart(f"the password file {options.password_file} is empty")
    return password


def listening_sockets(options: ServeOptions) -> list[socket.socket]:
    """Sockets on the address to listen on; CannotStart when it is taken, or not ours."""
    try:
        return bind(*options.host_and_port)
    except OSError as error:
        raise CannotStart(f"cannot listen on {options.listen}: {_reason(error)}") from error


async def reached_locations(options: ServeOptions, clock: Clock) -> tuple[Consensus, Blob]:
    """Consensus and blob, once both have answered.

    CannotStart when the data directory or the blob can't be used, SqlError when consensus does not answer for half a
    minute: in a cluster it may start a moment later than we do.
    """
    try:
        options.data_dir.mkdir(parents=True, exist_ok=True)
        options.data_dir.chmod(0o700)
        with tempfile.TemporaryFile(dir=options.data_dir):
            pass
    except OSError as error:
        raise CannotStart(f"cannot write to the data directory {options.data_dir}: {_reason(error)}") from error
    try:
        consensus = open_consensus(options.consensus_url)
    except (OSError, ValueError) as error:
        raise CannotStart(f"cannot open consensus: {_reason(error)}") from error
    await _await_answer(consensus, clock)
    try:
        blob = open_blob(options.blob_url)
        await blob.get(_NO_KEY)
    except (OSError, ValueError) as error:
        raise CannotStart(f"cannot use the blob {options.blob_url}: {_reason(error)}") from error
    return consensus, blob


def _reason(error: OSError | ValueError) -> str:
    match error:
        case socket.gaierror():
            return str(error.strerror)
        case OSError(errno=int() as number) if number != errno.EIO:
            return os.strerror(number)
        case OSError(strerror=str() as told):
            return told
        case _:
            return str(error)


async def _await_answer(consensus: Consensus, clock: Clock) -> None:
    told = False

    async def look() -> None:
        nonlocal told
        try:
            await consensus.head([_NO_KEY])
        except Indeterminate as error:
            if not told:
                log.warning("waiting for consensus", error=str(error))
            told = True
            raise

    await retried(look, clock)
