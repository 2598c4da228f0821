"""The trace: what its lines hold, how many are kept, and who may write at once."""

import subprocess
import sys
from datetime import timedelta
from random import Random

import pytest

from tests.core.secrets.samples import ALNUM, token
from tests.program import ROOT
from tests.store.state.pages import NOW, opened
from toolmem.core import limits
from toolmem.store.state import trace
from toolmem.store.state.trace import TraceLine


@pytest.fixture
def vault(tmp_path):
    return opened(tmp_path)


def line(number=0, **more):
    at = NOW + timedelta(milliseconds=number)
    return TraceLine(**{"at": at, "request_id": f"r{number}", "agent": "a", **more})


def read(vault, **wanted):
    return [held.line for held in trace.read(vault, **wanted)]


def test_a_line_is_read_as_it_was_written(vault):
    written = TraceLine(
        NOW + timedelta(milliseconds=7),
        "req",
        "q1",
        "wine_recommender",
        "a",
        "cut",
        "semantic",
        "partial",
        "budget of 300 tokens",
        3,
        7,
        298,
        12,
    )
    trace.add(vault, written, line(1))
    assert read(vault) == [written, line(1)]


def test_lines_are_found_by_request_agent_and_time(vault):
    lines = [line(n, tool=f"t{n % 2}", agent="ab"[n // 2]) for n in range(4)]
    trace.add(vault, *lines)
    assert read(vault, request="r2") == [lines[2]]
    assert read(vault, agent="b") == lines[2:]
    assert read(vault, since=lines[3].at) == [lines[3]]
    assert read(vault, since=lines[3].at + timedelta(milliseconds=1)) == []
    assert read(vault, agent="a", request="r2") == []


def test_lines_after_a_known_one_are_the_later_ones(vault):
    trace.add(vault, line(0), line(1))
    last = trace.read(vault)[-1].number
    assert trace.last_number(vault) == last
    trace.add(vault, line(2))
    assert read(vault, after=last) == [line(2)]


def test_of_too_many_lines_the_oldest_go_and_no_number_comes_twice(vault, monkeypatch):
    monkeypatch.setattr(limits, "TRACE_LINES", 3)
    for number in range(5):
        trace.add(vault, line(number))
    assert read(vault) == [line(2), line(3), line(4)]
    assert trace.last_number(vault) == 5


def test_no_credential_gets_into_the_trace_and_no_text_without_end(vault):
    secret = token(("ghp_",), ALNUM, 36)(Random(7))
    trace.add(vault, line(reason=f"because {secret}", tool="x" * 9999))
    [held] = read(vault)
    assert held.reason == "because [redacted]"
    assert held.tool == "x" * 500


def test_texts_that_no_database_holds_are_mended(vault):
    trace.add(vault, line(tool="a\ud800b\0c"))
    assert read(vault)[0].tool == "a\ufffdb\ufffdc"


def test_nothing_is_written_for_no_line_and_reading_makes_no_state(vault):
    trace.add(vault)
    assert (trace.read(vault), trace.last_number(vault)) == ((), 0)
    assert not vault.root.joinpath(".toolmem").exists()


_WRITER = """
import sys
from pathlib import Path
from tests.store.state.pages import opened
from toolmem.store.state import trace
vault = opened(Path(sys.argv[1]))
for number in range(50):
    line = trace.TraceLine(trace.moment(), f"{sys.argv[2]}-{number}")
    trace.add(vault, line, line._replace(event="write"))
"""


def test_processes_that_write_at_once_lose_no_line(tmp_path):
    vault = opened(tmp_path)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path), str(number)],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    assert [worker.communicate()[1] for worker in workers] == [""] * 4
    found = trace.read(vault)
    assert len(found) == 400
    assert len({held.number for held in found}) == 400
    wanted = {f"{who}-{number}" for who in range(4) for number in range(50)}
    assert {held.line.request_id for held in found} == wanted
