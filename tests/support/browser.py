"""A real browser without a window, where this machine has one: what a page is made of after its script has run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from places import HANG

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next(filter(None, map(shutil.which, NAMES)), None)

needs_browser = pytest.mark.skipif(FOUND is None, reason=f"no browser here: none of {', '.join(NAMES)} is on the path")


def dom(page: Path, fragment: str = "") -> str:
    """The elements of a page that was opened from a file, as its script left them."""
    assert FOUND is not None
    profile = page.parent / "profile"
    words = ("--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom")
    done = subprocess.run(
        [FOUND, *words, f"--user-data-dir={profile}", f"{page.resolve().as_uri()}{fragment}"],
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
    )
    return done.stdout
