"""Contradictions planted in the text of a judgment by cutting and writing, with no part of the audit.

Each kind takes the text and gives edited texts, each with what must be found: the checks any of which is right, and
words that stand at the two places. Only `re` and arithmetic are used here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

OPERATIVE = re.compile(r"(?:判决|裁定|裁决)如下：")
MONEY = re.compile(r"(?<![\d.])(\d+(?:\.\d{1,2})?)元")


@dataclass(frozen=True)
class Plant:
    """An edited judgment. `checks`: any of them is right; `places`: words one of which stands at each place."""

    text: str
    checks: tuple[str, ...]
    places: tuple[str, ...]


Kind = Callable[[str], Iterator[Plant]]


def parts(text: str) -> tuple[str, str, str]:
    """Before the operative part, the operative part, and what follows it."""
    opened = list(OPERATIVE.finditer(text))
    if not opened:
        return text, "", ""
    at = opened[-1].end()
    rest = re.search(r"\n\n(?:如果未按|案件受理费|仲裁不收费|如不服|本判决|本裁定|本裁决|审判长|一审案件)", text[at:])
    end = at + rest.start() if rest else len(text)
    return text[:at], text[at:end], text[end:]


def _sums(text: str) -> list[re.Match[str]]:
    return list(MONEY.finditer(text))


def order_above_claim(text: str) -> Iterator[Plant]:
    """An ordered sum becomes far more than was claimed."""
    before, ordered, after = parts(text)
    for found in _sums(ordered):
        if _pays(ordered, found) and found[1] in before.partition("诉讼请求")[2]:
            new = f"{int(float(found[1])) * 9 + 7}元"
            edited = ordered[: found.start()] + new + ordered[found.end() :]
            yield Plant(before + edited + after, ("within_claim", "within_all_claims", "sum_is_told"), (new, found[1]))


def _pays(ordered: str, found: re.Match[str]) -> bool:
    clause = re.split(r"[；。\n]", ordered[: found.start()])[-1]
    return bool(re.search("支付|返还|偿还|赔偿|给付|退还", clause)) and "（" not in clause and "罚金" not in clause


def order_not_in_reasons(text: str) -> Iterator[Plant]:
    """An ordered sum becomes another, smaller one that stands nowhere else."""
    before, ordered, after = parts(text)
    for found in _sums(ordered):
        if _pays(ordered, found) and float(found[1]) > 500:
            new = f"{float(found[1]) * 0.61803 + 3.37:.2f}元"
            edited = ordered[: found.start()] + new + ordered[found.end() :]
            yield Plant(before + edited + after, ("sum_is_told",), (new,))


def sides_swapped(text: str) -> Iterator[Plant]:
    """Whoever is paid pays: the two names of an order change places, with their titles."""
    before, ordered, after = parts(text)
    pair = (
        r"(?P<a>(?:被告|被申请人)[^，。；、于自]{2,30}?)"
        r"(?P<m>[于自]本(?:判决|裁决)[^，。；]*?日内，?(?:共同)?(?:向)?(?:支付|返还|赔偿|偿还)?)"
        r"(?P<b>(?:原告|申请人)[^，。；、\d]{2,20}?)(?=支付|货款|借款|返还|利息|租金|赔偿|20)"
    )
    for found in re.finditer(pair, ordered):
        edited = ordered[: found.start()] + found["b"] + found["m"] + found["a"] + ordered[found.end() :]
        yield Plant(before + edited + after, ("right_direction",), (found["b"],))


def stranger_ordered(text: str) -> Iterator[Plant]:
    """One party of the operative part becomes somebody who is none."""
    before, ordered, after = parts(text)
    for name in ("祝云舟", "江澜市听涛商贸有限公司"):
        for found in re.finditer(r"(?<=被告)(?!人)[^，。；、于自人]{2,30}?(?=于本)", ordered):
            edited = ordered[: found.start()] + name + ordered[found.end() :]
            yield Plant(before + edited + after, ("parties_only",), (name,))


def name_mistyped(text: str) -> Iterator[Plant]:
    """One sign of a name in the operative part becomes another."""
    before, ordered, after = parts(text)
    for found in re.finditer(
        r"(?<=被告|原告)(?!人)[^，。；、于自向支人]{2,30}?(?=于本|支付|的其他|借款|货款|返还)", ordered
    ):
        wrong = found.group()[:-1] + ("甫" if found.group()[-1] != "甫" else "乙")
        edited = ordered[: found.start()] + wrong + ordered[found.end() :]
        yield Plant(before + edited + after, ("parties_only",), (wrong,))


def titles_swapped(text: str) -> Iterator[Plant]:
    """The plaintiff is called the defendant, or the other way round."""
    before, ordered, after = parts(text)
    for title, other in (("原告", "被告"), ("被告", "原告"), ("被申请人", "申请人")):
        for found in re.finditer(rf"(?<![被申原]){title}(?!人|当庭|一方)(?=[^，。；]{{2,30}})", ordered):
            name = ordered[found.end() : found.end() + 2]
            edited = ordered[: found.start()] + other + ordered[found.end() :]
            yield Plant(before + edited + after, ("titles_fit", "right_direction", "parties_only"), (other + name,))


def dismissal_dropped(text: str) -> Iterator[Plant]:
    """The item that dismisses the other claims is gone, where a claim was not granted."""
    before, ordered, after = parts(text)
    found = re.search(r"[；;]\s*[一二三四五六]、驳回[^；。]*?请求(?=。|；)", ordered)
    first = "上诉请求" not in before and "另一份裁决书" not in before
    if first and found and "不予支持" in before and "超出" not in before.rpartition("本院认为")[2]:
        edited = ordered[: found.start()] + ordered[found.end() :]
        yield Plant(before + edited + after, ("every_claim",), ())


def reasons_deny(text: str) -> Iterator[Plant]:
    """The reasons no longer support a claim that is granted."""
    if "上诉请求" in text or "附带民事" in text:
        return
    for found in re.finditer("(?:该项请求|，)(?:应予支持|予以支持)", text):
        new = found.group().replace("应予支持", "不予支持").replace("予以支持", "不予支持")
        yield Plant(text[: found.start()] + new + text[found.end() :], ("denied_in_reasons",), ("不予支持",))


def reasons_grant(text: str) -> Iterator[Plant]:
    """The reasons support a claim that is dismissed."""
    if "上诉请求" in text or "附带民事" in text:
        return
    for found in re.finditer("(?:对该项请求|，)不予支持", text):
        new = found.group().replace("不予支持", "予以支持")
        yield Plant(text[: found.start()] + new + text[found.end() :], ("granted_in_reasons",), ("予以支持",))


def freed_and_ordered(text: str) -> Iterator[Plant]:
    """The reasons say that somebody who is ordered to pay is not liable."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"(?<=被告)(?!人)[^，。；、于自人]{2,30}?(?=于本)", ordered):
        said = f"综上，{found.group()}不应承担责任。\n\n依照"
        at = before.rfind("\n依照")
        if at >= 0:
            yield Plant(
                before[:at] + said + before[at + 3 :] + ordered + after,
                ("nobody_freed_pays",),
                ("不应承担责任", found.group()),
            )


