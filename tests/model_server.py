"""Models that do as they are told: OpenAI-compatible endpoints in a process of their own, scripted over HTTP.

The first part of a path names the endpoint, so that each test has its own: its script and its requests are apart from
those of all others. PUT /name/script takes rules `{"when": text, "do": [step, ...]}`: a request whose body holds the text takes the rule's next
step, and its last one for ever. A step may set `status`, `headers`, `json`, `text`, `score`, `answer`, and `fault`:
"reset", "drip", "truncated"; with `gather` it waits until so many requests have been under way at once.
GET /name/requests tells what came in.
"""

import json
import socket
import struct
import sys
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOCK = threading.Lock()
GATHERED = threading.Condition(LOCK)


@dataclass
class Endpoint:
    rules: list[dict[str, Any]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    def choose_step(self, text: str) -> dict[str, Any]:
        for rule in self.rules:
            if rule["when"] in text:
                steps: list[dict[str, Any]] = rule["do"]
                return steps.pop(0) if len(steps) > 1 else steps[0]
        return {}


ENDPOINTS: defaultdict[str, Endpoint] = defaultdict(Endpoint)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits 40 ms for its head to be acknowledged

    def log_message(self, *_: Any) -> None:
        pass

    def do_PUT(self) -> None:
        rules = json.loads(self._body())
        with LOCK:
            self._find_endpoint()[0].rules = rules
        self._send(200, {}, b"{}")

    def do_GET(self) -> None:
        with LOCK:
            endpoint, _ = self._find_endpoint()
            text = json.dumps({"requests": endpoint.requests, "most_under_way": endpoint.most_under_way}).encode()
        self._send(200, {}, text)

    def do_POST(self) -> None:
        text = self._body().decode()
        with LOCK:
            endpoint, path = self._find_endpoint()
            endpoint.under_way += 1
            endpoint.most_under_way = max(endpoint.most_under_way, endpoint.under_way)
            GATHERED.notify_all()
            step = endpoint.choose_step(text)
            body = json.loads(text)
            endpoint.requests.append({"path": path, "body": body, "authorization": self.headers.get("Authorization")})
        try:
            self._play(step, body, endpoint)
        finally:
            with LOCK:
                endpoint.under_way -= 1

    def _find_endpoint(self) -> tuple[Endpoint, str]:
        _, name, path = self.path.split("/", 2)
        return ENDPOINTS[name], f"/{path}"

    def _play(self, step: dict[str, Any], body: dict[str, Any], endpoint: Endpoint) -> None:
        time.sleep(step.get("delay", 0))
        with GATHERED:
            GATHERED.wait_for(lambda: endpoint.most_under_way >= step.get("gather", 0), timeout=10)
        fault, status, headers = step.get("fault"), step.get("status", 200), dict(step.get("headers", {}))
        if fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        said = step["json"] if "json" in step else _embeddings(body) if "input" in body else _completion(body, step)
        text = step["text"].encode() if "text" in step else json.dumps(said).encode()
        if step.get("echo"):
            text = json.dumps(
                {"error": {"message": f"{step['echo']} {self.headers.get('Authorization')} {body}"}}
            ).encode()
        if fault == "truncated":
            text = text[: len(text) // 2]
        if fault == "drip":
            self._drip(text)
            return
        self._send(status, headers, text)

    def _drip(self, text: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(text) + 10_000))
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.02)
        except OSError:
            self.close_connection = True

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def _send(self, status: int, headers: dict[str, str], text: bytes) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def _completion(body: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    answer = {"score": step.get("score", 0.5)} | ({"reasoning": "so"} if "reasoning" in json.dumps(body) else {})
    content = step.get("content", json.dumps(step.get("answer", answer)))
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return {"choices": [{"message": {"role": "assistant", "content": content}}], "usage": step.get("usage", usage)}


def _embeddings(body: dict[str, Any]) -> dict[str, Any]:
    """Letters counted: texts of the same letters are the same."""
    rows = [
        {"index": index, "embedding": [text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] + [0.25]}
        for index, text in enumerate(body["input"])
    ]
    return {"data": rows[::-1], "usage": {"prompt_tokens": sum(map(len, body["input"])), "total_tokens": 0}}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: Any) -> None:
        pass


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
