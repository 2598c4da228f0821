"""Relate a decree to tools and to the rules in force."""
