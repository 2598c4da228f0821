"""Measure a tool's queries in a server, on a vault where nothing changes.

    python -m bench.access [MEMORIES]

Builds a vault of so many synthetic memories (100,000): half in a project, three
tenths in ``system``, two tenths one agent's episodes; with a full scratch page,
working memory and conversation. Asks questions in a warm process and prints the time of
each query at the 99th percentile. The check of every file before that is listed
separately: a server that knows by file events that nothing changed skips it.
"""

import itertools
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.index import WORDS, vocabulary
from toolmem.core import limits
from toolmem.core.access.dialogue import read_message
from toolmem.core.access.kinds import MEMORY_TYPES
from toolmem.core.access.scratch_page import read_entry
from toolmem.core.access.working_memory import read_value
from toolmem.ops.access.query import QueryService
from toolmem.servers.process import set_apart
from toolmem.store.index.warm import WarmIndexes
from toolmem.store.state import conversation, scratch, working
from toolmem.store.state.database import open_state
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

NOW = datetime(2026, 10, 1, tzinfo=UTC)
KNOWN = ("insight", "fact", "skill", "pattern")
HAPPENED = ("observation", "event", "user_preference")
MOST_MS = {
    "semantic": 100,
    "episodic": 100,
    "scratch_page": 50,
    "conversation": 50,
    "working": 10,
}
BATCH = 1.5
ROUNDS = 200
QUESTIONS = (
    "what does the user know of {0} {1}",
    "{0} {1} {2} fails after {3}",
    "{0}",
    "why does {2} need {3} before {0}",
)


def make_vault(root: Path, count: int) -> list[str]:
    """Write the memories, some 400 characters each; returns the vocabulary."""
    rng = random.Random(7)
    known = vocabulary(rng)
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(WORDS)))
    for number in range(count):
        picked = rng.choices(known, cum_weights=weights, k=60)
        folder, kind = place(number)
        if number < 1000:
            (root / folder).mkdir(parents=True, exist_ok=True)
        lines = (" ".join(picked[a : a + 12]).capitalize() for a in range(7, 60, 12))
        (root / folder / f"{'-'.join(picked[:3])}-{number:06x}.md").write_text(
            f"---\ntags: [{known[number % 50]}, {known[50 + number % 30]}]\n"
            f"kind: {kind}\nimportance: 0.{number % 10}\n"
            f"created: 2026-{1 + number % 9:02}-{1 + number % 28:02}\n---\n"
            f"# {' '.join(picked[:7]).capitalize()}\n\n{'. '.join(lines)}.\n"
        )
    (root / "toolmem.toml").write_text("schema = 1\n")
    (root / "tools").mkdir()
    declared = "".join(f"[memory_access.{name}]\n" for name in MEMORY_TYPES)
    (root / "tools/asker.toml").write_text(f'name = "asker"\n{declared}')
    return known


def place(number: int) -> tuple[str, str]:
    """The folder and the kind of a memory."""
    part = number // 10 % 7
    match number % 10:
        case 0 | 1 | 2 | 3 | 4:
            return f"projects/shop/memory/t{part}", KNOWN[number % 4]
        case 5 | 6 | 7:
            return f"system/memory/t{part}", KNOWN[number % 4]
        case _:
            return "agents/helper/memory/episodic", HAPPENED[number % 3]


def fill_state(vault: Vault, known: list[str]) -> None:
    """As much going on as local state keeps of one agent."""
    rng = random.Random(5)

    def text(words: int) -> dict[str, Any]:
        return {"content": " ".join(rng.choices(known[:2000], k=words))}

    for _ in range(limits.SCRATCH_ACTIVE):
        entry, _ = read_entry(text(40), NOW, source="asker")
        scratch.add(vault, entry, agent="helper")
    with open_state(vault.root) as state:
        values = [
            read_value(f"v{number}", text(40), NOW, source="asker")[0]
            for number in range(limits.WORKING_VALUES)
        ]
        working.put_in(state, (one._replace(agent="helper") for one in values), NOW)
    with open_state(vault.root) as state:
        said = [
            read_message(text(60), NOW, message_id=f"m{number}", source="user")[0]
            for number in range(limits.CONVERSATION_MESSAGES)
        ]
        held = (
            one._replace(agent="helper", at=NOW - timedelta(minutes=number))
            for number, one in enumerate(said)
        )
        conversation.add_in(state, held, NOW)


