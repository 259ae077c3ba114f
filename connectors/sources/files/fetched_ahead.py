"""Small objects, fetched while those before them are read: asking for one takes longer than reading it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future

from connectors.sources.files.space import FoundFile

_BYTES_MAX = 8 << 20


class FetchedAhead:
    """At most `most` of them, of at most 8 MiB each, by calls of `fetch` in `threads`. For one thread to use."""

    def __init__(self, threads: Executor, most: int, fetch: Callable[[FoundFile], bytes]) -> None:
        self._threads = threads
        self._most = most
        self._fetch = fetch
        self._waiting: deque[FoundFile] = deque()
        self._begun: deque[tuple[FoundFile, Future[bytes]]] = deque()

    def expect(self, files: Iterable[FoundFile]) -> None:
        """These are to be taken, in this order; some may be left out."""
        for _, future in self._begun:
            future.cancel()
        self._begun.clear()
        self._waiting = deque(file for file in files if file.size <= _BYTES_MAX)
        self._go_on()

    def take(self, file: FoundFile) -> bytes | None:
        """The whole of it, and what fetching it has raised; None where it was not expected, or was taken already."""
        if not any(begun == file for begun, _ in self._begun):
            return None
        while True:
            begun, future = self._begun.popleft()
            self._go_on()
            if begun == file:
                return future.result()
            future.cancel()

    def _go_on(self) -> None:
        while self._waiting and len(self._begun) < self._most:
            file = self._waiting.popleft()
            self._begun.append((file, self._threads.submit(self._fetch, file)))
