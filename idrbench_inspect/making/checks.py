"""What code can tell of a shortened query: its length, its language, that there is something in it."""

from idrbench_inspect.dataset.texts import language_of, normal
from idrbench_inspect.making.sources import Source
from idrbench_inspect.making.targets import window
from idrbench_inspect.making.wording import counted
from idrbench_inspect.metrics.overlap import longest_common_words
from idrbench_inspect.records import Language

FEWEST_WORDS = 4
"""Of an English query."""

FEWEST_CHARACTERS = 6
"""Of a Chinese query: letters, characters and digits, marks not counted."""

LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "zh": "Chinese (简体中文)"}


def wrong_with(query: str, source: Source, target: float) -> list[str]:
    """What is wrong with a query, a sentence each, as its author is told; nothing where it can go to the judge.

    Args:
        query: Without whitespace at its ends.
        source: What it was made from.
        target: The compression asked for; 10 points more or less are accepted.
    """
    lowest, highest = window(len(source.source_query), target)
    found = []
    if not lowest <= len(query) <= highest:
        found.append(f"It has {counted(len(query), 'character')}; between {lowest} and {highest} are wanted.")
    if language_of(query) not in {source.language, None}:
        found.append(f"It is not in {LANGUAGE_NAMES[source.language]}.")
    if too_short(query, source.language):
        found.append(f"It says too little: at least {fewest(source.language)} are wanted.")
    if normal(query) == normal(source.source_query):
        found.append("It is the full request.")
    if "\0" in query:
        found.append("It holds the character NUL.")
    return found


def fewest(language: Language) -> str:
    """The least length of a query, in words."""
    return f"{FEWEST_CHARACTERS} characters" if language == "zh" else f"{FEWEST_WORDS} words"


def too_short(query: str, language: Language) -> bool:
    """Whether a query is shorter than 4 words (English) or 6 characters (Chinese)."""
    if language == "zh":
        return sum(character.isalnum() for character in query) < FEWEST_CHARACTERS
    return sum(any(c.isalnum() for c in word) for word in query.split()) < FEWEST_WORDS


def unreachable(source: Source, target: float) -> tuple[str, str] | None:
    """Why no query can be made at all, in a word and in a sentence; `None` where one can."""
    if language_of(source.source_query) not in {source.language, None}:
        return "other_language", (
            f"The source query is not in {LANGUAGE_NAMES[source.language]}, as is said of it; correct its language."
        )
    lowest, highest = window(len(source.source_query), target)
    least = FEWEST_CHARACTERS if source.language == "zh" else 2 * FEWEST_WORDS - 1
    if max(lowest, least) <= highest:
        return None
    size = counted(len(source.source_query), "character")
    return "too_short", (
        f"The source query has {size}: at a compression of {target:g} no query of {fewest(source.language)} is left."
    )


def storable(*texts: str) -> None:
    """Refuse what no file in UTF-8 can hold.

    Raises:
        ValueError: a text holds half a surrogate pair, which JSON can name.
    """
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise ValueError("the reply holds half a surrogate pair.") from None


def stands_in(passage: str, text: str) -> bool:
    r"""Whether a passage stands in a text, letter for letter, whitespace left aside; never an empty one.

    Example:
        >>> stands_in("about 1650\nto 1850", "The years from about 1650 to 1850."), stands_in("1900", "1850")
        (True, False)
    """
    bare = "".join(passage.split())
    return bool(bare) and bare in "".join(text.split())


def says(text: str, passage: str) -> bool:
    """Whether a text has the words of a passage, in a row, whatever marks, whitespace and capitals are between them.

    Example:
        >>> says("On moss, in Norway.", "moss in norway,"), says("On moss.", "moss in Norway"), says("On moss.", "...")
        (True, False, False)
    """
    bare = _bare(passage)
    return bool(bare) and bare in _bare(text)


def _bare(text: str) -> str:
    return "".join(character for character in normal(text) if character.isalnum())


def quotes(sentence: str, passage: str, language: Language) -> bool:
    """Whether a sentence takes more than five words (Chinese: ten characters) in a row from a passage.

    Example:
        >>> quotes("I care about the rents paid by Kyoto households.", "The rents paid by Kyoto households rose.", "en")
        True
    """
    return longest_common_words(sentence, passage) > (10 if language == "zh" else 5)
