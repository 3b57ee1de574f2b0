"""What is handed out of a run: replays, tables, commands."""
