"""Numbers of candidates and their note, with unit and reason."""

NOTE_TOKENS = 80
"""The note about candidates after one message."""
NOTE_CANDIDATES = 3
"""Candidates in one note, the likeliest first."""
NOTE_SENTENCE_CHARS = 160
"""Characters of a sentence in a note; the id stands for the whole of it."""
CANDIDATE_DAYS = 14
"""How long a candidate that was not judged is listed by ``review --past``."""
JUDGE_CANDIDATES = 20
"""Candidates that one run of ``capture.judge`` gets: an answer a line stays short."""