def exhibit_rejected(text: str) -> Iterator[Plant]:
    """An exhibit on which a finding rests was not taken."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"提交的(\w证\d+)[^\n]*?(予以确认，予以采信|予以采信)", before):
        start, end = found.span(2)
        edited = before[:start] + "不予采信" + before[end:]
        if (
            f"{found[1]}载明" in before[before.rfind("认定事实如下") :]
            or f"{found[1]}载明" in before[before.rfind("查明：") :]
        ):
            yield Plant(edited + ordered + after, ("not_on_rejected",), ("不予采信", f"{found[1]}载明"))


def costs_off(text: str) -> Iterator[Plant]:
    """A share of a fee is another sum."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"负担(\d+(?:\.\d+)?)元", after):
        new = f"负担{float(found[1]) + 11.5:.2f}元"
        yield Plant(before + ordered + after[: found.start()] + new + after[found.end() :], ("costs_whole",), (new,))


def winner_bears_costs(text: str) -> Iterator[Plant]:
    """Whoever won wholly bears the fee."""
    before, ordered, after = parts(text)
    pair = re.search(
        r"受理费\d+(?:\.\d+)?元，(?:减半收取\d+(?:\.\d+)?元，)?由(被告|原告)([^，。；]{2,30}?)负担。", after
    )
    names = dict(re.findall(r"\n(原告|被告)：([^，。\n（]{2,30})", before))
    if pair and len(names) == 2:
        other = "原告" if pair[1] == "被告" else "被告"
        new = after[: pair.start(1)] + other + names[other] + after[pair.end(2) :]
        yield Plant(before + ordered + new, ("costs_follow",), ("受理费",))


