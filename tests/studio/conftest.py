"""What several tests of pages need: a browser for all of a module, and the packages of web/."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import launched
from places import HANG, ROOT

WEB = ROOT / "web"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of web/ in which the packages of the lock lie."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("no Node.js here: what was built is held against the digests of its sources alone")
    copy = tmp_path_factory.mktemp("built") / "web"
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules"))
    if (WEB / "node_modules" / ".installed").exists():
        (copy / "node_modules").symlink_to(WEB / "node_modules", target_is_directory=True)
        return copy
    done = subprocess.run(
        ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=copy,
        capture_output=True,
        timeout=HANG,
    )
    if done.returncode:
        pytest.skip("the packages of web/package-lock.json cannot be installed here")
    return copy
