"""Documents on paper: which line has which style, what Word reads, PDF where LibreOffice is, two documents compared."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from places import ROOT, TOP_SPECS

from legalworld.cli.main import lw
from legalworld.export.export import layout_of
from legalworld.export.layout import FILE, DocumentForm, Layout, read_layout, styled
from legalworld.export.word import CELL_MARGINS, _widths
from legalworld.files.project_files import Disk
from legalworld.files.word.text import word_text as text_of
from legalworld.language.link.linker import link
from legalworld.law.text.redline import compare, parts
from legalworld.model.source import MemorySources
from legalworld.templates.lookups import form_homes
from legalworld.templates.lookups import minutes as minutes_homes
from legalworld.templates.template_set import TemplateSet


def run(*words: str) -> Result:
    return CliRunner().invoke(lw, [*words])


@cache
def layout() -> Layout:
    found = read_layout(Disk(ROOT), form_homes("zh", ("civil", "court"), FILE))
    assert isinstance(found, Layout), found
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case played offline to its second judgment and exported: every document of the procedure, every style."""
    place = tmp_path_factory.mktemp("papers") / "jiedai"
    assert run("run", "civil", "--case", "jiedai", "--out", str(place)).exit_code == 0
    assert run("export", str(place)).exit_code == 0
    return place


# ---- lines and their styles ------------------------------------------------------------------------------------------
def test_a_judgment_has_its_lines_where_a_clerk_expects_them() -> None:
    text = """# 江澜市人民法院

    **民事判决书**

    （2024）虚0105民初1号

    原告：甲。

    判决如下：

    一、驳回。

    审判长　待补充

    日期　待补充

    书记员　待补充
    """
    found = styled(text, DocumentForm("民事判决书", ("原告", "判决如下"), "court"), layout())
    assert found == [
        ("court", "江澜市人民法院"),
        ("title", "民事判决书"),
        ("number", "（2024）虚0105民初1号"),
        ("body", "原告：甲。"),
        ("heading", "判决如下："),
        ("item", "一、驳回。"),
        ("bench", "审判长　待补充"),
        ("bench", "日期　待补充"),
        ("seal", "（院印）"),
        ("verified", "本件与原本核对无异"),
        ("bench", "书记员　待补充"),
    ]


def test_an_award_bears_the_seal_of_the_committee_and_its_part_of_the_number() -> None:
    own = read_layout(Disk(ROOT), form_homes("zh", ("labour_arbitration", "court"), FILE))
    assert isinstance(own, Layout), own
    text = """某仲裁委员会\n仲裁裁决书（终局裁决）\n某劳人仲案字〔2025〕第0088号之一\n申请人：甲。\n首席仲裁员　乙
仲裁员　丙
二〇二五年四月十四日\n书记员　丁"""
    found = styled(text, DocumentForm("仲裁裁决书（终局裁决）", ("申请人",), "court"), own)
    assert [style for style, _ in found] == [
        *("court", "title", "number", "body", "bench", "bench", "bench", "seal", "verified", "bench"),
    ]
    assert ("seal", "（仲裁委员会印章）") in found


def test_a_pleading_ends_with_the_court_flush_left_and_the_signature_right() -> None:
    text = "民事起诉状\n诉讼请求\n1. 还款。\n此致\n江澜市人民法院\n附：副本1份\n具状人：甲\n日期：待补充"
    found = styled(text, DocumentForm("民事起诉状", ("诉讼请求", "此致")), layout())
    assert [style for style, _ in found] == [
        *("title", "heading", "item", "to", "receiver", "enclosure", "signature", "signature"),
    ]


def test_the_seal_is_the_courts_alone() -> None:
    found = styled("民事起诉状\n日期：待补充", DocumentForm("民事起诉状"), layout())
    assert "seal" not in [style for style, _ in found]


