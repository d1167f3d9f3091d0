"""Changes of mutants_at_once.py that change nothing that can be observed, with the reason."""

# (header, change): reason
EQUIVALENT: dict[tuple[str, str], str] = {}
