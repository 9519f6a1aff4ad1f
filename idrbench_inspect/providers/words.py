"""Words that say nothing about a subject: function words, and the words in which people ask for reports.

They are left out wherever texts are compared, so that "I would like the report to focus on trees" and "trees" weigh the
same, and a reply that states no preference weighs nothing.
"""

import re

_FUNCTION = """
a about above across after again against all almost along already also although always am among an and another any
anybody anyone anything are around as at away back be became because become been before behind being below between
both but by can cannot could did do does doing done down during each either else enough etc even ever every everything
few for from further get give given go goes good got had has have having he her here hers him his how however i if in
instead into is it its itself just least less let like made make makes many may maybe me might mine more most much must
my myself near neither never no nobody none nor not nothing now of off often on once one only onto or other others our
ours out over own per perhaps quite rather really same shall she should since so some somebody someone something still
such than that the their theirs them themselves then there therefore these they thing things this those though through
thus to too toward towards two three under until up upon us very was way we well were what whatever when where whether
which while who whole whom whose why will with within without would yes yet you your yours
"""

_ASKING = """
account analyse analysis analyze answer arrange article aspect aspects brief briefly care chiefly clear comprehensive
concentrate consider cover covered covering covers deal depth describe description detail detailed details direction
discuss document emphasis emphasise emphasize especially essay examine expect explain explore fit fits fine find first
focus focused focuses following happy important include included includes including information interest interested
interests investigate judge judgement judgment keep kept know lean learn length longer look main mainly matter matters
mean mention mind mostly need needed needs option options overview paper part particular particularly parts place
please point points prefer preference preferences preferred prepare present primarily priority provide put question
questions read reader readers report reports request research review room say section sections see shed short side
specific start state strong strongly subject suggest summarise summarize summary sure survey talk tell term terms
thank thanks think topic treat treated understand use used want wanted wants weight wish wishes wonder work write
written
"""

STOP = frozenset((_FUNCTION + _ASKING).split())

COUNTS = frozenset("first second third last next early late one two three four five six seven eight nine ten".split())

_CHINESE_ASKING = """
我最主要关心的是 我最关心的是 我主要关心的是 对我来说 最重要的是 最主要的是 我主要关心 我更关心 我最关心
我关心 我还想了解 我想了解 我还想 我希望 我们希望 我想要 我们想 我想 我要 我需要 我更想 我们 我的 另外 此外
还希望 也希望 希望 想了解 想知道 也想 还想 想请 请您 请你 请问 请 帮我 帮忙 撰写 写一份 写一篇 写成 写一下
一份 一篇 一些 一个 一下 报告 文章 综述 概述 调研 研究 介绍 分析 说明 讲清楚 讲讲 讲述 谈谈 了解 关于 有关
主要 重点 侧重 着重 尤其 特别 关注 关心 重视 优先 首先 放在 首位 内容 方面 部分 问题 情况 详细 具体 全面 深入
简要 提供 包括 涵盖 需要 应该 应当 可以 能够 以及 还有 并且 而且 因为 所以 如果 但是 不过 这些 那些 这个 那个
这份 哪些 哪个 什么 怎么 怎样 如何 是否 没有 偏好 自行 判断 您 你 最好 即可 就好 就行 为主 都要 也要 还要 我
想 要 讲 写 谈 请
"""

_PHRASES = sorted(_CHINESE_ASKING.split(), key=lambda phrase: (-len(phrase), phrase))
CHINESE_STOP = re.compile("|".join(map(re.escape, _PHRASES)))
CHINESE_JOINTS = re.compile("[的了是在和与及或把被将也还就都等对从到以为而之其着过吗呢吧]")
CHINESE_LEAD = re.compile(rf"^(?:[\s，、：:；“”\"'的是在对把将]|{CHINESE_STOP.pattern})+")
CHINESE_TAIL = re.compile(
    r"(?:[\s，、：:；。！？.!?“”\"'的]|方面|部分|内容|情况|问题|文章|报告|介绍|综述|即可|就好|就行|为主|吧)+$"
)