def test_a_table_stays_together() -> None:
    found = styled("清单\n| a | b |\n|---|---|\n| 1 | 2 |\n完", DocumentForm("清单"), layout())
    assert [style for style, _ in found] == ["title", "table", "body"]
    assert found[1][1].count("\n") == 2


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ("lw: 1\nlayout: x\npage: {width: 1, height: 1, top: 1, bottom: 1, left: 1}\nstyles: {}\n", "LW042"),
        (
            "lw: 1\nlayout: x\npage: {width: wide, height: 1, top: 1, bottom: 1, left: 1, right: 1}\nstyles: {}\n",
            "LW079",
        ),
        (
            "lw: 1\nlayout: x\npage: {width: 1, height: 1, top: 1, bottom: 1, left: 1, right: 1}\n"
            "styles: {body: {name: a, font: b, size: 1}}\nrules:\n  - {style: boby}\n",
            "LW232",
        ),
        (
            "lw: 1\nlayout: x\npage: {width: 1, height: 1, top: 1, bottom: 1, left: 1, right: 1}\n"
            "styles: {body: {name: a, font: b, size: 1}}\nrules:\n  - {style: body, is: nowhere}\n",
            "LW232",
        ),
    ],
)
def test_a_broken_layout_is_told_by_its_place(broken: str, code: str) -> None:
    found = read_layout(MemorySources({"documents/layout.yaml": broken}), ("documents/layout.yaml",))
    assert isinstance(found, tuple)
    assert [problem.code for problem in found] == [code] and found[0].span.file == "documents/layout.yaml"


def test_a_special_layout_holds_what_is_different_and_goes_first() -> None:
    general = (
        "lw: 1\nlayout: all\nfooter: 页{page}\nspeech: （经过）\n"
        "page: {width: 1, height: 2, top: 0, bottom: 0, left: 0, right: 0}\n"
        "styles: {body: {name: 正文, font: a, size: 1}, title: {name: 标题, font: a, size: 2}}\n"
        "rules:\n  - {style: title, is: title}\n  - {style: body, begins: [日期]}\n"
    )
    special = (
        "lw: 1\nlayout: mine\nfooter: 第{page}页\nstyles: {title: {name: 大标题, font: b, size: 9}}\n"
        "rules:\n  - {style: title, begins: [日期]}\n"
    )
    sources = MemorySources({"documents/zh/labour/layout.yaml": special, "documents/zh/layout.yaml": general})
    alone = read_layout(sources, form_homes("zh", ("civil",), FILE))
    both = read_layout(sources, form_homes("zh", ("labour",), FILE))
    assert isinstance(alone, Layout) and isinstance(both, Layout)
    text = "裁决书\n日期：待补充"
    assert styled(text, DocumentForm("裁决书"), alone) == [("title", "裁决书"), ("body", "日期：待补充")]
    assert styled(text, DocumentForm("裁决书"), both) == [("title", "裁决书"), ("title", "日期：待补充")]
    assert (both.footer, both.speech, both.page) == ("第{page}页", "（经过）", alone.page)
    assert (both.styles["title"].name, both.styles["body"].name, alone.styles["title"].name) == (
        "大标题",
        "正文",
        "标题",
    )
    lacking = read_layout(
        MemorySources({"documents/zh/labour/layout.yaml": special}), form_homes("zh", ("labour",), FILE)
    )
    assert isinstance(lacking, tuple) and [problem.code for problem in lacking] == ["LW042"]


# ---- files -----------------------------------------------------------------------------------------------------------
def test_every_document_says_in_word_what_it_says_in_the_run(folder: Path) -> None:
    documents = sorted((folder / "documents").glob("*.md"))
    assert len(documents) >= 5
    for document in documents:
        word = text_of((folder / "exports" / f"{document.stem}.docx").read_bytes())
        lines = [line.strip() for line in document.read_text("utf-8").splitlines() if line.strip()]
        assert [line for line in lines if not line.startswith("|") and line not in word] == []
        assert "None" not in word and "{{" not in word


def test_the_record_of_a_hearing_holds_what_was_said_and_no_trace_of_the_machine(folder: Path) -> None:
    word = text_of((folder / "exports" / "minutes-FIT.docx").read_bytes())
    assert word.splitlines()[:3] == ["江澜市青塘区人民法院", "庭审笔录", "案号：（2024）虚0105民初1001号"]
    assert "审判长：" in word and "原告代理律师：" in word and "法庭辩论" in word
    assert word.rstrip().endswith("日期：")
    for trace in ("offline", "json", "token", "调解方案", "［庭审经过］"):
        assert trace not in word
    second = text_of((folder / "exports" / "minutes-SIT.docx").read_bytes())
    assert "上诉人代理律师：" in second and "（2024）虚0105民初1001号" not in second.splitlines()[2]


