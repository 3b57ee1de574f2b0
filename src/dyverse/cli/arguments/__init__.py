"""What commands are given: models, numbers, ranges, grids, and files to write."""
