"""Models called by the names of `models.yaml`: whose word counts, what a run keeps of it, what never leaves `.env`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loopback import Answer, Call, Loopback, dead_url, fail, say, streamed
from ruamel.yaml import YAML
from test_litellm_run import answers, haggler, lines
from typed import lw

from legalworld.cli.publications import cutoffs_of, sources_of
from legalworld.evaluation.run_store import open_stored
from legalworld.files.project_files import EXAMPLES
from legalworld.models.litellm_client import Models
from legalworld.models.named.catalogue import FILE, open_catalogue
from legalworld.models.named.profile import from_record
from legalworld.models.named.tried_habits import FILE as HABITS
from legalworld.models.named.tried_habits import TriedHabits
from legalworld.models.wire import SETTINGS
from legalworld.runs import actors

EXAMPLE = next(iter(EXAMPLES)).read_text(encoding="utf-8")
CANARY = "sk-canary-0c0ffee0deadbeef0123456789abcdef"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Iterator[Path]:
    """A project of its own; what a command takes into the environment is taken back."""
    monkeypatch.setattr(actors, "Models", partial(Models, delay=0.0))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LW_LANG", "zh")
    project = tmp_path / "project"
    (project / "specs").mkdir(parents=True)
    monkeypatch.chdir(project)
    before = dict(os.environ)
    yield project
    for name in set(os.environ) - set(before) - set(SETTINGS):
        del os.environ[name]


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(haggler) as serving:
        yield serving


def write(folder: Path, models: Mapping[str, Any], sets: Mapping[str, Any] | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / FILE, "w", encoding="utf-8") as file:
        YAML().dump({"lw": 1, "models": dict(models), "sets": dict(sets or {})}, file)


def entry(server: Loopback, model: str = "clerk", **more: Any) -> dict[str, Any]:
    return {"model": f"openai/{model}", "address": server.url, **more}


def bodies(server: Loopback) -> list[dict[str, Any]]:
    return [call.body for call in server.calls]


# ---- a name is called ------------------------------------------------------------------------------------------------


def test_a_name_is_called_as_its_file_says(here: Path, server: Loopback) -> None:
    told = {"parameters": {"temperature": 0.2, "top_p": None, "seed": 7, "max tokens": 900}, "extra": {"top_k": 20}}
    write(here, {"mine": entry(server, **told)})
    ran = lw("run", "bargain", "--model", "mine", "--out", "deal", "--json")
    assert (ran.code, ran.object()["status"]) == (0, "ended")
    for body in bodies(server):
        assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("clerk", 0.2, 7, 900)
        assert body["top_k"] == 20
        assert "top_p" not in body
    run = YAML(typ="safe").load((here / "deal" / "run.yaml").read_text(encoding="utf-8"))
    assert set(run["models"].values()) == {"mine"}
    assert run["endpoints"]["mine"]["model"] == "openai/clerk"
    assert json.loads(run["endpoints"]["mine"]["parameters"])["seed"] == 7
    assert "模型：seller mine，buyer mine" in (here / "deal" / "transcript.md").read_text(encoding="utf-8")


def test_no_other_key_is_sent_to_an_address_of_ones_own(
    here: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("MINE_KEY", "sk-mine-1234567890")
    write(here, {"bare": entry(server), "keyed": entry(server, **{"key variable": "MINE_KEY"})})
    for name in ("bare", "keyed"):
        assert lw("run", "bargain", "--model", name, "--until", "haggle/bid", "--json").code == 0
    sent = {call.headers["authorization"] for call in server.calls}
    assert sent == {"Bearer none", "Bearer sk-mine-1234567890"}


def test_a_missing_key_is_told_by_its_name(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server, **{"key variable": "MINE_KEY"})})
    ran = lw("run", "bargain", "--model", "mine")
    assert ran.code == 2
    assert "LW160" in ran.err and "MINE_KEY" in ran.err
    assert not server.calls


def test_a_set_names_everybody_and_the_command_line_comes_before_it(here: Path, server: Loopback) -> None:
    names = {name: entry(server, name) for name in ("one", "two", "three")}
    write(here, names, {"study-a": {"buyer": "two", "others": "one"}})
    lw("run", "bargain", "--models", "study-a", "--out", "a", "--json")
    assert {body["model"] for body in bodies(server)} == {"one", "two"}
    server.calls.clear()
    lw("run", "bargain", "--models", "study-a", "--model", "buyer=three", "--out", "b", "--json")
    assert {body["model"] for body in bodies(server)} == {"one", "three"}
    ran = lw("run", "bargain", "--models", "study-b", "--json")
    assert [problem["code"] for problem in ran.object()["problems"]] == ["LW661"]
    assert ran.object()["problems"][0]["nearest"] == "study-a"


def test_names_that_nobody_has(here: Path, server: Loopback) -> None:
    write(here, {"clerk": entry(server), "deepseek": entry(server)})
    ran = lw("run", "bargain", "--model", "clrk")
    assert (ran.code, "LW668" in ran.err, "“clerk”" in ran.err) == (2, True, True)
    ran = lw("run", "bargain", "--model", "deepseek")
    assert (ran.code, "LW663" in ran.err, f"{FILE}:6:3" in ran.err) == (2, True, True)


CROSSED = {
    "itself": ({"a": {"fallbacks": ["a"]}}, {}, ["LW662"]),
    "round": ({"a": {"fallbacks": ["b"]}, "b": {"fallbacks": ["c"]}, "c": {"fallbacks": ["a"]}}, {}, ["LW662"] * 3),
    "a fork is no circle": ({"a": {"fallbacks": ["b", "c"]}, "b": {"fallbacks": ["c"]}, "c": {}}, {}, []),
    "nobody": ({"a": {"fallbacks": ["nobody"]}}, {}, ["LW668"]),
    "nobody in a set": ({"a": {}}, {"s": {"judge": "nobody"}}, ["LW668"]),
    "a script in a set": ({"a": {}}, {"s": {"judge": "offline:noisy", "others": "replay:runs/x"}}, []),
}


@pytest.mark.parametrize(("models", "sets", "codes"), CROSSED.values(), ids=CROSSED)
def test_names_across_the_file(here: Path, models: dict[str, Any], sets: dict[str, Any], codes: list[str]) -> None:
    write(here, {name: {"model": f"openai/{name}", **one} for name, one in models.items()}, sets)
    assert [problem.code for problem in open_catalogue(here).problems] == codes


# ---- whose word counts -----------------------------------------------------------------------------------------------

WORDS = st.sampled_from(["one", "two", "three"])
LAYER = st.dictionaries(WORDS, st.sampled_from(["a", "b", "c"]), max_size=3)


@given(user=LAYER, project=LAYER, word=WORDS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_project_comes_first(here: Path, user: dict[str, str], project: dict[str, str], word: str) -> None:
    """A name is the project's entry as a whole, else the user's as a whole, else litellm's."""
    for folder, layer in ((here.parent / "config" / "legalworld", user), (here, project)):
        write(folder, {name: {"model": f"openai/{folder.name}-{model}"} for name, model in layer.items()})
    profile = open_catalogue(here).profile(word)
    layers = (("project", project), ("legalworld", user))
    assert profile.model == next((f"openai/{name}-{one[word]}" for name, one in layers if word in one), word)


