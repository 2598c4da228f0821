"""``toolmem hook AGENT``: read one event, print that agent's own answer.

Little is imported here: the process that reads the event only waits for the one that
answers it.
"""

from collections.abc import Sequence

from toolmem.hooks import late, unjudged, work
from toolmem.hooks.supervise import HookInput, Send, Steps, print_output, supervised


def main(argv: Sequence[str]) -> int:
    """Answer one event; return the exit code, which is 0 except for one channel."""
    steps = Steps(
        work=handle,
        late=lambda given, send: late.answer(given, send),
        unjudged=lambda given: unjudged.unjudged(given),
    )
    return print_output(supervised(argv, steps))


def handle(given: HookInput, send: Send) -> None:
    """Answer an event in the process that does the work."""
    work.work(given, send)
