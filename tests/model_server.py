"""A model that does as it is told: an OpenAI-compatible endpoint in a process of its own, scripted over HTTP.

PUT /script takes rules `{"when": text, "do": [step, ...]}`: a request whose body holds the text takes the rule's next
step, and its last one for ever. A step may set `status`, `headers`, `json`, `text`, `score`, `answer`, and `fault`:
"reset", "drip", "truncated"; with `gather` it waits until so many requests have been under way at once.
GET /requests tells what came in.
"""

import json
import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOCK = threading.Lock()
GATHERED = threading.Condition(LOCK)
RULES: list[dict[str, Any]] = []
SEEN: list[dict[str, Any]] = []
UNDER_WAY = [0, 0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits 40 ms for its head to be acknowledged

    def log_message(self, *_: Any) -> None:
        pass

    def do_PUT(self) -> None:
        with LOCK:
            RULES[:] = json.loads(self._body())
        self._send(200, {}, b"{}")

    def do_GET(self) -> None:
        with LOCK:
            text = json.dumps({"requests": SEEN, "most_under_way": UNDER_WAY[1]}).encode()
        self._send(200, {}, text)

    def do_POST(self) -> None:
        text = self._body().decode()
        with LOCK:
            UNDER_WAY[0] += 1
            UNDER_WAY[1] = max(UNDER_WAY)
            GATHERED.notify_all()
            step = _step(text)
            body = json.loads(text)
            SEEN.append({"path": self.path, "body": body, "authorization": self.headers.get("Authorization")})
        try:
            self._play(step, body)
        finally:
            with LOCK:
                UNDER_WAY[0] -= 1

    def _play(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        time.sleep(step.get("delay", 0))
        with GATHERED:
            GATHERED.wait_for(lambda: UNDER_WAY[1] >= step.get("gather", 0), timeout=10)
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


def _step(text: str) -> dict[str, Any]:
    for rule in RULES:
        if rule["when"] in text:
            steps: list[dict[str, Any]] = rule["do"]
            return steps.pop(0) if len(steps) > 1 else steps[0]
    return {}


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
