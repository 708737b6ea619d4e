"""The folder of a run: what a person can read of it, and what resume, replay and scoring need.

    run.yaml        who ran what, written once          journal.jsonl   the truth (see `journal`)
    case.json       the bound case, nothing sealed      sealed.json     evaluation-only values, for scoring alone
    spec/           copies of every file that was used  times.jsonl     durations
    transcript.md, documents/: rebuilt from the journal at any time · lock: who writes holds it

A folder appears whole or not at all: it is filled beside its place and renamed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..files.project_files import LITTER, canonical, unreadable, write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.source import MemorySources, Span
from .journal import clean

if TYPE_CHECKING:
    from filelock import BaseFileLock
    from ruamel.yaml.nodes import Node

FORMAT = "1"
"""Of the run folder; another one is not read."""

PROTOCOLS = ("native", "text")
"""How a model calls tools: by itself, or by words in its reply."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """`run.yaml`. `spec` is a path below `spec/`, `digest` that of all copies there, `case_file` a bare file name.

    `models`: role -> backbone; `tools`: role -> `native`, for those whose models call tools by themselves; `skip`:
    stages and phases that are left out; `parent`: for a fork, what tells the run it was forked from, `at` where.
    """

    procedure: str
    spec: str
    digest: str
    version: str
    case: str
    case_file: str
    target: str
    seed: int
    models: Mapping[str, str]
    options: Mapping[str, str]
    binding: str = ""
    until: str = ""
    parent: str = ""
    at: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    skip: tuple[str, ...] = ()


def digest(sources: Mapping[str, str]) -> str:
    """SHA-256 (hex) over all paths and texts, sorted by path; each is preceded by its length in bytes."""
    total = sha256()
    for path in sorted(sources):
        for text in (path, sources[path]):
            data = text.encode("utf-8", "surrogatepass")
            total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


def plain_name(text: str) -> str:
    """A file name for a title or an id, at most 60 characters: anything a file system could object to is a hyphen."""
    name = re.sub(r"[^\w.-]+", "-", clean(text)).strip("-.")[:60].rstrip("-.")
    return name or "-"


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    info: RunInfo

    # ---- making and opening ------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls, path: Path | None, info: RunInfo, sources_used: Mapping[str, str], *, case_json: str, sealed_json: str
    ) -> RunFolder | Diagnostic:
        """A new run, ready to be resumed from its first line. Without `path`: `runs/PROCEDURE-CASE-N` where we are.

        A folder that holds anything is refused. Raises ValueError for a digest or a file name that is a bug of ours.
        """
        if info.digest != digest(sources_used) or re.search(r"[/\\]", info.case_file):
            raise ValueError("the digest is not that of the sources, or the case file is not a bare name")
        contents = {"run.yaml": _emit(info), "case.json": case_json, "sealed.json": sealed_json, "journal.jsonl": ""}
        for name, text in sources_used.items():
            contents[f"spec/{name}"] = text
        for place in _places(path, info):
            try:
                if not _occupied(place):
                    place = Path(os.path.realpath(place)) if place.exists() else place
                    _appear(place, contents)
                    return cls(place, info)
            except OSError as error:
                quicker = error.errno in (errno.EEXIST, errno.ENOTEMPTY) and place.is_dir()  # another process was
                if not quicker:
                    return unreadable(str(place), error)
        return diagnose.folder_not_empty(str(path), path=str(path))

    @classmethod
    def open(cls, path: Path) -> RunFolder | tuple[Diagnostic, ...]:
        """A run that exists. All that is wrong with its `run.yaml` is reported; the other files are read when used."""
        try:
            text = (path / "run.yaml").read_bytes().decode("utf-8", "surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return (diagnose.missing_run_folder(str(path), path=str(path)),)
        except OSError as error:
            return (unreadable(str(path / "run.yaml"), error),)
        info = _read(text, str(path / "run.yaml"))
        return cls(path, info) if isinstance(info, RunInfo) else info

    def lock(self) -> Lock | Diagnostic:
        """The right to write in this folder, held until the context is left or the process is gone, however it goes."""
        from filelock import FileLock, Timeout  # pulls in asyncio and sqlite3: 50 ms that only a run need pay

        lock = FileLock(self.path / "lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return diagnose.busy_run_folder(str(self.path), path=str(self.path))
        except OSError as error:
            return unreadable(str(self.path / "lock"), error)
        return Lock(lock)

    # ---- what is in it -----------------------------------------------------------------------------------------------

    @property
    def journal(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def times(self) -> Path:
        return self.path / "times.jsonl"

    @property
    def transcript(self) -> Path:
        return self.path / "transcript.md"

    @property
    def documents(self) -> Path:
        return self.path / "documents"

    def sources(self) -> MemorySources | Diagnostic:
        """The copies in `spec/`; a problem when they are no longer those that the run was started with."""
        root = self.path / "spec"
        texts: dict[str, str] = {}
        try:
            for file in root.rglob("*"):
                if file.is_file() and not LITTER.intersection(file.parts):
                    text = file.read_bytes().decode("utf-8", "surrogateescape")
                    texts[file.relative_to(root).as_posix()] = text
        except OSError as error:
            return unreadable(str(root), error)
        if digest(texts) != self.info.digest:
            return diagnose.altered_run_copies(str(root), path=str(root))
        return MemorySources(texts)

    def case_json(self) -> str | Diagnostic:
        return self._text("case.json")

    def sealed_json(self) -> str | Diagnostic:
        """Evaluation-only values: for scoring, and for nothing else."""
        return self._text("sealed.json")

    def _text(self, name: str) -> str | Diagnostic:
        file = self.path / name
        try:
            return file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return diagnose.missing_run_file(str(file), name=name)
        except UnicodeDecodeError:
            return diagnose.damaged_run_file(str(file), name=name)
        except OSError as error:
            return unreadable(str(file), error)

    def write_text(self, name: str, text: str) -> None:
        """Write one of the files that can be rebuilt (`documents/NAME.md`), whole or not at all. Raises OSError."""
        if not canonical(name):
            raise ValueError(f"not a path inside the run folder: {name!r}")
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text.encode("utf-8"))


class Lock:
    """A lock that is held; leaving the context gives it back."""

    def __init__(self, lock: BaseFileLock) -> None:
        self._lock = lock

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


# ---- creation --------------------------------------------------------------------------------------------------------


def _places(path: Path | None, info: RunInfo) -> Iterator[Path]:
    if path is not None:
        yield path
        return
    # A file name has at most 255 bytes, a character up to four, and the number and the hidden name need some too.
    name = f"{plain_name(info.procedure)[:24]}-{plain_name(info.case)[:28]}"
    for n in range(1, sys.maxsize):
        yield Path("runs") / f"{name}-{n}"


def _occupied(path: Path) -> bool:
    """Whether anything stands there that is not an empty folder. Raises OSError where one may not look."""
    return os.path.lexists(path) and not (path.is_dir() and next(path.iterdir(), None) is None)


def _appear(place: Path, contents: Mapping[str, str]) -> None:
    """Fill a hidden folder beside `place`, durably, and rename it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.parent / f".{place.name}.{os.urandom(4).hex()}"
    part.mkdir()
    try:
        for name, text in contents.items():
            if not canonical(name):
                raise ValueError(f"not a path inside the run folder: {name!r}")
            file = part / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with open(file, "wb") as out:
                out.write(text.encode("utf-8", "surrogateescape"))
                out.flush()
                os.fsync(out.fileno())
        (part / "documents").mkdir()
        if place.exists():
            place.rmdir()  # empty; not every system renames onto it
        part.rename(place)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    _settle(place.parent)


