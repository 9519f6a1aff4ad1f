"""Evaluate deep-research agents that talk to their user, as an Inspect task suite."""
