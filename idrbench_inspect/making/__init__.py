"""For makers of data: shorten detailed queries, and read from paired reports what their readers had wanted.

```
source query --write--> short query --our checks, a judge--> accepted --label--> points --append--> FILE, review sheet
query, points, paired report --judge--> answered or not, span, preference --append--> points.jsonl of a dataset
```

A row is written whole once everything about it has been checked, or not at all. What is in a file is not made again.
"""
