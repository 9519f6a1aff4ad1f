"""Questions about the tasks of `mini`, in words of their own, and what each asks about: points, or else one word.

The first half was looked at while the match by words was made; the second was only measured. Written before either.
"""

from typing import NamedTuple


class Case(NamedTuple):
    """A question to the user of a task: what it asks about, and a reply that came before it, if any."""

    task: str
    question: str
    asks: str
    before: str = ""


SEEN = (
    Case("en-beekeeping", "Should I write about the insects, or about hives and tools?", "p1"),
    Case("en-beekeeping", "From when until when shall the story run?", "p2"),
    Case("en-beekeeping", "Are you after American keepers, British ones, or those on the Continent?", "p3"),
    Case(
        "en-beekeeping", "Would you rather follow the experiments themselves, or see what difference they made?", "p4"
    ),
    Case("en-beekeeping", "Would it help to have photographs beside the text?", "unlabelled"),
    Case("en-beekeeping", "Is the report for reading in winter?", "stated"),
    Case("en-bicycle-history", "Do you want champions and their races, or ordinary people on tour?", "p1"),
    Case("en-bicycle-history", "How technical is your audience?", "p4"),
    Case("en-bicycle-history", "Which nations and which decades interest you?", "p2 p3"),
    Case("en-bicycle-history", "Shall I call it a bike or a bicycle?", "trivial"),
    Case("en-chess", "Are the readers about thirteen?", "stated"),
    Case("en-detective-fiction", "Sherlock Holmes and his time, the golden age between the wars, or everything?", "p1"),
    Case("en-detective-fiction", "Are you interested in magazine editors and the book trade?", "p3"),
    Case("en-detective-fiction", "How long should the talk last?", "stated"),
    Case("en-fingerprints", "Are landmark trials what you want to hear about?", "p1"),
    Case("en-fingerprints", "Do the members have any science background?", "p4"),
    Case("en-fingerprints", "Should Canada and the States come in?", "p3"),
    Case("en-fingerprints", "Do you need footnotes with full sources?", "unlabelled"),
    Case("en-indigo", "Denim and fashion, or soldiers' uniforms and the dye trade?", "p1"),
    Case("en-indigo", "Should the twentieth century come in at all?", "p2"),
    Case("en-indigo", "Do you drive a mobile library?", "stated"),
    Case("en-urban-tree-planting", "What are your summers and winters like?", "p3"),
    Case("en-urban-tree-planting", "Is shade the main thing, or birds and insects?", "p5"),
    Case("en-urban-tree-planting", "Do the volunteers know how to garden already?", "p4"),
    Case("zh-abacus", "您想听西洋的机器，还是本国的珠算？", "p2"),
    Case("zh-abacus", "讲到电子计算器为止，还是更早就收住？", "p1"),
    Case("zh-abacus", "需要我推荐几件可以动手做的小玩意儿吗？", "unlabelled"),
    Case("zh-high-speed-rail", "火车本身的技术要不要讲？买票的门道呢？", "p1"),
    Case("zh-high-speed-rail", "来听的人是学工程的吗？", "p4"),
    Case("zh-high-speed-rail", "您关心的是当初为何上马，还是后来对百姓生活的影响？", "p5"),
    Case("zh-high-speed-rail", "标题用宋体还是楷体？", "trivial"),
    Case("zh-imperial-exams", "只说明清，还是连唐宋一起说？", "p2"),
    Case("zh-imperial-exams", "您更在意作弊与防弊，还是穷人家孩子的出路？", "p5"),
    Case("zh-imperial-exams", "街坊们读书多吗，文言要翻成白话吗？", "p4"),
    Case("zh-imperial-exams", "这份底稿是茶话会上用的吗？", "stated"),
    Case("zh-paper-money", "钱庄票号发的算不算？", "p1"),
    Case("zh-paper-money", "要不要讲外国的钞票？", "p3"),
    Case("zh-paper-money", "您最好奇的是它怎么来的，还是怎么变成废纸的？", "p4"),
    Case("zh-paper-money", "分享会一个人讲多久？", "stated"),
    Case("zh-porcelain", "只看永乐宣德以前的，还是清三代也看？", "p1"),
    Case("zh-porcelain", "朋友们自己动手做过陶吗？", "p3"),
    Case("zh-porcelain", "要不要谈拍卖行情？", "p4"),
    Case("zh-tea", "讲铁观音、白毫银针这些，还是各大类都讲？", "p1"),
    Case("zh-tea", "古人怎么喝茶要不要提？", "p2"),
    Case("zh-tea", "您想了解喝茶对身体的好处吗？", "p4"),
    Case("zh-tea", "您家里用什么水？", "unlabelled"),
    Case(
        "en-indigo", "And Europe alone?", "stated", "Only western Europe, please, as Europe is where our readers live."
    ),
    Case("en-urban-tree-planting", "What is it to close with: a calendar or a list of species?", "p6"),
)

