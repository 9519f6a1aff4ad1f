"""What a request can leave open (scope, time, region, audience, emphasis, structure), and what evidence opens."""

import re
from collections.abc import Sequence

from idrbench_inspect.providers.reading import is_chinese, share, terms, unique
from idrbench_inspect.providers.wishes import Wishes

DIMENSIONS: dict[str, tuple[str, str]] = {
    "scope": ("how much of the subject to cover", "涉及的范围"),
    "time": ("the period", "时间段"),
    "region": ("the region", "地区"),
    "audience": ("who will read it", "读者对象"),
    "emphasis": ("what to give most room", "重点"),
    "structure": ("how to arrange it", "结构安排"),
}

_MARKS = {
    "scope": r"\bonly\b|\blimit(?:ed)? to|\bexclud|\bkeeps? to\b|\bstays? (?:in|with)|\brestrict|\binclud"
    r"|\bscope\b|\bcovers?\b"
    r"|\bsuch as\b|只|仅|限于|不谈|不包括|除外|范围|包括|涵盖",
    "time": r"\b1\d{3}\b|\b20\d{2}\b|\bcentur|\bdecade|\bsince\b|\brecent|\btoday\b|\bcurrent|\bperiod\b"
    r"|\bcontemporary\b"
    r"|\bfirst (?:\w+ )?(?:years?|months?|summers?)\b|世纪|年代|\d年|近年|近期|当前|今天|古代|现代|当代|时期|时间",
    "region": r"(?<=[a-z,;] )(?!I\b)[A-Z][a-z]{2,}|\bworldwide\b|\bglobal|\bnational\b|\bregion|中国|日本|美国"
    r"|英国|法国|德国|印度|欧洲|亚洲"
    r"|非洲|全球|国内|世界各|[\u4e00-\u9fff](?:省|市|县)|地区|各国|福建|北京|上海",
    "audience": r"\bfor (?!example|instance|the (?:next|last|past|first)\b)(?:\w+ ){0,3}\w+|\baim(?:ed)? at"
    r"|\baudience|\breaders?\b"
    r"|\bbeginners?\b|面向|读者|受众|听众|新手|初学|给[\u4e00-\u9fff]{1,8}(?:看|读|用)",
    "emphasis": r"\bfocus|\bempha|\bespecially\b|\bin particular\b|\bparticularly\b|\bmatters? most|\bmost room"
    r"|\bconcentrat|\bmainly\b"
    r"|\babove all\b|重点|侧重|着重|尤其|特别|主要|关注",
    "structure": r"\bcompar|\bversus\b|\btable\b|\btimeline|\bchronolog|\bcalendar|\bstep[- ]by[- ]step|\blists?\b"
    r"|\bsections?\b"
    r"|\bstructure|\borganis|\borganiz|\barrange|\bclose with\b|\bfinish with\b|\bby theme\b|比较"
    r"|对比|对照|表格|年表|顺序|结构|结尾|清单|按",
}
_PATTERNS = {
    name: re.compile(marks, re.NOFLAG if name == "region" else re.IGNORECASE) for name, marks in _MARKS.items()
}


def settled(text: str) -> list[str]:
    """The dimensions that a text fixes by visible marks, in the order of `DIMENSIONS`."""
    return [name for name, pattern in _PATTERNS.items() if pattern.search(text)]


def left_open(query: str, stated: Wishes) -> list[str]:
    """The dimensions that neither the request nor a stated wish fixes."""
    fixed = settled("\n".join([query, *stated.said]))
    return [name for name in DIMENSIONS if name not in fixed]


def named(dimensions: Sequence[str], chinese: bool) -> list[str]:
    """Dimensions in words."""
    return [DIMENSIONS[name][chinese] for name in dimensions]


def asked_about(question: str) -> list[str]:
    """The dimensions that a question names in general words, such as "which period"."""
    words = {
        "scope": r"\bscope\b|\bpart|\baspect|\bside|\bwiden|\bnarrow|\bcover|范围|部分|方面|内容",
        "time": r"\bperiod|\bera\b|\btime|\bwhen\b|\byears?\b|时期|时间|年代",
        "region": r"\bregion|\bcountr|\bwhere\b|\bplace|地区|国家|哪里|地方",
        "audience": r"\baudience|\breader|\bfor whom\b|\bwho\b|读者|对象|受众|面向",
        "emphasis": r"\bfocus|\bempha|\bmost\b|\bweight|\bpriorit|\bfirst\b|\bconcentrat|\binterest|重点|侧重|重视"
        r"|优先|关心|突出",
        "structure": r"\bstructure|\barrange|\borgani|\border\b|\bformat|结构|安排|顺序|组织|形式",
    }
    return [name for name, pattern in words.items() if re.search(pattern, question, re.IGNORECASE)]


def short_title(title: str) -> str:
    """A title as one would say it: the part before a colon where that says enough, at most ten words."""
    head = re.split(r"\s*[:：|]\s*|\s[-–—]\s", title.strip())[0]
    if len(unique(terms(head))) < 2:
        head = title.strip()
    if is_chinese(head):
        return head[:24]
    words = head.split()[:10]
    while len(words) > 1 and not terms(words[-1]) and len(words) < len(head.split()):
        words.pop()
    return " ".join(words)


def open_facets(found: Sequence[str], subject: str, settled_text: str) -> list[str]:
    """Of the titles found, those that a text does not speak of: less than a third of their own terms are in it.

    Args:
        found: Titles.
        subject: The request's subject, whose terms every title may share and which tell nothing.
        settled_text: The request, the wishes and what was asked already.
    """
    common = terms(subject)
    known = [term for term in terms(settled_text) if term not in common]
    return [title for title in found if share(own_terms(title, common), known) < 1 / 3]


def own_terms(title: str, common: Sequence[str]) -> list[str]:
    """A title's terms beyond the common ones; all of them where nothing else is left."""
    every = unique(terms(title))
    return [term for term in every if term not in common] or every
