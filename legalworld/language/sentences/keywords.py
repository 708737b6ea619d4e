"""The words of the language, English and Chinese: keywords of sentences, yes and no.

Keys of YAML are in `language.yaml_keys`. The first spelling of a keyword is the one that messages and the formatter
show. A spelling with a space is a phrase: in English its spaces are needed, in Chinese they may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from ...model.value_types import TypeKind
from .norm_words import FORMULA_WORDS
from .quantities import BEHIND_A_DATE, DAY_WORDS, PERIODS


class Spellings(NamedTuple):
    """All spellings of one keyword, the preferred one first in each language."""

    en: tuple[str, ...]
    zh: tuple[str, ...]


def _words(en: str, zh: str) -> Spellings:
    """`_` joins the words of a phrase."""
    return Spellings(*(tuple(word.replace("_", " ") for word in column.split()) for column in (en, zh)))


# Section of a spec -> what a thing is called that it declares, where a change names one.
_THINGS = (
    *("roles role 角色", "case field 字段", "documents document 文书", "options option 选项", "kinds kind 类别"),
    *("personas persona 人物画像", "conduct rule 行为规范", "tools tool 工具", "skills skill 技能"),
    *("memory memory 记忆", "checklists checklist 清单", "events event 事件", "lists list 列表", "dates date 日期"),
)
THINGS: Final = {section: _words(en, zh) for section, en, zh in map(str.split, _THINGS)}

# Terminal of `grammar.lark` -> its spellings. The order is that of lists of expected words in messages.
KEYWORDS: Final[Mapping[str, Spellings]] = {
    # verbs
    "ASKS": _words("asks ask", "询问 发问 讯问"),
    "ANNOUNCES": _words("announces announce", "宣布 宣告"),
    "STATES": _words("states state", "陈述"),
    "RESPONDS": _words("responds respond", "回应 答复 质证"),
    "PRESENTS": _words("presents present", "出示 提交"),
    "NOTES": _words("notes note", "记录"),
    "MODERATES": _words("moderates moderate", "主持"),
    "DRAFTS": _words("drafts draft", "起草 制作"),
    "CONVERSE": _words("converse converses discuss discusses", "交谈 对话 协商 讨论"),
    "DRIVES": _words("drives drive", "主导"),
    "VOTES": _words("votes vote", "表决 投票"),
    "DECIDES": _words("decides decide", "判定"),
    "KEPTIN": _words("", "记入"),
    "MAY": _words("may", "可以 可"),
    "TO": _words("to", ""),
    "TOWARD": _words("", "向"),
    # sentences that do not begin with an actor
    "IF": _words("if", "如果 若"),
    "ELSE": _words("else otherwise", "否则"),
    "REPEAT": _words("repeat", "重复"),
    "FOREACH": _words("for_each", ""),
    "IN": _words("in", ""),
    "ABOUT": _words("", "就 对"),
    "EACHOF": _words("", "中_的_每一项 中_的_每一位 中_的_每一份 中_每一项 中_每一位 逐项 逐一"),
    "PERFORM": _words("perform", "进行 适用"),
    "ASSIGN": _words("assign", "指定"),
    "TAKE": _words("take", "采用 采用_案卷_中_的"),
    "AS": _words("as", ""),
    "ONBEHALF": _words("", "以"),
    "BYNAME": _words("", "名义"),
    "SAMPLE": _words("sample", "抽取"),
    "FROM": _words("", "从"),
    "DRAWN": _words("", "中_抽取"),
    "PIECES": _words("", "项 条 个 份 名"),
    "REOPEN": _words("reopen", "恢复"),
    "RECORD": _words("record", "记明 登记"),
    "CONTINUE": _words("continue_with", "转入"),
    "ENDSTAGE": _words("end_stage", "结束_阶段 结束_本阶段"),
    "ENDCASE": _words("end_case", "终结_案件 终结_本案 结束_案件 结束_本案"),
    "WITH": _words("with", "并_作出 并_制作 并_出具"),
    "TURNS": _words("turns turn rounds round times time", "轮 次 回合 遍"),
    "UPTO": _words("to", "至 到"),
    # who and what
    "OF": _words("of", ""),
    "DE": _words("", "的"),
    "POSSESSIVE": _words("'s", ""),
    "AND": _words("and", "且 并且 与 和 及 以及"),
    "OR": _words("or", "或者 或"),
    # conditions
    "IS": _words("is are", "是 为"),
    "ISNOT": _words("is_not are_not", "不是 不为"),
    "NOT": _words("not", "非 并非"),
    "SAYS": _words("says say", "说 说出"),
    "ATLEAST": _words("at_least", "至少 不少于 不低于"),
    "ATMOST": _words("at_most", "至多 不多于 不超过"),
    "ALL": _words("all", "全体 全部 双方 各方 双方_均 各方_均"),
    "ANY": _words("any", "任一 任何_一方"),
    "MOST": _words("most", "多数 过半数"),
    "SAME": _words("the_same", "一致"),
    "BALLOTS": _words("", "票 人"),
    "COUNTOF": _words("count_of", ""),
    "SUMOF": _words("sum_of", ""),
    "COUNTED": _words("", "数量"),
    "TOTAL": _words("", "合计"),
    "YES": _words("yes", ""),
    "NO": _words("no", "否"),
    "EMPTY": _words("empty", "空"),
    "ASSIGNED": _words("assigned", "已指定"),
    "UNASSIGNED": _words("unassigned", "未指定 尚未指定"),
    # who is in the room
    "LEAVES": _words("leaves leave", "退庭 离庭 退场 离场"),
    "ENTERS": _words("enters enter", "到庭 入庭 到场 入场"),
    "ABSENT": _words("absent", "缺席 未到庭 未到场"),
    "HASLEFT": _words("has_left have_left", "已退庭 已离庭 已退场 已离场"),
    "NOTLEFT": _words("has_not_left have_not_left", "未退庭 未离庭 未退场 未离场"),
    "READS": _words("reads read", "宣读"),
    **{kind: _words(*both) for kind, both in DAY_WORDS.items()},
    # answers
    "YESNO": _words("yes_or_no", "是_或_否 是_或者_否 是否"),
    "ONEOF": _words("one_of", ""),
    "AMONG": _words("", "之一 其中之一"),
    "ANUMBER": _words("number", "数字"),
    "ALIST": _words("list", "列表"),
    "ATEXT": _words("text", "文本 文字"),
    # assignments
    "NAMEDIN": _words("parties_named_in party_named_in", ""),
    "LISTED": _words("", "中_列明_的_当事人 列明_的_当事人 中_所列_当事人 所列_当事人"),
    "OPPOSINGOF": _words("opposing_parties_of opposing_party_of", ""),
    "OPPOSED": _words("", "对立_当事人 对方_当事人"),
    "THOSEWHO": _words("those_who_answered", ""),
    "ANSWERED": _words("", "回答 答"),
    "BYTHEM": _words("", "的_人"),
    "REMAINING": _words("remaining_parties remaining_party", "其余_当事人"),
    # the visibility matrix
    "OWN": _words("own", "己方 本方"),
    "OTHER": _words("other", "对方"),
    "AFTER": _words("after", ""),
    "SINCE": _words("", "在"),
    "AFTERWARDS": _words("", "之后 以后 后"),
    "MINUTESOF": _words("minutes_of", ""),
    "MINUTES": _words("", "笔录 庭审_笔录"),
    "FULLMINUTESOF": _words("full_minutes_of", ""),
    "FULLMINUTES": _words("", "完整_笔录 完整_庭审_笔录"),
    # changes to the procedure that is extended
    "REMOVE": _words("remove", "删除 去掉"),
    "REPLACE": _words("replace", "替换"),
    "CHANGE": _words("change", "修改"),
    "INSERT": _words("insert", "插入"),
    "BEFORE": _words("before", ""),
    "BEFOREHAND": _words("", "之前 以前 前"),
    **{f"A{section.upper()}": words for section, words in THINGS.items()},
    "AROW": _words("row", "行"),
    # checks of conduct
    "NOLISTS": _words("no_lists", "不得_列项"),
    "NOMARKDOWN": _words("no_markdown", "不得_用标记 不得_使用标记"),
    "NODIRECTIONS": _words("no_stage_directions", "不得_有_动作描写 不得_动作描写"),
    "ALONE": _words("document_alone", "只有_文书 仅有_文书"),
    "ONCE": _words("once", "只出现一次 只_出现_一次"),
    "BEGINS": _words("begins_with", ""),
    "OPENS": _words("", "开头"),
    "NEVER": _words("never", "不得_出现 不得_说"),
    "SENTENCES": _words("sentences sentence", "句"),
    "PARAGRAPHS": _words("paragraphs paragraph", "段"),
    "WORDS": _words("words word", "词"),
    "CHARACTERS": _words("characters character", "字"),
    # formulas of norms
    **{kind: _words(*both) for kind, both in FORMULA_WORDS.items()},
}

VERBS: Final = (
    *("ASKS", "ANNOUNCES", "STATES", "RESPONDS", "PRESENTS", "NOTES"),
    *("MODERATES", "DRAFTS", "CONVERSE", "DRIVES", "VOTES", "DECIDES"),
)

SECTIONS: Final = {f"A{section.upper()}": section for section in THINGS}

_PLURAL = frozenset({"NAME", "MAY"})
_NAMED = frozenset({"NAME"})
_COPULA = frozenset({"IS", "ISNOT", "NOT"})
_NUMBER = frozenset({"NUMBER"})
_CLAUSE = frozenset({"", "IF", "AND", "OR", "NOT", "ISNOT", "LPAR"})
_CHANGING = frozenset({"REMOVE", "REPLACE", "CHANGE"})


def _after(before: frozenset[str], *kinds: str) -> dict[str, frozenset[str]]:
    return {word: before for kind in kinds for column in KEYWORDS[kind] for word in column}


# Words that are keywords only right after one of these terminals, where no name can stand; elsewhere they are names.
SOFT: Final[Mapping[str, frozenset[str]]] = {
    **{word: _PLURAL for verb in VERBS for word in KEYWORDS[verb].en if not word.endswith("s")},
    "质证": _PLURAL,
    **_after(_COPULA, "ANUMBER", "ATEXT", "EMPTY"),
    **_after(_NUMBER | _NAMED, "TURNS", "PIECES"),
    **_after(frozenset({"", "BEFOREHAND", "AFTERWARDS"}), *_CHANGING, "INSERT"),  # "": nothing stands before it
    **_after(_CHANGING, *SECTIONS, "AROW"),
    **_after(_COPULA | _CHANGING, "ALIST"),  # the form of an answer, and what is changed
    **_after(_PLURAL | _NUMBER, "VOTES"),
    **_after(frozenset({""}), "RECORD"),
    **_after(_PLURAL, "DECIDES"),
    **_after(frozenset({"NAME", "COMMA"}), "KEPTIN"),
    **_after(frozenset({"NAME", "IS", "ISNOT", "NOT"}), "SAME"),
    **_after(frozenset({"DE"}), "COUNTED", "TOTAL"),
    **_after(_CLAUSE, "MOST", "COUNTOF", "SUMOF"),
    **_after(_NAMED, "LEAVES", "ENTERS", "HASLEFT", "NOTLEFT", "READS", "ANSWERED", *BEHIND_A_DATE),
    **_after(frozenset({"NAME", "DE"}), "MINUTES", "FULLMINUTES"),
    **dict.fromkeys(KEYWORDS["ABSENT"].zh, _NAMED),
    "absent": _COPULA,
    **_after(_NUMBER, "BALLOTS", "SENTENCES", "PARAGRAPHS", "WORDS", "CHARACTERS", *PERIODS),
    **_after(_COPULA | frozenset({*PERIODS, "INSERT"}), "BEFORE", "WITHIN"),
    "after": _COPULA | frozenset({*PERIODS, "INSERT", "NAME"}),
    **_after(frozenset(PERIODS), "INSIDE"),
    "assigned": _COPULA,
    "with": frozenset({"ENDCASE"}),
}

YIELDING: Final = frozenset(w for kind in ("COUNTOF", "SUMOF", "COUNTED", "TOTAL") for w in sum(KEYWORDS[kind], ()))

# Words of the language inside checks of conduct only: names need not avoid them.
_CONDUCT: Final = ("NOLISTS", "NOMARKDOWN", "NODIRECTIONS", "ALONE", "ONCE", "BEGINS", "OPENS", "NEVER")

_RESERVED: Final = frozenset(
    word.replace(" ", "") if column is spellings.zh else word
    for kind, spellings in KEYWORDS.items()
    if kind not in (*_CONDUCT, *FORMULA_WORDS)
    for column in spellings
    for word in column
    if word not in SOFT or word in KEYWORDS["AFTER"].en  # a phase of this name could not stand in the matrix
)

MARKS: Final[Mapping[str, str]] = {
    **dict.fromkeys(",，、", "COMMA"),
    **dict.fromkeys("(（", "LPAR"),
    **dict.fromkeys(")）", "RPAR"),
    **dict.fromkeys(".．", "DOT"),
    **dict.fromkeys("-－–—", "DASH"),
}

# How marks and the other terminals without a spelling of their own are shown where one of them is missing.
SHOWN: Final[Mapping[str, Spellings]] = {
    **KEYWORDS,
    "COMMA": Spellings((",",), ("、",)),
    "LPAR": Spellings(("(",), ("（",)),
    "RPAR": Spellings((")",), ("）",)),
    "DOT": Spellings((".",), (".",)),
    "TOKEN": Spellings(("【…】",), ("【…】",)),
    "DAY": Spellings(("2024-05-06",), ("2024-05-06",)),
    "BEGINS": Spellings(("begins with",), ("以…开头",)),
}

# What a vote may reveal, and those who voted with its result or against it: as it is written -> which it is.
REVEALS: Final[Mapping[str, Literal["nothing", "count", "names"]]] = {
    **{"nothing": "nothing", "count": "count", "names": "names"},
    **{"不公开": "nothing", "票数": "count", "姓名": "names"},
}
FACTIONS: Final[Mapping[str, Literal["majority", "minority"]]] = {
    **{"majority": "majority", "minority": "minority", "多数意见者": "majority", "少数意见者": "minority"},
}

# Of which type a value of a case is: as it is written -> which it is.
VALUE_TYPES: Final[Mapping[str, TypeKind]] = {
    **{"text": "text", "文本": "text", "文字": "text"},
    **{"amount": "amount", "金额": "amount", "rate": "rate", "利率": "rate"},
    **{"date": "date", "日期": "date", "number": "number", "数字": "number"},
    **{"yes or no": "yes or no", "是或否": "yes or no", "是否": "yes or no"},
    **{"choice": "choice", "选择": "choice", "reference": "reference", "引用": "reference"},
    **{"anything": "anything", "任意": "anything"},
}

# Signs of programs -> the words that say it here.
OPERATORS: Final[Mapping[str, Spellings]] = {
    sign: _words(en, zh)
    for signs, en, zh in (
        ("! ！", "not", "非"),
        ("!= ！= ！＝ ≠ <> ＜＞", "is_not", "不是"),
        ("= == ＝ ＝＝ ===", "is", "是"),
        ("> >= ≥ ＞ ＞= ＞＝", "at_least", "至少"),
        ("< <= ≤ ＜ ＜= ＜＝", "at_most", "至多"),
        ("& && ＆ ＆＆", "and", "且"),
        ("| || ｜ ｜｜", "or", "或者"),
    )
    for sign in signs.split()
}

# By which names conversations with chat models call those who are no person of a procedure.
SYSTEM_SPEAKERS: Final = frozenset(["system", "assistant", "user", "developer", "tool", "系统", "助手", "用户"])

# Words that deny: what holds one says something else without it. English letters as they stand without blanks.
FILLERS: Final = ("予以", "应当", "依法", "应", "予", "以")  # in a decision they say nothing
NEGATIONS: Final = (*"不未无非没否勿莫毋拒", "not", "non", "never", "without", "n't", "un", "dis")

# By which words somebody who hands in a document says that he has written it before.
REFERENCES: Final = (
    *("上面", "上述", "以上", "如上", "前面", "前述", "前稿", "上一稿", "上一版", "上一次", "刚才"),
    *("above", "earlier", "previous", "already sent", "last draft", "as drafted"),
)

WRITTEN_DAY: Final = (
    r"\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日|\d{4}-\d\d-\d\d"
    r"|[〇○零一二三四五六七八九]{4}年[一二三四五六七八九十]{1,3}月[一二三四五六七八九十]{1,3}日"
)
DATES: Final = ("日期", "date")  # as a document that must bear one has it among its required words

# How somebody who hands in a document begins, and what he offers, in words behind it that are no part of it.
AFTERWORDS: Final = (
    "以上",
    "如需",
    "如有",
    "如果",
    "希望",
    "需要",
    "请",
    "let me know",
    "please",
    "i hope",
    "if you",
    "this is",
)
OFFERS: Final = (
    *("供您", "供参考", "供合议庭", "核对", "审阅", "调整", "修改", "补充", "指出", "告知", "告诉我", "帮助"),
    *("review", "let me know", "adjust", "changes", "helps", "further"),
)

# How what is annexed to a document begins, behind its signatures.
ANNEXES: Final = ("附", "annex", "schedule", "appendix", "enclosure", "enc")

# How somebody begins who tells that he is about to speak, and then does.
FOREWORDS: Final = (
    *("好的", "好，", "明白", "收到", "以下是", "下面是", "下面由"),
    *("sure", "okay", "ok,", "certainly", "of course", "understood", "here is", "here's"),
)

BRACKETS: Final = (("【", "】"), ("<<", ">>"))  # around a token
COLONS: Final = ":："
ROLE_HOLE: Final = "{role}"
NUMBER_HOLE: Final = "{n}"
WRONG_BRACKETS: Final = "[]［］〖〗"
QUOTES: Final = '“”""「」『』《》'

# Terminal -> what is named right after it.
NOUNS: Final[Mapping[str, Spellings]] = {
    kind: Spellings((en,), (zh,))
    for kinds, en, zh in (
        ("DRAFTS TAKE WITH", "a document", "文书的名称"),
        ("PERFORM", "a part", "部件的名称"),
        ("ASSIGN", "a role", "角色的名称"),
        ("PRESENTS", "what is presented", "出示的是什么"),
        ("FOREACH EACHOF", "a name for each one", "给每一项起的名称"),
        ("IN ABOUT NAMEDIN FROM", "a field of the case", "案件字段的名称"),
        ("THOSEWHO ANSWERED", "a value", "回答的值"),
        ("ALL ANY", "an answer", "回答的名称"),
        ("AFTER SINCE REOPEN READS", "a phase", "环节的名称"),
        ("MINUTESOF FULLMINUTESOF", "a stage", "阶段的名称"),
        ("CONTINUE", "a phase or a stage", "环节或者阶段的名称"),
        ("LATER EARLIER NOTLATER NOTEARLIER NOTSINCE", "a date", "日期的名称"),
        ("WITHIN STARTING", "a number of days", "天数"),
        ("REPEAT", "a number", "次数"),
        ("BALLOTS", "a number of votes, “all” or “most”", "票数、“全体”或者“多数”"),
        ("ATLEAST ATMOST SAMPLE DRAWN UPTO", "a number", "数字"),
        ("ONCE BEGINS NEVER ONBEHALF", "the words", "词语"),
        (
            "REMOVE REPLACE CHANGE",
            "a place, or a name with what it is (“role judge”)",
            "位置，或者“角色 judge”这样的名称",
        ),
        ("BEFORE INSERT", "a place", "位置"),
        (" ".join((*SECTIONS, "AROW")), "its name", "它的名称"),
    )
    for kind in kinds.split()
}
# Behind `of` and 的: the others of whom a role, or a loop, means one.
FELLOWS: Final = frozenset({"fellows", "同案人", "其他同案人", "同类人员", "其他同类人员"})
PRESENT: Final = "present"  # after a copula, in a condition
LEFT: Final = "has left"  # what a condition says of somebody; no name
COUNTS: Final = frozenset({"REPEAT", "ATLEAST", "ATMOST", "SAMPLE", "DRAWN", "UPTO", "WITHIN"})
"""Words behind which a number stands."""
ANY_NAME: Final = Spellings(("a name",), ("名称",))
A_NUMBER: Final = Spellings(("a number",), ("数字",))
A_ROLE: Final = Spellings(("a role",), ("角色",))
A_FIELD: Final = Spellings(("a field or a list",), ("字段或者清单",))


def is_keyword(name: str) -> bool:
    """Whether a declared name would be read as a keyword instead."""
    return name in _RESERVED


_TRUTHS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("yes", "true", "是"), True),
    **dict.fromkeys(("no", "false", "否"), False),
}


def truth(text: str) -> bool | None:
    """What a yes-or-no scalar says; None when it says neither."""
    return _TRUTHS.get(text.strip().lower())


_UNSET: Final = frozenset(("null", "~", "none", "无", "不设"))


def unset(text: str) -> bool:
    """Whether a scalar takes back what was set before, and sets nothing itself."""
    return text.strip().lower() in _UNSET


_WHETHER: Final = "是否"
_NOT: Final = "不"


def truth_of(word: str, questions: Iterable[str]) -> bool | None:
    """What an answer says, also in words of the question (是否愿意: 愿意, 不愿意); None when it is neither."""
    said = truth(word)
    for question in questions if said is None and word else ():
        asked = question.removeprefix(_WHETHER)
        if asked != question and asked.startswith(word):
            return True
        if asked != question and word.startswith(_NOT) and asked.startswith(word.removeprefix(_NOT)):
            return False
    return said


YES_NO: Final = ("yes", "no")
YES_NO_WORDS: Final[Mapping[str, tuple[str, str]]] = {"zh": ("是", "否")}
"""Language of a procedure -> how its cases keep a yes and a no, where not in English."""

# What becomes of a claim, or of somebody accused, as written where a decision is declared -> its name in the record.
OUTCOMES: Final[Mapping[str, str]] = {
    **{word: word for word in ("granted", "dismissed", "withdrawn", "undecided", "convicted", "exempt", "acquitted")},
    "in part": "in_part",
    "支持": "granted",
    "部分支持": "in_part",
    "驳回": "dismissed",
    "撤回": "withdrawn",
    "不作处理": "undecided",
    "定罪": "convicted",
    "免刑": "exempt",
    "无罪": "acquitted",
}

# What people write for `continue with`: no keywords, since a name may begin like this.
ONWARD: Final = frozenset({"继续", "接着", "跳到", "continue", "proceed", "skip", "go"})


def as_choice(word: str, choices: tuple[str, ...]) -> str:
    """A choice as it was written; where one may say yes or no, any word for either counts."""
    said = truth(word) if choices == YES_NO else None
    return word if said is None else YES_NO[not said]
