"""Turn messages and transcripts into rules, proposals and counts."""