def test_who_signed_and_the_day_stand_on_the_page_of_the_text(folder: Path) -> None:
    docx = pytest.importorskip("docx")
    lines = docx.Document(str(folder / "exports" / "first_judgment.docx")).paragraphs
    tail = next(n for n, line in enumerate(lines) if line.text.startswith("审判长"))
    together = [line.text.split("　")[0] for line in lines[tail - 1 : -1] if line.paragraph_format.keep_with_next]
    assert [word[:3] for word in together] == ["如不服", "审判长", "人民陪", "人民陪", "二〇二", "本件与", "法官助"]


def test_a_short_word_in_a_table_stands_in_one_line() -> None:
    rows = [["序号", "名称", "种类"], ["1", "合同" * 40, "电子数据"]]
    widths = _widths(rows, 3, 15.6, 0.42)
    assert widths[0] >= 2 * 0.42 + CELL_MARGINS and widths[2] >= 4 * 0.42 + CELL_MARGINS
    assert sum(widths) == pytest.approx(15.6)
    assert sum(_widths([["名称"] * 40], 40, 15.6, 0.42)) == pytest.approx(15.6)


def test_two_exports_are_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    words = ("--document", "complaint", "--document", "evidence_list", "--document", "minutes@FIT")
    assert run("export", str(folder), *words, "--to", str(tmp_path)).exit_code == 0
    files = list(tmp_path.iterdir())
    assert len(files) == 2 * 4
    for file in files:
        assert file.read_bytes() == (folder / "exports" / file.name).read_bytes()
    with zipfile.ZipFile(io.BytesIO((tmp_path / "complaint-plaintiff.docx").read_bytes())) as packed:
        assert {entry.date_time[0] for entry in packed.infolist()} == {2000}


def test_one_document_is_chosen_by_title_or_id(folder: Path, tmp_path: Path) -> None:
    assert (
        run("export", str(folder), "--document", "民事起诉状", "--format", "docx", "--to", str(tmp_path)).exit_code == 0
    )
    assert [file.name for file in tmp_path.iterdir()] == ["complaint-plaintiff.docx"]
    failed = run("export", str(folder), "--document", "民事起诉壮")
    assert failed.exit_code == 2 and "LW230" in failed.output and "complaint@plaintiff" in failed.output


