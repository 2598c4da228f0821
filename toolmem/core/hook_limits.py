"""How long a hook may take, and how much it reads: the agent waits for it."""

READ_BYTES = 16 * 1024 * 1024
"""A payload holds whole files; what is longer is scanned and not parsed."""
SCAN_BYTES = 64 * 1024 * 1024
"""What is longer still cannot be scanned in time: such a call is asked about."""
SECONDS = 1.8
"""After this an event is given up, if it is not a call."""
CALL_SECONDS = 1.4
"""After this a call gets an answer without a verdict."""
QUICK_SECONDS = 0.3
"""After this the answer to a call that nothing judges is worked out in advance."""
LATE_SECONDS = 0.4
"""How long working out that answer may take: 1.8 s together for a call."""
SLOW_SECONDS = 0.7
"""A verdict that took longer is near the limit, and is counted."""
AFTER_SECONDS = 60
"""How long a child process may go on after the answer, to compile the guards."""
