"""A report as the rest of this room reads it: the same length, without what text tools stumble over."""

from typing import Final

_LINE_ENDS: Final = "\r\x85\u2028\u2029"
_TO: Final = {
    **dict.fromkeys((*range(0x20), 0x7F, *range(0x80, 0xA0), 0xFEFF), " "),  # control characters, byte-order mark
    # No blanks to Markdown, and yet blanks to `str.strip`.
    **dict.fromkeys(map(ord, "\xa0\u1680\u202f\u205f\u3000"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **dict.fromkeys(map(ord, _LINE_ENDS), "\n"),
    ord("\n"): "\n",
    ord("\t"): "\t",
}


def normalised(report: str) -> str:
    r"""`report` with "\n" as the only line end, plain blanks, no control characters, U+FFFD for lone surrogates.

    Every character stays one character, so that offsets into the result are offsets into `report`. A form feed or NUL
    in mid-sentence is a blank; U+2028, U+2029 and U+0085 end a line.

    Example:
        >>> normalised("a\r\nb\x00c\u2028d")
        'a \nb c\nd'
    """
    return report.replace("\r\n", " \n").translate(_TO)
