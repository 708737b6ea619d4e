"""`models.yaml` read: what it says, what is wrong with it, that a key in it is told and never echoed."""

from __future__ import annotations

import json
import random
import re
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from legalworld.files.project_files import EXAMPLES, Disk
from legalworld.language import diagnose
from legalworld.language.json_schema import json_schema
from legalworld.language.secrets import looks_like_key, masked
from legalworld.language.surfaces import canonical
from legalworld.models.limits import RateLimit
from legalworld.models.named.catalogue import FILE, open_catalogue
from legalworld.models.named.profile import ModelProfile, from_record
from legalworld.models.named.reader import ModelsFile, read_models_file
from legalworld.models.named.surfaces import (
    LimitsSurface,
    ModelEntrySurface,
    ModelsSurface,
    PriceSurface,
    ThoughtSurface,
)
from legalworld.models.prices import Price
from legalworld.models.wire import quiet_litellm
from legalworld.wording.diagnostics import as_json, render

WHOLE = """\
lw: 1
models:
  judge: deepseek/deepseek-v4-pro
  clerk:
    model: openai/Qwen3-32B
    address: http://127.0.0.1:8000/v1
    key variable: MY_SERVER_KEY
    parameters: {temperature: 0.2, top_p: null, max tokens: 4096, seed: 0, stop: [甲, 乙]}
    extra: {chat_template_kwargs: {enable_thinking: false}, top_k: 20, version: "2"}
    thoughts: [{opening: <mull>, closing: </mull>, where: start}]
    refusals: {overflow: [off the shelf, 'E-\\d+'], quota: no beans}
    tools: text
    stream: yes
    price: {in: 0.28, cached: 0.028, out: 0.42}
    limits: {requests: 60, calls: 8}
    fallbacks: [judge, openai/gpt-4o]
    cutoff: 2025-07-31
sets:
  study-a: {target: clerk, others: judge}
"""
CHINESE = """\
语言版本: 1
各模型:
  judge: deepseek/deepseek-v4-pro
  clerk:
    模型: openai/Qwen3-32B
    地址: http://127.0.0.1:8000/v1
    密钥变量: MY_SERVER_KEY
    参数: {温度: 0.2, 核采样: 不设, 最大词元数: 4096, 随机种子: 0, stop: [甲, 乙]}
    附加参数: {chat_template_kwargs: {enable_thinking: false}, top_k: 20, version: "2"}
    思考标记: [{起始: <mull>, 终止: </mull>, 位置: start}]
    拒绝用语: {超长: [off the shelf, 'E-\\d+'], 额度: no beans}
    工具: text
    流式: 是
    价格: {输入: 0.28, 缓存: 0.028, 输出: 0.42}
    限额: {请求数: 60, 同时: 8}
    后备: [judge, openai/gpt-4o]
    知识截止: 2025-07-31
各组合:
  study-a: {target: clerk, others: judge}
"""


def read(text: str) -> ModelsFile:
    return read_models_file(FILE, text)


def told(found: ModelsFile, text: str) -> str:
    """All that a person is shown of it, in both languages and as JSON."""
    shown = [render(found.problems, lambda _: text, locale) for locale in ("zh", "en")]
    return "".join(shown) + json.dumps([as_json(found.problems, "zh"), as_json(found.problems, "en")])


@pytest.mark.parametrize("text", [WHOLE, CHINESE, WHOLE.replace("\n", "\r\n")])
def test_what_a_file_says(text: str) -> None:
    found = read(text)
    assert found.problems == ()
    assert found.profiles == {
        "judge": ModelProfile("judge", "deepseek/deepseek-v4-pro"),
        "clerk": ModelProfile(
            "clerk",
            "openai/Qwen3-32B",
            parameters={"max_tokens": 4096, "seed": 0, "stop": ["甲", "乙"], "temperature": 0.2, "top_p": None},
            extra={"chat_template_kwargs": {"enable_thinking": False}, "top_k": 20, "version": "2"},
            thoughts=({"opening": "<mull>", "closing": "</mull>", "where": "start"},),
            refusals={"overflow": ("off the shelf", r"E-\d+"), "quota": ("no beans",)},
            tools="text",
            stream=True,
            address="http://127.0.0.1:8000/v1",
            key_variable="MY_SERVER_KEY",
            price=Price(0.28e-6, 0.028e-6, 0.42e-6),
            rate=RateLimit(requests=60, calls=8),
            fallbacks=("judge", "openai/gpt-4o"),
            cutoff="2025-07-31",
        ),
    }
    assert {role: word.text for role, word in found.sets["study-a"].items()} == {"target": "clerk", "others": "judge"}


