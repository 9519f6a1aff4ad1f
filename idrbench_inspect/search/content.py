"""Is a page's text the page? Its content decides, since addresses and types given by servers mislead."""

import re
import unicodedata
from typing import Literal

Fault = Literal["unreadable", "blocked"]

_SHORT = 600
_OPENING = 5_000
_PDF_SYNTAX = re.compile(r"^(?:\d+ \d+ obj\b.*|endobj|(?:end)?stream|(?:start)?xref|trailer)[ \t\r]*$", re.MULTILINE)
_CJK = re.compile("[\u3400-\u9fff]")
_BLOCKED = {
    "a bot check": r"""
        (?:verify|verifying|prove|confirm)\s(?:that\s)?you(?:\sare|'re)\s(?:a\s)?(?:human|not\sa\s(?:ro)?bot)
        | (?:i(?:'m|\sam)|are\syou)\s(?:not\s)?a\srobot | (?:complete|solve)\s(?:the|this|a)\scaptcha | unusual\straffic
        | checking\syour\sbrowser | enable\s(?:javascript|cookies) | just\sa\smoment\.\.\.
        | 人机验证 | 安全验证 | 滑[动块]验证 | 验证您是(?:真人|人类) | 您?不是机器人 | 访问(?:过于)?频繁
        | 异常(?:流量|访问) | 启用\s?(?:javascript|cookie)""",
    "a login or access wall": r"""
        (?:log|sign)\s?in\s(?:to|or)\s(?:continue|view|read|access|see|register|sign\sup|create)
        | please\s(?:log|sign)\s?in | (?:must|need\sto)\s(?:be\slogged|be\ssigned|log|sign)\s?in
        | subscribe\sto\s(?:continue|read|view|unlock) | access\s(?:is\s)?denied | 403\sforbidden
        | 请先?登[录陆] | 登[录陆]后(?:才[能可]|即?可|方可|查看|阅读|继续) | 需要登[录陆] | 订阅后(?:查看|阅读|继续)
        | 访问被拒绝 | 拒绝访问 | 没有(?:访问)?权限""",
    "a not-found page": r"""
        page\snot\sfound | 404\s(?:error|not\sfound|-) | error\s404
        | page\s(?:\S+\s){0,6}(?:can(?:not|'t|\snot)\sbe|could\snot\sbe|was\snot|not\sbe)\sfound
        | page\s(?:\S+\s){0,6}(?:does\snot|doesn't|no\slonger)\sexists?
        | (?:页面|网页|文章|内容)(?:已?不存在|已被?删除|未找到|找不到)
        | 找不到(?:该|此|您|你|页面|网页|文章) | 404错误""",
}
_SIGNS = {name: re.compile(signs, re.IGNORECASE | re.VERBOSE) for name, signs in _BLOCKED.items()}


def fault(text: str) -> tuple[Fault, str] | None:
    """What is wrong with a page's text, and how that shows; `None` where it can be read.

    `unreadable` is the source of a PDF or other binary content. `blocked` is a short page (under 600 characters, a
    Chinese one counting double) that asks for a proof of being human, for a login, or says that there is no such page.

    Example:
        >>> fault("%PDF-1.7 1 0 obj")
        ('unreadable', 'the source of a PDF')
        >>> fault("Just a moment... Verify you are human.")
        ('blocked', 'a bot check')
        >>> fault("Tides follow the moon.") is None
        True
    """
    opening = text[:_OPENING].lstrip("\ufeff\0 \t\r\n")
    if opening.startswith("%PDF-") or len(_PDF_SYNTAX.findall(opening)) >= 8:
        return "unreadable", "the source of a PDF"
    if sum(opening.count(character) for character in set(opening) if _is_debris(character)) > 0.05 * len(opening):
        return "unreadable", "binary content"
    if len(text) >= _SHORT or len(text) + len(_CJK.findall(text)) >= _SHORT:
        return None
    plain = text.replace("’", "'")
    return next((("blocked", name) for name, signs in _SIGNS.items() if signs.search(plain)), None)


def _is_debris(character: str) -> bool:
    """Is it what undecoded bytes turn into: a control character, the replacement character, an unassigned one?"""
    return character == "\ufffd" or (character not in "\t\n\r\f\v" and unicodedata.category(character) in {"Cc", "Cn"})