PARAMETER = st.one_of(st.none(), st.sampled_from([0.1, 0.5, 0.9]))


@given(spec=st.one_of(st.none(), PARAMETER), file=st.one_of(st.just("unsaid"), PARAMETER), refused=st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_file_comes_before_habits_and_habits_before_the_spec(
    here: Path, spec: float | None, file: float | str | None, refused: bool
) -> None:
    from legalworld.model.procedure import ModelDefaults
    from legalworld.models.endpoint import parameters_of

    said = {} if file == "unsaid" else {"temperature": file}
    write(here, {"mine": {"model": "openai/x", "parameters": said}})
    habits = TriedHabits("openai/x", "2026-01-01", refused=("temperature",) if refused else ())
    catalogue = open_catalogue(here)
    catalogue.keep_habits("mine", habits)
    sent = parameters_of(open_catalogue(here).profile("mine").endpoint(), ModelDefaults(temperature=spec))
    expected = file if file != "unsaid" else None if refused else spec
    assert sent.get("temperature") == expected
    assert ("temperature" in sent) == (expected is not None)


# ---- a run goes on as it was begun -----------------------------------------------------------------------------------


def test_a_resumed_run_keeps_what_its_names_stood_for(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server, parameters={"temperature": 0.2})})
    lw("run", "bargain", "--model", "mine", "--until", "settle", "--out", "deal", "--json")
    server.calls.clear()
    write(here, {"mine": entry(server, "other", parameters={"temperature": 0.9})})
    ran = lw("resume", "deal")
    assert ran.code == 0
    assert "LW670" in ran.err and "temperature" not in ran.err.partition("LW670")[0]
    assert {(body["model"], body["temperature"]) for body in bodies(server)} == {("clerk", 0.2)}
    (here / FILE).unlink()
    assert lw("replay", "deal").code == 0


