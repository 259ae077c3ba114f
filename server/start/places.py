"""What a server stands on: its data directory, consensus and blob, the key of secrets. Checked before anything is
changed."""

from __future__ import annotations

import errno
import os
import socket
import tempfile

import structlog

from model.time.clock import Clock, Randomness
from server.options import ServeOptions
from server.secrets.key_file import make_keys, read_keys
from server.secrets.keyring import Keyring, keys_of
from storage.backup.manifest import MANIFEST_PREFIX
from storage.persist.location import Blob, Consensus, Indeterminate
from storage.persist.open import open_blob, open_consensus
from storage.persist.retry import retried

log = structlog.get_logger()

_NO_KEY = "reachable"


class CannotStart(Exception):
    """Tells the user why the server can't start with the given options."""


def keyring_of(options: ServeOptions, randomness: Randomness) -> Keyring:
    """Returns the keys that encrypt secrets, and makes a key file when there is none. Raises CannotStart when the keys
    can't be read.

    When the default key file can't be made, the server starts without keys: only secrets need them.
    """
    path = options.keys_path
    try:
        if options.secrets_key is not None:
            return Keyring(keys_of(options.secrets_key.get_secret_value()))
        if not path.exists():
            try:
                if make_keys(path, randomness):
                    log.info(
                        "NOTICE: a key for secrets was made; keep a copy, without it they are lost", file=str(path)
                    )
            except OSError as error:
                if options.secrets_key_file is not None:
                    raise
                log.warning("no key for secrets can be made", file=str(path), error=reason_of(error))
                return Keyring((), f"{path} cannot be made: {reason_of(error)}")
        return Keyring(read_keys(path))
    except (OSError, ValueError) as error:
        where = "HEADWATER_SECRETS_KEY" if options.secrets_key is not None else f"the key file {path}"
        raise CannotStart(f"cannot use {where}: {reason_of(error)}") from None


async def reached_locations(options: ServeOptions, clock: Clock) -> tuple[Consensus, Blob]:
    """Returns consensus and blob, once both have answered.

    CannotStart when the data directory or the blob can't be used, or the blob holds backups, whose parts garbage
    collection would delete as parts that it does not know. Raises SqlError when consensus does not answer for half a
    minute: in a cluster it may start a moment later than we do.
    """
    try:
        options.data_dir.mkdir(parents=True, exist_ok=True)
        options.data_dir.chmod(0o700)
        with tempfile.TemporaryFile(dir=options.data_dir):
            pass
    except OSError as error:
        raise CannotStart(f"cannot write to the data directory {options.data_dir}: {reason_of(error)}") from error
    try:
        consensus = open_consensus(options.consensus_url)
    except (OSError, ValueError) as error:
        raise CannotStart(f"cannot open consensus: {reason_of(error)}") from error
    await _await_answer(consensus, clock)
    try:
        blob = open_blob(options.blob_url)
        await blob.get(_NO_KEY)
        backups = await blob.list_keys(MANIFEST_PREFIX)
    except (OSError, ValueError) as error:
        raise CannotStart(f"cannot use the blob {options.blob_url}: {reason_of(error)}") from error
    if backups:
        raise CannotStart(
            f"the blob {options.blob_url} holds backups, and garbage collection would delete their parts: "
            "name another blob, into which headwater restore can restore them"
        )
    return consensus, blob


def reason_of(error: OSError | ValueError) -> str:
    """Returns why, for a user."""
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
