"""What deserves a look in the rows of a dataset: what they say of themselves, their texts, and near-duplicates."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from rapidfuzz import fuzz

from idrbench_inspect.dataset.joining import Sources
from idrbench_inspect.dataset.tasks import PublicRow, Row
from idrbench_inspect.dataset.texts import language_of, normal
from idrbench_inspect.problems import Problem, of_text, place
from idrbench_inspect.resources import sha256_of

AnyRow = Row | PublicRow

ALIKE = 0.9
"""Two texts are near-duplicates from this `rapidfuzz.fuzz.ratio` of their normal forms on, 0 to 1."""

SHORTEST, LONGEST = 0.1, 0.9
"""The compression of a row should lie between these."""


def stated(row: AnyRow, public: Sources | None) -> Iterator[Problem]:
    """What a row says of its own that others say otherwise, or that is out of the usual range."""
    if isinstance(row, PublicRow) and public is not None:
        topic = public.queries.get(row.source_id, {}).get("topic", row.topic)
        if topic != row.topic:
            said = f"the topic is {row.topic!r}, that of the public query {topic!r}; look at both."
            yield _warning(row, "topic", said)
    if not SHORTEST <= row.compression <= LONGEST:
        said = (
            f"the query is compressed by {row.compression:g}, which is outside of {SHORTEST} to {LONGEST}; reword it."
        )
        yield _warning(row, "compression", said)
    if isinstance(row, Row):
        yield from _made(row)


def _made(row: Row) -> Iterator[Problem]:
    """What a row says of how it was made, and that is not true any more once the row was edited by hand."""
    made = row.injection
    if made is not None and made.compression != row.compression:
        said = (
            f"the compression is stated as {made.compression:g} and measured as {row.compression:g}, so query or "
            "source_query was edited; correct it."
        )
        yield _warning(row, "injection.compression", said)
    if made is not None and made.source_sha256 != (digest := sha256_of(row.source_query)):
        said = f"the source_query has the SHA-256 {digest}, so it was edited; correct it."
        yield _warning(row, "injection.source_sha256", said)
    for number, point in enumerate(row.ambiguity):
        if point.settled_by is not None and normal(point.settled_by) not in normal(row.source_query):
            said = "these words do not stand in the source_query; quote it, or take them out."
            yield _warning(row, f"ambiguity.{number}.settled_by", said)


def texts(row: AnyRow, source: str, report: str) -> Iterator[Problem]:
    """What can be seen of a row's query, source query and report without understanding them."""
    for field, text in {"query": row.query, "source_query": source, "report": report}.items():
        yield from of_text(text, f"the {field}", place(row.id, field))
        if language_of(text) not in {None, row.language}:
            said = f"the {field} reads as {language_of(text)}, and the row says {row.language}; look at both."
            yield _warning(row, field, said)
    if normal(row.query) == normal(source):
        said = "the query says what the source query says, so nothing is left to ask for; shorten it."
        yield _warning(row, "query", said)


def alike(asked: Sequence[tuple[AnyRow, str]]) -> Iterator[Problem]:
    """Groups of different users' queries, then of their source queries, that are nearly the same; one problem each.

    A text belongs to a group if it is nearly that of any member, and the last member is the one complained about.
    """
    users = [getattr(row, "second_user_of", None) or row.id for row, _ in asked]
    of_field = {
        "query": [normal(row.query) for row, _ in asked],
        "source_query": [normal(source) for _, source in asked],
    }
    for field, forms in of_field.items():
        for members, ratio in _groups(forms, users):
            *others, last = (asked[member][0].id for member in members)
            which = "one of them" if len(others) == 1 else "all of them but one"
            how = f"ratio {ratio:.2f}" if len(others) == 1 else f"ratio at least {ratio:.2f} from one to the next"
            said = f"the {field} is nearly that of {', '.join(map(repr, others))} ({how}); reword {which}."
            yield Problem(row=last, field=field, sentence=said, kind="warning")


def _groups(forms: Sequence[str], users: Sequence[str]) -> Iterator[tuple[list[int], float]]:
    """The members of each group in order, and the least ratio that holds it together; empty forms are in none."""
    group = list(range(len(forms)))
    lowest: dict[tuple[int, int], float] = {}
    for one, other in combinations((number for number, form in enumerate(forms) if form), 2):
        if users[one] == users[other]:
            continue
        ratio = fuzz.ratio(forms[one], forms[other], score_cutoff=100 * ALIKE) / 100
        if ratio >= ALIKE:
            lowest[one, other] = ratio
            joined, kept = group[other], group[one]
            if joined != kept:
                group = [kept if name == joined else name for name in group]
    members: defaultdict[int, set[int]] = defaultdict(set)
    ratios: defaultdict[int, list[float]] = defaultdict(list)
    for (one, other), ratio in lowest.items():
        members[group[one]] |= {one, other}
        ratios[group[one]].append(ratio)
    for name, found in members.items():
        yield sorted(found), min(ratios[name])


def _warning(row: AnyRow, field: str, said: str) -> Problem:
    return Problem(row=row.id, field=field, sentence=said, kind="warning")
