"""Replies in the agent's own format as the bytes that a hook prints."""

import json

from toolmem.core.agents.event import Reply
from toolmem.hooks.output import Output


def output_of(reply: Reply | None) -> Output:
    """Return what is printed for a reply; nothing for none."""
    if reply is None:
        return Output()
    documents = (*reply.progress, reply.stdout)
    lines = [json.dumps(one, ensure_ascii=True) for one in documents if one]
    stdout = "".join(f"{line}\n" for line in lines)
    stderr = f"{reply.stderr}\n" if reply.stderr else ""
    return Output(stdout.encode(), stderr.encode("utf-8", "replace"), reply.exit_code)
