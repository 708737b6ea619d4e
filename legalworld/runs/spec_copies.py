"""The copies of the files that a run was started with: one archive, `spec.zip`, that any system opens.

Four hundred small files would each be made and synced for every run. Nothing in the archive is compressed, so that its
bytes depend on the texts alone, and a search for a word finds it there. Paths lead nowhere: nothing is unpacked.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Final

NAME: Final = "spec.zip"
MOST: Final = 64 << 20
"""Bytes of all copies of specs in a run."""

_WHEN: Final = (1980, 1, 1, 0, 0, 0)  # a run depends on no clock
_FAULTS: Final = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_ROOM: Final = 32 << 20  # bytes of names and heads beside the texts


def packed(texts: Mapping[str, str]) -> bytes:
    """Return an archive of texts by path; the same texts give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(texts):
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, texts[name].encode("utf-8", "surrogateescape"))
    return out.getvalue()


def most_of_a_file() -> int:
    """Return the bytes that an archive of copies comes to at most."""
    return MOST + _ROOM


def unpacked(data: bytes) -> dict[str, str] | None:
    """Return the texts of an archive by path; None for what is no such archive, or has more in it than it may."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            plain = all(entry.compress_type == zipfile.ZIP_STORED for entry in entries)
            if not plain or sum(entry.file_size for entry in entries) > MOST:
                return None
            return {entry.filename: archive.read(entry).decode("utf-8", "surrogateescape") for entry in entries}
    except _FAULTS:
        return None
