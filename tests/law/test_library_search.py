"""Search: a cited article first, then words; by the text of a day; cases; a model that orders anew."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from library_texts import CASES, code, day, made
from loopback import Answer, Call, Loopback, fail, raw
from places import HANG

from legalworld.law.library.cases import read_cases, stream_cases
from legalworld.law.library.index import words
from legalworld.law.library.library import AddedCases, CaseHits, Hits, Library
from legalworld.law.library.reranker import Embedding, RankingFailed, Reranking, ranker_of
from legalworld.law.library.search import snippet
from legalworld.law.library.store import CaseRecord
from legalworld.model.diagnostics import Diagnostic


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    found = made(tmp_path_factory.mktemp("project") / "library")
    assert isinstance(found.add_cases(CASES), AddedCases)
    yield found
    found.close()


def names(found: Hits | Diagnostic) -> list[str]:
    assert isinstance(found, Hits)
    return [f"{hit.found.law.short}{hit.found.article.number}" for hit in found.hits]


def test_words_of_a_text() -> None:
    found = words("请求支付逾期利息，以及劳动合同的经济补偿！")
    assert {"支付", "逾期", "利息", "劳动", "合同", "劳动合同", "经济", "补偿"} <= set(found)
    assert not {"，", "的", "以及", "！"} & set(found)
    assert words("ＡＢＣ１２") == words("abc12") != []


def test_the_best_article_comes_first(library: Library) -> None:
    assert names(library.search("车辆毁损 赔偿责任"))[0] == "湖滨市停车场管理条例8"
    assert names(library.search("救生衣"))[0] == "湖滨市游船管理办法2"
    assert names(library.search("逾期利息", at=day("2017-01-01")))[0] == "云川商事法典5"


def test_a_cited_article_comes_before_all_words(library: Library) -> None:
    found = library.search("《湖滨市停车场管理条例》第八条 救生衣", top=3)
    assert isinstance(found, Hits)
    assert (found.hits[0].exact, found.hits[1].exact) == (True, False)
    assert names(found)[:2] == ["湖滨市停车场管理条例8", "湖滨市游船管理办法2"]
    for query in ("湖滨市停车场管理条例8", "湖滨市停车场管理条例第8条第一款", "湖滨市停车场管理条例 第八条：赔偿"):
        assert names(library.search(query))[0] == "湖滨市停车场管理条例8", query


def test_a_citation_of_nothing_is_said_to_be_one(library: Library) -> None:
    found = library.search("湖滨市停车场管理条例第一百条 救生衣")
    assert isinstance(found, Hits)
    assert [problem.code for problem in found.problems] == ["LW215"]
    assert names(found)[0] == "湖滨市游船管理办法2"


def test_an_article_without_a_law_is_that_of_each(library: Library) -> None:
    found = library.search("第二条", at=day("2020-12-01"))
    assert isinstance(found, Hits)
    assert all(hit.exact and hit.found.article.number.main == 2 for hit in found.hits)
    assert len(found.hits) == 3
    assert names(library.search("2023年的停车费"))  # a bare number is no article


def test_a_law_before_the_words_means_that_law(library: Library) -> None:
    for query, law in (("湖滨市停车场管理条例 制定", ""), ("制定", "湖滨市停车场管理条例")):
        found = library.search(query, law=law)
        assert isinstance(found, Hits)
        assert {hit.found.law.short for hit in found.hits} == {"湖滨市停车场管理条例"}
    assert code(library.search("制定", law="没有的法")) == "LW210"


def test_only_texts_of_the_day_are_found(library: Library) -> None:
    old = library.search("罚款", at=day("2020-01-01"), law="湖滨市停车场管理条例")
    new = library.search("罚款", law="湖滨市停车场管理条例")
    assert names(old) == ["湖滨市停车场管理条例5"] and names(new) == ["湖滨市停车场管理条例7"]
    assert names(library.search("罚款", at=day("2018-01-01"), law="湖滨市停车场管理条例")) == []


def test_words_that_were_changed_are_left_out_and_counted(library: Library) -> None:
    found = library.search("交易记录 保存期限", law="云川商事法典")
    assert isinstance(found, Hits)
    assert "云川商事法典2" not in names(found)
    assert found.changed == 1


@pytest.mark.parametrize(
    "query", ["", " ", "，。", "的", "\x00", "\ud800", "(" * 500, "救" * 100_000, "a OR b AND (", "第条", "0"]
)
def test_no_query_is_too_strange(library: Library, query: str) -> None:
    assert isinstance(library.search(query), Hits)
    assert isinstance(library.search_cases(query), CaseHits)


def test_the_same_search_gives_the_same(library: Library, tmp_path: Path) -> None:
    other = made(tmp_path / "library")
    for query in ("停车", "逾期利息", "赔偿责任"):
        one, two = library.search(query), other.search(query)
        assert isinstance(one, Hits) and isinstance(two, Hits)
        assert [(hit.score, names(one)) for hit in one.hits] == [(hit.score, names(two)) for hit in two.hits]


# ---- cases -----------------------------------------------------------------------------------------------------------


def titles(found: CaseHits | Diagnostic) -> list[str]:
    assert isinstance(found, CaseHits)
    return [hit.case.title for hit in found.hits]


def test_similar_cases(library: Library) -> None:
    assert titles(library.search_cases("停车场 车门刮伤 没有监控录像"))[0].startswith("甲停车公司与乙某")
    assert titles(library.search_cases("盗窃 退赔"))[0] == "壬某盗窃案一审刑事判决书"
    found = library.search_cases("停放合同纠纷")
    assert isinstance(found, CaseHits)
    case = found.hits[0].case
    assert (case.cause, case.number, case.court) == ("停放合同纠纷", "（2024）湖0101民初1号", "湖滨市临湖区人民法院")
    assert "无" not in case.text.split("\n")


def test_the_case_being_heard_can_be_left_out(library: Library) -> None:
    query = "停车场 车门刮伤"
    assert "甲停车公司" in titles(library.search_cases(query))[0]
    for number in ("(2024)湖0101民初1号", "〔２０２４〕湖０１０１民初１号"):
        found = library.search_cases(query, without=[number])
        assert not any("甲停车公司" in title for title in titles(found))
    everything = library.search_cases("纠纷 盗窃 车", without=["", "（2023）云川民初7号"])
    assert len(titles(everything)) >= 3


def test_a_changed_file_of_cases_replaces_what_it_held(tmp_path: Path) -> None:
    library = made(tmp_path / "library", None)
    file = tmp_path / "cases.jsonl"
    file.write_text('{"title": "甲案", "text": "车辆受损"}\n{"title": "乙案", "text": "游船落水"}\n', encoding="utf-8")
    assert library.add_cases(file) == AddedCases(2, 0, ())
    assert library.add_cases(file) == AddedCases(0, 2, ())
    assert sorted(titles(library.search_cases("车辆受损 游船落水"))) == ["乙案", "甲案"]
    file.write_text('{"title": "乙案", "text": "游船落水"}\n{"title": "丙案", "text": "噪声扰民"}\n', encoding="utf-8")
    assert library.add_cases(file) == AddedCases(1, 1, ())
    assert sorted(titles(library.search_cases("车辆受损 游船落水 噪声扰民"))) == ["丙案", "乙案"]


def test_records_without_words_are_reported_with_their_number() -> None:
    records, problems = read_cases("cases.json", (CASES / "cases.json").read_text("utf-8"))
    assert len(records) == 2
    assert [(problem.code, problem.values["n"], problem.severity) for problem in problems] == [("LW229", 3, "warning")]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", "{", "LW120"),
        ("a.json", "[" * 100_000, "LW125"),
        ("a.json", '{"a": ' * 100 + "1" + "}" * 100, "LW125"),
        ("a.json", "[1, 2]", "LW229"),
        ("a.json", "[]", "LW229"),
        ("a.json", "", "LW005"),
        ("a.jsonl", '{"a": "x"}\n{"b": ', "LW120"),
        ("a.txt", " \n", "LW229"),
        ("a.txt", "\udcff\udcfe", "LW00"),
        ("a.yaml", "a: [", "LW"),
    ],
)
def test_broken_files_of_cases(name: str, text: str, expected: str) -> None:
    records, problems = read_cases(name, text)
    assert records == ()
    assert problems and problems[0].code.startswith(expected)


def test_a_large_file_is_read_record_by_record(tmp_path: Path) -> None:
    """The same records as at once, whatever stands between them; and the place of what is broken."""
    values = [{"title": f"案{n}", "text": "文字" * (n % 300), "more": {"a": ["1", 2, 3.5]}} for n in range(3000)]
    for name, text in (
        ("list.json", json.dumps(values, ensure_ascii=False, indent=1)),
        ("lines.jsonl", "\ufeff" + "\n\n".join(json.dumps(value) for value in values)),
    ):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        at_once, _ = read_cases(name, text.removeprefix("\ufeff"))
        assert tuple(stream_cases(file)) == at_once
    file.write_text('{"title": "甲", "text": "x"}\n\n{"title": ', encoding="utf-8")
    first, second = stream_cases(file)
    assert isinstance(first, CaseRecord)
    assert isinstance(second, Diagnostic) and (second.code, second.span.line) == ("LW120", 3)
    file.write_text('[{"a": ' + "[" * 100_000, encoding="utf-8")
    assert [one.code for one in stream_cases(file) if isinstance(one, Diagnostic)] == ["LW125"]


def test_a_large_file_that_breaks_off_adds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legalworld.law.library.library.CASE_CAP", 10)
    library = made(tmp_path / "library", None)
    file = tmp_path / "large.json"
    file.write_text('[{"title": "甲案", "text": "车辆受损"}, {"text": ""}, {"title": ', encoding="utf-8")
    added = library.add_cases(file)
    assert isinstance(added, AddedCases)
    assert (added.new, [problem.code for problem in added.problems]) == (0, ["LW229", "LW120"])
    assert titles(library.search_cases("车辆受损")) == []
    file.write_text('[{"title": "甲案", "text": "车辆受损"}, {"text": ""}]', encoding="utf-8")
    added = library.add_cases(file)
    assert isinstance(added, AddedCases) and (added.new, added.same) == (1, 0)
    assert library.add_cases(file) == AddedCases(0, 1, ())
    assert titles(library.search_cases("车辆受损")) == ["甲案"]


def test_snippets() -> None:
    text = "甲" * 300 + "逾期利息" + "乙" * 300
    short = snippet(text, "逾期 利息", 40)
    assert "逾期利息" in short and len(short) <= 42 and short.startswith("…") and short.endswith("…")
    assert snippet("很短", "什么") == "很短"


# ---- ordering anew ---------------------------------------------------------------------------------------------------


class Backwards:
    """Prefers what the words liked least."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(at) for at in range(len(texts))]


