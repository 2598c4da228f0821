"""Read the sentences of rules: words with their roles, clauses, and bans."""
