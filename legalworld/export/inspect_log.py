"""Runs as logs of Inspect AI: one log for each procedure and line-up, in it a sample for each run.

The form is that of its JSON logs (version 2), which `inspect view` and `inspect_ai.log.read_eval_log` open. What was
said is the sample's messages: the role under test is the assistant, all others are users. Nothing sealed is in it, so
`target` is empty; scores are those that lie beside the runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from ..files import regular
from ..files.digest import digest
from ..model.events import Drafted, Spoke
from ..model.text import plain_name
from ..runs.call_costs import calls_of_run, together
from ..runs.journal import sessions
from ..runs.open_run import OpenRun
from ..runs.run_info import RunInfo
from ..runs.show.views import calls_of
from ..wording.struck import marked
from .dataset_tables import DatasetRequest

Row = dict[str, Any]
UNKNOWN_DAY: Final = "1970-01-01T00:00:00+00:00"  # Inspect needs one; older runs do not say when they were played


@dataclass(slots=True)
class _Log:
    """A log that is being filled: its samples lie in a file, one a line, until all are there."""

    info: RunInfo
    models: Mapping[str, str]
    part: Path
    file: TextIO
    created: str
    samples: int = 0
    ids: list[str] = field(default_factory=list)
    taken: set[tuple[str, int]] = field(default_factory=set)
    figures: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    usage: dict[str, Row] = field(default_factory=dict)


class InspectLogs:
    """The logs of a data set: runs are added one by one, the files appear when all are complete."""

    def __init__(self, folder: Path, wanted: DatasetRequest) -> None:
        self._folder, self._wanted = folder, wanted
        self._logs: dict[str, _Log] = {}

    def add(self, opened: OpenRun, scores: Iterable[Row]) -> int:
        """One more sample; `scores`: the rows of its figures. Raises OSError."""
        info = opened.folder.info
        line_up = {"procedure": info.procedure, "target": info.target, "digest": info.digest}
        line_up |= {f"model.{role}": model for role, model in opened.played.items()}
        key = digest(line_up | {f"option.{name}": value for name, value in info.options.items()})[:8]
        begun = next((one.begun for one in sessions(opened.folder.times)), UNKNOWN_DAY)
        log = self._logs.get(key)
        if log is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            part = self._folder / f".{key}.part"
            log = self._logs[key] = _Log(info, opened.played, part, regular.text_writer(part), begun)
        log.created = min(log.created, begun)
        log.samples += 1
        log.ids.append(info.case)
        epoch = info.seed + 1
        while (info.case, epoch) in log.taken:  # a fork, or the same once more: Inspect drops a sample of the same two
            epoch += 1
        log.taken.add((info.case, epoch))
        sample = _sample(opened, epoch, _figures(scores), self._wanted)
        for name, score in sample["scores"].items():
            for figure, value in score["value"].items():
                log.figures.setdefault((name, figure), []).append(value)
        for model, usage in sample["model_usage"].items():
            sums = log.usage.setdefault(model, {})
            for name, number in usage.items():
                sums[name] = sums.get(name, 0) + number
        log.file.write(json.dumps(sample, ensure_ascii=False) + "\n")
        return 1

    def finish(self) -> tuple[Path, ...]:
        """Put the logs together. Raises OSError."""
        written = []
        for key, log in sorted(self._logs.items()):
            log.file.close()
            day = log.created.replace(":", "-")  # as Inspect names its logs: others it does not list
            path = self._folder / f"{day}_{plain_name(log.info.procedure)}_{key}.json"
            whole = self._folder / f".{key}.whole"
            with regular.text_writer(whole) as out, regular.text_reader(log.part) as samples:
                head = json.dumps(_head(key, log), ensure_ascii=False)
                out.write(head[:-1] + ', "samples": [\n')
                for number, line in enumerate(samples):
                    out.write((",\n" if number else "") + line.rstrip("\n"))
                out.write("\n]}\n")
            regular.put(whole, path)
            written.append(path)
        return tuple(written)

    def close(self) -> None:
        """Leave nothing half written."""
        for key, log in self._logs.items():
            log.file.close()
            log.part.unlink(missing_ok=True)
            (self._folder / f".{key}.whole").unlink(missing_ok=True)


def _head(key: str, log: _Log) -> Row:
    info = log.info
    scores = [
        {
            **{"name": f"{rubric}.{figure}", "scorer": rubric, "scored_samples": len(values)},
            "metrics": {"mean": {"name": "mean", "value": sum(values) / len(values)}},
        }
        for (rubric, figure), values in log.figures.items()
    ]
    counts = {"total_samples": log.samples, "completed_samples": log.samples}
    spec = {
        **{"eval_id": key, "run_id": key, "task_id": key, "created": log.created, "task": info.procedure},
        "task_args": dict(info.options),
        "dataset": {"name": info.procedure, "samples": log.samples, "sample_ids": log.ids},
        "model": log.models.get(info.target, "") or ", ".join(dict.fromkeys(log.models.values())),
        "config": {},
        "packages": {"legalworld": info.version},
        "metadata": {"target": info.target, "models": dict(log.models), "digest": info.digest},
    }
    stats = {"started_at": log.created, "completed_at": log.created, "model_usage": log.usage}
    results = {**counts, "scores": scores}
    return {
        **{"version": 2, "status": "success", "eval": spec, "plan": {"name": "plan", "steps": [], "config": {}}},
        **{"results": results, "stats": stats},  # Inspect reads the head of a log alone: every part is to be there
    }


def _sample(opened: OpenRun, epoch: int, scores: Mapping[str, Row], wanted: DatasetRequest) -> Row:
    info = opened.folder.info
    spoken_by = {call.person: call.role for call in calls_of(opened)}
    messages: list[Row] = []
    for event in marked(opened.events, opened.procedure.locale):
        if isinstance(event, Spoke | Drafted) and not (isinstance(event, Drafted) and event.source != "reply"):
            own = spoken_by.get(event.person) == info.target or not info.target
            text = event.text if own and info.target else f"{event.speaker}：{event.text}"
            messages.append({"id": f"m{len(messages)}", "role": "assistant" if own else "user", "content": text})
    usage = {
        model: {
            **{"input_tokens": int(one.prompt), "output_tokens": int(one.completion)},
            **{"total_tokens": int(one.prompt + one.completion), "input_tokens_cache_read": int(one.cached)},
            **({} if one.unpriced else {"total_cost": one.dollars}),
        }
        for model, one in together(calls_of_run(opened)[0], lambda call: call.model, wanted.prices).items()
    }
    return {
        **{"id": info.case, "epoch": epoch, "input": opened.case.title or info.case, "target": ""},
        **{"messages": messages, "scores": dict(scores), "model_usage": usage},
        "metadata": {"run": opened.run_id, "seed": info.seed, "finished": opened.ended},
    }


def _figures(rows: Iterable[Row]) -> dict[str, Row]:
    """The figures among the rows of scores, by rubric and who graded; one that has no value is left out."""
    found: dict[str, Row] = {}
    for row in rows:
        if row["kind"] == "figure" and row["value"] is not None:
            name = f"{row['rubric']}@{row['grader']}" if row["grader"] else row["rubric"]
            found.setdefault(name, {"value": {}})["value"][row["name"]] = row["value"]
    return found
