"""Many pieces of work: a journal that survives a kill, on this machine's cores or on a cluster."""
