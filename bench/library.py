"""The law library: import, exact lookup and search, at the sizes that the project promises.

The texts of search are made of this project's own sentences, words drawn by their frequency. The import takes the real
laws where they are (../shared/data/laws); without them, as much text of our own.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from legalworld.law.library.library import CaseHits, Hits, Library
    from legalworld.model.diagnostics import Diagnostic

_Result = TypeVar("_Result")

ROOT = Path(__file__).resolve().parent.parent
LAWS = ROOT.parent / "shared" / "data" / "laws"
ARTICLES, CASES = 10_000, 100_000
CASE_LENGTH = 1_000  # characters; the texts of a first instance in SimuCourt have 400 to 3,000
QUERIES = (
    "逾期利息",
    "举证责任",
    "劳动合同 解除 经济补偿",
    "二审 发回重审",
    "借款 转账 没有借条 是投资还是借款",
    "物业服务 违约金",
)


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    from legalworld.law.library.library import Library

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        laws = LAWS if LAWS.is_dir() else _statutes(root / "statutes", 17, 300)
        seconds, library = _timed(lambda: _with_laws(root / "real", laws))
        held = library.laws()
        assert isinstance(held, tuple)
        count = sum(version.articles for law in held for version in law.versions)
        what = "laws" if laws == LAWS else "laws of our own"
        yield f"import {len(held)} {what}, {count} articles", f"{seconds:.2f} s", "< 10 s", seconds < 10
        lookups = _lookups(library, held[0].name)
        yield "exact lookup of an article", f"{lookups * 1000:.3f} ms", "< 1 ms", lookups < 0.001
        library = _with_laws(root / "many", _statutes(root / "made", ARTICLES // 500, 500))
        middle = _searches(lambda query: library.search(query, at=date(2024, 5, 1)))
        yield f"search over {ARTICLES:,} articles, median", f"{middle * 1000:.2f} ms", "< 20 ms", middle < 0.02
        made = Library.open(root / "cases", create=True)
        assert isinstance(made, Library)
        cases = made
        file = _cases(root / "cases.jsonl")
        seconds, _ = _timed(lambda: cases.add_cases(file))
        yield f"import {CASES:,} cases of {CASE_LENGTH} characters", f"{seconds:.0f} s", "", None
        middle = _searches(cases.search_cases)
        yield f"search over {CASES:,} case texts, median", f"{middle * 1000:.2f} ms", "< 200 ms", middle < 0.2


def _with_laws(folder: Path, laws: Path) -> Library:
    from legalworld.law.library.library import Added, Library

    library = Library.open(folder, create=True)
    assert isinstance(library, Library)
    added = library.add_laws(laws)
    assert isinstance(added, Added) and added.new
    return library


def _timed(work: Callable[[], _Result]) -> tuple[float, _Result]:
    begun = perf_counter()
    result = work()
    return perf_counter() - begun, result


def _lookups(library: Library, law: str) -> float:
    from legalworld.law.library.law import FoundArticle

    times = []
    for n in range(1000):
        begun = perf_counter()
        found = library.check(law, str(n % 50 + 1))
        times.append(perf_counter() - begun)
        assert isinstance(found, FoundArticle)
    return median(times)


def _searches(search: Callable[[str], Hits | CaseHits | Diagnostic]) -> float:
    from legalworld.model.diagnostics import Diagnostic

    times = []
    for n in range(20 * len(QUERIES)):
        begun = perf_counter()
        found = search(QUERIES[n % len(QUERIES)])
        times.append(perf_counter() - begun)
        assert not isinstance(found, Diagnostic) and found.hits
    return median(times)


# ---- texts of our own ------------------------------------------------------------------------------------------------


def _sentences() -> list[str]:
    """Chinese sentences of the project's own files."""
    files = [
        file
        for folder in ("cases", "prompts", "docs", "legalworld")
        for pattern in ("*.yaml", "*.j2", "*.md", "*.toml")
        for file in sorted((ROOT / folder).rglob(pattern))
    ]
    text = "\n".join(file.read_text("utf-8") for file in files)
    return [found for found in re.split(r"[。；\n]", text) if len(re.findall("[\u4e00-\u9fff]", found)) > 12]


def _text(sentences: Sequence[str], draw: random.Random, length: int) -> str:
    text = ""
    while len(text) < length:
        text += sentences[int(len(sentences) * draw.random() ** 2)] + "。"  # some are much more frequent than others
    return text


def _statutes(folder: Path, laws: int, articles: int) -> Path:
    from legalworld.law.library.article_numbers import written
    from legalworld.law.library.law import ArticleNumber

    folder.mkdir()
    draw, sentences = random.Random(7), _sentences()
    for n in range(laws):
        body = [
            f"{written(ArticleNumber(number))} {' '.join(_text(sentences, draw, 100).split())}"
            for number in range(1, articles + 1)
        ]
        head = f"# 虚构法第{n}号\n\n2020年1月1日 虚构会议通过\n\n2021年1月1日 施行\n\n<!-- INFO END -->\n\n"
        (folder / f"{n}.md").write_text(head + "\n\n".join(body), encoding="utf-8")
    return folder


def _cases(file: Path) -> Path:
    draw, sentences = random.Random(7), _sentences()
    with file.open("w", encoding="utf-8") as stream:
        for n in range(CASES):
            case = {
                "title": f"虚构案件{n}",
                "number": f"（2024）虚0001民初{n}号",
                "text": _text(sentences, draw, CASE_LENGTH),
            }
            stream.write(json.dumps(case, ensure_ascii=False) + "\n")
    return file