@pytest.mark.parametrize("where", ["zh/civil/", "zh/court/", "zh/", ""])
def test_a_lawyers_own_styles_win(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    import docx

    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    style = f"documents/{where}style.docx"
    assert run("export", str(folder), "--template", style).exit_code == 0
    mine = docx.Document(style)
    mine.styles["文书标题"].font.name = "Mine"
    mine.save(style)
    assert run("export", str(folder), "--document", "complaint", "--format", "docx", "--to", "out").exit_code == 0
    made = docx.Document("out/complaint-plaintiff.docx")
    assert made.styles["文书标题"].font.name == "Mine"
    assert [p.style.name for p in made.paragraphs if p.text == "民事起诉状"] == ["文书标题"]
    assert "法院名称" not in [p.text for p in made.paragraphs]  # what the template showed is gone
    Path(style).write_bytes(b"no zip")
    failed = run("export", str(folder), "--to", "out")
    assert failed.exit_code == 2 and "LW233" in failed.output


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_pdf(folder: Path, tmp_path: Path) -> None:
    made = run(
        "export",
        str(folder),
        "--document",
        "first_judgment",
        "--format",
        "pdf",
        "--to",
        str(tmp_path),
        "--json",
    )
    assert made.exit_code == 0, made.output
    assert (tmp_path / "first_judgment.pdf").read_bytes().startswith(b"%PDF")


def test_without_libreoffice_word_is_written_and_it_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    made = run("export", str(folder), "--document", "complaint", "--format", "pdf", "--to", str(tmp_path))
    assert made.exit_code == 2 and "LW231" in made.output
    assert (tmp_path / "complaint-plaintiff.docx").exists()


# ---- the minutes of a hearing ----------------------------------------------------------------------------------------
ROOM = """\
lw: 1
procedure: room
title: 开庭
wording: court
case:
  people: {title: 当事人, path: "$.people.{side}[*]", per: side, each: person, keys: [name, absent]}
kinds: {J: judge, P: party, L: advocate, W: witness}
roles:
  judge:     {title: 审判长, kind: judge}
  clerk:     {title: 书记员, kind: judge}
  plaintiff: {title: 原告, kind: party, side: plaintiff, each: people}
  defendant: {title: 被告, kind: party, side: defendant, each: people, absent if: person.absent is yes}
  counsel:   {title: 代理人, kind: advocate, side: defendant, represents: defendant}
  witness:   {title: 证人, kind: witness}
stages:
  - stage: sitting
    title: 庭审
    closed to: witness
    minutes: KEEPER
    phases:
      - phase: inquiry
        title: 调查
        off the record: judge if again is no
        steps:
          - plaintiff, defendant state: 意见
          - judge notes: 是否再谈
            answer: again is yes or no
      - phase: talks
        title: 调解
        off the record: judge
        steps:
          - plaintiff states: 让步
          - counsel states: 让步
      - phase: testimony
        title: 作证
        steps:
          - witness enters
          - judge asks witness: 看见了什么
          - judge asks plaintiff: 商议
            heard by: counsel
          - witness leaves
          - clerk reads inquiry to witness, defendant
          - reopen inquiry:
          - counsel states: 补充
          - judge, clerk vote: 公开表决
            answer: open is yes or no
            tie: no
            reveals: count
          - judge, clerk vote: 秘密表决
            answer: secret is yes or no
            tie: no
          - plaintiff, counsel vote: 审判长和书记员听不到的表决
            answer: apart is yes or no
            tie: no
            reveals: names
            heard by: plaintiff, counsel
          - judge asks plaintiff: 单独谈
            closed to: clerk
"""
ROOM_CASE = """\
lw: 1
case: room
people: {plaintiff: [{name: 甲}], defendant: [{name: 乙, absent: yes}, {name: 丙}]}
"""


def minutes(tmp_path: Path, keeper: str) -> list[str]:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "room.yaml").write_text(ROOM.replace("KEEPER", keeper), encoding="utf-8")
    (tmp_path / "case.yaml").write_text(ROOM_CASE, encoding="utf-8")
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "minutes.j2").write_text(
        '法院\n\n庭审笔录\n\n{% include "documents/_attendance.j2" %}\n\n\n［庭审经过］\n\n日期：', encoding="utf-8"
    )
    ran = run("run", "room", "--case", "case.yaml", "--out", "r")
    assert ran.exit_code == 0, ran.output
    assert run("export", "r", "--document", "minutes@sitting", "--to", "out").exit_code == 0
    lines = text_of(Path("out/minutes-sitting.docx").read_bytes()).splitlines()
    return [line.partition("：")[0] if "人员" not in line else line for line in lines if line.strip()]


ASIDE = "（部分在场人之间的谈话，不记入本笔录。）"
OUTSIDE = "（这一部分记录人不在场，不记入本笔录。）"
KEPT_APART = "（{}已经进行，情况另行记录，不记入本笔录。）"