class Failing:
    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        from legalworld.model.source import Span

        raise RankingFailed(
            Diagnostic("LW172", Span("m", 0, 0), {"model": "m", "attempts": 1, "detail": "x"}, severity="warning")
        )


def test_a_ranker_orders_anew(library: Library) -> None:
    plain, turned = library.search("停车", top=50), library.search("停车", top=50, ranker=Backwards())
    assert isinstance(plain, Hits) and isinstance(turned, Hits)
    assert names(turned) == names(plain)[::-1]
    cited = library.search("湖滨市停车场管理条例8 停车", ranker=Backwards())
    assert names(cited)[0] == "湖滨市停车场管理条例8"  # what was cited stays first
    assert titles(library.search_cases("纠纷", ranker=Backwards())) == titles(library.search_cases("纠纷"))[::-1]


def test_a_failing_ranker_leaves_the_order_of_the_words(library: Library) -> None:
    found = library.search("停车", ranker=Failing())
    assert names(found) == names(library.search("停车"))
    assert isinstance(found, Hits) and [problem.code for problem in found.problems] == ["LW172"]
    cases = library.search_cases("纠纷", ranker=Failing())
    assert isinstance(cases, CaseHits) and [problem.code for problem in cases.problems] == ["LW172"]
    assert titles(cases) == titles(library.search_cases("纠纷"))


