"""Stored runs as traces: what is in them and what never is; sent to a receiver that speaks OTLP."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import fail, say
from typed import lw

from legalworld.export.traces import Trace, TraceSpan, trace_of
from legalworld.model.events import Called, Drafted, Entered, Remembered, Spoke
from legalworld.runs.journal import answers_in
from legalworld.runs.open_run import OpenRun, open_run
from legalworld.runs.timeline import timeline

CANARY = "金丝雀"
KEY = "sk-canary-0123456789abcdef"


def _installed() -> bool:
    try:
        return importlib.util.find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


needs_otel = pytest.mark.skipif(not _installed(), reason="the optional extra `otel` (opentelemetry-sdk) is absent")


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "court"
    assert lw("run", "civil", "--case", "wuye", "--out", folder).code == 0
    return folder


def opened(folder: Path) -> OpenRun:
    run = open_run(folder)
    assert isinstance(run, OpenRun)
    return run


def traced(folder: Path) -> Trace:
    trace = trace_of(opened(folder))
    assert isinstance(trace, Trace)
    return trace


def of(trace: Trace, operation: str) -> list[TraceSpan]:
    return [span for span in trace.spans if span.attributes.get("gen_ai.operation.name") == operation]


def told(trace: Trace) -> str:
    """All that a trace tells, as one text."""
    return json.dumps([[span.name, span.error, *span.attributes.items()] for span in trace.spans], ensure_ascii=False)


# ---- what is in a trace ----------------------------------------------------------------------------------------------


def test_spans_nest_and_their_times_are_ordered(court: Path) -> None:
    trace = traced(court)
    spans = {span.id: span for span in trace.spans}
    assert len(spans) == len(trace.spans)
    assert [span.name for span in trace.spans if not span.parent] == ["invoke_workflow civil"]
    depth = {0: 0}
    for span in trace.spans:
        depth[span.id] = depth[span.parent] + 1  # a parent comes first
        assert span.start <= span.end
        if span.parent:
            assert spans[span.parent].start <= span.start and span.end <= spans[span.parent].end
    assert max(depth.values()) == 5  # run, stage, phase, turn, call
    siblings: dict[int, list[TraceSpan]] = {}
    for span in trace.spans:
        siblings.setdefault(span.parent, []).append(span)
    for several in siblings.values():
        assert [span.start for span in several] == sorted(span.start for span in several)


def test_every_stage_call_and_tool_of_the_run_is_told_once(court: Path) -> None:
    trace, run = traced(court), opened(court)
    stages = [span.attributes["legalworld.stage"] for span in trace.spans if "legalworld.stage" in span.attributes]
    assert stages == [event.place for event in run.events if isinstance(event, Entered) and event.level == "stage"]
    assert len(of(trace, "chat")) == len(run.answers)
    assert len(of(trace, "execute_tool")) == sum(isinstance(event, Called) for event in run.events)
    (whole,) = of(trace, "invoke_workflow")
    assert whole.attributes["legalworld.case"] == "wuye" and whole.attributes["legalworld.outcome"]
    assert {span.attributes["gen_ai.agent.name"] for span in of(trace, "invoke_agent")} <= set(run.folder.info.models)


def test_a_run_gives_the_same_trace_every_time_and_others_have_another(court: Path, tmp_path: Path) -> None:
    assert traced(court) == traced(court)
    assert lw("run", "bargain", "--out", tmp_path / "deal").code == 0
    assert traced(court).id != traced(tmp_path / "deal").id


def test_a_call_is_told_as_the_conventions_have_it(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    serve(lambda _: say(f"{CANARY}：好。【price：100】", tokens=(70, 30)))
    assert lw("run", "bargain", "--model", "buyer=openai/clerk", "--out", tmp_path / "deal").code == 0
    trace = traced(tmp_path / "deal")
    calls = [span for span in of(trace, "chat") if span.kind == "client"]
    assert calls and len(calls) < len(of(trace, "chat"))  # the offline actors are in this process
    for span in calls:
        assert span.name == "chat clerk"
        assert span.attributes.pop("gen_ai.conversation.id").startswith(f"{trace.id:032x}/buyer@")  # type: ignore[union-attr]
        assert span.attributes == {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "clerk",
            "gen_ai.response.model": "clerk-1",
            "gen_ai.usage.input_tokens": 70,
            "gen_ai.usage.cache_read.input_tokens": 0,
            "gen_ai.usage.output_tokens": 30,
            "legalworld.role": "buyer",
        }
        assert span.end > span.start
    assert CANARY not in told(trace) and KEY not in told(trace)


def test_a_call_that_failed_is_told_with_its_kind(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None
) -> None:
    folder = tmp_path / "deal"
    answers = iter([fail(401, KEY)])
    serve(lambda _: next(answers, say("好。【price：100】")))
    assert lw("run", "bargain", "--model", "buyer=openai/clerk", "--out", folder).code == 3
    trace = traced(folder)
    (failed,) = (span for span in trace.spans if span.error and span.parent)
    assert (failed.name, failed.error) == ("chat clerk", "refused") and trace.spans[0].error == "refused"
    assert lw("resume", folder).code == 0
    gone_on = traced(folder)
    (failed,) = (span for span in gone_on.spans if span.error)
    turn = next(span for span in gone_on.spans if span.id == failed.parent)
    assert turn.name == "invoke_agent buyer" and not gone_on.spans[0].error  # it was asked once more, and answered
    assert gone_on.id == trace.id and KEY not in told(gone_on)


# ---- what is never in a trace ----------------------------------------------------------------------------------------


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case Mapping():
            for one in value.values():
                yield from _texts(one)


def test_nothing_that_was_said_or_is_sealed_is_told(court: Path) -> None:
    run, text = opened(court), told(traced(court))
    words = [event.text for event in run.events if isinstance(event, Spoke | Drafted)]
    for event in run.events:
        if isinstance(event, Remembered):
            words.extend(_texts(event.value))
        elif isinstance(event, Called):
            words += [event.arguments, event.result]
    words += [reply.text for reply in answers_in(run.loaded.lines).values()]
    case, sealed = (json.loads((court / name).read_text("utf-8")) for name in ("case.json", "sealed.json"))
    words += [one for one in (*_texts(case), *_texts(sealed)) if one != run.case.id]
    long = [one for one in words if len(one) > 5]
    assert len(long) > 200 and any(one in long for one in _texts(sealed))
    assert [one for one in long if one in text] == []


def test_a_tool_that_nobody_has_is_not_named_as_the_reply_has_it(serve: Serve, tmp_path: Path, no_keys: None) -> None:
    call = json.dumps({"name": CANARY, "arguments": {}}, ensure_ascii=False)
    replies = iter([say(f"<tool_call>{call}</tool_call>")])
    serve(lambda _: next(replies, say("好。【price：100】【咨询结束】")))
    words = ("--model", "plaintiff_lawyer=openai/clerk", "--until", "CD", "--out", tmp_path / "talk")
    assert lw("run", "civil", "--case", "wuye", *words).code == 0
    trace = traced(tmp_path / "talk")
    refused = [span for span in of(trace, "execute_tool") if span.error == "unknown"]
    assert [span.name for span in refused] == ["execute_tool unknown"] and CANARY not in told(trace)


# ---- times -----------------------------------------------------------------------------------------------------------

BEGUN = b'{"begun":"2026-01-02T03:04:05+00:00","lw":"1"}\n'


def test_answers_without_their_moment_follow_each_other(tmp_path: Path) -> None:
    """As files of earlier versions have them; and nothing in the file is trusted."""
    path = tmp_path / "times.jsonl"
    strange = b'{"n":3,"seconds":NaN}\n{"n":4,"seconds":-1}\n[]\n{"n":"5","seconds":1}\n{"n":9,"sec'
    path.write_bytes(b'{"n":0,"seconds":1}\n' + BEGUN + b'{"n":1,"seconds":2}\n{"n":2,"seconds":3}\n' + strange)
    found = timeline(path)
    assert found is not None and list(found.answers) == [1, 2]
    spans = [(one.start - found.begun, one.end - found.begun) for one in found.answers.values()]
    assert spans == [(0, 2), (2, 5)]


def test_time_never_goes_back(tmp_path: Path) -> None:
    path = tmp_path / "times.jsonl"
    path.write_bytes(
        BEGUN + b'{"n":1,"seconds":9,"at":5}\n{"n":2,"seconds":1,"at":4}\n' + BEGUN + b'{"n":3,"seconds":0,"at":1}\n'
    )
    found = timeline(path)
    assert found is not None
    ends = [one.end - found.begun for one in found.answers.values()]
    assert ends == [5, 5, 6] and all(one.start >= found.begun for one in found.answers.values())


def test_a_run_that_does_not_say_when_it_was_played_has_no_trace(tmp_path: Path) -> None:
    assert lw("run", "bargain", "--out", tmp_path / "deal").code == 0
    (tmp_path / "deal" / "times.jsonl").unlink()
    problem = trace_of(opened(tmp_path / "deal"))
    assert not isinstance(problem, Trace) and problem.code == "LW635"


# ---- sent ------------------------------------------------------------------------------------------------------------


def test_who_lacks_the_library_is_told_what_to_install(court: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    ran = lw("traces", court, "--json")
    assert ran.code == 2 and ran.object()["problems"][0]["code"] == "LW634"
    out = court.parent / "batch"
    ran = lw("batch", "bargain", "--trace", "--out", out, "--json")
    assert ran.code == 2 and ran.object()["problems"][0]["code"] == "LW634" and not out.exists()
    for language, word in (("zh", "安装"), ("en", "Install")):
        monkeypatch.setenv("LW_LANG", language)
        assert word in lw("traces", court).err


@contextmanager
def receiver(status: int = 200) -> Iterator[tuple[str, list[Any]]]:
    """A server that takes traces by OTLP over HTTP; its address, and the requests that came."""
    service = import_module("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
    came: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            import gzip

            body = self.rfile.read(int(self.headers["Content-Length"]))
            body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            if self.path == "/v1/traces":
                came.append(service.ExportTraceServiceRequest.FromString(body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", came
    server.shutdown()
    thread.join()
    server.server_close()


@needs_otel
def test_the_spans_of_the_sdk_say_the_same(court: Path) -> None:
    from legalworld.export.otlp import send

    memory = import_module("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()
    trace = traced(court)
    assert send(court, memory) == len(trace.spans)
    for ours, theirs in zip(trace.spans, memory.get_finished_spans(), strict=True):
        assert (theirs.name, theirs.start_time, theirs.end_time) == (ours.name, ours.start, ours.end)
        assert theirs.context.span_id == ours.id and theirs.context.trace_id == trace.id
        assert (theirs.parent.span_id if theirs.parent else 0) == ours.parent
        assert theirs.kind.name.lower() == ours.kind and dict(theirs.attributes) == ours.attributes
        assert theirs.resource.attributes["service.name"] == "legalworld"
        assert json.loads(theirs.to_json())["context"]["trace_id"] == f"0x{trace.id:032x}"


@needs_otel
def test_runs_arrive_where_traces_are_collected(court: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver() as (address, came):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        ran = lw("traces", court, "--json")
    assert ran.code == 0
    trace = traced(court)
    assert ran.object() == {"sent": {str(court): len(trace.spans)}, "problems": []}
    spans = [
        span
        for request in came
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    assert {int.from_bytes(span.span_id, "big"): span.name for span in spans} == {
        one.id: one.name for one in trace.spans
    }
    assert {int.from_bytes(span.trace_id, "big") for span in spans} == {trace.id}
    sealed = json.loads((court / "sealed.json").read_text("utf-8"))
    body = b"".join(request.SerializeToString() for request in came).decode("utf-8", "replace")
    assert [one for one in _texts(sealed) if len(one) > 5 and one in body] == []


@needs_otel
def test_a_batch_sends_each_run_when_it_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("batch", "bargain", "--seeds", "3", "--out", tmp_path / "deals", "--trace", "--json")
    with receiver() as (address, came):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        assert lw(*words).code == 0
        assert len({request.resource_spans[0].scope_spans[0].spans[0].trace_id for request in came}) == 3
        assert lw(*words).code == 0 and len(came) == 3  # what was done before is not sent again


@needs_otel
def test_what_cannot_be_sent_is_told_and_leaves_the_runs_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver(400) as (address, _):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        ran = lw("batch", "bargain", "--out", tmp_path / "deals", "--trace")
        assert ran.code == 0 and "LW636" in ran.err
        ran = lw("traces", tmp_path / "deals", "--json")
    assert ran.code == 2 and [one["code"] for one in ran.object()["problems"]] == ["LW636"]
