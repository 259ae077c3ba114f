"""Keeps the contents of recent reads, and the changes since, so that a read of everything need not add up the history.

An arrangement keeps its history from its since on, perhaps minutes; readers of everything mostly ask for now. Such a
read leaves its result in a second spine, whose since is close behind the time of the read. Later batches go to both
spines. The second since follows the reads, and merges add up the updates before it: a read costs the size of the
contents and of recent changes, however long the history.

    arrangement   since ────────────────── history ───────────────────▶ upper
    recent                                          since ── changes ──▶ upper

A read of a time before the second since goes over the whole arrangement. The second spine has at most half as many
updates as the arrangement, and at most BYTES_MAX; a larger one is dropped, and tried again when the arrangement has
doubled.
"""

from __future__ import annotations

from collections.abc import Sequence

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.layout import Layout
from compute.arrangement.spine import Spine
from compute.arrangement.stream import merged

BYTES_MAX = 32 << 20
"""The most that is kept of one arrangement."""
SHARE = 2
"""What is kept has at most one in so many of the arrangement's updates: else the whole is read as well."""
ROWS_MIN = 2048
"""An arrangement of fewer updates is read as quickly by itself."""
LAG = 1000
"""How far the second since stays behind the newest read, in milliseconds: reads beside each other differ by less."""


class Recent:
    """The second spine of one arrangement. The caller holds the arrangement's lock, except in `build`."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._spine: Spine | None = None
        self._since = 0
        self._missed: list[ArrangementBatch] | None = None
        self._worth_from = ROWS_MIN

    @property
    def bytes(self) -> int:
        spine = self._spine  # asked without the lock
        return 0 if spine is None else sum(batch.bytes for batch in spine.batches)

    def batches(self, as_of: int) -> tuple[ArrangementBatch, ...] | None:
        """Returns the batches to add up for a read of everything at `as_of`; None when they are not kept."""
        if self._spine is None or as_of < self._since:
            return None
        self._since = max(self._since, as_of - LAG)
        return self._spine.batches

    def begin(self, rows: int) -> bool:
        """Returns whether the caller, who reads an arrangement of `rows` updates, is to `build` and then `keep` or
        `give_up`. Batches appended meanwhile are not lost."""
        if self._spine is not None or self._missed is not None or rows < self._worth_from:
            return False
        self._missed = []
        return True

    def build(self, batches: Sequence[ArrangementBatch], as_of: int, chunk_rows: int) -> ArrangementBatch | None:
        """Returns the batches with the times before `as_of` added up; None when that is too much to be kept."""
        blocks: list[Block] = []
        rows = size = 0
        most = sum(batch.rows for batch in batches)
        for chunk in merged(batches, self._layout, as_of - LAG, chunk_rows):
            blocks.append(Block.of(chunk))
            rows += chunk.num_rows
            size += blocks[-1].bytes
            if SHARE * rows > most or size > BYTES_MAX:
                return None
        return ArrangementBatch.of(tuple(blocks))

    def keep(self, built: ArrangementBatch | None, as_of: int, rows: int) -> None:
        """Keeps the result of `build` over an arrangement of `rows` updates."""
        if built is None:
            self._worth_from = 2 * rows
        else:
            self._since = as_of - LAG
            self._spine = Spine(self._layout, None, (built,) if built.rows else ())
            self._spine.append(self._missed or (), self._since, None)
        self._missed = None

    def give_up(self) -> None:
        """Gives up a build that has failed."""
        self._missed = None

    def append(self, batches: Sequence[ArrangementBatch], dropped_below: int | None, rows: int) -> None:
        """Appends newly sealed batches; the arrangement has `rows` updates in all."""
        if self._missed is not None:
            self._missed += batches
        if self._spine is None:
            return
        self._spine.append(batches, self._since, dropped_below)
        kept = sum(batch.rows for batch in self._spine.batches)
        if SHARE * kept > max(rows, ROWS_MIN) or self.bytes > BYTES_MAX:
            self._spine = None
