"""Scorers: a run record and a log in, numbers of `metrics/` out."""
