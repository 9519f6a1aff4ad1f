import asyncio
from pathlib import Path

import pytest

from idrbench_inspect.errors import BadInput
from idrbench_inspect.search import Result
from idrbench_inspect.search.corpus import CorpusSearch
from idrbench_inspect.search.documents import Document

TIDES = Document("https://x.example/tides", "Tides", "The moon raises tides in the café by the harbours.")
MOON = Document("https://x.example/moon", "The Moon", "It circles the Earth; tides are one of its effects.")
TEA = Document("https://x.example/tea", "Green tea", "Leaves are steamed, then rolled and dried.")
CHAOXI = Document("https://x.example/chaoxi", "潮汐", "海水在月球引力下周期性涨落。猫 不怕水。")
YUEQIU = Document("https://x.example/yueqiu", "月球", "月球绕地球运行,引起潮汐现象。")
CHA = Document("https://x.example/cha", "绿茶", "鲜叶经杀青、揉捻、干燥制成。")
ALL = (TIDES, MOON, TEA, CHAOXI, YUEQIU, CHA)


async def found(query: str, documents: tuple[Document, ...] = ALL, results: int = 5) -> list[str]:
    answer = await CorpusSearch(documents).search(query, results)
    return [result.url.rpartition("/")[2] for result in answer.results]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def page(name: str = "a", title: str = "A", body: str = "Body") -> str:
    return f"---\nurl: https://x.example/{name}\ntitle: {title}\nlanguage: en\n---\n\n{body}\n"


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("tides", ["tides", "moon"]),
        ("What is the tide?", ["tides", "moon"]),
        ("MOON", ["moon", "tides"]),
        ("cafe harbour", ["tides"]),
        ("how are leaves steamed", ["tea"]),
        ("潮汐", ["chaoxi", "yueqiu"]),
        ("月球的潮汐是什么?", ["yueqiu", "chaoxi"]),
        ("茶叶如何杀青", ["cha"]),
        ("绿茶 tea", ["cha", "tea"]),
        ("猫", ["chaoxi"]),
        ("揉", ["cha"]),
        ("ＴＥＡ", ["tea"]),
        ("volcano", []),
        ("火山", []),
    ],
)
async def test_documents_come_by_their_share_of_the_query_title_first(query: str, order: list[str]) -> None:
    assert await found(query) == order


async def test_a_document_comes_back_whole_and_the_query_unchanged() -> None:
    answer = await CorpusSearch(ALL).search("  Green TEA ", 1)
    assert (answer.query, answer.sent) == ("  Green TEA ", "  Green TEA ")
    assert answer.results == (Result(TEA.url, TEA.title, TEA.text),)


async def test_equal_documents_come_by_address_whatever_order_they_were_given_in() -> None:
    same = tuple(Document(f"https://x.example/{name}", "Same", "The same words") for name in "dbac")
    for documents in (same, same[::-1]):
        assert await found("same words", documents) == ["a", "b", "c", "d"]
        assert await found("same words", documents, results=2) == ["a", "b"]


@pytest.mark.parametrize(
    "query",
    [
        '"tides',
        'tides" OR "tea" NOT "moon',
        "tides*",
        "NEAR(tides moon, 2)",
        "title:tides",
        "{title body}: tides",
        "^tides + moon",
        "-tides AND (",
        "tides\0moon",
        "'; DROP TABLE pages; -- tides",
        "tides \ud800",
    ],
)
async def test_syntax_in_a_query_is_only_text(query: str) -> None:
    assert {"tides", "moon"} <= set(await found(query))


@pytest.mark.parametrize("query", ["", " ", '"', "*", "...?!", "。，《》", "()", "\0", "🌊"])
async def test_a_query_without_a_word_finds_nothing(query: str) -> None:
    assert await found(query) == []


async def test_stop_words_count_only_where_there_is_nothing_else() -> None:
    documents = (TEA, Document("https://x.example/who", "The Who", "A band."))
    assert await found("the tea", documents) == ["tea"]
    assert await found("the who", documents) == ["who"]
    assert await found("what would you", documents) == []


async def test_a_very_long_query_is_carried_out() -> None:
    assert (await found("tides " + " ".join(f"word{n}" for n in range(5000))))[0] == "tides"
    assert (await found("潮汐" + "".join(chr(0x4E00 + n) for n in range(5000))))[0] == "chaoxi"


async def test_one_corpus_serves_many_tasks_and_threads() -> None:
    search = CorpusSearch(ALL)
    alone = [await search.search(query, 5) for query in ("tides", "潮汐", "tea")]
    together = await asyncio.gather(
        *(search.search(query, 5) for query in ("tides", "潮汐", "tea")),
        *(asyncio.to_thread(asyncio.run, search.search(query, 5)) for query in ("tides", "潮汐", "tea") * 5),
    )
    assert together == alone * 6


