"""The default search: shots, sprints, cells, and descents along the slopes of runs."""
