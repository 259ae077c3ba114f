"""Files and directories that statements are still writing on this machine, under meaningless names.

    DATA/unfinished/TOKEN  ->  /srv/out/.headwater-TOKEN.pieces

A link exists for each from before its creation until after its removal, so that the next start finds and removes the
leftovers of a killed server. Only names given here are ever removed, whatever a link says.
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
    """The unfinished files. `links` is a directory of this machine and server alone; without it nothing is noted.
    Everything blocks, and is for threads."""

    def __init__(self, links: Path | None, randomness: Randomness) -> None:
        self._links = links
        self._randomness = randomness

    def begin(self, within: Path, kind: str) -> Path:
        """Returns a name in `within` for a file or directory to be made. Raises OSError."""
        token = self._randomness.token()
        path = within.absolute() / f"{_PREFIX}{token}.{kind}"
        if self._links is not None:
            self._links.mkdir(exist_ok=True)
            self._link(self._links, path).symlink_to(path)
        return path

    def end(self, path: Path) -> None:
        """Removes the file, if it still has the name, and its link. Idempotent, and raises nothing."""
        if _removed(path) and self._links is not None:
            with contextlib.suppress(OSError):
                self._link(self._links, path).unlink()

    def sweep(self) -> None:
        """Removes leftovers of an earlier server; no two servers may do so at once. Failures are tried again at the
        next start."""
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
    """Removes a path, and returns whether nothing is left."""
    # Under another name first: a task that was left running must not put a file into it meanwhile.
    ending = path.with_name(f"{path.name}.ending")
    with contextlib.suppress(OSError):
        path.rename(ending)
    with contextlib.suppress(OSError):
        ending.unlink(missing_ok=True)
    shutil.rmtree(ending, ignore_errors=True)
    return not os.path.lexists(path) and not os.path.lexists(ending)
