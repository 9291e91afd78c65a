"""A process of its own that serves local storage: `python upload_server.py DATA_DIR SECRET`.

Prints its port once it listens.
"""

import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr

from nexus.config import Settings
from nexus.http.stored_bytes import storage_router


def main(data_dir: str, secret: str) -> None:
    app = FastAPI()
    app.include_router(
        storage_router(Settings(data_dir=Path(data_dir), storage_secret=SecretStr(secret)))
    )
    listener = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
