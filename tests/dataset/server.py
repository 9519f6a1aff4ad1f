"""A local stand-in for raw.githubusercontent.com that serves small files and fails on request."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Move = str | int
"""`serve`; `whole` (no Range support); `cut` (half of what is left, then the connection ends); `shift` (another range
than the one asked for); `close` (no reply); or a status."""


@dataclass
class Server:
    """`moves` are made in order, one per request; the last one is repeated. `asked` holds path and Range of each."""

    files: Mapping[str, bytes]
    moves: list[Move] = field(default_factory=lambda: ["serve"])
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    address: str = ""

    @property
    def ranges(self) -> list[str | None]:
        return [asked for _, asked in self.asked]

    def move(self) -> Move:
        return self.moves.pop(0) if len(self.moves) > 1 else self.moves[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Server

    def do_GET(self) -> None:
        ranged = self.headers.get("Range")
        self.script.asked.append((self.path, ranged))
        move = self.script.move()
        content = self.script.files.get(self.path)
        if move == "close":
            self.close_connection = True
        elif isinstance(move, int) or content is None:
            self.send_error(move if isinstance(move, int) else 404)
        else:
            self._send(content, move, ranged)

    def _send(self, content: bytes, move: str, ranged: str | None) -> None:
        found = None if move == "whole" else re.fullmatch(r"bytes=(\d+)-", ranged or "")
        start = int(found[1]) if found else 0
        if start and start >= len(content):
            self.send_error(416)
            return
        if found and move == "shift":
            start -= 1
        body = content[start:]
        self.send_response(206 if found else 200)
        if found:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if move == "cut" else body)
        if move == "cut":
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[Server]:
    script = Server(files)
    handler = type("Handler", (_Handler,), {"script": script})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        http.daemon_threads = True
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        script.address = f"http://127.0.0.1:{http.server_address[1]}"
        yield script
        http.shutdown()
        thread.join()