def test_the_schema_names_every_key_in_both_languages() -> None:
    schema = json.dumps(json_schema(ModelsSurface), ensure_ascii=False)
    for text in (WHOLE, CHINESE):
        keys = {key.strip() for key in re.findall(r"([\w -]+): ", text)}
        keys -= {
            "judge",
            "clerk",
            "target",
            "others",
            "study-a",
            "chat_template_kwargs",
            "enable_thinking",
            "top_k",
            "version",
        }
        assert keys
        assert {key for key in keys if f'"{key}"' not in schema} == set()


def test_a_profile_comes_back_from_what_a_run_records() -> None:
    for name, profile in read(WHOLE).profiles.items():
        back = from_record(name, profile.recorded)
        assert back.differs(profile) == ()
        assert "price" not in profile.recorded


def test_the_example_that_init_brings_is_sound_and_has_every_key() -> None:
    ((source, name),) = ((source, name) for source, name in EXAMPLES.items() if name == "models.example.yaml")
    text = source.read_text(encoding="utf-8")
    found = read_models_file(name, text)
    assert found.problems == ()
    assert set(found.profiles) == {"reasoner", "counsel", "local"}
    surfaces = (ModelEntrySurface, PriceSurface, LimitsSurface, ThoughtSurface)
    keys = {one.name.rstrip("_").replace("_", " ") for surface in surfaces for one in fields(surface)}
    assert {key for key in keys - {"span", "given"} if f"{key}:" not in text} == set()


def test_the_example_of_the_pages_is_sound_and_the_same() -> None:
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in ("docs/models.md", "docs/en/models-file.md")]
    examples = [re.findall(r"```text\n(.*?)```", page, re.DOTALL)[0] for page in pages]
    assert examples[0] == examples[1]
    assert read(examples[0]).problems == ()
    for page in pages:
        rows = re.findall(r"^\| `([a-z ]+)` \| `(\w+)` \|", page, re.MULTILINE)
        assert {key for key, _ in rows} == {one.name.replace("_", " ") for one in fields(ModelEntrySurface)[2:]}
        assert [(key, zh) for key, zh in rows if canonical(zh) != canonical(key)] == []


MISTAKES = {
    "unknown key": ("    adress: http://x/v1\n", "LW041", 6, "address"),
    "unknown parameter": ("    parameters: {temprature: 1}\n", "LW669", 6, None),
    "wrong type": ("    parameters: {temperature: warm}\n", "LW079", 6, None),
    "infinite": ("    parameters: {temperature: .inf}\n", "LW079", 6, None),
    "a part of a token": ("    parameters: {max tokens: 1.5}\n", "LW079", 6, None),
    "list for a mapping": ("    parameters: [1]\n", "LW044", 6, None),
    "tool mode": ("    tools: natively\n", "LW300", 6, "native"),
    "truth": ("    stream: maybe\n", "LW074", 6, None),
    "name and password in the address": ("    address: http://me:hunter2@x/v1\n", "LW666", 6, None),
    "query in the address": ("    address: http://x/v1?auth=hunter2\n", "LW666", 6, None),
    "no web address": ("    address: file:///etc/passwd\n", "LW666", 6, None),
    "messages of one's own": ("    extra: {messages: []}\n", "LW667", 6, None),
    "streaming in extra": ("    extra: {stream: true}\n", "LW667", 6, None),
    "no day": ("    cutoff: summer\n", "LW521", 6, None),
    "a price below nothing": ("    price: {in: -1, out: 2}\n", "LW079", 6, None),
    "half a price": ("    price: {in: 1}\n", "LW042", 6, None),
    "no variable": ("    key variable: my_server\n", "LW665", 6, None),
}


