"""Words of one procedure reach no other: neutral files hold none, and a procedure written without any reads well.

`arbitration/` is a labour arbitration in two stages, with the step names of a civil trial and no wording of its own.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from places import ROOT
from playing import Game
from typed import lw

from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.files.project_files import Disk
from legalworld.model.events import Event, Reply, Request
from legalworld.models.scripted import Manner, Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.project import Project, open_project
from legalworld.templates.lookups import particular

FOLDER = Path(__file__).parent / "arbitration"
COURTS = (
    *("法院", "法庭", "庭审", "当庭", "法官", "审判", "合议庭", "陪审", "书记员", "宣判", "评议"),
    *("原告", "被告", "起诉", "诉状", "公诉", "检察", "辩护", "上诉", "诉讼", "判决", "一审", "二审", "再审"),
)
OTHERS = ("仲裁", "裁决", "出租", "押金")
STAGES = ("LC", "CD", "DD", "FIT", "AD", "AR", "SIT", "KQ", "plaintiff", "defendant", "appell")
KINDS = frozenset(
    {"client", "lawyer", "judge"}
)  # the names of kinds that neutral files may bear, as prompts/README says


def neutral() -> list[str]:
    """Every neutral file of the project: what lies in no wording folder."""
    disk = Disk(ROOT)
    names = [*disk.names("prompts/zh"), *disk.names("documents")]
    deep = {name.split("/")[2] for name in names if name.startswith("prompts/") and name.count("/") > 3}
    kept = [name for name in names if name.startswith("documents/") or name.split("/")[2] not in deep]
    return [
        name for name in kept if name.endswith(".j2") and not (name.startswith("documents/") and name.count("/") > 2)
    ]


@pytest.mark.parametrize("home", neutral())
def test_a_neutral_file_says_nothing_of_one_procedure(home: str) -> None:
    text = (ROOT / home).read_text("utf-8")
    assert [word for word in (*COURTS, *OTHERS, *STAGES) if word in text] == []


@pytest.mark.parametrize("home", neutral())
def test_a_neutral_file_is_named_after_nothing_of_one_procedure(home: str) -> None:
    name = home.removeprefix("prompts/zh/").removesuffix(".j2").replace("documents/zh/", "documents/")
    assert name.startswith("documents/") or "/" not in name or any(not particular(name, "", kind) for kind in KINDS)
    if name.startswith("who/") and "_" not in name:
        assert name.removeprefix("who/") in {*KINDS, "default"}


@cache
def arbitration() -> tuple[Project, OpenedCase]:
    project = open_project("labour", FOLDER)
    assert isinstance(project, Project) and project.problems == (), project
    case = open_case(project, "cases/labour.yaml", "", {}, FOLDER)
    assert isinstance(case, OpenedCase) and case.problems == (), case
    return project, case


@cache
def game(target: str = "申请方代理", manner: Manner = "plain", agreed: bool = False) -> Game:
    project, case = arbitration()
    assert project.procedure is not None
    found, actors = Game(), Offline(project.templates, 0, manner)

    async def answer(request: Request) -> Reply:
        reply = actors.answer(request)
        text = reply.text.replace("：否】", "：是】") if agreed else reply.text
        found.requests.append(request)
        found.replies.append(text)
        return reply.model_copy(update={"text": text})

    def watch(event: Event | Request) -> None:
        if not isinstance(event, Request):
            found.events.append(event)

    playing = interpret(project.procedure, case.case, Settings(target, 0, {}), project.templates)
    found.status = asyncio.run(play_through(playing, ReplayLog(), answer, watch, halting=False)).status
    return found


GAMES = (("plain", False), ("plain", True), ("noisy", False), ("silent", False))


def sent(found: Game) -> Iterator[tuple[str, str, str]]:
    """(request, home, text) of everything that was sent."""
    for request in found.requests:
        for message in request.added:
            for home, text in message.parts:
                yield request.id, home, text


@pytest.mark.parametrize(("manner", "agreed"), GAMES)
def test_no_word_of_a_court_reaches_an_arbitration(manner: Manner, agreed: bool) -> None:
    found = game(manner=manner, agreed=agreed)
    assert found.status == "ended"
    texts = [text for _, _, text in sent(found)] + (found.replies if manner == "plain" else [])
    assert [(word, text) for text in texts for word in COURTS if word in text] == []


def test_all_its_words_are_neutral_ones_and_address_its_own_people() -> None:
    found = game()
    homes = {home.partition("#")[0] for _, home, _ in sent(found)}
    assert homes <= set(neutral())
    asked = {
        request.role: text for request in found.requests for m in request.added for h, text in m.parts if "/who/" in h
    }
    assert asked["仲裁员"].startswith("你是仲裁员。") and asked["申请方代理"].startswith("你是申请人代理人蒲知秋。")
    called = [text for _, home, text in sent(found) if home.endswith("act/reply.j2")]
    assert called and all(text.startswith("仲裁员点到你。") for text in called)


def test_every_granted_field_is_told_whatever_its_shape() -> None:
    said = "\n".join(text for _, home, text in sent(game()) if "/know/" in home)
    for words in (
        "【双方当事人：被申请人】\n姓名或者名称：望津物流有限公司\n住址或者住所：望津市港口路9号\n法定代表人：屠远航",
        "【你方的代理人】\n姓名：蒲知秋\n单位：望津法律援助中心",
        "【受理信息】\n仲裁委员会：望津市劳动人事争议仲裁委员会\n案号：望劳人仲案〔2025〕第88号",
        "1. 请求：支付2024年10月至12月的工资\n   金额（元）：24000\n2. 请求：",
        "【你方的能让到哪里】\n不低于五万元",
        "【质证结论】\n被申请人代理人（申证1 银行流水）：认可",
        "【愿意调解】\n申请人：否",
    ):
        assert words in said
    assert "yes" not in said and "None" not in said


def test_a_prompt_is_shown_with_its_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    shown = lw("prompt", "labour", "--as", "仲裁员", "--at", "开庭/opening/recusal")
    assert shown.code == 0
    assert "prompts/zh/act/ask.j2" in shown.out and "现在由你对申请人、被申请人说：是否申请仲裁员回避。" in shown.out


def test_a_law_is_cited_as_the_author_wrote_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form of a citation is its law's: no code puts title marks or article numbers around a foreign one."""
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    spec = tmp_path / "specs" / "labour.yaml"
    text = spec.read_text("utf-8").replace("[劳动争议调解仲裁法, 劳动合同法]", "[CPR, U.S.C.]")
    for chinese, foreign in (
        ("第二十八条", "CPR 26.1"),
        ("第三十五条", "CPR 27.8"),
        ("第四十六条", "29 U.S.C. § 160(b)"),
    ):
        text = text.replace(f"依据: 劳动争议调解仲裁法{chinese}", f"依据: {foreign}")
    text = "\n".join(line for line in text.splitlines() if "第四十二条" not in line)
    spec.write_text(f"{text}\n", "utf-8")
    act = tmp_path / "prompts/zh/labour/act/draft.judge.j2"
    act.parent.mkdir(parents=True)
    act.write_text('现在写{{ step.document.title }}（{{ step.basis | join("、") }}）。\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    assert lw("check", "labour", "--json").object()["problems"] == []
    prompt = lw("prompt", "labour", "--as", "仲裁员", "--at", "开庭/judgment/judge").out
    assert "现在写裁决书（29 U.S.C. § 160(b)）。" in prompt
    assert lw("run", "labour", "--out", "run").code == 0
    transcript = (tmp_path / "run/transcript.md").read_text("utf-8")
    assert "依据：CPR 26.1" in transcript and "依据：CPR 27.8" in transcript
