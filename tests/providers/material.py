"""Small material in both languages, on subjects that the model was not made for."""

QUERY = {"en": "Please write a report on keeping honey bees.", "zh": "请写一篇介绍养蜂的文章。"}
WISH = {"en": "I am mostly interested in swarming in spring.", "zh": "我主要关心越冬管理。"}
WISHED = {"en": "swarm", "zh": "越冬"}
LANGUAGE = {"en": "English", "zh": "Chinese (简体中文)"}

SOURCES = {
    "en": [
        (
            "The history of keeping honey bees",
            "Honey bees were kept in clay tubes in ancient Egypt. Keeping bees in straw skeps was common in Europe for "
            "centuries. The movable frame was described by Langstroth in the nineteenth century. It let keepers "
            "inspect the combs without destroying them. The history of the craft is also one of taxes on wax.",
        ),
        (
            "Swarming of honey bees in spring",
            "Swarming is how a colony of honey bees divides. In spring the old queen leaves with about half of the "
            "workers. Keepers look for queen cells every week to prevent swarming. A swarm that hangs on a branch can "
            "be shaken into an empty box. Crowded hives swarm more often in spring than roomy ones.",
        ),
        (
            "Harvesting honey and wax",
            "Honey is harvested when most cells are capped with wax. The frames are spun in an extractor that empties "
            "the cells. Keeping some honey for the bees spares them hunger in winter. Wax is melted gently in warm "
            "water. A clean room keeps other bees away during the harvest.",
        ),
    ],
    "zh": [
        (
            "养蜂的历史与发展",
            "古埃及人在陶管里养蜂。欧洲长期用草编的蜂窝养蜂。十九世纪出现了可以移动的巢框，养蜂的历史由此改变。"
            "巢框让人不必毁坏蜂巢就能检查。蜂蜡在历史上曾经用来缴税。",
        ),
        (
            "蜂群的越冬管理",
            "越冬以前要检查蜂群的存蜜。蜂群在越冬期间抱成一团，靠消耗蜂蜜取暖。越冬的蜂箱要防风，也要防潮。"
            "养蜂人在越冬期间尽量不打开蜂箱。早春以后再检查越冬的损失。",
        ),
        (
            "蜂蜜的采收与加工",
            "多数巢房封盖以后才能采收蜂蜜。巢脾放进摇蜜机里把蜂蜜甩出来。采收时要给蜂群留下足够的口粮。"
            "养蜂人把蜂蜡放在温水里慢慢化开。采收的房间要干净，避免别的蜜蜂飞来。",
        ),
    ],
}

REFERENCE = {
    "en": "# A year with bees\n\nThis is written for beginners in a cold town.\n\n## Swarming in spring\n\n"
    "A crowded colony divides when the weather turns warm, and the old queen flies off with half of her workers. "
    "Queen cells along the edge of a comb announce the event some days before it takes place.\n\n"
    "## Feeding before winter\n\nSugar syrup is offered in early autumn so that the stores are full when the frost "
    "comes. A colony needs about fifteen kilograms to get through a long winter.\n\n## Sources\n\n[1] x: https://x.org\n",
    "zh": "# 养蜂的一年\n\n## 越冬管理\n\n秋天要补喂糖浆，让蜂群带着足够的存蜜进入寒冷的季节，蜂箱要防风防潮。\n\n"
    "## 春季分蜂\n\n群势太强时老蜂王会带着一半工蜂离巢，养蜂人每周检查王台就能提前知道。\n\n## 参考来源\n\n[1] x: https://x.org\n",
}
