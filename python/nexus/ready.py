"""Reporting that this process is ready, to whatever started it: systemd's protocol.

`nexus up` listens while it starts, and so does systemd for a unit of `Type=notify`.
"""

import contextlib
import os
import socket

VARIABLE = "NOTIFY_SOCKET"
_NAME = "SUPERVISOR_PROCESS_NAME"


def report_ready() -> None:
    """Send one datagram; nothing happens when nobody listens."""
    address = os.environ.get(VARIABLE)
    if not address:
        return
    message = f"READY=1\nSTATUS={os.environ.get(_NAME, '')}"
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        # An address that begins with @ has no file.
        sender.sendto(
            message.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address
        )