def test_the_identity_is_the_content_alone() -> None:
    identity = CorpusSearch(ALL).identity
    assert identity == CorpusSearch(ALL[::-1]).identity
    assert identity.startswith("corpus:")
    assert len(identity) == len("corpus:") + 12
    assert int(identity.removeprefix("corpus:"), 16) >= 0
    for url, title, text in (("u", TEA.title, TEA.text), (TEA.url, "t", TEA.text), (TEA.url, TEA.title, "b")):
        assert CorpusSearch((*ALL[:2], Document(url, title, text), *ALL[3:])).identity != identity
    assert CorpusSearch([Document("u", "ab", "c")]).identity != CorpusSearch([Document("u", "a", "bc")]).identity


def test_an_index_is_built_once_and_anew_when_the_folder_changes(folder: Path) -> None:
    write(folder, "a.md", page())
    first, again = CorpusSearch(folder), CorpusSearch(folder)
    assert again._index is first._index
    write(folder, "a.md", page(body="Other"))
    changed = CorpusSearch(folder)
    assert changed._index is not first._index
    assert changed.identity != first.identity


async def test_a_folder_is_read_whatever_its_shape_and_its_line_ends(folder: Path) -> None:
    text = "First\u2028line.\n\nSecond\u0085line — 潮汐."
    same = page(title="2024", body=text)
    write(folder, "deep/er/a.md", b"\xef\xbb\xbf" + same.replace("\n", "\r\n").encode())
    write(folder, "b.MD", page("b", "'B: no'", text).replace("\n", "\r"))
    write(folder, "notes.txt", "not a document")
    write(folder, ".hidden/c.md", "not a document")
    write(folder, "._a.md", b"\xff\xfe")
    answer = await CorpusSearch(folder).search("潮汐 line", 5)
    assert answer.results == (
        Result("https://x.example/a", "2024", text),
        Result("https://x.example/b", "B: no", text),
    )


async def test_a_body_may_hold_rules_and_the_identity_does_not_depend_on_line_ends(
    folder: Path, tmp_path: Path
) -> None:
    body = "One\n\n---\n\nurl: no\n---\nTwo"
    write(folder, "a.md", page(body=body))
    write(tmp_path / "other", "renamed.md", page(body=body).replace("\n", "\r\n"))
    search = CorpusSearch(folder)
    assert (await search.search("two", 1)).results[0].text == body
    assert CorpusSearch(tmp_path / "other").identity == search.identity


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("No front matter", "has no front matter"),
        ("---\nurl: https://x.example/a\ntitle: A\n\nBody", "has no front matter"),
        ("---\ntitle: A\n---\nBody", "has no url"),
        ("---\nurl:\ntitle: A\n---\nBody", "has no url"),
        ("---\nurl: https://x.example/a\n---\nBody", "has no title"),
        ("---\nurl: https://x.example/a\ntitle: [A]\n---\nBody", "has no title"),
        ("---\nurl: https://x.example/a\ntitle: A\n---\n \n", "has no body"),
        ("---\nurl: https://x.example/a\ntitle: A\n---", "has no body"),
        ("---\nlanguage: en\n---", "has no url or title or body"),
        ("---\nurl: https://x.example/a\ntitle: A: B\n---\nBody", "is not YAML"),
        ("---\njust words\n---\nBody", "is not YAML"),
        (page().encode("utf-16"), "is not UTF-8"),
        (page(body="潮汐").encode("gbk"), "is not UTF-8"),
    ],
)
def test_a_document_that_cannot_be_used_is_named(content: str | bytes, complaint: str, folder: Path) -> None:
    write(folder, "good.md", page("good"))
    path = write(folder, "bad.md", content)
    with pytest.raises(BadInput, match=complaint) as caught:
        CorpusSearch(folder)
    assert str(path) in str(caught.value)


def test_doubled_addresses_are_refused(folder: Path) -> None:
    one, other = write(folder, "one.md", page()), write(folder, "sub/other.md", page(title="B"))
    with pytest.raises(BadInput, match=r"https://x\.example/a") as caught:
        CorpusSearch(folder)
    assert str(one) in str(caught.value)
    assert str(other) in str(caught.value)
    with pytest.raises(BadInput, match="Two documents"):
        CorpusSearch([TEA, TEA])


def test_a_corpus_without_documents_is_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match="holds no document"):
        CorpusSearch(folder)
    with pytest.raises(BadInput, match="holds no document"):
        CorpusSearch([])
    with pytest.raises(BadInput, match="does not exist"):
        CorpusSearch(folder / "gone")
    with pytest.raises(BadInput, match="does not exist"):
        CorpusSearch(write(folder, "a.md", page()))
