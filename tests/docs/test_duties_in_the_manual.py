"""The examples of duties in the manual are duties, and its advice is advice."""

import re
from pathlib import Path

from toolmem.core.guard.derivation.duties import derive_duties
from toolmem.core.rules.duty_table import parse_duties

MANUAL = Path(__file__).parents[2] / "man" / "toolmem-vault.5"


def blocks() -> list[list[str]]:
    text = MANUAL.read_text(encoding="utf-8").partition('.SH "DUTIES"')[2]
    section = text.partition('.SH "')[0]
    for escape, char in (("\\(ga", "`"), ("\\(dq", '"'), ("\\-", "-")):
        section = section.replace(escape, char)
    found = re.findall(r"\.EX\n(.*?)\.EE", section, re.DOTALL)
    return [block.strip().split("\n") for block in found]


def test_every_line_of_the_manual_is_what_it_says():
    table, duties, advice = blocks()
    assert table[0] == "[[duty]]"
    assert [text for text in duties if not derive_duties(text)] == []
    assert [text for text in advice if derive_duties(text)] == []
    assert len(duties) == 10
    for text in duties:
        assert parse_duties(derive_duties(text), path="x")[1] == ()
