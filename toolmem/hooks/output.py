"""Bytes that a hook prints, and their form in the pipe between its two processes."""

import json
from typing import NamedTuple

from toolmem.core.agents import event


class Output(NamedTuple):
    """Standard output, standard error and exit code of a hook."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 0

    def framed(self) -> bytes:
        """Return the form in the pipe: a line with exit code and sizes, then both."""
        sizes = (self.exit_code, len(self.stdout), len(self.stderr))
        return b"%d %d %d\n%b%b" % (*sizes, self.stdout, self.stderr)


def last_output(data: bytes | bytearray) -> Output | None:
    """The last whole output among those that came out of the pipe."""
    last, at = None, 0
    while True:
        line = data.find(b"\n", at)
        if line < 0:
            return last
        code, out, err = map(int, data[at:line].split())
        middle = line + 1 + out
        at = middle + err
        if at > len(data):
            return last
        last = Output(bytes(data[line + 1 : middle]), bytes(data[middle:at]), code)


def output_of(reply: "event.Reply | None") -> Output:
    """Return what is printed for a reply; nothing for none."""
    if reply is None:
        return Output()
    documents = (*reply.progress, reply.stdout)
    lines = [
        json.dumps(document, ensure_ascii=True) for document in documents if document
    ]
    stdout = "".join(f"{line}\n" for line in lines)
    stderr = f"{reply.stderr}\n" if reply.stderr else ""
    return Output(stdout.encode(), stderr.encode("utf-8", "replace"), reply.exit_code)
