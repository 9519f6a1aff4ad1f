"""Links in Markdown: what a reader sees of them is kept, the addresses go."""

import re

_IMAGE_OR_LINK = re.compile(r"\]\(\s*<?(?:[^()\s]|\([^()\s]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
_DEFINITION = re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S+.*$", re.MULTILINE)
_ADDRESS = re.compile(r"<?(?:https?://|www\.)(?:[^\s<>()\[\]\"\u2e80-\uffff]|\([^\s()]*\))+>?", re.IGNORECASE)
_SENTENCE_END = ".,;:!?'*_"


def without_links(text: str) -> str:
    """`text` without Markdown link targets, link definitions and bare addresses; link labels stay.

    Punctuation that follows a bare address stays too: it belongs to the sentence.

    Example:
        >>> without_links("Is [this](https://a.example/x?y=1) from https://b.example/q?z=2?")
        'Is [this] from  ?'
    """
    text = _DEFINITION.sub("", text)
    text = _IMAGE_OR_LINK.sub("]", text)
    return _ADDRESS.sub(_keep_punctuation, text)


def _keep_punctuation(found: re.Match[str]) -> str:
    address = found[0]
    return " " + address[len(address.rstrip(_SENTENCE_END)) :]