def _settle(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# ---- run.yaml --------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"\w[\w./-]*")
_UNPRINTABLE = re.compile("[\u2028\u2029\ufeff\ufffe\uffff]")
_WHOLE = re.compile(r"-?[0-9]{1,40}")


def _emit(info: RunInfo) -> str:
    lines = [f"lw: {FORMAT}"]
    for each in fields(RunInfo):
        match getattr(info, each.name):
            case Mapping() as values if values or each.default_factory is MISSING:
                lines.append(f"{each.name}:" if values else f"{each.name}: {{}}")
                lines += (f"  {_scalar(key)}: {_scalar(value)}" for key, value in values.items())
            case tuple() as values if values:
                lines += [f"{each.name}:", *(f"  - {_scalar(value)}" for value in values)]
            case str() | int() as value if value != each.default:
                lines.append(f"{each.name}: {_scalar(str(value))}")
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    """Text as a YAML scalar: plain where that cannot be misread, else in double quotes."""
    if _PLAIN.fullmatch(text):
        return text
    quoted = json.dumps(clean(text), ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _read(text: str, file: str) -> RunInfo | tuple[Diagnostic, ...]:
    """`run.yaml` read strictly: the keys it must have and no others, every scalar as text."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        node = YAML(typ="base").compose(text)
    except (YAMLError, ValueError, OverflowError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        return (diagnose.unreadable_run_yaml(Span(file, mark.line + 1, mark.column + 1) if mark else Span(file, 1, 1)),)
    problems: list[Diagnostic] = []
    entries = _entries(node, file, problems)
    written = _text(entries.pop("lw", None))
    if written != FORMAT and not problems:
        return (diagnose.unsupported_run_format(Span(file, 1, 1), format=written or "?", known=FORMAT),)
    values: dict[str, object] = {}
    for each in fields(RunInfo):
        value = entries.pop(each.name, None)
        if value is not None:
            values[each.name] = _value(each.name, value, file, problems)
        elif each.default is MISSING and each.default_factory is MISSING:
            problems.append(diagnose.missing_run_key(Span(file, 1, 1), key=each.name))
    problems += (diagnose.invalid_run_key(_span(value, file), key=key) for key, value in entries.items())
    return tuple(problems) if problems else RunInfo(**values)  # type: ignore[arg-type]  # `_value` made the types right


def _value(name: str, node: Node, file: str, problems: list[Diagnostic]) -> object:
    """The value of one key as `RunInfo` wants it; what it cannot be is reported and read as None."""
    if name in ("models", "options", "tools"):
        texts = {key: _text(value) for key, value in _entries(node, file, problems).items()}
        wrong = (key for key, text in texts.items() if text is None or (name == "tools" and text not in PROTOCOLS))
        problems += (diagnose.invalid_run_key(_span(node, file), key=key) for key in wrong)
        return texts
    if name == "skip":
        return _list(node, file, problems)
    text = _text(node)
    if text is None or (name == "seed" and not _WHOLE.fullmatch(text)):
        problems.append(diagnose.invalid_run_key(_span(node, file), key=name))
        return None
    return int(text) if name == "seed" else text


def _list(node: Node, file: str, problems: list[Diagnostic]) -> tuple[str, ...]:
    """A list of texts; anything else is reported."""
    from ruamel.yaml.nodes import SequenceNode

    texts = [_text(each) for each in node.value] if isinstance(node, SequenceNode) else [None]
    if None in texts:
        problems.append(diagnose.invalid_run_key(_span(node, file), key="skip"))
    return tuple(text for text in texts if text is not None)


def _entries(node: Node | None, file: str, problems: list[Diagnostic]) -> dict[str, Node]:
    """A mapping's values by key; a problem for anything else and for a key given twice."""
    from ruamel.yaml.nodes import MappingNode

    entries: dict[str, Node] = {}
    if not isinstance(node, MappingNode):
        problems.append(diagnose.unreadable_run_yaml(_span(node, file)))
        return entries
    for key, value in node.value:
        name = _text(key)
        if name is None or name in entries:
            problems.append(diagnose.invalid_run_key(_span(key, file), key=name or "?"))
        else:
            entries[name] = value
    return entries


def _text(node: Node | None) -> str | None:
    from ruamel.yaml.nodes import ScalarNode

    return str(node.value) if isinstance(node, ScalarNode) else None


def _span(node: Node | None, file: str) -> Span:
    return Span(file, node.start_mark.line + 1, node.start_mark.column + 1) if node is not None else Span(file, 1, 1)
