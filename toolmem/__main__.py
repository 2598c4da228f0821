"""``python -m toolmem``, and the short way for hooks.

A hook runs on every tool call of an agent: it is answered before the command
line program, which takes longer to import than the answer to give.
"""

import gc
import os
import sys
from _collections_abc import Sequence
from typing import NoReturn

from toolmem import light_imports
from toolmem.api import launch as api_launch


def main() -> None:
    """Run the program on the process's own arguments and exit."""
    words = hook_words(sys.argv[1:])
    if words is not None:
        _answer(words)
    # Loading modules makes no garbage; to look for it there costs a twelfth of a run.
    gc.disable()
    light_imports.import_lightly()
    from toolmem.cli.main import main as run

    run(serve)


def serve(name: str, launch: "api_launch.Launch") -> int:
    """Serve on the process's streams; its exit code.

    Raises ``MissingExtraError`` when what a server needs is not installed.
    """
    if name == "rpc":
        from toolmem.servers.rpc import serve as serve_rpc

        return serve_rpc(launch)
    from toolmem.servers.greeting import serve as serve_mcp

    return serve_mcp(launch)


def _answer(words: Sequence[str]) -> NoReturn:
    """Answer a hook and end at once.

    So short a life leaves no garbage that is worth looking for, and what taking an
    interpreter apart costs is a fifth of the whole. All that is written is closed
    or flushed by then.
    """
    gc.disable()
    from toolmem.hooks.main import main as answer

    code = answer(words)
    os._exit(code)


def hook_words(argv: Sequence[str]) -> list[str] | None:
    """Return the words after ``hook`` on a command line, ``--vault`` included; None for
    any other command line, and for requests of help."""
    words, vault = list(argv), []
    while words and words[0].partition("=")[0] == "--vault":
        count = 1 if "=" in words[0] else 2
        vault, words = words[:count], words[count:]
    if words[:1] != ["hook"] or len(words) < 2 or {"-h", "--help"} & set(words):
        return None
    return [*words[1:], *vault]


if __name__ == "__main__":
    main()
