"""Times between signals that hold for every run of a network: all its states followed as boxes."""
