"""`python -m bench.site FOLDER`: serves `/anything/NAME` from the folder; prints its port."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class _Pages(BaseHTTPRequestHandler):
    pages: dict[str, bytes]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.pages.get(self.path.rpartition("/")[2])
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""


def main() -> None:
    _Pages.pages = {path.name: path.read_bytes() for path in Path(sys.argv[1]).glob("*.html")}
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
