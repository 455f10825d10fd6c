"""A web server on this machine that gives a model away."""

from __future__ import annotations

import contextlib
import http.server
import threading


class Server:
    """A web server on this machine with one file and many bad habits."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.etag = '"one"'
        self.has_ranges = True
        self.cut_after: int | None = None
        """End each answer early, after so many bytes of the body."""
        self.hold_after: int | None = None
        """Wait for `gate` after so many bytes of the body, and go on then."""
        self.gate = threading.Event()
        self.status = 200
        self.redirects_left = 0
        self.seen: list[tuple[str | None, str | None]] = []
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner._answer(self)

            def log_message(self, *args: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/model.gguf"

    def close(self) -> None:
        if not self._thread.is_alive():
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        asked, condition = request.headers.get("Range"), request.headers.get("If-Range")
        self.seen.append((asked, condition))
        if self.redirects_left:
            self.redirects_left -= 1
            request.send_response(302)
            request.send_header("Location", self.url + f"?{self.redirects_left}")
            request.end_headers()
            return
        if self.status != 200:
            request.send_error(self.status)
            return
        start = 0
        if asked and self.has_ranges and condition in {None, self.etag}:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
        if start >= len(self.data):
            request.send_error(416)
            return
        body = self.data[start:]
        request.send_response(206 if start else 200)
        if start:
            end = len(self.data) - 1
            request.send_header("Content-Range", f"bytes {start}-{end}/{len(self.data)}")
        request.send_header("ETag", self.etag)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if self.hold_after is not None:
            request.wfile.write(body[: self.hold_after])
            request.wfile.flush()
            body = body[self.hold_after :] if self.gate.wait(20) else b""
        with contextlib.suppress(ConnectionError):  # the other side may have had enough
            request.wfile.write(body if self.cut_after is None else body[: self.cut_after])
