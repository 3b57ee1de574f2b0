"""What pages are told of a model and its run, as plain data and bytes."""
