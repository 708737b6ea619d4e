"""What a git repository holds of a project at a revision, and which files of the project are other ones now.

Git is run without a shell, hooks, pager, external diffs or filters, and asked for trees and blobs alone: nothing that a
repository is configured with is run.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from ..language import diagnose
from ..language.charset import decoded
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Sources
from . import regular
from .project_files import FILE_CAP

SECONDS: Final = 60
_QUIET: Final = (
    *("--no-pager", "--no-optional-locks", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"),
    *("-c", "core.quotePath=false", "-c", "protocol.allow=never", "-c", "credential.helper="),
)
_BLOB: Final = "blob"


@immutable
class ChangedFiles:
    """Path from the project's root -> its text at the revision (None: it was not there) of every file that differs."""

    revision: str
    before: dict[str, str | None]
    gone: frozenset[str]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self.before))


@immutable
class SourcesBefore:
    """The files of a project as they were: those that differ as they were then, all others as they are."""

    now: Sources
    before: dict[str, str | None]

    def read(self, path: str) -> str | None:
        return self.before[path] if path in self.before else self.now.read(path)

    def names(self, folder: str) -> tuple[str, ...]:
        prefix = folder.rstrip("/") + "/"
        found = {path for path in self.now.names(folder) if self.before.get(path, "") is not None}
        found |= {path for path, text in self.before.items() if text is not None and path.startswith(prefix)}
        return tuple(sorted(found))


class _Failed(Exception):
    """Git did not do what it was asked; the text is what it said."""


def changed_since(root: Path, revision: str, folders: Collection[str]) -> ChangedFiles | Diagnostic:
    """The files below some folders of a project that differ from a revision, those that git does not know included."""
    try:
        top = Path(_git(root, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").strip())
    except _Failed as error:
        return diagnose.no_repository(str(root), path=str(root), reason=str(error))
    try:
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except _Failed:
        return _unknown(root, revision)
    try:
        inside = os.path.relpath(root, top).replace(os.sep, "/")
        return _compared(root, inside, commit.decode().strip(), tuple(folders), revision)
    except (_Failed, OSError) as error:
        return diagnose.git_failed(str(root), reason=str(error))


def _unknown(root: Path, revision: str) -> Diagnostic:
    try:
        listed = _git(root, "for-each-ref", "--format=%(refname:short)", "--count=500").decode("utf-8", "replace")
    except _Failed:
        listed = ""
    known = tuple(listed.split())
    near = nearest(revision, (*known, "HEAD"))
    return diagnose.unknown_revision("--base", name=revision, known=known[:12], nearest=near)


def _compared(root: Path, inside: str, commit: str, folders: Sequence[str], revision: str) -> ChangedFiles:
    held = _held(root, inside, commit, folders)
    before: dict[str, str | None] = {}
    gone = set()
    for path, blob in held.items():
        file = root / path
        now = regular.content(file, most=FILE_CAP) if regular.is_file(file, root) else None
        if now is None or _blob_of(now, blob) != blob:
            was = decoded(_git(root, "cat-file", _BLOB, blob)).text
            if now is None or decoded(now).text != was:
                before[path] = was
            gone |= {path} if now is None else set()
    for path in _there(root, folders):
        if path not in held:
            before[path] = None
    return ChangedFiles(revision, before, frozenset(gone))


def _held(root: Path, inside: str, commit: str, folders: Sequence[str]) -> dict[str, str]:
    """Path from the root of the project -> blob, of the plain files that a commit holds below some folders."""
    prefix = "" if inside == "." else f"{inside}/"
    listed = _git(root, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *(f"{prefix}{one}" for one in folders))
    found = {}
    for entry in listed.split(b"\0"):
        head, _, name = entry.partition(b"\t")
        words = head.split()
        if len(words) == 3 and words[1] == b"blob" and words[0].startswith(b"100"):
            path = name.decode("utf-8", "surrogateescape")
            if path.startswith(prefix):
                found[path.removeprefix(prefix)] = words[2].decode()
    return found


def _there(root: Path, folders: Sequence[str]) -> list[str]:
    """The files that lie below some folders; hidden ones and links apart."""
    found = []
    for name in folders:
        for folder, inner, files in os.walk(root / name):
            inner[:] = sorted(one for one in inner if not one.startswith(".") and not os.path.islink(Path(folder, one)))
            for file in sorted(files):
                if not file.startswith(".") and regular.is_file(Path(folder, file), root):
                    found.append(Path(folder, file).relative_to(root).as_posix())
    return found


def _blob_of(data: bytes, like: str) -> str:
    """The name that git gives a content, by the kind of names that a repository has."""
    digest = hashlib.sha256() if len(like) > 40 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % len(data) + data)
    return digest.hexdigest()


def _git(root: Path, *words: str) -> bytes:
    """What git says. Raises _Failed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ATTR_NOSYSTEM": "1", "LC_ALL": "POSIX"}
    try:
        done = subprocess.run(
            ["git", *_QUIET, "-C", str(root), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**kept, **quiet},
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise _Failed("git: command not found") from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise _Failed(str(error)) from None
    if done.returncode:
        raise _Failed(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or f"git {words[0]}")
    return done.stdout
