"""The examples of ``man toolmem-capture`` are what the program reads and does."""

import json
import re

from tests.docs.roff import plain
from tests.program import ROOT
from toolmem.core import limits
from toolmem.core.transcript.read import FORMATS
from toolmem.store.files.settings import SETTINGS

PAGE = (ROOT / "man" / "toolmem-capture.5").read_text("utf-8")
EXAMPLES = [
    "".join(f"{plain(line)}\n" for line in found.splitlines())
    for found in re.findall(r"^\.EX\n(.*?)^\.EE$", PAGE, re.MULTILINE | re.DOTALL)
]


def test_the_minimal_form_that_it_shows_is_read(world):
    world.vault("empty")
    form, _, settings, block = EXAMPLES
    world.write("toolmem.toml", f"schema = 1\n{settings}")
    done = world.call("capture", "--json", stdin=form)
    found = json.loads(done.stdout)
    assert (done.stderr, found["format"], found["skipped"]) == ("", "toolmem", {})
    assert [(d["action"], d["tools"]) for d in found["decrees"]] == [
        ("created", ["send_email"])
    ]
    assert [turn["failed"][0]["command"] for turn in found["turns"]] == ["make"]
    assert block.startswith("Tool memory:\n- Files changed: ")


def test_it_names_every_value_of_the_settings():
    settings = [s for s in SETTINGS if s.name.startswith("capture.")]
    names = ["capture.mode", "capture.judge", "capture.judge_seconds"]
    assert [s.name for s in settings] == names
    for setting in settings:
        assert f"\\fB\\%{setting.name.partition('.')[2]}\\fR" in PAGE, setting
        for choice in setting.choices:
            assert f"\\fB\\%{choice}\\fR" in PAGE, choice


def test_its_numbers_are_those_of_the_program():
    text = plain(re.sub(r"\\f.|\\%", "", PAGE))
    for sentence in (
        f"more than {limits.RULE_CHARS} characters",
        f"or {limits.CRITICAL_RULES} critical rules already exist",
        f"is in effect for {limits.FAILURE_DAYS} days",
    ):
        assert sentence in " ".join(text.split()), sentence
    assert limits.CAPTURED_A_TURN == 3, "the page says: the fourth of one message"


def test_the_command_names_every_format(world):
    shown = world.call("capture", "--help").stdout
    words = set(re.findall(r"[a-z-]+", shown))
    assert {"auto", *FORMATS} <= words