def test_a_batch_tells_runs_of_another_model_apart(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server)})
    words = ("batch", "bargain", "--model", "mine", "--out", "all", "--json")
    assert lw(*words).code == 0
    assert lw(*words).code == 0
    write(here, {"mine": entry(server, "other")})
    ran = lw(*words)
    assert ran.code == 2
    assert "endpoints" in ran.out + ran.err


def test_prices_of_the_file_count(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server, price={"in": 1000, "out": 2000})})
    lw("run", "bargain", "--model", "mine", "--out", "deal", "--json")
    found = lw("cost", "deal", "--json").object()
    calls = len(server.calls)
    assert found["total"]["dollars"] == pytest.approx(calls * (7 * 1e-3 + 3 * 2e-3))
    assert found["without_price"] == []
    found = lw("cost", "deal", "--price", "mine=0/0", "--json").object()
    assert found["total"]["dollars"] == 0
    ran = lw("batch", "bargain", "--model", "mine", "--out", "all", "--budget", "dollars:0.02", "--json")
    assert ran.code == 3


def test_limits_of_the_file_count(here: Path, server: Loopback) -> None:
    from legalworld.models.limits import UNLIMITED, Gate
    from legalworld.models.named.profile import bounded

    write(here, {"mine": entry(server, limits={"calls": 1})})
    limits = bounded(UNLIMITED, open_catalogue(here).called(["mine"]))
    assert limits.rates["mine"].calls == 1
    assert Gate(limits).limits.names == {"mine": "openai/clerk"}


# ---- fallbacks -------------------------------------------------------------------------------------------------------


def test_a_fallback_answers_and_each_reply_says_so(here: Path, server: Loopback) -> None:
    gone = {"model": "openai/gone", "address": dead_url(), "fallbacks": ["second"]}
    write(here, {"first": gone, "second": entry(server)})
    ran = lw("run", "bargain", "--model", "first", "--out", "deal")
    assert ran.code == 0
    assert "LW675" in ran.err and "second" in ran.err
    replies = [line["reply"] for line in lines(here / "deal") if "answer" in line]
    assert {reply["by"] for reply in replies} == {"second"}
    assert lw("replay", "deal").code == 0
    stored = open_stored(here / "deal")
    assert not isinstance(stored, tuple)
    assert set(stored.models.values()) == {"first + second"}


def test_words_that_are_refused_are_not_asked_of_somebody_else(here: Path, server: Loopback) -> None:
    with Loopback([fail(400, "Content Exists Risk", code="content_filter")]) as prudish:
        write(here, {"first": entry(prudish, fallbacks=["second"]), "second": entry(server)})
        assert lw("run", "bargain", "--model", "first", "--json").code == 3
    assert not server.calls


def test_when_nobody_can_be_reached_the_run_can_be_gone_on_with(here: Path, server: Loopback) -> None:
    gone = {"model": "openai/gone", "address": dead_url()}
    write(here, {"first": {**gone, "fallbacks": ["second"]}, "second": gone})
    ran = lw("run", "bargain", "--model", "first", "--out", "deal", "--json")
    assert (ran.code, ran.object()["status"]) == (3, "stopped")
    assert answers(here / "deal") == []


# ---- habits ----------------------------------------------------------------------------------------------------------


def thinks_aloud(call: Call) -> Answer:
    text = json.loads(haggler(call).body)["choices"][0]["message"]["content"]
    answer = say(f"<Mull>秘密底价是77</Mull>\n{text}")
    return streamed(answer) if call.body.get("stream") else answer


def test_what_was_tried_is_kept_to_in_a_run(here: Path) -> None:
    with Loopback(thinks_aloud) as server:
        write(here, {"mine": entry(server)})
        habits = TriedHabits(
            "openai/clerk",
            "2026-01-01",
            thoughts=({"opening": "<Mull>", "closing": "</Mull>", "case": "any"},),
            refused=("temperature",),
        )
        open_catalogue(here).keep_habits("mine", habits)
        ran = lw("run", "bargain", "--model", "mine", "--out", "deal", "--json")
        assert (ran.code, ran.object()["status"]) == (0, "ended")
    assert not any("秘密底价" in text for text in answers(here / "deal"))
    assert "秘密底价" not in (here / "deal" / "transcript.md").read_text(encoding="utf-8")


