"""Sizes, counts and times in the manual pages and the README are those of the code."""

import re
from functools import cache

import pytest

from tests.source import ROOT
from toolmem.core import hook_limits, limits
from toolmem.core.candidates.limits import CANDIDATE_DAYS

_KIB, _MIB = 1024, 1024 * 1024
VAULT, ACCESS = "man/toolmem-vault.5", "man/toolmem-access.5"
CAPTURE, MANUAL = "man/toolmem-capture.5", "man/toolmem.1"
CLAIMS = (
    (VAULT, "manifests are read up to {} KiB", limits.RULE_FILE_BYTES / _KIB),
    (VAULT, "other files up to {} MiB", limits.TEXT_FILE_BYTES / _MIB),
    (VAULT, "the first {} characters of the id", limits.ID_SHOWN),
    (VAULT, "One line of at most {} characters.", limits.RULE_CHARS),
    (VAULT, "A hook has {} seconds for a verdict", hook_limits.CALL_SECONDS),
    (VAULT, "and {} seconds for any other event", hook_limits.SECONDS),
    (VAULT, "Within {} seconds more the text", hook_limits.LATE_SECONDS),
    (VAULT, "a call of more than {} MiB", hook_limits.READ_BYTES / _MIB),
    (VAULT, "one of more than {} MiB is asked", hook_limits.SCAN_BYTES / _MIB),
    (VAULT, "hook took more than {} seconds", hook_limits.SLOW_SECONDS),
    (VAULT, "scope has space ({} tokens)", limits.GUIDANCE_TOKENS),
    (VAULT, "encoded name has at most {} bytes", limits.NAME_BYTES),
    (VAULT, "(0 to 1; {} without one)", limits.CONFIDENCE),
    (VAULT, "{} days without one, 365 at most", limits.SCRATCH_DAYS),
    (VAULT, "7 days without one, {} at most", limits.ENTRY_MOST_DAYS),
    (VAULT, "Of an agent {} entries can be active", limits.SCRATCH_ACTIVE),
    (VAULT, "What was resolved {} days ago is archived", limits.SCRATCH_DAYS),
    (VAULT, "archived {} days ago is forgotten", limits.SCRATCH_ARCHIVE_DAYS),
    (VAULT, "count for {} hours, 100 an agent", limits.WORKING_HOURS),
    (VAULT, "for 24 hours, {} an agent", limits.WORKING_VALUES),
    (VAULT, "for {} days, the last 1,000", limits.CONVERSATION_DAYS),
    (VAULT, "the last {} messages an agent", limits.CONVERSATION_MESSAGES),
    (VAULT, "one over {} characters the head and", limits.TOOL_OUTPUT_CHARS),
    (VAULT, "with its rule; the last {} lines", limits.TRACE_LINES),
    (ACCESS, "request share {} tokens", limits.REQUEST_TOKENS),
    (ACCESS, "limit is {} and at most 100", limits.QUERY_LIMIT),
    (ACCESS, "is 10 and at most {}", limits.QUERY_MOST_RESULTS),
    (ACCESS, "budget_tokens {}; more than", limits.QUERY_TOKENS),
    (ACCESS, "more than {} are cut", limits.QUERY_MOST_TOKENS),
    (ACCESS, "at most {} queries and 1 MiB", limits.REQUEST_QUERIES),
    (ACCESS, "queries and {} MiB", limits.REQUEST_BYTES / _MIB),
    (CAPTURE, "has more than {} characters, is the", limits.RULE_CHARS),
    (CAPTURE, "or {} critical rules already exist", limits.CRITICAL_RULES),
    (CAPTURE, "in local state for {} days", CANDIDATE_DAYS),
    (CAPTURE, "candidates of the last {} days", CANDIDATE_DAYS),
    (MANUAL, "candidates of the last {} days", CANDIDATE_DAYS),
    (CAPTURE, "in effect for {} days after it last", limits.FAILURE_DAYS),
    (MANUAL, "a commit of more than {} files", limits.LOG_FILES),
    (MANUAL, "More than {} changed files are", limits.DIFF_FILES),
    (MANUAL, "It is active for {} days.", limits.SCRATCH_DAYS),
    ("README.md", "not judged within {} s", hook_limits.CALL_SECONDS),
    ("README.md", "is larger than {} MiB", hook_limits.READ_BYTES / _MIB),
)
_MARKS = re.compile(r"\\f[BIPR]|\\[%&]|`")


@cache
def words_of(page: str) -> str:
    """Return a page as one line of words."""
    text = _MARKS.sub("", (ROOT / page).read_text("utf-8"))
    return " ".join(text.replace("\\-", "-").split())


@pytest.mark.parametrize("page", [VAULT, ACCESS, CAPTURE, MANUAL, "README.md"])
def test_a_number_in_a_page_is_that_of_the_code(page):
    claims = [(phrase, value) for where, phrase, value in CLAIMS if where == page]
    shown = [phrase.format(f"{value:,g}") for phrase, value in claims]
    assert [text for text in shown if text not in words_of(page)] == []
