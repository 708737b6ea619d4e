"""The folder of a run: what a person can read of it, and what resume, replay and scoring need.

    run.yaml        who ran what, written once, summed  journal.jsonl   the truth (see `journal`)
    case.json       the bound case, nothing sealed      sealed.json     evaluation-only values, for scoring alone
    spec/           copies of every file that was used  times.jsonl     durations
    early.jsonl     replies that wait for their turn, while they do (see `early`)
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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from functools import cache
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from ..binding.casefile import from_json, unsealed
from ..files.digest import digest
from ..files.project_files import LITTER, canonical, unreadable, write_whole
from ..language import diagnose
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import MemorySources, Span
from ..model.text import clean
from ..models.named.profile import ModelProfile, from_record

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy
    from pydantic_core import ErrorDetails
    from ruamel.yaml.nodes import Node

FORMAT = "1"
"""Of the run folder; another one is not read."""

NATIVE, TEXT = PROTOCOLS = ("native", "text")
"""How a model calls tools: by itself, or by words in its reply."""


@immutable
class RunInfo:
    """`run.yaml`. `spec` is a path below `spec/`, `digest` that of all copies there, `case_file` a bare file name.

    `models`: role -> backbone; `tools`: role -> `native`, for those whose models call tools by themselves; `skip`:
    stages and phases that are left out; `without`: operations of tools for which the library holds nothing;
    `endpoints`: name of a backbone -> what it stood for in the models file when the run was begun;
    `parent`: for a fork, what tells the run it was forked from, `at` where.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

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
    tools: Mapping[str, Annotated[str, Field(pattern=f"^({NATIVE}|{TEXT})$")]] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    endpoints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def profiles(self) -> dict[str, ModelProfile]:
        """What names of backbones and of their fallbacks stood for, of those that were names of the models file."""
        return {name: from_record(name, told) for name, told in self.endpoints.items()}

    def model_of(self, name: str) -> str:
        """The model that a backbone's name stood for, as litellm names it."""
        return self.endpoints.get(name, {}).get("model", name)


def plain_name(text: str) -> str:
    """A file name for a title or an id, at most 60 characters: anything a file system could object to is a hyphen."""
    name = re.sub(r"[^\w.-]+", "-", clean(text)).strip("-.")[:60].rstrip("-.")
    return name or "-"


