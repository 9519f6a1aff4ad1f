import pytest

from idrbench_inspect.units.links import without_links


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See [the act](https://a.example/wiki/Act_(UK) 'title') now", "See [the act] now"),
        ("![map](map.png) shows", "![map] shows"),
        ("From https://a.example/q?x=1.", "From  ."),
        ("见https://a.example/q?x=1的报告", "见 的报告"),
        ("<https://a.example/b> and www.b.example/c", "  and  "),
        ("[1]: https://a.example 'x'\nText", "\nText"),
        ("f(x) and [a] (b)", "f(x) and [a] (b)"),
    ],
)
def test_addresses_go_and_words_stay(text: str, left: str) -> None:
    assert without_links(text) == left


def test_long_hostile_input_takes_no_time() -> None:
    assert len(without_links("](" + "(" * 50_000)) > 0
    assert len(without_links("https://" + "(" * 50_000)) > 0
