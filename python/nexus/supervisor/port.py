"""Whether the port of Nexus is free, checked before anything is started."""

import errno
import os
import socket

import psutil


def port_problem(host: str, port: int) -> str | None:
    """None when the port is free, otherwise one line on what is wrong and what to do."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            # As the server itself does: connections in TIME_WAIT are no obstacle.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except socket.gaierror:
        return f"NEXUS_HOST={host} is not a name or address of this machine"
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"port {port} is in use{_by_whom(port)}: stop that, or set NEXUS_PORT"
        if error.errno == errno.EACCES:
            return f"port {port} needs privileges: set NEXUS_PORT to 1024 or more"
        return f"cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}"
    return None


def _by_whom(port: int) -> str:
    try:
        connections = psutil.net_connections(kind="tcp")
    except (psutil.Error, OSError):
        return ""
    for connection in connections:
        is_it = connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
        if is_it and connection.pid:
            try:
                return f" by {psutil.Process(connection.pid).name()} (process {connection.pid})"
            except psutil.Error:
                return f" by process {connection.pid}"
    return ""
