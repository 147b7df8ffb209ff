"""A service under test for HTTP targets: a server in this process, scripted by functions, that notes what it was sent."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Call:
    """A request as the server got it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def form(self) -> dict[str, tuple[str | None, bytes]]:
        """The parts of a multipart form, by name: the file's name and the content."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        message: Any = BytesParser(policy=HTTP).parsebytes(head + self.body)
        return {
            part.get_param("name", header="content-disposition"): (part.get_filename(), part.get_payload(decode=True))
            for part in message.iter_parts()
        }


@dataclass
class Reply:
    value: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Instead of the value as JSON."""
    fault: str = ""
    """reset, drip, truncated or endless"""
    delay: float = 0.0


@dataclass
class Service:
    url: str
    calls: list[Call]
    reply: Callable[[Call], Reply]
    under_way: int = 0
    most_under_way: int = 0


@contextmanager
def serve(reply: Callable[[Call], Reply]) -> Iterator[Service]:
    service = Service("", [], reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: Any) -> None:
            pass

        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            call = Call(self.command, self.path, headers, self.rfile.read(length))
            with lock:
                service.calls.append(call)
                service.under_way += 1
                service.most_under_way = max(service.most_under_way, service.under_way)
                said = service.reply(call)
            time.sleep(said.delay)
            with lock:
                service.under_way -= 1
            _write(self, said)

        do_GET = do_POST = do_PUT = do_PATCH = _serve  # noqa: N815  the names that the server looks up

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            pass

    lock = threading.Lock()
    server = Server(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _write(handler: BaseHTTPRequestHandler, said: Reply) -> None:
    text = said.body if said.body is not None else json.dumps(said.value).encode()
    try:
        if said.fault == "reset":
            handler.connection.shutdown(2)
            handler.close_connection = True
            return
        handler.send_response(said.status)
        for name, value in ({"Content-Type": "application/json"} | said.headers).items():
            handler.send_header(name, value)
        endless = said.fault in ("drip", "endless")
        handler.send_header("Content-Length", str(10**12 if endless else len(text)))
        handler.end_headers()
        if said.fault == "truncated":
            text = text[: len(text) // 2]
            handler.close_connection = True
        handler.wfile.write(text)
        while endless:
            handler.wfile.write(b" " * (1 if said.fault == "drip" else 2**20))
            time.sleep(0.01 if said.fault == "drip" else 0)
    except OSError:
        handler.close_connection = True
