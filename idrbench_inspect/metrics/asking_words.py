"""Words in which people ask, whatever the subject: those that name what is asked about, and those that say nothing.

They are of the two languages, not of any dataset: no subject's own words stand here.
"""

import re
from typing import Final

_NAMED: Final[dict[str, tuple[str, str]]] = {
    "scope": (
        r"scopes?|cover(?:age|ed|ing)?|includ(?:e|es|ed|ing)|(?:which|what) (?:kinds?|parts?|aspects?|types?|sides?)",
        r"范围|涵盖|包括|哪些方面|哪些内容|哪几类|哪类",
    ),
    "time": (
        r"time ?span|period|dates? from|years|era|eras|century|centuries|decades?|from when|until when|since when"
        r"|how far back|how recent|today|present[- ]day|modern times|ancient|antiquity|medieval|before 1\d{3}"
        r"|after 1\d{3}|(?:19|20)\d0s|1[0-9]th|20th|21st",
        r"时间范围|时期|年代|时段|年份|世纪|朝代|哪几朝|哪一朝|古代|近代|现代|当代|古人|如今|今天|现在|民国"
        r"|[唐宋元明清][代朝初末]|唐宋|宋元|元明|明清",
    ),
    "region": (
        r"regions?|countr(?:y|ies)|nations?|continents?|abroad|overseas|worldwide|parts? of the world|climate"
        r"|europe(?:an)?|asian?|african?|americans?|the americas|british|britain|french|france|germany?|italy|italian"
        r"|japan(?:ese)?|china|chinese|india|indian|canada|united states|the states",
        r"地区|国家|地域|区域|哪里的|哪些地方|哪个地方|外国|国外|国内|海外|本国|各国|全国|世界各地"
        r"|欧洲|西欧|欧美|西洋|西方|美国|英国|法国|德国|日本|印度|中东|西亚|东亚",
    ),
    "audience": (
        r"audiences?|readers?|readership|listeners?|laypeople|lay(?:man|men|person)|beginners?|experts?|novices?"
        r"|specialists?|technical terms?|jargon|how technical|know(?:s)? (?:already|about|how)|already know"
        r"|background|training|experience do",
        r"读者|听众|受众|观众|外行|内行|行家|术语|专业背景|有没有基础|懂多少|懂不懂|听的人|读的人|看的人|白话|深浅",
    ),
    "emphasis": (
        r"emphas\w+|focus|weight|priority|prioriti[sz]e|dwell|stress(?:ed)?|most room|main thing|matters? most"
        r"|more important|most important|care (?:more|most) about|heart of it",
        r"重点|侧重|突出|着重|多花笔墨|更在意|更关心|更看重|最看重|最关心|最想|更想|最好奇|哪一面|哪方面",
    ),
    "structure": (
        r"structur\w+|arrang\w+|order(?:ed)?|formats?|layout|chronolog\w+|questions? and answers?|question-and-answer"
        r"|set out|sections?|chapters?|hand-?outs?|(?:close|closing|end|ending|finish) with|at the end|one by one",
        r"结构|编排|顺序|形式|体例|先后|章节|分章|分节|结尾|开头|收尾|末尾|最后|问答|附一|附上|一件件|一条条|单独",
    ),
}
NAMED: Final = {
    name: re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE) for name, (english, chinese) in _NAMED.items()
}
"""By dimension of ambiguity, what a question says that asks about the points of that dimension."""

SAYS_NOTHING: Final = frozenset(
    """
    about add alone ask bring call care come concern consider cover deal describe detail enough explain fine focus
    follow give go good happy have help important include interest keep kind know like long look main matter mean
    mention mind much need page part particular people person piece please point prefer put question rather reader
    report right say see short shall side sort start story subject suit sure take talk tell text themselves thing
    think topic use useful want way whether wish word work write
    """.split()
)
"""English words in which people ask for reports."""

JOINTS: Final = frozenset(
    "的了是在和与及或把被将也还就都等对从到以为而之其着过吗呢吧要不您你我他她们想请讲说写谈哪什么怎样只这那有没可会能更最"
    "多少几个些一二三些得很再又并且所如何否让给叫做用来去上下里中"
)
"""Chinese characters that join or ask: a pair with one of them is no term of a subject."""

PROCEEDS: Final = re.compile(
    r"\b(?:shall|should|may|can) (?:i|we) (?:begin|start|proceed|continue|go (?:on|ahead))(?: now)?\s*\?"
    r"|\b(?:fonts?|typefaces?|spell(?:ing|ed)?|file ?names?|capital letters?|page numbers?)\b"
    r"|可以开始|继续吗|开始吗|字体|字号|宋体|楷体|文件名|页码",
    re.IGNORECASE,
)
"""What a question says that is of no consequence: leave to go on, type and spelling."""