def questions(known: list[str]) -> list[str]:
    """As many as there are rounds, no two the same."""
    rng = random.Random(3)
    texts = itertools.islice(itertools.cycle(QUESTIONS), ROUNDS)
    return [
        text.format(*(known[int(rng.random() ** 2 * 2000) + 20] for _ in range(4)))
        for text in texts
    ]


def request(text: str, *types: str) -> dict[str, Any]:
    queries = [
        {
            "query_id": name,
            "memory_type": name,
            "query_text": text,
            "filters": {"importance_min": 0.2} if len(text) % 2 else {},
        }
        for name in types
    ]
    return {"request_id": "r", "tool_id": "asker", "memory_queries": queries}


def took(service: QueryService, document: dict[str, Any]) -> tuple[float, list[float]]:
    """Milliseconds of the request and of each of its queries."""
    start = time.perf_counter()
    answered = service.answer(document, budget=5000)
    passed = (time.perf_counter() - start) * 1000
    assert all(one.status in ("ok", "partial") for one in answered.answers), answered
    return passed, [one.took_ms for one in answered.answers]


def measure(root: Path, count: int) -> bool:
    """Print every figure; true if none is missed."""
    known = make_vault(root, count)
    flags = {"vault": str(root), "project": "shop", "agent": "helper"}
    vault = Vault.open(find_vault(flags, root), NOW)._replace(warm=WarmIndexes())
    fill_state(vault, known)
    print(f"{count} memories", flush=True)
    service = QueryService(vault, clock=lambda: NOW)
    service.answer(request("first", *MEMORY_TYPES))  # builds the index
    time.sleep(2.1)  # so that no file counts as just written
    for _ in range(2):
        start = time.perf_counter()
        service.answer(request(f"look {start}", "semantic"))
        walk = (time.perf_counter() - start) * 1000
    print(f"a request that looks at every file: {walk:.0f} ms")
    good = True
    for name in MOST_MS:
        good &= one_type(service, name, known)
    return batch(service, known) and good


def one_type(service: QueryService, name: str, known: list[str]) -> bool:
    set_apart(1)  # as servers do
    start = time.process_time()
    each = sorted(took(service, request(text, name))[1][0] for text in questions(known))
    cpu = (time.process_time() - start) * 1000 / ROUNDS
    middle, last = each[len(each) // 2], each[int(len(each) * 0.99) - 1]
    good = last < MOST_MS[name]
    print(
        f"{name}: median {middle:.1f} ms, 99 % below {last:.1f} ms "
        f"(at most {MOST_MS[name]}){'' if good else ' MISSED'}; "
        f"CPU of a whole request {cpu:.1f} ms",
        flush=True,
    )
    return good


def batch(service: QueryService, known: list[str]) -> bool:
    """Time one query of each type at once, and the slowest of them.

    Also the slowest alone: among the others it shares its processor.
    """
    within, beside = [], []
    for number, text in enumerate(questions(known)[:60]):
        alone = max(
            took(service, request(f"{text} alone{number}", name))[0] for name in MOST_MS
        )
        together, each = took(service, request(f"{text} batch{number}", *MOST_MS))
        within.append(together / max(each))
        beside.append(together / alone)
    ratio, other = sorted(within)[30], sorted(beside)[30]
    good = ratio <= BATCH
    print(
        f"five queries at once / the slowest of them: {ratio:.2f} x "
        f"(at most {BATCH}){'' if good else ' MISSED'}; "
        f"/ the slowest asked alone: {other:.2f} x"
    )
    return good


def main(argv: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        good = measure(Path(folder), int(argv[0]) if argv else 100_000)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
