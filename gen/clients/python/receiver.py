"""Receives webhooks on a free port of this machine."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import NamedTuple

from httpx import Headers


class Webhook(NamedTuple):
    """A received webhook with its raw body, which the signatures are computed from."""

    headers: Headers
    body: bytes


class Receiver:
    def __init__(self) -> None:
        webhooks: Queue[Webhook] = Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                webhooks.put(Webhook(Headers(self.headers.items()), body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Disables logging: the programs print what they receive."""

        self._webhooks = webhooks
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hooks"

    def __enter__(self) -> "Receiver":
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next(self) -> Webhook:
        """Returns the next webhook; raises queue.Empty if none arrives within 30 seconds."""
        return self._webhooks.get(timeout=30)
