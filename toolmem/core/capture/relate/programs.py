"""Names of programs that only a shell runs."""

from toolmem.core.capture.text.lists import word_list

PROGRAMS = word_list("programs programs")
"""Words that name a program wherever they are written in lower case."""
PROGRAMS_IN_CODE = word_list("programs programs in code")
"""Everyday words that name a program only as the first word of code."""
