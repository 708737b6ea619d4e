"""What many texts amount to, in one value: the same of the same texts, whatever their order."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


def digest(sources: Mapping[str, str]) -> str:
    """SHA-256 (hex) over all paths and texts, sorted by path; each is preceded by its length in bytes."""
    total = sha256()
    for path in sorted(sources):
        for text in (path, sources[path]):
            data = text.encode("utf-8", "surrogatepass")
            total.update(b"%d:" % len(data) + data)
    return total.hexdigest()