@immutable
class RunFolder:
    path: Path
    info: RunInfo

    # ---- making and opening ------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: Path | None,
        info: RunInfo,
        sources_used: Mapping[str, str],
        *,
        case_json: str,
        sealed_json: str,
        journal: str = "",
        copies: Path | None = None,
    ) -> RunFolder | Diagnostic:
        """A new run, ready to be resumed from its first line. Without `path`: `runs/PROCEDURE-CASE-N` where we are.

        `copies`: a folder where the copies of this spec are kept once; the run's own are links to them, where the
        system has links. A folder that holds anything is refused. Raises ValueError for a digest or a file name that is
        a bug of ours.
        """
        if info.digest != digest(sources_used) or re.search(r"[/\\]", info.case_file):
            raise ValueError("the digest is not that of the sources, or the case file is not a bare name")
        contents = {f"spec/{name}": text for name, text in sources_used.items()}
        contents |= {"case.json": case_json, "sealed.json": sealed_json, "journal.jsonl": journal}
        contents["run.yaml"] = _written(info)
        for place in _places(path, info):
            try:
                if not _occupied(place):
                    place = Path(os.path.realpath(place)) if place.exists() else place
                    _appear(place, contents, _kept_copies(copies, info.digest, sources_used))
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

    def lock(self) -> AcquireReturnProxy | Diagnostic:
        """The right to write in this folder, held until the context is left or the process is gone, however it goes."""
        from filelock import FileLock, Timeout  # pulls in asyncio and sqlite3: 50 ms that only a run need pay

        try:
            return FileLock(self.path / "lock", thread_local=False).acquire(timeout=0)
        except Timeout:
            return diagnose.busy_run_folder(str(self.path), path=str(self.path))
        except OSError as error:
            return unreadable(str(self.path / "lock"), error)

    # ---- what is in it -----------------------------------------------------------------------------------------------

    @property
    def journal(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def times(self) -> Path:
        return self.path / "times.jsonl"

    @property
    def early(self) -> Path:
        return self.path / "early.jsonl"

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

    def case(self, procedure: Procedure, *, sealed: bool = False) -> Case | Diagnostic:
        """The bound case; `sealed`: with its evaluation-only values, for scoring and for nothing else."""
        found = self._decoded("case.json", lambda text: from_json(text, procedure))
        if not sealed or isinstance(found, Diagnostic):
            return found
        case = found
        return self._decoded("sealed.json", lambda text: unsealed(case, text, procedure))

    def _decoded(self, name: str, decode: Callable[[str], Case]) -> Case | Diagnostic:
        text = self._text(name)
        if isinstance(text, Diagnostic):
            return text
        try:
            return decode(text)
        except (ValueError, RecursionError):  # nobody but `lw` writes here
            return diagnose.damaged_run_file(str(self.path / name), name=name)

    def case_json(self) -> str | Diagnostic:
        """The bound case as it was written."""
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


def _kept_copies(copies: Path | None, digest: str, texts: Mapping[str, str]) -> Path | None:
    """The folder that holds these copies, made where it is missing; None where they are not to be shared.

    Held by its digest, and written as a whole: what is there is what was put there, and every run checks its own.
    """
    if copies is None:
        return None
    kept = copies / digest[:16]
    if not kept.is_dir():
        try:
            _appear(kept, {f"spec/{name}": text for name, text in texts.items()})
        except OSError as error:
            if not kept.is_dir():
                raise error
    return kept


def _linked(source: Path, file: Path) -> bool:
    """Whether a file could be made another name of `source`."""
    try:
        os.link(source, file)
    except OSError:
        return False
    return True


def _appear(place: Path, contents: Mapping[str, str], kept: Path | None = None) -> None:
    """Fill a hidden folder beside `place`, durably, and rename it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.parent / f".{place.name}.{os.urandom(4).hex()}"
    part.mkdir()
    made = {part}
    try:
        for name, text in contents.items():
            if not canonical(name):
                raise ValueError(f"not a path inside the run folder: {name!r}")
            file = part / name
            if file.parent not in made:
                file.parent.mkdir(parents=True, exist_ok=True)
                made.add(file.parent)
            if kept is not None and name.startswith("spec/") and _linked(kept / name, file):
                continue
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


def _written(info: RunInfo) -> str:
    """`run.yaml`; what may be left out is, where it is empty."""
    from ruamel.yaml import YAML

    values = json.loads(clean(json.dumps(asdict(info), ensure_ascii=False)))
    required = {key.name for key in fields(info) if key.default is key.default_factory is MISSING}
    yaml, text = YAML(), StringIO()
    yaml.width = sys.maxsize
    yaml.indent(sequence=4, offset=2)
    yaml.dump({"lw": int(FORMAT)} | {name: values[name] for name in values if values[name] or name in required}, text)
    return text.getvalue() + f"sum: {_sum(info)}\n"


def _sum(info: RunInfo) -> str:
    """What its values amount to: whoever changes one of them by hand leaves another sum behind."""
    text = clean(json.dumps(asdict(info), ensure_ascii=False, sort_keys=True))
    return sha256(text.encode("utf-8")).hexdigest()[:16]


def _read(text: str, file: str) -> RunInfo | tuple[Diagnostic, ...]:
    """`run.yaml` read strictly: the keys it must have and no others, every scalar as text."""
    from pydantic import ValidationError
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    plain = _PlainValues(file)
    try:
        root = YAML(typ="base").compose(text)
        values = plain.of(root, ()) if root is not None else None
    except (YAMLError, ValueError, OverflowError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        return (diagnose.unreadable_run_yaml(Span(file, mark.line + 1, mark.column + 1) if mark else Span(file, 1, 1)),)
    if not isinstance(values, dict):
        return (diagnose.unreadable_run_yaml(plain.spans.get((), Span(file, 1, 1))),)
    written, summed = values.pop("lw", None), values.pop("sum", None)
    if written != FORMAT and not plain.problems:
        return (
            diagnose.unsupported_run_format(
                Span(file, 1, 1), format=written if isinstance(written, str) else "?", known=FORMAT
            ),
        )
    try:
        info = _run_info().validate_python(values)
    except ValidationError as invalid:
        return (*plain.problems, *(_translated(error, plain.spans, file) for error in invalid.errors()))
    if wrong := [name for name, told in info.endpoints.items() if not _is_endpoint(name, told)]:
        plain.problems += [diagnose.invalid_run_key(plain.spans[("endpoints", name)], key=name) for name in wrong]
    if not plain.problems and summed not in (None, _sum(info)):  # before there were sums, none was written
        return (diagnose.altered_run_yaml(plain.spans[("sum",)]),)
    return tuple(plain.problems) or info


def _is_endpoint(name: str, told: Mapping[str, str]) -> bool:
    try:
        return bool(from_record(name, told))
    except ValueError:
        return False


@cache
def _run_info() -> TypeAdapter[RunInfo]:
    return TypeAdapter(RunInfo)


def _translated(error: ErrorDetails, spans: Mapping[tuple[str, ...], Span], file: str) -> Diagnostic:
    """An error of pydantic's as one of ours, at the value of its key."""
    names = [name for name in error["loc"] if isinstance(name, str)]
    if error["type"] == "missing":
        return diagnose.missing_run_key(Span(file, 1, 1), key=names[0])
    if error["type"] in ("mapping_type", "dict_type"):
        return diagnose.unreadable_run_yaml(spans[(names[0],)])
    return diagnose.invalid_run_key(spans[(names[0],)], key=names[-1])


@dataclass(slots=True)
class _PlainValues:
    """A composed document as dicts, lists and texts. `spans`: where the value of each key begins, by the keys above."""

    file: str
    spans: dict[tuple[str, ...], Span] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def of(self, node: Node, keys: tuple[str, ...]) -> object:
        from ruamel.yaml.nodes import MappingNode, ScalarNode

        self.spans.setdefault(keys, self._span(node))  # that of a list is not that of its items
        if isinstance(node, ScalarNode):
            return str(node.value)
        if not isinstance(node, MappingNode):
            return [self.of(item, keys) for item in node.value]
        values: dict[str, object] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, ScalarNode) else None
            if name is None or name in values:
                self.problems.append(diagnose.invalid_run_key(self._span(key), key=name or "?"))
            else:
                values[name] = self.of(value, (*keys, name))
        return values

    def _span(self, node: Node) -> Span:
        return Span(self.file, node.start_mark.line + 1, node.start_mark.column + 1)
