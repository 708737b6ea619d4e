"""What several test modules need: a model on loopback that litellm finds, and no key of the person who runs them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

import pytest
from loopback import Answer, Call, Loopback

Serve = Callable[[Callable[[Call], Answer]], Loopback]


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if re.search(r"(?i)_API_(KEY|BASE)$|_BASE_URL$|^(http|https|all|no)_proxy$", name):
            monkeypatch.delenv(name)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """A server that answers by a script; litellm finds it."""
    servers = []

    def begin(script: Callable[[Call], Answer]) -> Loopback:
        server = Loopback(script).__enter__()
        servers.append(server)
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        return server

    yield begin
    for server in servers:
        server.__exit__()
