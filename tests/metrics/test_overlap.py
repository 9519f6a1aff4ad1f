import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idrbench_inspect.metrics.overlap import (
    RougeL,
    TfIdf,
    longest_common_words,
    normalised_lcs,
    rouge_l,
    shared_ngram_share,
    unique_word_share,
    words,
)
from idrbench_inspect.metrics.undefined import Undefined

TEXT = st.lists(st.sampled_from(("a", "b", "Cc", "涨", "2019", "了租")), max_size=10).map(" ".join)


def slow_lcs(one: list[str] | str, other: list[str] | str) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if a == b else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


def slow_run(one: list[str], other: list[str]) -> int:
    runs = {tuple(one[i:j]) for i in range(len(one)) for j in range(i + 1, len(one) + 1)}
    return max(
        (j - i for i in range(len(other)) for j in range(i + 1, len(other) + 1) if tuple(other[i:j]) in runs), default=0
    )


def slow_share(text: list[str], other: list[str], n: int) -> float:
    held = [other[i : i + n] for i in range(len(other) - n + 1)]
    starts = [i for i in range(len(text) - n + 1) if text[i : i + n] in held]
    return sum(any(i <= place < i + n for i in starts) for place in range(len(text))) / len(text)


def test_words_of_both_languages() -> None:
    assert words("The 3.5% GDP-growth，增长了！ＡＢ café") == [
        "the",
        "3",
        "5",
        "gdp",
        "growth",
        "增",
        "长",
        "了",
        "caf",
    ]
    assert words("") == []


@given(TEXT, TEXT)
def test_rouge_l_is_what_the_table_of_subsequences_says(reference: str, candidate: str) -> None:
    found = rouge_l(reference, candidate)
    one, other = words(reference), words(candidate)
    if not one:
        assert isinstance(found, Undefined)
        return
    common = slow_lcs(one, other)
    assert isinstance(found, RougeL)
    assert found.recall == pytest.approx(common / len(one))
    assert found.precision == pytest.approx(common / len(other) if other else 0)
    assert found.f1 == pytest.approx(2 * common / (len(one) + len(other)) if other else 0)
    if other:
        back = rouge_l(candidate, reference)
        assert back == RougeL(found.recall, found.precision, found.f1)


def test_a_chinese_text_is_measured_by_its_characters() -> None:
    found = rouge_l("租金上涨了", "租金下跌了")
    assert isinstance(found, RougeL)
    assert found.f1 == pytest.approx(3 / 5)
    assert rouge_l("租金", "。") == RougeL(0.0, 0.0, 0.0)


def test_words_are_compared_and_not_their_hashes() -> None:
    many = " ".join(f"w{n}" for n in range(3000))
    other = " ".join(f"v{n}" for n in range(3000))
    assert rouge_l(many, other) == RougeL(0.0, 0.0, 0.0)
    assert rouge_l(many, many) == RougeL(1.0, 1.0, 1.0)
    assert longest_common_words(many, f"{other} {many}") == 3000


@given(TEXT, TEXT)
def test_the_longest_common_run_is_what_all_runs_say(one: str, other: str) -> None:
    assert longest_common_words(one, other) == slow_run(words(one), words(other)) == longest_common_words(other, one)


def test_frequent_words_count_in_a_run() -> None:
    text = "the rents of the city of the year " * 60
    assert longest_common_words(text, "they say the rents of the city of the year rose") == 8


@given(TEXT, TEXT, st.integers(1, 4))
def test_the_covered_share_is_what_every_word_says(text: str, other: str, n: int) -> None:
    found = shared_ngram_share(text, other, n)
    if len(words(text)) < n:
        assert isinstance(found, Undefined)
    else:
        assert found == pytest.approx(slow_share(words(text), words(other), n))


def test_eight_common_words_cover_and_seven_do_not() -> None:
    report = "please restrict the whole analysis to years after twenty fifteen only"
    assert shared_ngram_share("i would restrict the whole analysis to years after x", report) == 0.0
    assert shared_ngram_share("so restrict the whole analysis to years after twenty x", report) == pytest.approx(8 / 10)
    assert isinstance(shared_ngram_share("japan only", report), Undefined)
    assert shared_ngram_share(report, "japan only") == 0.0
    with pytest.raises(ValueError, match="at least 1"):
        shared_ngram_share(report, report, 0)


@given(st.text("ab涨 ", max_size=12), st.text("ab涨 ", max_size=12))
def test_the_normalised_subsequence_is_divided_by_both_lengths(one: str, other: str) -> None:
    found = normalised_lcs(one, other)
    if not one + other:
        assert isinstance(found, Undefined)
    else:
        assert found == pytest.approx(2 * slow_lcs(one, other) / (len(one) + len(other)))
        assert normalised_lcs(other, one) == found


def test_the_share_of_unique_words_looks_one_way() -> None:
    assert unique_word_share("Rents rose, rents fell", "rents") == pytest.approx(1 / 3)
    assert unique_word_share("rents", "Rents rose, rents fell") == 1.0
    assert unique_word_share("rents", "") == 0.0
    assert isinstance(unique_word_share("。", "rents"), Undefined)


def slow_cosine(corpus: list[str], one: str, other: str) -> float:
    n, held = len(corpus), [set(words(text)) for text in corpus]
    idf = {word: math.log((1 + n) / (1 + sum(word in text for text in held))) + 1 for text in held for word in text}
    a, b = Counter(words(one)), Counter(words(other))
    x = {word: a[word] * idf[word] for word in a if word in idf}
    y = {word: b[word] * idf[word] for word in b if word in idf}
    length = math.sqrt(sum(value**2 for value in x.values())) * math.sqrt(sum(value**2 for value in y.values()))
    return sum(x[word] * y[word] for word in x.keys() & y.keys()) / length if length else 0.0


@given(st.lists(TEXT, min_size=1, max_size=4), TEXT, TEXT)
def test_the_tf_idf_cosine_is_its_formula(corpus: list[str], one: str, other: str) -> None:
    fitted = TfIdf.fit("own", corpus)
    found = fitted.cosine(one, other)
    if isinstance(found, Undefined):
        assert not set(words(one)) & {word for text in corpus for word in words(text)}
    else:
        assert found == pytest.approx(slow_cosine(corpus, one, other))
        assert 0 <= found <= 1


def test_the_tf_idf_cosine_is_that_of_scikit_learn() -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    corpus = ["rents rose in 2019", "rents fell, 租金下跌", "wages rose and rose"]
    pair = ["Rents rose and rose 租金", "rents 租 fell in unseen places"]
    vectors = text.TfidfVectorizer(analyzer=words).fit(corpus).transform(pair).toarray()
    assert TfIdf.fit("three", corpus).cosine(*pair) == pytest.approx(float(vectors[0] @ vectors[1]))


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    fitted = TfIdf.fit("three", ["rents rose", "rents fell", "rents rose in kyoto"])
    common, rare = fitted.cosine("rents kyoto", "rents"), fitted.cosine("rents kyoto", "kyoto")
    assert not isinstance(common, Undefined)
    assert not isinstance(rare, Undefined)
    assert rare > common
    assert fitted.cosine("rents", "unseen") == 0.0
    assert isinstance(fitted.cosine("unseen", "rents"), Undefined)
    with pytest.raises(ValueError, match="no documents"):
        TfIdf.fit("empty", [])
