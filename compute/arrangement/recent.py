"""What an arrangement held lately, and what has come since: so that reads of all of it need not add up its history.

An arrangement keeps its history from its since on, which may be minutes ago; who reads all of it mostly asks for now.
So such a read leaves what it has found in a spine of its own, whose since is close behind the time of the read. What is
sealed later goes to both spines. The second one's since follows the reads, and its merges add up what lies before it:
a read costs what is there and what has come of late, however long the history.

    arrangement   since ────────────────── history ───────────────────▶ upper
    recent                                          since ── changes ──▶ upper

A read of a time before the second since goes over the whole arrangement. What is kept has at most
half as many updates as the arrangement, and no more than BYTES_MAX; what would be more is let go, and tried again when
there is twice as much.
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
    """Of one arrangement, whose lock is held by whoever calls anything but `build`."""

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
        """What a read of all at `as_of` is to add up; None when nothing is kept that has it."""
        if self._spine is None or as_of < self._since:
            return None
        self._since = max(self._since, as_of - LAG)
        return self._spine.batches

    def begin(self, rows: int) -> bool:
        """Whether the caller, a read of an arrangement of so many updates, is to `build` and then `keep` or `give_up`.
        What is appended until then is not lost."""
        if self._spine is not None or self._missed is not None or rows < self._worth_from:
            return False
        self._missed = []
        return True

    def build(self, batches: Sequence[ArrangementBatch], as_of: int, chunk_rows: int) -> ArrangementBatch | None:
        """The batches with the times before `as_of` added up; None when that is too much to be kept."""
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
        """What `build` gave of an arrangement of so many updates."""
        if built is None:
            self._worth_from = 2 * rows
        else:
            self._since = as_of - LAG
            self._spine = Spine(self._layout, None, (built,) if built.rows else ())
            self._spine.append(self._missed or (), self._since, None)
        self._missed = None

    def give_up(self) -> None:
        """`build` has failed."""
        self._missed = None

    def append(self, batches: Sequence[ArrangementBatch], dropped_below: int | None, rows: int) -> None:
        """These are sealed now; the arrangement has so many updates in all."""
        if self._missed is not None:
            self._missed += batches
        if self._spine is None:
            return
        self._spine.append(batches, self._since, dropped_below)
        kept = sum(batch.rows for batch in self._spine.batches)
        if SHARE * kept > max(rows, ROWS_MIN) or self.bytes > BYTES_MAX:
            self._spine = None
