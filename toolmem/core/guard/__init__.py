"""Match a tool call against the guards of rules."""