def test_marks_that_were_found_can_be_taken_back(here: Path, server: Loopback) -> None:
    marks = {"opening": "<Mull>", "closing": "</Mull>", "case": "any"}
    for written, expected in (({}, (marks,)), ({"thoughts": []}, ())):
        write(here, {"mine": entry(server, **written)})
        open_catalogue(here).keep_habits("mine", TriedHabits("openai/clerk", "2026-01-01", thoughts=(marks,)))
        profile = open_catalogue(here).profile("mine")
        assert (profile.thoughts or ()) == expected
        assert profile.differs(from_record("mine", profile.recorded)) == ()


def test_habits_of_a_model_that_is_gone_are_told_and_not_used(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server)})
    catalogue = open_catalogue(here)
    catalogue.keep_habits("mine", TriedHabits("openai/before", "2026-01-01", refused=("max_tokens",)))
    catalogue.keep_habits("nobody", TriedHabits("openai/x", "2026-01-01"))
    found = open_catalogue(here)
    assert sorted(problem.code for problem in found.warnings) == ["LW671", "LW672"]
    assert found.profile("mine").parameters == {}
    ran = lw("run", "bargain", "--model", "mine", "--until", "haggle/bid")
    assert ran.code == 0
    assert "LW672" in ran.err and "LW671" not in ran.err


def test_a_server_that_answers_as_another_model_is_told(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server)})
    open_catalogue(here).keep_habits("mine", TriedHabits("openai/clerk", "2026-01-01", answered="clerk-0"))
    ran = lw("run", "bargain", "--model", "mine", "--until", "haggle/bid")
    assert ran.code == 0
    assert ran.err.count("LW673") == 1
    assert "clerk-0" in ran.err and "clerk-1" in ran.err
    assert ran.said.count("clerk-1") == ran.err.count("clerk-1")  # it is told once


@pytest.mark.parametrize("text", ["", "lw: 1\n", "lw: 1\nhabits: {mine: {tools: 7}}\n", "habits: [", "\0"])
def test_a_damaged_file_of_habits_is_told_and_left_alone(here: Path, server: Loopback, text: str) -> None:
    write(here, {"mine": entry(server)})
    (here / HABITS).write_text(text, encoding="utf-8")
    found = open_catalogue(here)
    assert [problem.code for problem in found.warnings] == ["LW678"]
    assert found.problems == ()


# ---- .env ------------------------------------------------------------------------------------------------------------


