"""Words around a document that are no part of it: a table of what is cut off behind, and what stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.binding.casefile import parse_data
from legalworld.engine.handing_in import without_afterword, without_preamble

TABLE = Path(__file__).parent / "afterwords.yaml"


def rows() -> list[object]:
    data, problems = parse_data(TABLE.name, TABLE.read_text(encoding="utf-8"))
    assert data is not None, problems
    return [pytest.param(row["document"], row.get("behind") or "", id=row["case"]) for row in data.value]


@pytest.mark.parametrize(("document", "behind"), rows())
def test_what_is_said_behind_a_document_is_no_part_of_it(document: str, behind: str) -> None:
    whole = document if not behind else f"{document}\n\n{behind}"
    assert without_afterword(whole) == (document, behind)
    if behind:
        assert without_afterword(f"{document}\n\n---\n\n{behind}\n") == (document, behind)


# ---- neighbours: whatever is said above and behind -------------------------------------------------------------------

TITLES = ["民事判决书", "民 事 判 决 书", "民　事　判　决　书", "**民事判决书**", "《民事判决书》", "## 民 事 判 决 书"]
ENGLISH = ["Claim Form", "CLAIM FORM", "C L A I M  F O R M", "Ｃｌａｉｍ Ｆｏｒｍ", "# Claim form"]
COURTS = ["", "云泽省高级人民法院\n", "云泽省高级人民法院\n\n", "IN THE COUNTY COURT\n"]
PREFACES = [
    "好的，以下是判决书全文：",
    "根据合议庭评议结果，制作判决书如下：",
    "以下是民事判决书",
    "下面是文书。\n\n---",
    "收到。我先核对了评议笔录。\n各项认定没有出入。\n\n全文如下：",
    "Sure, here is the document:",
    "我按照要求写好了。" * 40,
]
BODIES = [
    "（2025）云01民初7号\n\n原告：田野，女。\n\n判决如下：\n被告偿还借款本金1万元。",
    "The claim is for £800.\n\nThe defendant owes it.",
]
SIGNED = [
    "审判长　秦越\n\n二〇二五年七月二日\n\n书记员　苏木",
    "审判员 秦越\n2025年7月2日\n（院印）\n本件与原本核对无异",
    "2025-07-02\n\n附：适用的法律条文\n《中华人民共和国民法典》第六百七十五条　借款人应当按照约定的期限返还借款。",
]
AFTERWORDS = [
    "以上是判决书全文，如有需要修改的地方请告诉我。",
    "---\n\n**说明**：\n1. 本判决书按照评议结果制作，没有增加当事人没有提出的事项。\n2. 金额已经复核。",
    "如需调整格式，请指出。",
    "注：判决书中的日期为评议当日，送达前请合议庭再核对一遍，特此说明。",
    "希望这份判决书符合要求！如果还有其他需要，随时告诉我。",
    "Please let me know if any changes are needed.",
    "（全文完，共计三页，已按照最新的格式要求排版，请审阅后用印。）",
]


@pytest.mark.parametrize("court", COURTS)
@given(st.sampled_from(TITLES + ENGLISH), st.sampled_from(PREFACES), st.sampled_from(BODIES), st.booleans())
def test_what_is_said_above_a_title_is_no_part_of_it(
    court: str, written: str, preface: str, body: str, parted: bool
) -> None:
    title = "民事判决书" if written in TITLES else "Claim Form"
    document = f"{court}{written}\n{body}"
    sections = ("判决如下",) if parted else ()
    if len(preface) > 200 and not parted:
        return  # of a document without parts nobody can tell by more than the length
    assert without_preamble(title, f"{preface}\n\n{document}", sections) == (document, preface)
    assert without_preamble(title, document, sections) == (document, "")


@given(
    st.sampled_from(BODIES), st.sampled_from(SIGNED[:2]), st.sampled_from(AFTERWORDS), st.sampled_from(["\n", "\n\n"])
)
def test_what_is_said_behind_the_day_is_no_part_of_it(body: str, signed: str, behind: str, gap: str) -> None:
    document = f"民事判决书\n{body}\n\n{signed}"
    assert without_afterword(f"{document}{gap}{behind}", ("判决如下",)) == (document, behind.removeprefix("---\n\n"))


@given(st.sampled_from(BODIES), st.sampled_from(SIGNED))
def test_whatever_signs_a_document_stays(body: str, signed: str) -> None:
    document = f"民事判决书\n{body}\n\n{signed}"
    assert without_afterword(document, ("判决如下",)) == (document, "")


@given(st.sampled_from(TITLES), st.sampled_from(BODIES))
def test_a_title_in_an_annex_is_no_beginning(written: str, body: str) -> None:
    document = f"云泽省高级人民法院\n{body}\n\n附送：\n{written}"
    assert without_preamble("民事判决书", document, ("判决如下", "The claim"))[0] == document