def interest_base_off(text: str) -> Iterator[Plant]:
    """Interest runs on a sum that stands nowhere else."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"以(\d+(?:\.\d+)?)元为基数", ordered):
        new = f"以{float(found[1]) * 1.7321 + 5.13:.2f}元为基数"
        yield Plant(
            before + ordered[: found.start()] + new + ordered[found.end() :] + after, ("interest_base",), (new,)
        )


def rate_off(text: str) -> Iterator[Plant]:
    """The rate of interest is another."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"年利率(\d+(?:\.\d+)?)%", ordered):
        for more in (3.3, 7.7):
            new = f"年利率{float(found[1]) + more:.2f}%"
            edited = ordered[: found.start()] + new + ordered[found.end() :]
            yield Plant(before + edited + after, ("interest_rate",), (new,))


def start_off(text: str) -> Iterator[Plant]:
    """Interest runs from another day."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"自(\d{4})年(\d+)月(\d+)日起", ordered):
        if "基数" not in re.split("[；。]", ordered[: found.start()])[-1]:
            continue
        new = f"自{int(found[1]) - 2}年{found[2]}月{found[3]}日起"
        yield Plant(
            before + ordered[: found.start()] + new + ordered[found.end() :] + after, ("interest_start",), (new,)
        )


def deadline_gone(text: str) -> Iterator[Plant]:
    """An order to pay no longer says by when."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"[于自]本(?:判决|裁决书?)生效之日起[一二三四五六七八九十\d]+日内，?", ordered):
        clause = re.split(r"[；。]", ordered[found.start() :])[0]
        if "为基数" not in clause and MONEY.search(clause):
            yield Plant(before + ordered[: found.start()] + ordered[found.end() :] + after, ("says_when",), ())


def probation_over_three_years(text: str) -> Iterator[Plant]:
    """A suspended sentence is longer than three years."""
    before, ordered, after = parts(text)
    for found in re.finditer(
        r"有期徒刑[一二三四五六七八九十]+(?:年[一二三四五六七八九十]*(?:个月)?|个月)(，缓刑[一二三四五六七八九十]+(?:年[一二三四五六七八九十]*(?:个月)?|个月))?",
        ordered,
    ):
        for term in ("四年", "三年六个月"):
            new = f"有期徒刑{term}，缓刑五年"
            yield Plant(
                before + ordered[: found.start()] + new + ordered[found.end() :] + after, ("probation_term",), (new,)
            )


def term_above_range(text: str) -> Iterator[Plant]:
    """A term above what the article allows."""
    before, ordered, after = parts(text)
    for found in re.finditer(
        r"(?:有期徒刑|拘役)[一二三四五六七八九十]+(?:年[一二三四五六七八九十]*(?:个月)?|个月)", ordered
    ):
        new = "有期徒刑十四年六个月" if "故意伤害" not in ordered else "有期徒刑十四年"
        yield Plant(
            before + ordered[: found.start()] + new + ordered[found.end() :] + after, ("term_not_above",), (new,)
        )


def fine_missing(text: str) -> Iterator[Plant]:
    """A fine that the article demands is gone."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"，并处罚金(?:人民币)?[^，。；（]{1,20}?元", ordered):
        yield Plant(before + ordered[: found.start()] + ordered[found.end() :] + after, ("fine_imposed",), ())


def charge_other(text: str) -> Iterator[Plant]:
    """The operative part convicts of another offence than the reasons."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"(?<=犯)[^，。；、]{2,16}?罪(?=，)", ordered):
        for new in ("诈骗罪", "抢夺罪", "寻衅滋事罪"):
            if new != found.group() and new not in before:
                edited = ordered[: found.start()] + new + ordered[found.end() :]
                yield Plant(before + edited + after, ("charge_is_reasoned",), (new,))


def article_missing(text: str) -> Iterator[Plant]:
    """The article of the charge is not among those that are cited."""
    before, ordered, after = parts(text)
    at = before.rfind("依照")
    for found in re.finditer(
        r"第二百六十四条、|第二百三十四条[^、]*、|第一百三十三条之一[^、]*、|第二百六十六条、", before[at:]
    ):
        edited = before[: at + found.start()] + before[at + found.end() :]
        yield Plant(edited + ordered + after, ("article_cited",), ())


def one_not_judged(text: str) -> Iterator[Plant]:
    """One of several accused has no verdict."""
    before, ordered, after = parts(text)
    found = re.findall(r"[一二三四]、被告人[^\n]{2,8}犯[^\n]+", ordered)
    if len(found) > 1:
        for item in found:
            yield Plant(before + ordered.replace(item, "") + after, ("everybody_judged",), ())