def everything(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != ".env":
            yield file, file.read_bytes()


def test_a_key_of_env_goes_to_its_server_and_nowhere_else(here: Path) -> None:
    """Over every file of a run that succeeds and one that fails, an archive, lists, JSON and errors."""
    (here / ".env").write_text(
        f'export MINE_KEY="{CANARY}"  # mine\nPYTHONPATH=/evil\nnonsense {CANARY} = "\n', "utf-8"
    )

    def echoing(call: Call) -> Answer:
        if call.number > 3 and call.body["model"] == "angry":
            return fail(401, f"Incorrect API key provided: {CANARY}; {call.headers['authorization']}")
        return haggler(call)

    said = []
    with Loopback(echoing) as server:
        key = {"key variable": "MINE_KEY"}
        write(here, {"mine": entry(server, **key), "angry": entry(server, "angry", **key)})
        commands = [
            ("models",),
            ("models", "--json"),
            ("models", "try", "mine"),
            ("run", "bargain", "--model", "mine", "--out", "runs/good"),
            ("run", "bargain", "--model", "angry", "--out", "runs/bad"),
            ("run", "bargain", "--model", "angry", "--out", "runs/worse", "--json"),
            ("resume", "runs/bad"),
            ("show", "runs/good"),
            ("cost", "runs/good", "--json"),
            ("archive", "pack", "runs/good", "--out", "deal.zip"),
            ("batch", "bargain", "--model", "mine", "--out", "all", "--json"),
        ]
        for command in commands:
            ran = lw(*command)
            said.append((command, ran.out + ran.err))
        assert {call.headers["authorization"] for call in server.calls} == {f"Bearer {CANARY}"}
    assert "/evil" not in os.environ.get("PYTHONPATH", "")
    hidden = [CANARY[start : start + 12] for start in range(len(CANARY) - 12)]
    assert [command for command, text in said if any(piece in text for piece in hidden)] == []
    for file, data in everything(here.parent):
        assert not any(piece.encode() in data for piece in hidden), file


def test_the_real_environment_comes_before_env(here: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / ".env").write_text("MINE_KEY=from-file\n", "utf-8")
    monkeypatch.setenv("MINE_KEY", "from-environment")
    write(here, {"mine": entry(server, **{"key variable": "MINE_KEY"})})
    lw("run", "bargain", "--model", "mine", "--until", "haggle/bid", "--json")
    assert {call.headers["authorization"] for call in server.calls} == {"Bearer from-environment"}


@pytest.mark.parametrize(
    "name",
    ["PATH", "PYTHONPATH", "LD_PRELOAD", "OPENAI_API_BASE", "HTTPS_PROXY", "XDG_CONFIG_HOME", "LW_DEBUG", "HOME"],
)
def test_env_gives_keys_and_nothing_else(
    here: Path, server: Loopback, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(name, raising=False)
    (here / ".env").write_text(f"{name}=/evil\n", "utf-8")
    write(here, {"mine": entry(server)})
    open_catalogue(here)
    assert os.environ.get(name) is None


HOSTILE = {
    "BOM": "\ufeffMINE_KEY=good\n".encode(),
    "CRLF": b"MINE_KEY=good\r\n",
    "no line end": b"MINE_KEY=good",
    "quoted": b"MINE_KEY='good'\n",
    "spaces": b"  export  MINE_KEY = good  \n",
    "after nonsense": b"= =\n\xff\xfe nonsense\nMINE_KEY=good\n",
    "reference": b"OTHER=x\nMINE_KEY=good\nSECOND_KEY=${HOME}\n",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_ways_to_write_env(here: Path, server: Loopback, data: bytes) -> None:
    (here / ".env").write_bytes(data)
    keys = {"mine": "MINE_KEY", "two": "SECOND_KEY"}
    write(here, {name: entry(server, **{"key variable": key}) for name, key in keys.items()})
    open_catalogue(here)
    assert os.environ["MINE_KEY"] == "good"
    assert os.environ.get("SECOND_KEY", "${HOME}") == "${HOME}"


@pytest.mark.parametrize("data", [b"MINE_KEY=a\0b\n", b"x" * 70_000, b"MINE_KEY=\xff\n"], ids=["NUL", "huge", "bytes"])
def test_an_env_that_cannot_be_read_is_told_without_its_words(here: Path, server: Loopback, data: bytes) -> None:
    (here / ".env").write_bytes(data)
    write(here, {"mine": entry(server, **{"key variable": "MINE_KEY"})})
    assert [problem.code for problem in open_catalogue(here).warnings]
    assert "MINE_KEY" not in os.environ


# ---- everywhere a model is named -------------------------------------------------------------------------------------


def grading(call: Call) -> Answer:
    """Plays either side, and grades with the middle of each scale."""
    if "response_format" not in call.body:
        return haggler(call)
    names = call.body["response_format"]["json_schema"]["schema"]["properties"]
    return say(json.dumps({name: {"reason": "理由", "turns": [], "score": 3} for name in names}, ensure_ascii=False))


def test_a_grader_by_name_is_called_and_recorded_with_what_it_stands_for(here: Path) -> None:
    with Loopback(grading) as server:
        write(here, {"mine": entry(server, parameters={"seed": 5})})
        lw("run", "bargain", "--out", "deal", "--json")
        ran = lw("eval", "deal", "--rubric", "longjud", "--grader", "nobody", "--json")
        assert [problem["code"] for problem in ran.object()["problems"]] == ["LW668"]
        from legalworld.evaluation.grader import Grader, grader_settings

        settings_of = grader_settings("mine", here)
        assert not isinstance(settings_of, tuple)
        assert Grader(settings_of, here / "grades").reached() == ()
        assert server.calls[-1].body["seed"] == 5
        before = Grader(settings_of, here / "grades")
        write(here, {"mine": entry(server, "other", parameters={"seed": 5})})
        now = grader_settings("mine", here)
        assert not isinstance(now, tuple)
    assert settings_of.recorded()["called"]["model"] == "openai/clerk"
    assert before.settings.recorded() != now.recorded()


def test_a_fork_by_name(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server)})
    lw("run", "bargain", "--out", "deal", "--json")
    (here / "receipt.md").write_text("收据\n\n货物：椅子\n价款：90元\n", encoding="utf-8")
    words = ("fork", "deal", "--at", "settle", "--replace", "receipt=receipt.md", "--model", "mine", "--out", "other")
    ran = lw(*words, "--json")
    assert "LW668" not in ran.out
    ran = lw("fork", "deal", "--at", "settle", "--replace", "receipt=receipt.md", "--model", "nobody", "--json")
    assert "LW668" in ran.out


def test_a_forecast_by_name_is_priced_by_the_file(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server, price={"in": 1000, "out": 1000}), "bare": entry(server)})
    found = lw("cost", "bargain", "--model", "mine", "--json").object()
    assert found["total"]["dollars"] > 0
    assert found["without_price"] == []
    assert lw("cost", "bargain", "--model", "bare", "--json").object()["without_price"] == ["bare"]
    assert not server.calls


