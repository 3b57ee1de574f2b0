"""The default search: several searches on one budget, each pulled by what it brings."""