def term_days_longer(text: str) -> Iterator[Plant]:
    """The days of a term lie further apart than the term is long."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"起至(\d{4})年(\d+)月(\d+)日止", ordered):
        if "刑期" in ordered[max(0, found.start() - 120) : found.start()]:
            new = f"起至{int(found[1]) + 1}年{found[2]}月{found[3]}日止"
            yield Plant(
                before + ordered[: found.start()] + new + ordered[found.end() :] + after, ("days_fit_term",), (new,)
            )


def judged_before_heard(text: str) -> Iterator[Plant]:
    """The judgment is signed before the hearing."""
    found = list(re.finditer(r"\n二〇(..)年", text))
    if found and re.search(r"于20\d\d年\d+月\d+日(?:公开)?开庭", text):
        at = found[-1]
        yield Plant(text[: at.start()] + "\n二〇一九年" + text[at.end() :], ("heard_before_judged",), ("二〇一九年",))


def first_is_final(text: str) -> Iterator[Plant]:
    """A first judgment that can be appealed says that it is final."""
    before, ordered, after = parts(text)
    if "小额" not in before and "递交上诉状" in after and "终审" not in after:
        edited = re.sub(r"如不服本判决[^\n]*", "本判决为终审判决。", after)
        yield Plant(before + ordered + edited, ("first_can_be_appealed",), ("终审",))


def wrong_number_below(text: str) -> Iterator[Plant]:
    """The second instance decides about a judgment of another number."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"（20\d\d）[^，。；、]{4,16}?(\d+)号(?=民事判决|行政判决|刑事判决)", ordered):
        new = found.group().replace(f"{found[1]}号", f"{int(found[1]) + 13}号")
        edited = ordered[: found.start()] + new + ordered[found.end() :]
        yield Plant(before + edited + after, ("same_number_below", "numbers_known"), (new,))


def item_without_fate(text: str) -> Iterator[Plant]:
    """One item of the first judgment is neither kept, changed nor annulled."""
    before, ordered, after = parts(text)
    found = re.search(r"维持（[^；。]*?第[一二三四]项；", ordered)
    if found:
        edited = ordered[: found.start()] + ordered[found.end() :]
        yield Plant(before + edited + after, ("items_have_a_fate",), ())


def item_that_is_not(text: str) -> Iterator[Plant]:
    """The second instance keeps an item that the first judgment does not have."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"(?<=判决)第[一二三四]项(?=；)", ordered):
        yield Plant(
            before + ordered[: found.start()] + "第九项" + ordered[found.end() :] + after, ("items_exist",), ("第九项",)
        )


def act_number_off(text: str) -> Iterator[Plant]:
    """The act that is annulled has another number than the one that was sued about."""
    before, ordered, after = parts(text)
    for found in re.finditer(r"〔20\d\d〕第?(\d+)号", ordered):
        new = found.group().replace(f"{found[1]}号", f"{int(found[1]) + 7}号")
        edited = ordered[: found.start()] + new + ordered[found.end() :]
        yield Plant(before + edited + after, ("numbers_known",), (new,))


def here_and_absent(text: str) -> Iterator[Plant]:
    """Somebody came to the hearing and did not."""
    found = re.search(
        r"(被告|原告)([^，。；、：的及\n]{2,30}?)(?:及其委托(?:诉讼)?代理人[^，。；]{2,20})?到庭参加诉讼", text
    )
    if found:
        said = f"；{found[1]}{found[2]}经传票传唤，无正当理由拒不到庭"
        yield Plant(text[: found.end()] + said + text[found.end() :], ("here_or_not",), ())


KINDS: tuple[Kind, ...] = (
    order_above_claim,
    order_not_in_reasons,
    sides_swapped,
    stranger_ordered,
    name_mistyped,
    titles_swapped,
    dismissal_dropped,
    reasons_deny,
    reasons_grant,
    freed_and_ordered,
    exhibit_rejected,
    costs_off,
    winner_bears_costs,
    interest_base_off,
    rate_off,
    start_off,
    deadline_gone,
    probation_over_three_years,
    term_above_range,
    fine_missing,
    charge_other,
    article_missing,
    one_not_judged,
    term_days_longer,
    judged_before_heard,
    first_is_final,
    wrong_number_below,
    item_without_fate,
    item_that_is_not,
    act_number_off,
    here_and_absent,
)
