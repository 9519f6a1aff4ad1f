import pytest

from idrbench_inspect.search.content import fault

ARTICLE = "Tides follow the moon, and the sun in part. "


@pytest.mark.parametrize(
    "text",
    [
        "%PDF-1.7 1 0 obj << /Type /Catalog >> endobj",
        "\ufeff\n%PDF-1.4",
        "Cover\n" + "4 0 obj\nstream\nBT ET\nendstream\nendobj\n" * 3,
        bytes(range(256)).decode("latin-1") * 8,
        "PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0",
        "\u4e2d\ufffd\ufffd\ufffd\u6587" * 50,
    ],
    ids=["pdf", "pdf after a mark", "pdf without its head", "bytes", "zip", "wrong encoding"],
)
def test_binary_content_is_unreadable_whatever_its_length(text: str) -> None:
    for whole in (text, text * 40):
        found = fault(whole)
        assert found is not None
        assert found[0] == "unreadable"


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Just a moment... Checking your browser before you go on.", "a bot check"),
        ("Please prove that you’re not a robot.", "a bot check"),
        ("Our systems have seen unusual traffic from your network.", "a bot check"),
        ("请完成安全验证后继续访问", "a bot check"),
        ("您的访问过于频繁,请稍后再试", "a bot check"),
        ("Welcome back! Sign in to continue reading.", "a login or access wall"),
        ("403 Forbidden\n\nnginx", "a login or access wall"),
        ("本文需登录后查看", "a login or access wall"),
        ("# 404\n\nPage Not Found", "a not-found page"),
        ("The page you are looking for could not be found.", "a not-found page"),
        ("抱歉,您访问的页面不存在", "a not-found page"),
    ],
)
def test_a_short_page_that_is_not_the_article_is_blocked_and_a_long_one_is_not(text: str, how: str) -> None:
    assert fault(text) == ("blocked", how)
    assert fault(text + "\n" + ARTICLE * 20) is None
    assert fault(text + "\n" + "潮汐随月亮涨落。" * 50) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        ARTICLE,
        "潮汐随月亮涨落。",
        "A form feed\f and one stray \x00 in a page of ordinary length.",
        "Robots verify welds in the plant; people sign in at the gate and found the page numbers wrong.",
        "A PDF begins with %PDF-1.7, then come objects, a trailer and an xref table.",
        "stream\nof consciousness\n" * 4 + "streams\nof water\n" * 9,
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert fault(text) is None
