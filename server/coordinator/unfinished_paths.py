"""What statements write anywhere on this machine, under names that mean nothing, until it is whole.

    DATA/unfinished/TOKEN  ->  /srv/out/.headwater-TOKEN.pieces

A link stands for each from before it is made until after it is gone, so that the next start finds and removes what a
server that was killed has left. Only a name that was given here is ever removed, whatever a link says.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

import structlog

from model.time.clock import Randomness

_LOG = structlog.get_logger()

_PREFIX = ".headwater-"


class UnfinishedPaths:
    """`links` is a directory of this machine's and this server's alone; without it nothing is noted. All of it blocks,
    and is for threads."""

    def __init__(self, links: Path | None, randomness: Randomness) -> None:
        self._links = links
        self._randomness = randomness

    def begin(self, within: Path, kind: str) -> Path:
        """A name in `within` for what is to be made there, file or directory. OSError."""
        token = self._randomness.token()
        path = within.absolute() / f"{_PREFIX}{token}.{kind}"
        if self._links is not None:
            self._links.mkdir(exist_ok=True)
            self._link(self._links, path).symlink_to(path)
        return path

    def end(self, path: Path) -> None:
        """It is gone, if it can be: removed now, or called otherwise. Idempotent, and raises nothing."""
        if _removed(path) and self._links is not None:
            with contextlib.suppress(OSError):
                self._link(self._links, path).unlink()

    def sweep(self) -> None:
        """Removes what an earlier server had no time to, which no other may do at the same time. What can't be removed
        is tried again at the next start."""
        if self._links is None:
            return
        try:
            links = list(self._links.iterdir())
        except FileNotFoundError:
            return
        for link in links:
            with contextlib.suppress(OSError):
                path = Path(os.readlink(link))
                known = path.name.startswith(_PREFIX) and self._link(self._links, path) == link
                if known and not _removed(path):
                    _LOG.warning("what was left unfinished can't be removed", path=str(path))
                    continue
                link.unlink()

    @staticmethod
    def _link(links: Path, path: Path) -> Path:
        return links / path.name.removeprefix(_PREFIX)


def _removed(path: Path) -> bool:
    """Whether nothing is there any more."""
    # Under another name first: a task that was left running must not put a file into it meanwhile.
    ending = path.with_name(f"{path.name}.ending")
    with contextlib.suppress(OSError):
        path.rename(ending)
    with contextlib.suppress(OSError):
        ending.unlink(missing_ok=True)
    shutil.rmtree(ending, ignore_errors=True)
    return not os.path.lexists(path) and not os.path.lexists(ending)
