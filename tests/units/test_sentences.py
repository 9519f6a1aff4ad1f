from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idrbench_inspect.units.sentences import cjk_share, is_unit, language_of, sentence_spans, word_count


def split(line: str, language: str = "en") -> list[str]:
    return [line[start:end] for start, end in sentence_spans(line, "zh" if language == "zh" else "en")]


@pytest.mark.parametrize("language", ["en", "zh"])
@settings(deadline=None)  # the first use loads the model
@given(line=st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=80))
def test_nothing_but_blanks_is_lost(language: str, line: str) -> None:
    assert "".join("".join(split(line, language)).split()) == "".join(line.split())
    assert bool(split(line, language)) == bool(line.strip())


@pytest.mark.parametrize("language", ["en", "zh"])
@given(line=st.text('aB1 .!?。！？…”）（()"、，；说2', max_size=60))
def test_sentences_are_in_order_stripped_and_apart(language: str, line: str) -> None:
    spans = sentence_spans(line, "zh" if language == "zh" else "en")
    assert all(line[start:end].strip() == line[start:end] != "" for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("Growth was 4% (Lee, 1951;Park, 1998) and rose.", 1),
        ("It fell.\x0cThen it rose again.", 2),
        ("Form\x0cfeed in mid sentence.", 1),
        ("Dr. Wu of the U.S. team paid 3.5 dollars. He left!", 2),
        ("2019-01-02,2019-02-03;2019-03-04", 1),
        ("Rent rose. 2. Fuel fell.", 2),
        ("1. Rent rose. 2. Fuel fell. 3.", 3),
        ("Really?! Yes. No", 3),
    ],
)
def test_english_sentences(line: str, sentences: int) -> None:
    found = split(line)
    assert len(found) == sentences
    assert not any(sentence.rstrip(".").isdigit() for sentence in found[:-1])


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("租金上涨。工资没有！真的吗？", ["租金上涨。", "工资没有！", "真的吗？"]),
        ("优势明显。2025年继续。", ["优势明显。", "2025年继续。"]),
        ("增长3.5%，但放缓；明年再看。", ["增长3.5%，但放缓；明年再看。"]),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("“好！”他说道，“走吧。”", ["“好！”他说道，“走吧。”"]),
        ("“好。”问题在于成本。", ["“好。”", "问题在于成本。"]),
        ("政策（见附录。含例外！）有效。下一句。", ["政策（见附录。含例外！）有效。", "下一句。"]),
        ("未闭合（括号。下一句。", ["未闭合（括号。", "下一句。"]),
        ("《为什么？》是书名。", ["《为什么？》是书名。"]),
        ("等等……然后！？结束", ["等等……", "然后！？", "结束"]),
        ("什么！，继续", ["什么！，继续"]),
        ("有引用。[1][2]下一句。", ["有引用。[1][2]", "下一句。"]),
        ("用AI?下一步. a?b=c", ["用AI?", "下一步. a?b=c"]),
        ("1. 租金上涨。2. 工资下降。", ["1. 租金上涨。", "2. 工资下降。"]),
        ("（（甲。）乙。", ["（（甲。）乙。"]),
        ("）甲。乙。", ["）甲。", "乙。"]),
    ],
)
def test_chinese_sentences(line: str, sentences: list[str]) -> None:
    assert split(line, "zh") == sentences


def test_a_block_is_split_by_its_own_characters() -> None:
    assert (language_of(""), language_of("a" * 8 + "涨涨"), language_of("a" * 7 + " 涨涨")) == ("en", "en", "zh")
    assert cjk_share("涨 \n a") == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("---", 0),
        ("U.S. rents' rise", 3),
        ("state-of-the-art", 1),
        ("租金 rose 上涨", 3),
        ("a_b", 2),
        ("😀 🎉", 0),
        ("ア行", 1),
    ],
)
def test_a_chinese_character_is_half_a_word(text: str, words: float) -> None:
    assert word_count(text) == words


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("one two three", True), ("one two", False), ("Rents rose.", True), ("Rents rose!”", True),
        ("Rents rose:", False), ("Rose.", False), ("2.", False), ("...", False), ("", False),
        ("租金上涨", False), ("租金上涨。", True), ("租金上涨了很", True),
    ],
)  # fmt: skip
def test_a_unit_has_three_words_or_two_that_end_like_a_sentence(text: str, unit: bool) -> None:
    assert is_unit(text) is unit


@pytest.mark.parametrize("piece", [".", ". ", "a.b!", "! ", "… ", "（", "（a）", "。”", "1. "])
def test_lines_without_sense_are_split_in_bounded_time(piece: str) -> None:
    line = piece * 20_000
    assert "".join(split(line)) + "".join(split(line, "zh")) != ""


def test_an_endless_word_hides_no_sentence_behind_it() -> None:
    line = "x.y" * 300 + ". Then it ended. Good."
    assert split(line)[1:] == ["Then it ended.", "Good."]
