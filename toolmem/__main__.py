"""``python -m toolmem``, and the short way for hooks.

A hook runs on every tool call of an agent: it is answered before the command
line program, which takes longer to import than the answer to give.
"""

import gc
import sys
from collections.abc import Sequence

from toolmem.api import launch as api_launch


def main() -> None:
    """Run the program on the process's own arguments and exit."""
    # Loading modules makes no garbage; to look for it there costs a twelfth of a run.
    gc.disable()
    words = hook_words(sys.argv[1:])
    if words is not None:
        from toolmem.hooks.main import main as answer

        sys.exit(answer(words))
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
