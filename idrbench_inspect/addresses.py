"""Addresses of pages: what makes two of them the same."""

import re
from urllib.parse import urlsplit, urlunsplit

_TRACKING = re.compile(r"^(utm_\w+|gclid|fbclid|mc_[ce]id|ref_src|spm)=", re.IGNORECASE)


def address(url: str) -> str:
    """What identifies a page: its address without scheme, fragment, tracking parameters and closing slash.

    What cannot be read as an address is itself.

    Example:
        >>> address("http://A.example.org/x/?utm_source=y&b=1#top") == address("https://a.example.org/x?b=1")
        True
    """
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url.strip()
    query = "&".join(p for p in parts.query.split("&") if p and not _TRACKING.match(p))
    return urlunsplit(("", parts.netloc.lower(), parts.path.rstrip("/"), query, ""))
