"""Limits of a hook's time and input, since the agent waits for it."""

READ_BYTES = 16 * 1024 * 1024
"""A payload contains whole files; a longer one is scanned and not parsed."""
SCAN_BYTES = 64 * 1024 * 1024
"""An even longer one cannot be scanned in time: the hook asks about such a call."""
SECONDS = 1.8
"""Time after which an event other than a call is abandoned."""
CALL_SECONDS = 1.4
"""Time after which a call gets an answer without a verdict."""
QUICK_SECONDS = 0.3
"""Time after which the answer to a call that nothing judges is prepared."""
LATE_SECONDS = 0.4
"""Time to produce that answer: 1.8 s together for a call."""
SLOW_SECONDS = 0.7
"""A slower verdict is close to the limit, and is counted."""
AFTER_SECONDS = 60
"""Time that a child process may run after the answer, to compile the guards."""
