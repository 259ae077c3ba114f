"""SELECT 1: how often the wire, the session and the plan cache go round in a second."""

from __future__ import annotations

import asyncio
import time

import asyncpg
import uvloop

from benchmarks.report import Measure

CONNECTIONS = 16


def measure_round_trips(url: str, seconds: float) -> list[Measure]:
    return [
        Measure("SELECT 1, simple, 16 connections", uvloop.run(_rate(url, seconds, prepared=False)), "/s", 2_000),
        Measure("SELECT 1, prepared, 16 connections", uvloop.run(_rate(url, seconds, prepared=True)), "/s", 2_000),
    ]


async def _rate(url: str, seconds: float, *, prepared: bool) -> float:
    connections = [await asyncpg.connect(url) for _ in range(CONNECTIONS)]
    statements = [await connection.prepare("SELECT 1") for connection in connections]
    end = time.monotonic() + seconds

    async def work(index: int) -> int:
        done = 0
        while time.monotonic() < end:
            if prepared:
                await statements[index].fetchval()
            else:
                await connections[index].execute("SELECT 1")
            done += 1
        return done

    began = time.monotonic()
    counts = await asyncio.gather(*(work(index) for index in range(CONNECTIONS)))
    rate = sum(counts) / (time.monotonic() - began)
    for connection in connections:
        await connection.close()
    return rate
