"""The deep-research pipeline: clarify, plan, supervise, research, report; the solver puts them in order."""