def embeddings(call: Call) -> Answer:
    """Texts are the nearer to the query the more of its characters they have."""
    query, *texts = call.body["input"]
    share = [1.0, *(len(set(query) & set(text)) / len(set(query)) for text in texts)]
    rows = [{"object": "embedding", "index": n, "embedding": [x, math.sqrt(1 - x * x)]} for n, x in enumerate(share)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return raw(json.dumps({"object": "list", "data": rows[::-1], "model": "m", "usage": usage}))


def relevance(call: Call) -> Answer:
    results = [{"index": n, "relevance_score": n / 10} for n in range(len(call.body["documents"]))]
    return raw(json.dumps({"id": "x", "results": results[::-1], "meta": {}}))


@pytest.mark.slow
@pytest.mark.usefixtures("no_keys")
def test_embeddings_and_reranking_over_the_wire(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(embeddings) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        scores = Embedding("openai/m").scores("逾期利息", ["利息", "逾期利息如何计算", "甲"])
        assert [round(score, 2) for score in scores] == [0.5, 1.0, 0.0]
        found = library.search("丢失停车凭证的处理办法", ranker=ranker_of("embedding:openai/m"))
        assert names(found)[0] == "湖滨市停车场管理条例6"
        assert [call.path for call in server.calls] == ["/v1/embeddings"] * 2
    with Loopback(relevance) as server:
        monkeypatch.setenv("HOSTED_VLLM_API_BASE", server.url)
        assert Reranking("hosted_vllm/m").scores("x", ["a", "b", "c"]) == [0.0, 0.1, 0.2]


@pytest.mark.slow
@pytest.mark.usefixtures("no_keys")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (fail(500), "LW170"),
        (fail(401), "LW165"),
        (raw("nonsense"), "LW174"),
        (raw('{"object": "list", "data": []}'), "LW174"),
        (
            raw('{"object": "list", "data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [NaN]}]}'),
            "LW174",
        ),
        (Answer(b"{}", 200, pause=2 * HANG), "LW173"),
    ],
)
def test_a_service_that_fails(answer: Answer, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback([answer]) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.url)
        with pytest.raises(RankingFailed) as failed:
            Embedding("openai/m", deadline=1.0 if answer.pause else HANG).scores("逾期利息", ["利息"])
        assert failed.value.problem.code == expected
        assert len(server.calls) == 1  # it is not asked again behind our back


def test_names_of_rankers() -> None:
    assert ranker_of("embedding:openai/m") == Embedding("openai/m")
    assert ranker_of("rerank:cohere/m") == Reranking("cohere/m")
    assert [ranker_of(word) for word in ("", "openai/m", "embedding:", "dense:m")] == [None] * 4
