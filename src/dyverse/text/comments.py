"""What of a model's text is no word of it: patterns for comments, and for words in quotes."""

COMMENT = r"(?:#|//)[^\n]*"
SKIPPED = rf"{COMMENT}|\"[^\"\n]*\""  # what is said to people