@pytest.mark.parametrize(("line", "code", "number", "nearest"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place(line: str, code: str, number: int, nearest: str | None) -> None:
    text = f"lw: 1\nmodels:\n  mine:\n    # mine\n    model: openai/x\n{line}"
    (problem, *others) = read(text).problems
    assert (problem.code, problem.span.line, others) == (code, number, [])
    assert problem.span.column > 4
    assert nearest is None or problem.nearest == nearest
    assert "hunter2" not in told(read(text), text) or code == "LW666"


NAMES = ["a/b", "a=b", "a:b", "a b", "a,b", "offline", "Target", "-x", "", "长" * 61]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_would_mean_something_else(name: str) -> None:
    text = f'lw: 1\nmodels:\n  "{name}": openai/x\n'
    assert [problem.code for problem in read(text).problems] in (["LW664"], ["LW009"], ["LW016"], ["LW017"])


@given(st.text("abc甲乙-_.019", min_size=1, max_size=60).filter(lambda name: name[0] not in "-_."))
def test_any_plain_name_will_do(name: str) -> None:
    text = f'lw: 1\nmodels:\n  "{name}": openai/x\n'
    found = read(text)
    assert found.problems == () or looks_like_key(name)
    assert found.problems or set(found.profiles) == {name}


# ---- keys in the file ------------------------------------------------------------------------------------------------

LETTERS = string.ascii_letters + string.digits
KEYS: dict[str, Callable[[random.Random], str]] = {
    "OpenAI": lambda chance: "sk-proj-" + "".join(chance.choices(LETTERS + "-_", k=80)),
    "Anthropic": lambda chance: "sk-ant-api03-" + "".join(chance.choices(LETTERS + "-_", k=80)),
    "DeepSeek": lambda chance: "sk-" + "".join(chance.choices("0123456789abcdef", k=32)),
    "Gemini": lambda chance: "AIza" + "".join(chance.choices(LETTERS + "-_", k=35)),
    "Azure": lambda chance: "".join(chance.choices("0123456789abcdef", k=32)),
    "Zhipu": lambda chance: (
        "".join(chance.choices("0123456789abcdef", k=32)) + "." + "".join(chance.choices(LETTERS, k=16))
    ),
    "Ark": lambda chance: str(uuid.UUID(int=chance.getrandbits(128))),
    "random": lambda chance: "".join(chance.choices(LETTERS, k=40)),
    "JWT": lambda chance: "eyJhbGciOiJIUzI1NiJ9." + "".join(chance.choices(LETTERS, k=60)),
}
PLACES = {
    "the variable": WHOLE.replace("MY_SERVER_KEY", "{}"),
    "the model": WHOLE.replace("deepseek/deepseek-v4-pro", "{}"),
    "a name": WHOLE.replace("  judge:", "  {}:"),
    "a comment": WHOLE.replace("lw: 1", "lw: 1  # {}"),
    "extra": WHOLE.replace("top_k: 20", "headers: {{Authorization: Bearer {}}}").replace("{enable", "{{enable"),
    "a key of no kind": WHOLE.replace("    tools: text", "    api_key: {}"),
    "a broken line": WHOLE.replace("    tools: text", "    key variable: {}: [}}"),
    "a block": WHOLE.replace("    tools: text", "    cutoff: |\n      {}"),
    "a set": WHOLE.replace("target: clerk", "target: {}"),
    "an assignment": WHOLE + "DEEPSEEK_API_KEY={}\n",
}


def filled(place: str, key: str) -> str:
    text = PLACES[place]
    return text.replace("{}", key).replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KEYS)
def test_a_key_is_refused_wherever_it_stands_and_never_echoed(kind: str, place: str) -> None:
    chance = random.Random(f"{kind} {place}")
    for _ in range(5):
        key = KEYS[kind](chance)
        if not looks_like_key(key):  # one of a hundred
            continue
        text = filled(place, key)
        found = read(text)
        line = next(number for number, one in enumerate(text.splitlines(), 1) if key in one)
        assert {problem.code for problem in found.problems} == {diagnose.code_of(diagnose.key_in_file)}
        assert line in {problem.span.line for problem in found.problems}
        assert found.profiles == {} and found.sets == {}
        shown = told(found, text)
        assert not any(key[start : start + 8] in shown for start in range(0, len(key) - 8))


@pytest.mark.parametrize("value", ["hunter2", "password", "correct horse battery", "Pa55-w0rd!", "甲乙丙"])
@pytest.mark.parametrize(
    "key", ["api_key", "api-key", "API_KEY", "密钥", "password", "Authorization", "key variable", "密钥变量"]
)
def test_a_word_under_a_key_that_is_called_so_is_not_echoed_either(key: str, value: str) -> None:
    for text in (
        f"lw: 1\nmodels:\n  mine:\n    model: openai/x\n    {key}: {value}\n",
        f"lw: 1\nmodels:\n  mine: {{model: openai/x, {key}: '{value}', nonsense: 1}}\n",
    ):
        found = read(text)
        assert {problem.code for problem in found.problems} <= {"LW660", "LW665"}
        assert found.problems
        assert value not in told(found, text) or value == "password"


def test_what_is_no_key() -> None:
    """Names of models that litellm knows, and of others, are taken for what they are."""
    assert [name for name in quiet_litellm().model_cost if looks_like_key(name)] == []
    for name in ("Qwen3-Coder-480B-A35B-Instruct-FP8", "ep-20240611032145-abcde", "sha256:" + "ab12" * 16, "a" * 80):
        assert not looks_like_key(name)


@given(st.text(max_size=200))
def test_masking_keeps_the_columns(text: str) -> None:
    assert len(masked(text)) == len(text)
    assert masked(masked(text)) == masked(text)


# ---- hostile files ---------------------------------------------------------------------------------------------------


def hostile() -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "blank", b" \n\n"
    yield "deep", b"lw: 1\nmodels:\n  a:\n    model: x/y\n    extra: " + b"[" * 50_000
    yield "deep lines", "".join("  " * depth + "a:\n" for depth in range(2_000)).encode()
    yield "huge", b"lw: 1\nmodels:\n" + b"".join(b"  m%d: openai/x\n" % number for number in range(250_000))
    yield "oversized", b"# " + b"x" * (5 << 20)
    yield "bomb", b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nmodels: *c\n"
    yield "merge", b"lw: 1\nmodels: {<<: {a: openai/x}}\n"
    yield "tag", b"lw: 1\nmodels: !!python/object/apply:os.system ['true']\n"
    yield "tabs", b"lw: 1\nmodels:\n\ta: openai/x\n"
    yield "UTF-16 without its mark", WHOLE.encode("utf-16-le")
    yield "NUL", b"lw: 1\nmodels:\n  a: open\0ai/x\n"
    yield "bidi", "lw: 1\nmodels:\n  a\u202e: openai/x\n".encode()
    yield "several", b"lw: 1\n---\nlw: 1\n"
    yield "list", b"- 1\n"
    yield "text", b"hello"
    yield "other version", b"lw: 2\nmodels: {}\n"
    yield "random", random.Random(7).randbytes(4_000)
    yield "long line", b"lw: 1\nmodels: {" + b"a: openai/x, " * 200_000 + b"}"
    yield "name twice", b"lw: 1\nmodels:\n  a: openai/x\n  a: openai/y\n"
    yield "big number", b"lw: 1\nmodels:\n  a:\n    model: x/y\n    parameters: {seed: " + b"9" * 5_000 + b"}\n"


@pytest.mark.parametrize(("name", "data"), hostile(), ids=[name for name, _ in hostile()])
def test_a_hostile_file_is_told_in_words(
    name: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    (tmp_path / "specs").mkdir()
    (tmp_path / FILE).write_bytes(data)
    found = open_catalogue(tmp_path)
    assert found.problems and len(found.problems) < 1_000
    assert all(problem.code.startswith("LW") for problem in found.problems)
    assert render(found.problems[:20], lambda _: data.decode("utf-8", "surrogateescape")[:100_000], "zh")
    assert found.called(["a", "openai/x"]) == {}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "gbk", "utf-16"])
