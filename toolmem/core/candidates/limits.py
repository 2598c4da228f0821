"""Numbers of candidates and their note, with unit and reason."""

NOTE_TOKENS = 80
"""The note about candidates after one message."""
NOTE_CANDIDATES = 3
"""Candidates in one note, the likeliest first."""
NOTE_SENTENCE_CHARS = 160
"""Characters of a sentence in a note; the id identifies the whole of it."""
CANDIDATE_DAYS = 14
"""Days that a candidate without a judgement is listed by ``review --past``."""
JUDGE_CANDIDATES = 20
"""Candidates in one run of ``capture.judge``; more would make its answer too long."""
