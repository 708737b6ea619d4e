"""Runs as a data set for training and for statistics: lines of JSON, or Parquet, in a folder with a card.

    chat         each conversation of a person with his model: {"messages": [{"role", "content"}...]} (OpenAI)
    sharegpt     the same: {"conversations": [{"from": "system" | "human" | "gpt" | "tool", "value"}...]}
    preference   each speech that was drafted several times with scores: {"prompt", "chosen", "rejected"} (DPO)
    synthlaw     each dialogue of the role under test with all others: what was said aloud (MASER)
    turns, calls, spending, decisions, scores     flat rows for statistics, see `dataset_tables`
    inspect      logs of Inspect AI, see `inspect_log`

All of it is what a person was sent, or said, or counts of that. Sealed fields are in the form `sealed` and in no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from ..files import regular
from ..files.regular import write_whole
from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.events import Message
from ..model.json_text import read_json
from ..runs.damage import is_damaged
from ..runs.folder import RunFolder
from ..runs.open_run import OpenRun, open_run
from ..runs.show.prompts import messages_of, pairs_of
from ..runs.show.views import calls_of
from ..wording import say
from .dataset_features import front_matter
from .dataset_tables import FLAT, DatasetRequest, call_rows, cost_rows, decision_rows, source_of, turn_rows
from .dialogues import dialogue_rows
from .inspect_log import InspectLogs
from .parquet import ParquetFile, lacking_pyarrow
from .secret_scan import secret_in_run

INSPECT, SCORES = "inspect", "scores"
Row = dict[str, Any]
_SPEAKERS: Final = {"system": "system", "user": "human", "assistant": "gpt", "tool": "tool"}


@dataclass(slots=True)
class DatasetResult:
    """What was written: form -> lines; the runs they are of, and what was wrong with those that are left out, `damaged`
    ones among them.

    `calling`: some of the roles call their tools by themselves."""

    lines: dict[str, int]
    files: dict[str, Path] = field(default_factory=dict)
    runs: int = 0
    damaged: int = 0
    calling: bool = False
    problems: list[Diagnostic] = field(default_factory=list)


def write_dataset(
    runs: Iterable[Path],
    forms: Iterable[str],
    wanted: DatasetRequest,
    out: Path,
    *,
    scores: RowsOf,
    parquet: bool = False,
    forms_of: Mapping[str, RowsOf] | None = None,
) -> DatasetResult | Diagnostic:
    """Write the forms to `out`, one run after another, and a card beside them.

    `scores`: what gives the rows of the form of that name, which only a room above knows; `forms_of`: all forms, where
    other packages add some. `parquet`: flat forms as Parquet. Each file appears when it is complete. Raises OSError.
    """
    chosen, runs, known = tuple(dict.fromkeys(forms)), tuple(runs), forms_of or FORMS
    if refused := _strange_role(runs, wanted.roles) or (_refused(chosen) if parquet else None):
        return refused
    result = DatasetResult(dict.fromkeys(chosen, 0))
    out.mkdir(parents=True, exist_ok=True)
    parts = {form: out / f".{form}.part" for form in chosen if form != INSPECT}
    logs = InspectLogs(out / INSPECT, wanted)
    made_of: dict[str, set[str]] = {"procedures": set(), "models": set(), "versions": set()}
    try:
        with ExitStack() as stack:
            files = {form: _file(part, form, parquet) for form, part in parts.items()}
            for file in files.values():
                stack.enter_context(file)
            for opened in _opened(runs, result, made_of):
                result.calling |= any(map(wanted.takes, opened.folder.info.tools))
                for form, file in files.items():
                    rows = scores if form == SCORES else known[form]
                    result.lines[form] += file.append(rows(opened, wanted))
                if INSPECT in chosen:
                    result.lines[INSPECT] += logs.add(opened, scores(opened, wanted))
        for form, part in parts.items():
            result.files[form] = out / f"{form}{'.parquet' if parquet else '.jsonl'}"
            regular.put(part, result.files[form])
        logs.finish()
    finally:
        logs.close()
        for part in parts.values():
            part.unlink(missing_ok=True)
    write_whole(out / "README.md", _card(result, made_of).encode("utf-8"))
    return result


def _strange_role(runs: Iterable[Path], roles: Set[str]) -> Diagnostic | None:
    """Why roles cannot be chosen: no run has one of them."""
    opened = map(RunFolder.open, runs) if roles else ()
    known = dict.fromkeys(role for folder in opened if isinstance(folder, RunFolder) for role in folder.info.models)
    strange = sorted(roles - known.keys()) if known else []
    if not strange:
        return None
    near = nearest(strange[0], known)
    return diagnose.unknown_dataset_role("--role", name=strange[0], known=tuple(known), nearest=near)


def _refused(forms: Iterable[str]) -> Diagnostic | None:
    """Why forms cannot be written as Parquet."""
    if nested := [form for form in forms if form not in FLAT]:
        return diagnose.nested_form("--parquet", name=nested[0], known=tuple(FLAT))
    return lacking_pyarrow("--parquet")


def _opened(runs: Iterable[Path], result: DatasetResult, made_of: Mapping[str, set[str]]) -> Iterator[OpenRun]:
    """The runs that can be opened, each once; what they are made of, and what is wrong with others, is noted."""
    seen: dict[str, tuple[Path, str]] = {}
    for path in runs:
        opened = open_run(path)
        if isinstance(opened, tuple):
            result.problems += opened
            result.damaged += is_damaged(opened)
            continue
        if (secret := secret_in_run(path)) is not None:
            result.problems.append(secret)
            continue
        info = opened.folder.info
        first = seen.setdefault(opened.run_id, (path, opened.loaded.chain))
        if first[0] != path:
            if first[1] != opened.loaded.chain:
                result.problems.append(diagnose.repeated_run(str(path), path=str(path), other=str(first[0])))
            continue
        result.runs += 1
        made_of["procedures"].add(info.procedure)
        made_of["models"].update(opened.played.values())
        made_of["versions"].add(info.version)
        yield opened


def _file(part: Path, form: str, parquet: bool) -> ParquetFile | _Lines:
    if parquet:
        return ParquetFile(part, FLAT[form])
    return _Lines(part)


class _Lines:
    """A file of JSON lines that rows are appended to."""

    def __init__(self, path: Path) -> None:
        self._file = regular.text_writer(path)

    def append(self, rows: Iterable[Row]) -> int:
        count = 0
        for row in rows:
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
        return count

    def __enter__(self) -> _Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


# ---- forms -----------------------------------------------------------------------------------------------------------


def _conversations(opened: OpenRun, wanted: DatasetRequest) -> Iterator[tuple[Row, list[Message]]]:
    """Every thread that was answered, whole: what was sent in it and what came back, as it was kept, in order."""
    models, kept = opened.model_by_call, opened.kept
    last = {call.thread: call for call in calls_of(opened) if call.id in opened.answers}
    for thread, call in last.items():
        if not wanted.takes(call.role):
            continue
        model = models[call.id]
        yield (
            source_of(opened) | {"role": call.role, "thread": thread, "model": model},
            [*messages_of(opened, call), kept[call.id]],
        )


def _chat(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    for source, messages in _conversations(opened, wanted):
        yield {"messages": [_message(one) for one in messages], "metadata": source}


def _message(one: Message) -> Row:
    called = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in one.calls
    ]
    calls = {"tool_calls": called} if called else {}
    return {"role": one.role, "content": one.content, **calls, **({"tool_call_id": one.call} if one.call else {})}


def _sharegpt(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    for source, messages in _conversations(opened, wanted):
        said = [{"from": _SPEAKERS[one.role], "value": one.content} for one in messages if one.content]
        yield {"conversations": said, "metadata": source}


def _preference(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    spoken_by = {call.id: call.role for call in calls_of(opened)}
    for pair in pairs_of(opened):
        role = spoken_by[pair["request"]]
        if wanted.takes(role):
            better, worse = ([{"role": "assistant", "content": pair[side]["text"]}] for side in ("chosen", "rejected"))
            scores = {side: sum(pair[side]["scores"].values()) for side in ("chosen", "rejected")}
            source = source_of(opened) | {"role": role, "request": pair["request"], "scores": scores}
            yield {"prompt": pair["prompt"], "chosen": better, "rejected": worse, "metadata": source}


def _sealed(opened: OpenRun, _: DatasetRequest) -> Iterator[Row]:
    """What no role saw, for who asks for it: each line says what it is."""
    text = opened.folder.sealed_json()
    if isinstance(text, str):
        yield source_of(opened) | {"sealed": True, "fields": json.dumps(read_json(text)["sealed"], ensure_ascii=False)}


RowsOf = Callable[[OpenRun, DatasetRequest], Iterator[Row]]
FORMS: Final[Mapping[str, RowsOf]] = {
    "chat": _chat,
    "sharegpt": _sharegpt,
    "preference": _preference,
    "synthlaw": dialogue_rows,
    "turns": turn_rows,
    "calls": call_rows,
    "spending": cost_rows,
    "decisions": decision_rows,
    "sealed": _sealed,
}
SHIPPED: Final = SimpleNamespace(**FORMS)
"""The same, as entry points name them."""


# ---- the card --------------------------------------------------------------------------------------------------------


def _card(result: DatasetResult, made_of: Mapping[str, set[str]]) -> str:
    """A README as data sets on Hugging Face have it: which file is which, and of what it was made."""
    files = {form: path.name for form, path in result.files.items()}
    filled = {form: file for form, file in files.items() if result.lines[form]}  # `datasets` refuses empty files
    listed = files | ({INSPECT: f"{INSPECT}/"} if INSPECT in result.lines else {})
    rows = "\n".join(f"| `{file}` | {say(f'dataset.{form}')} | {result.lines[form]} |" for form, file in listed.items())
    rows += "\n\n" + say("dataset.marked") if "sealed" in files else ""
    named = {name: ", ".join(f"`{one}`" for one in sorted(found)) or "-" for name, found in made_of.items()}
    calling = [form for form in filled if form == "chat" and result.calling]
    return front_matter(filled, calling) + say("dataset.card", rows=rows, runs=result.runs, **named) + "\n"