def test_a_file_in_the_encodings_of_editors_is_read_as_in_utf_8(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    (tmp_path / "specs").mkdir()
    text = "lw: 1\nmodels:\n  审判长用的: openai/x\n  书记员用的: anthropic/y\n"
    (tmp_path / FILE).write_bytes(text.encode("utf-8"))
    plain = open_catalogue(tmp_path)
    (tmp_path / FILE).write_bytes(text.encode(encoding))
    found = open_catalogue(tmp_path)
    assert plain.problems == () and set(plain.profiles) == {"审判长用的", "书记员用的"}
    assert (found.profiles, found.problems) == (plain.profiles, ())


def test_links_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing outside the project is read, and a folder in the place of the file is told."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    project, other = tmp_path / "project", tmp_path / "other.yaml"
    (project / "specs").mkdir(parents=True)
    other.write_text(WHOLE, encoding="utf-8")
    (project / FILE).symlink_to(other)
    assert [problem.code for problem in open_catalogue(project).problems] == [
        diagnose.code_of(diagnose.link_outside_project)
    ]
    (project / FILE).unlink()
    (project / FILE).mkdir()
    assert [problem.code for problem in open_catalogue(project).problems] == [diagnose.code_of(diagnose.irregular_file)]
    assert Disk(project).read(FILE) is None