UNSEEN = (
    Case("en-beekeeping", "Is it nature you want, or the workshop: smokers, frames and extractors?", "p1"),
    Case(
        "en-beekeeping", "Do ancient Egypt and Rome belong in it, or should I begin with the first microscopes?", "p2"
    ),
    Case("en-beekeeping", "Chronologically, or one person after another?", "p5"),
    Case("en-beekeeping", "Are you keen on the personalities, or on how the discoveries came about?", "p4"),
    Case("en-beekeeping", "Shall I add a list of further books?", "unlabelled"),
    Case("en-beekeeping", "Have you kept bees for a season?", "stated"),
    Case(
        "en-bicycle-history", "Is women's clothing and freedom on the road a theme, or rather frames and gears?", "p5"
    ),
    Case("en-bicycle-history", "Should I stop before 1900 or go on to today?", "p2"),
    Case("en-bicycle-history", "Do you need a handout of dates at the end?", "p6"),
    Case("en-bicycle-history", "Is the talk in the evening?", "stated"),
    Case("en-chess", "Shall the pawn's double step come before castling?", "stated"),
    Case("en-detective-fiction", "Is it Americans such as Hammett, or Christie and Sayers?", "p2"),
    Case("en-detective-fiction", "Shall I explain why people enjoy the puzzles?", "p3"),
    Case("en-detective-fiction", "Does the room have a projector?", "unlabelled"),
    Case("en-fingerprints", "Is it the early Victorian pioneers, or the computer age?", "p1 p2"),
    Case("en-fingerprints", "How sure examiners really are: is that the heart of it, or privacy?", "p5"),
    Case("en-fingerprints", "Would a question-and-answer form suit you?", "p6"),
    Case("en-fingerprints", "Do you prefer the spelling fingerprint or finger-print?", "trivial"),
    Case("en-indigo", "Is the labour on plantations more important to you than the merchants' profits?", "p4"),
    Case("en-indigo", "Should I go to India and Japan too?", "p3"),
    Case("en-indigo", "Should there be recipes for dyeing at home?", "unlabelled"),
    Case("en-urban-tree-planting", "Along pavements, in parks, or in people's gardens?", "p1"),
    Case("en-urban-tree-planting", "Do you want advice for the first years only, or until the tree is old?", "p2"),
    Case("en-urban-tree-planting", "Did the council offer you trees?", "stated"),
    Case("zh-abacus", "您喜欢听机器内部怎么运转，还是发明家的故事？", "p3"),
    Case("zh-abacus", "按时间先后一件件讲，还是按国家分开？", "p4"),
    Case("zh-abacus", "您是晚上讲给客人听吗？", "stated"),
    Case("zh-high-speed-rail", "讲新干线和法国，还是讲国内的？", "p3"),
    Case("zh-high-speed-rail", "讲到九十年代就停，还是讲到现在？", "p2"),
    Case("zh-high-speed-rail", "最后要附一张对比表吗？", "p6"),
    Case("zh-high-speed-rail", "读书会大概有多少人来？", "unlabelled"),
    Case("zh-imperial-exams", "是讲京城里的大考，还是州县的小考？", "p3"),
    Case("zh-imperial-exams", "考生的日常和赶路的故事要写吗？", "p1"),
    Case("zh-imperial-exams", "您店里的面好吃吗？", "trivial"),
    Case("zh-imperial-exams", "面馆开在哪条街上？", "trivial"),
    Case("zh-paper-money", "讲到民国、讲到今天，还是止于清中叶？", "p2"),
    Case("zh-paper-money", "防伪和花纹您有兴趣吗？", "p4"),
    Case("zh-paper-money", "每种票子单独写一段可以吗？", "p5"),
    Case("zh-paper-money", "您在物流公司管仓库吗？", "stated"),
    Case("zh-porcelain", "卖到中东去的那些要讲吗？", "p2"),
    Case("zh-porcelain", "您是想看胎釉和窑火，还是图案的含义？", "p4"),
    Case("zh-porcelain", "做成问答体好不好？", "p5"),
    Case("zh-tea", "是现在工厂的做法，还是老师傅的手工？", "p2"),
    Case("zh-tea", "只讲武夷山一带，还是全国都讲？", "p3"),
    Case("zh-tea", "泡法放在开头还是结尾？", "p5"),
    Case("zh-tea", "要不要配几张茶具的照片？", "unlabelled"),
    Case("zh-paper-money", "外国的也讲吗？", "stated", "中国外国都可以讲，外国的也请讲一些。"),
    Case("en-detective-fiction", "From the beginnings up to our own day, or only the years between the wars?", "p1"),
)
