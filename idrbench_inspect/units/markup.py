"""HTML in a text, as patterns (`re.IGNORECASE | re.DOTALL`): tags, those that part words, and what nobody sees."""

from typing import Final

TAG: Final = r"</?[a-z][a-z\d-]*+(?:[\s/][^<>]{0,300})?>"
"""Any tag; "p < 0.05 and q > 1" holds none."""

_PARTING = (
    "address article aside blockquote body br caption center col dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu nav ol optgroup "
    "option p pre search section summary table tbody td tfoot th thead title tr ul"
).split()
BREAK: Final = rf"</?(?:{'|'.join(_PARTING)})(?:[\s/][^<>]{{0,300}})?>"
"""A tag that ends a line or a cell: no word goes on from before it to behind it."""

UNSEEN: Final = (
    r"<!--(?:(?!<!--|-->).)*+-->|<(?P<unseen>script|style)\b[^<>]{0,300}>(?:(?!</?(?P=unseen)\b).)*+</(?P=unseen)\s*+>"
)
"""A comment, a script or a style, with all that it holds."""
