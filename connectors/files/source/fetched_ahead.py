"""Fetches small objects while earlier ones are read: a request takes longer than reading."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future

from connectors.files.source.space import FoundFile

_BYTES_MAX = 8 << 20


class FetchedAhead:
    """Holds at most `most` fetched objects, of at most 8 MiB each, fetched by `fetch` in `threads`. For use by one
    thread."""

    def __init__(self, threads: Executor, most: int, fetch: Callable[[FoundFile], bytes]) -> None:
        self._threads = threads
        self._most = most
        self._fetch = fetch
        self._waiting: deque[FoundFile] = deque()
        self._begun: deque[tuple[FoundFile, Future[bytes]]] = deque()

    def expect(self, files: Iterable[FoundFile]) -> None:
        """Names the objects that will be taken, in order; some may be skipped."""
        for _, future in self._begun:
            future.cancel()
        self._begun.clear()
        self._waiting = deque(file for file in files if file.size <= _BYTES_MAX)
        self._go_on()

    def take(self, file: FoundFile) -> bytes | None:
        """Returns an object's bytes, or raises what fetching it has raised; returns None where it was not expected,
        or was taken already."""
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
