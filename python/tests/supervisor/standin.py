"""A stand-in for a part of Nexus: `standin.py WEB_PORT PIDS_FOLDER [BEHAVIOUR]`.

It serves /readyz on the port (0: none), tells its pid, and can be told to misbehave.
"""

import http.server
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *arguments: object) -> None:
        pass


def main() -> None:
    port, folder, behaviour = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    name = os.environ["SUPERVISOR_PROCESS_NAME"]
    pids = folder / f"{name}.pids"
    is_first_start = not pids.exists()
    if behaviour == "crashes" or (behaviour == "lives-once" and not is_first_start):
        sys.exit(f"{name} cannot find its thing")
    if behaviour == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if behaviour == "parent":
        # In a session of its own, as a browser might be: no group signal reaches it.
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        (folder / "grandchild.pids").write_text(f"{child.pid}\n")
    sys.stdout.write(f"{name} runs\n")
    with pids.open("a") as file:
        file.write(f"{os.getpid()}\n")
    if port:
        http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
    threading.Event().wait()


main()
