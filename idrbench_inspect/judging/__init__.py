"""LLM-ACS: how far a report covers what a person wanted, aspect by aspect, judged by a language model.

```
source query --write--> aspects --tag (short query)--> AspectSet --grade--> 3 readings of the reference, once
                                                           |                            |
                                                           +------grade--> n readings of the report --> Grades
```

The judge is an instrument: reason first, a whole grade from 0 to 5 at one place, read there only; a reply that stays
unusable is no reading (`NoReading`), never a 0. Means, ratios and agreement are computed from `Grades` elsewhere.
"""

from idrbench_inspect.judging.asking import GRADER, NoReading
from idrbench_inspect.judging.aspects import TAGS, Asked, Aspect, AspectSet, Draft, Instrument, Intent, Tag
from idrbench_inspect.judging.aspects_file import read_aspects, write_aspects
from idrbench_inspect.judging.drb import from_drb
from idrbench_inspect.judging.grades import AspectCoverage, AspectGrade, Coverage, Grades, Reading, ReferenceGrades
from idrbench_inspect.judging.judge import AspectJudge
from idrbench_inspect.judging.source import Aspects, write_aspects_file
from idrbench_inspect.metrics.aspect_sets import same_aspects, unequal_aspects

__all__ = [
    "GRADER",
    "TAGS",
    "Asked",
    "Aspect",
    "AspectCoverage",
    "AspectGrade",
    "AspectJudge",
    "AspectSet",
    "Aspects",
    "Coverage",
    "Draft",
    "Grades",
    "Instrument",
    "Intent",
    "NoReading",
    "Reading",
    "ReferenceGrades",
    "Tag",
    "from_drb",
    "read_aspects",
    "same_aspects",
    "unequal_aspects",
    "write_aspects",
    "write_aspects_file",
]