@pytest.mark.parametrize("keeper", ["judge", "clerk"])
def test_minutes_hold_what_happened_on_the_record(keeper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reopened phase loses the time that was off the record alone; who was absent, came and went is told."""
    monkeypatch.chdir(tmp_path)
    judges = keeper == "judge"
    assert minutes(tmp_path, keeper) == [
        *("法院", "庭审笔录"),
        *("到庭人员：原告甲；被告丙；被告代理人；证人", "未到庭人员：被告乙"),
        *("（被告乙未到庭。）", "（证人在庭外等候。）"),
        *("调查", "原告", "被告丙"),
        *("调解", *([KEPT_APART.format("调解")] if judges else ["原告", "被告代理人"])),
        *("作证", "（证人到庭。）", "审判长", "证人"),
        *(["审判长", "原告"] if judges else [ASIDE]),
        *("（证人退庭。）", "（书记员向被告丙宣读“调查”的笔录。）"),
        *("恢复调查", *([KEPT_APART.format("调查")] if judges else ["原告", "被告丙"])),
        *("作证", "被告代理人", "（表决", ASIDE, "（书记员暂时离开。）"),
        *(["审判长", "原告"] if judges else [OUTSIDE]),
        "日期",
    ]
    text = text_of(Path("out/minutes-sitting.docx").read_bytes())
    assert "（表决：公开表决。是 2 票，否 0 票；结果：是。）" in text
    assert "秘密表决" not in text and "听不到的表决" not in text
    transcript = Path("r/transcript.md").read_text("utf-8")
    assert "〔表决：秘密表决。结果：是〕" in transcript
    counted = "是 1 票，否 1 票；票数不够，按平票的规则，结果：否；原告：是，被告代理人：否"
    assert f"〔表决：审判长和书记员听不到的表决。{counted}〕" in transcript


# ---- comparing -------------------------------------------------------------------------------------------------------
def test_the_parts_of_the_shipped_documents_are_found(folder: Path) -> None:
    documents = folder / "documents"
    complaint = parts((documents / "complaint-plaintiff.md").read_text("utf-8"))
    assert len(complaint["claims"]) == 3 and len(complaint["evidence"]) == 5
    judgment = parts((documents / "first_judgment.md").read_text("utf-8"))
    assert judgment["claims"] == complaint["claims"]
    assert len(judgment["issues"]) == 3 and len(judgment["evidence"]) == 7 and len(judgment["decision"]) == 3


BEFORE = """民事起诉状
诉讼请求
1. 判令被告返还借款本金100000元；
2. 判令被告支付利息；
3. 诉讼费由被告负担。
事实与理由
依据《中华人民共和国民法典》第六百七十五条。
证据
1. 借条。
此致
"""
AFTER = """民事起诉状
诉讼请求
1. 判令被告返还借款本金80000元；
2. 诉讼费由被告负担；
3. 判令被告支付律师费5000元。
事实与理由
依据《中华人民共和国民法典》第六百七十六条。
证据
1. 借条。
2. 转账凭证。
此致
"""


def test_what_came_went_and_changed() -> None:
    found = compare(BEFORE, AFTER).as_data()
    assert found["claims"]["changed"] == [
        {"before": "判令被告返还借款本金100000元", "after": "判令被告返还借款本金80000元"}
    ]
    assert found["claims"]["dropped"] == ["判令被告支付利息"] and found["claims"]["added"] == [
        "判令被告支付律师费5000元"
    ]
    assert found["claims"]["same"] == 1
    assert found["evidence"]["added"] == ["转账凭证"] and found["evidence"]["same"] == 1
    assert found["amounts"] == {"dropped": ["100000元"], "added": ["80000元", "5000元"]}
    assert found["citations"]["dropped"] == ["《中华人民共和国民法典》第六百七十五条"]
    assert found["citations"]["added"] == ["《中华人民共和国民法典》第六百七十六条"]


def test_a_document_is_the_same_as_itself() -> None:
    assert compare(BEFORE, BEFORE).same
    assert compare("", "").same
    assert not compare("", BEFORE).same


def test_the_pieces_of_a_changed_item_give_both_versions_back() -> None:
    for item in compare(BEFORE, AFTER).items:
        assert "".join(text for change, text in item.pieces if change != "added") == (
            item.before if item.change != "added" else ""
        )
        assert "".join(text for change, text in item.pieces if change != "dropped") == (
            item.after if item.change != "dropped" else ""
        )


def test_the_command_takes_files_word_and_documents_of_a_run(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text(AFTER, encoding="utf-8")
    (tmp_path / "a.txt").write_text(BEFORE, encoding="utf-8")
    shown = run("compare", str(tmp_path / "a.txt"), str(tmp_path / "b.md"))
    assert shown.exit_code == 0 and "[-10-]{+8+}0000元" in shown.output
    word = folder / "exports" / "complaint-plaintiff.docx"
    same = run("compare", str(word), f"{folder}:complaint", "--json")
    assert same.exit_code == 0
    data = json.loads(same.output)
    assert data["claims"]["changed"] == data["claims"]["added"] == data["claims"]["dropped"] == []
    for words in (("x.md", "y.md"), (f"{folder}:nothing", str(word)), (str(tmp_path), str(word))):
        failed = run("compare", *words)
        assert failed.exit_code == 2 and "LW23" in failed.output and "Traceback" not in failed.output


@pytest.mark.parametrize("spec", sorted(path.stem for path in TOP_SPECS))
def test_minutes_of_a_shipped_procedure_have_the_line_that_what_happened_takes(spec: str) -> None:
    """A form without the line of its layout would be minutes in which nobody says anything."""
    procedure = link(Disk(ROOT), f"specs/{spec}.yaml").procedure
    assert procedure is not None
    layout, templates = layout_of(procedure), TemplateSet.of(Disk(ROOT), procedure)
    assert isinstance(layout, Layout)
    for stage in procedure.stages:
        if stage.minutes:
            home = templates.find(minutes_homes(stage.id))
            assert home is not None and layout.speech in (ROOT / home).read_text("utf-8").splitlines(), stage.id