def test_tools_in_words_where_that_was_found(here: Path, server: Loopback) -> None:
    write(here, {"mine": entry(server, "gpt-4o")})
    run = lambda out: lw("run", "civil", "--model", "target=mine", "--until", "CD", "--out", out, "--json")  # noqa: E731
    run("native")
    open_catalogue(here).keep_habits("mine", TriedHabits("openai/gpt-4o", "2026-01-01", tools="text", stream="needed"))
    server.calls.clear()
    run("text")
    told = [YAML(typ="safe").load((here / out / "run.yaml").read_text("utf-8")) for out in ("native", "text")]
    assert "native" in told[0]["tools"].values()
    assert "native" not in (told[1].get("tools") or {}).values()
    assert server.calls[0].body.get("stream") is True  # it is asked without one when it passes over that
    lw("run", "civil", "--model", "target=mine", "--tools", "native", "--until", "CD", "--out", "chosen", "--json")
    chosen = YAML(typ="safe").load((here / "chosen" / "run.yaml").read_text("utf-8"))
    assert "native" in chosen["tools"].values()


def test_a_batch_in_processes_calls_names(here: Path, server: Loopback) -> None:
    (here / ".env").write_text("MINE_KEY=from-file\n", "utf-8")
    write(here, {"mine": entry(server, **{"key variable": "MINE_KEY"})})
    words = ("batch", "bargain", "--model", "mine", "--seeds", "4", "--workers", "2", "--out", "all", "--json")
    assert lw(*words).code == 0
    assert {call.headers["authorization"] for call in server.calls} == {"Bearer from-file"}


def test_a_report_takes_prices_and_the_end_of_training_from_the_file(here: Path, server: Loopback) -> None:
    told = {"cutoff": "2024-07-31", "price": {"in": 2, "out": 4}}
    write(here, {"mine": entry(server, **told), "listed": {"model": "openai/gpt-4o"}})
    assert cutoffs_of((), ("mine", "listed", "openai/x")) == {"mine": date(2024, 7, 31)}
    assert cutoffs_of(("mine=2023-01-01",), ("mine",)) == {"mine": date(2023, 1, 1)}
    cost = sources_of().price
    assert cost("mine", 1_000_000, 1_000_000) == pytest.approx(6)
    assert cost("listed", 1_000_000, 0) == cost("openai/gpt-4o", 1_000_000, 0) != 0
    assert cost("nobody", 1_000_000, 0) is None


@given(cut=st.integers(0, 400), seed=st.integers(0, 2**32))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_off_anywhere_or_with_a_byte_exchanged_is_read_or_told(here: Path, cut: int, seed: int) -> None:
    """No exception, nothing of a file with an error in use, and each problem with a place in it."""
    import random

    whole = bytearray(EXAMPLE.encode())
    chance = random.Random(seed)
    whole[chance.randrange(len(whole))] = chance.choice(b"\t\0:{}[]#\"'&*!|>-\xff \n")
    (here / FILE).write_bytes(bytes(whole[: len(whole) - cut]))
    found = open_catalogue(here)
    assert all(problem.span.line <= EXAMPLE.count("\n") + 2 for problem in found.problems)
    assert not found.problems or found.called(["counsel"]) == {} or found.lacking(["counsel"], "--model")
