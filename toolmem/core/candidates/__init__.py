"""Candidates of capture: the note to the agent, its command, verified quotations."""
