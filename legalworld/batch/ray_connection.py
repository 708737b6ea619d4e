"""The way to a Ray cluster: that of RAY_ADDRESS, or one of this machine; in bounded time, and why not."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic

ADDRESS: Final = "RAY_ADDRESS"
REACH: Final = 5.0  # seconds for a connection to the address
HEALTH: Final = 20.0  # seconds for what answers there to say that it is Ray; Ray itself tries for minutes
_OURS: Final = ("", "local")
_CLIENT: Final = "ray://"


def lacking_ray(option: str) -> Diagnostic | None:
    """What is to be installed, where it is not."""
    try:
        import_module("ray")
    except ImportError:
        return diagnose.missing_optional_library(option, library="ray", extra="ray")
    return None


@contextmanager
def connected(workers: int) -> Iterator[int | Diagnostic]:
    """The processors of the cluster, connected until the context is left; else why there is none.

    A cluster that somebody else connected to in this process is used, and left as it is."""
    ray = import_module("ray")
    if ray.is_initialized():
        yield _processors(ray, workers)
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    address = os.environ.get(ADDRESS, "")
    if reason := _unreachable(address):
        yield diagnose.unreachable_cluster("--engine", address=address, reason=reason)
        return
    where = {"address": "local", "include_dashboard": False, "num_cpus": workers}
    try:
        ray.init(log_to_driver=False, logging_level="error", **(where if address in _OURS else {"address": address}))
    except Exception as error:  # Ray names no class for what may go wrong here
        told = " ".join(str(error).split())[:300] or type(error).__name__
        yield diagnose.unreachable_cluster("--engine", address=address or "local", reason=told)
        return
    try:
        yield _processors(ray, workers)
    finally:
        ray.shutdown()


def _processors(ray: object, workers: int) -> int:
    return int(ray.cluster_resources().get("CPU", workers))  # type: ignore[attr-defined]


def _unreachable(address: str) -> str:
    """Why there is no Ray at an address; "" where there may be. `auto` is for Ray itself to find."""
    if address in (*_OURS, "auto"):
        return ""
    host, _, port = address.removeprefix(_CLIENT).rpartition(":")
    if not host or not port.isdecimal() or int(port) > 0xFFFF:
        return "HOST:PORT?"
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH).close()
    except OSError as error:
        return error.strerror or str(error) or type(error).__name__
    if address.startswith(_CLIENT):
        return ""
    try:
        command = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address]
        asked = subprocess.run(command, capture_output=True, timeout=HEALTH, check=False)
    except subprocess.TimeoutExpired:
        return "no Ray"
    if asked.returncode == 0:
        return ""
    told = asked.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"no Ray: {told}"[:300] if told else "no Ray"  # a token that Ray asks for is said here
