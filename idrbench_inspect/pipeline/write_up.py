"""Write up: a researcher's numbered sources into a finding whose every citation is one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ChatMessage
from inspect_ai.util import LimitExceededError

from idrbench_inspect.errors import UnusableReply, reason_of
from idrbench_inspect.pipeline.kit import Kit, brief_fenced, language_of, wishes_fenced
from idrbench_inspect.pipeline.shortened import shortened
from idrbench_inspect.prompting import fence, prompt
from idrbench_inspect.records import Loss, RunState, Source
from idrbench_inspect.replies import ask_text, opening
from idrbench_inspect.units.citations import ground

LONGEST = 100_000
"""Characters; a write-up keeps what the notes say and cannot be far longer than they are."""

NOTE_CHARACTERS = 1_000
"""What is kept of each source when the notes stand in for a write-up that could not be had."""


@dataclass(frozen=True)
class Note:
    """A source with what was read in it."""

    source: Source
    text: str


@dataclass(frozen=True)
class WriteUp:
    """The text of a finding, citing `[n]` of `sources`, and what was lost on the way."""

    text: str
    sources: tuple[Source, ...]
    kind: Literal["compressed", "notes"]
    losses: tuple[Loss, ...] = ()


async def write_up(kit: Kit, state: RunState, topic: str, notes: Sequence[Note]) -> WriteUp:
    """The compressor's write-up; when none can be had, the notes themselves, marked as such.

    On a context overflow the sources are cut shorter; topic, brief and instruction stay whole. A compressor that
    breaks loses nothing of what was found.

    Raises:
        LimitExceededError: a limit of the sample was reached.
    """

    async def ask(characters: int) -> str:
        return await ask_text(kit.models["compressor"], _asked(state, topic, notes, characters), longest=LONGEST)

    try:
        text = await shortened(ask, [note.text for note in notes])
    except LimitExceededError:
        raise
    except UnusableReply as unusable:
        return _as_notes(topic, notes, str(unusable))
    except Exception as broken:  # the notes are paid for and complete: they stand in, marked
        return _as_notes(topic, notes, reason_of(broken))
    return _grounded(topic, text, notes)


def _asked(state: RunState, topic: str, notes: Sequence[Note], characters: int) -> list[ChatMessage]:
    sources = (
        fence("source", f"[{n}] {note.source.title}\n{note.source.url}\n\n{note.text[:characters]}")
        for n, note in enumerate(notes, 1)
    )
    return opening(
        prompt(
            "compressor",
            date=state.date,
            topic=fence("topic", topic),
            brief=brief_fenced(state),
            clarifications=wishes_fenced(state),
            sources="\n\n".join(sources),
            language=language_of(state),
        )
    )


def _grounded(topic: str, text: str, notes: Sequence[Note]) -> WriteUp:
    sources = [note.source for note in notes]
    grounded = ground(text, sources)
    if not grounded.text or not grounded.cited:
        return _as_notes(topic, notes, "the write-up cites none of the sources")
    losses = tuple(
        Loss(
            what="source",
            kind="unsourced",
            subject=named,
            reason=f"cited in the write-up of {topic[:80]!r}, never retrieved",
        )
        for named in grounded.ungrounded
    )
    return WriteUp(grounded.text, grounded.cited, "compressed", losses)


def _as_notes(topic: str, notes: Sequence[Note], reason: str) -> WriteUp:
    kept = (ground(note.text[:NOTE_CHARACTERS], ()).text for note in notes)
    text = "\n\n".join(f"{note} [{n}]" for n, note in enumerate(kept, 1))
    loss = Loss(what="write-up", kind="failed", subject=topic, reason=reason)
    return WriteUp(text, tuple(note.source for note in notes), "notes", (loss,))
