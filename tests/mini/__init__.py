"""The mini set: what a writer must keep to, and what the set shows with the offline model."""
