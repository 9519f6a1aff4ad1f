"""A scripted HTTP server on a free local port, in the place of Tavily."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Literal

Move = bytes | Literal["drop", "hang", "trickle", "break off"]


def reply(body: Any, status: int = 200, **headers: str) -> bytes:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Scripted", f"Content-Length: {len(content)}", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


def found(*items: dict[str, Any]) -> bytes:
    return reply({"query": "q", "results": list(items), "response_time": 0.1})


@dataclass
class Server:
    """`moves` are made in order, one per request; the last one is repeated."""

    moves: list[Move] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    connections: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    arrivals: asyncio.Queue[None] = field(default_factory=asyncio.Queue)
    gate: asyncio.Event | None = None
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    address: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        try:
            while await self._answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(line.split(":")[1] for line in head.lower().split("\r\n") if line.startswith("content-length"))
        self.requests.append(json.loads(await reader.readexactly(int(length))))
        self.headers.append(head)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.arrivals.put_nowait(None)
        if self.gate is not None:
            await self.gate.wait()
        self.in_flight -= 1
        return await self._make(self.moves.pop(0) if len(self.moves) > 1 else self.moves[0], reader, writer)

    async def _make(self, move: Move, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if move == "drop":
            return False
        if move == "hang":
            await reader.read()  # until the client gives up
            return False
        if move == "trickle":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while not reader.at_eof():
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.02)
            return False
        if move == "break off":
            writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"results": [')
            await writer.drain()
            return False
        assert isinstance(move, bytes)
        writer.write(move)
        await writer.drain()
        return True


@asynccontextmanager
async def running(server: Server) -> AsyncIterator[Server]:
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.address = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listener.close()
        for task in server.tasks:
            task.cancel()
        await asyncio.gather(*server.tasks)


@contextmanager
def running_apart(server: Server) -> Iterator[Server]:
    """The server in a loop and thread of its own, for tests that run several loops themselves."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    context = running(server)
    asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
