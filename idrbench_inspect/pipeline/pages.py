"""Pages: each is summarised once per sample, from the page and the brief alone, whoever finds it first."""

import anyio
from inspect_ai.model import Model
from inspect_ai.util import LimitExceededError
from pydantic import BaseModel, Field

from idrbench_inspect.addresses import address
from idrbench_inspect.errors import UnusableReply, reason_of
from idrbench_inspect.pipeline.kit import Kit, brief_fenced, wishes_fenced
from idrbench_inspect.pipeline.shortened import shortened
from idrbench_inspect.prompting import fence, prompt
from idrbench_inspect.records import Page, RunState
from idrbench_inspect.replies import ask_json
from idrbench_inspect.search import Result

OPENING_CHARACTERS = 2_000
"""What is kept of a page that could not be summarised: about as much as a summary would have been."""

NOT_SUMMARISED = "not summarised"


class PageSummary(BaseModel):
    """The summariser's reply."""

    summary: str = Field(min_length=1)
    key_excerpts: list[str] = Field(default_factory=list)


class PageReader:
    """Reads the pages of one round, remembering those of the rounds before.

    The state it was made from is that of the round: all researchers of a round share brief and clarifications, so the
    order in which they arrive at a page changes nothing.
    """

    def __init__(self, kit: Kit, state: RunState) -> None:
        self._model: Model = kit.models["summarizer"]
        self._characters = kit.limits.page_characters
        self._state = state
        self._pages: dict[str, Page] = {address(page.url): page for page in state.pages}
        self._locks: dict[str, anyio.Lock] = {}

    @property
    def pages(self) -> tuple[Page, ...]:
        """All pages read, those of this round in the order of their addresses."""
        old = {address(page.url) for page in self._state.pages}
        new = sorted(key for key in self._pages if key not in old)
        return (*self._state.pages, *(self._pages[key] for key in new))

    async def read(self, result: Result) -> Page:
        """The page of a search result: summarised, or its opening with the reason why it is not.

        Two results of the same address are one page; the first text that arrives is the one read.
        """
        key = address(result.url)
        async with self._locks.setdefault(key, anyio.Lock()):
            if key not in self._pages:
                self._pages[key] = await self._read(result)
        return self._pages[key]

    async def _read(self, result: Result) -> Page:
        if result.missing is not None or not result.text.strip():
            return self._opening(result, result.missing or "the page is empty")
        text = result.text[: self._characters]

        async def ask(characters: int) -> PageSummary:
            page = fence("page", f"{result.title}\n{result.url}\n\n{text[:characters]}")
            wishes = wishes_fenced(self._state)
            asked = prompt(
                "summarizer", date=self._state.date, brief=brief_fenced(self._state), clarifications=wishes, page=page
            )
            return await ask_json(self._model, asked, PageSummary)

        try:
            summary = await shortened(ask, [text])
        except LimitExceededError:
            raise
        except UnusableReply as unusable:
            return self._opening(result, f"{NOT_SUMMARISED}: {unusable.fault}")
        except Exception as broken:  # one page must not end the work of all who find it; it is marked as a loss
            return self._opening(result, f"{NOT_SUMMARISED}: {reason_of(broken)}")
        kept = max(len(text), OPENING_CHARACTERS)
        excerpts = "".join(
            f"\n> {' '.join(excerpt.split())}" for excerpt in summary.key_excerpts[:5] if excerpt.strip()
        )
        return Page(url=result.url, title=result.title, text=(summary.summary.strip() + excerpts)[:kept])

    def _opening(self, result: Result, reason: str) -> Page:
        return Page(url=result.url, title=result.title, text=result.text.strip()[:OPENING_CHARACTERS], missing=reason)
