"""A replica process that listens and does nothing more: tests of how processes are found and ended need no Spark."""

from __future__ import annotations

import asyncio
import signal
import sys

from compute.replica.process.options import options_from, settled


async def _listen(path: str) -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)

    async def read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1 << 16):
            pass
        writer.close()

    async with await asyncio.start_unix_server(read, path):
        await ended.wait()


if __name__ == "__main__":
    asyncio.run(_listen(settled(options_from(sys.argv[1:])).listen.removeprefix("unix:")))
