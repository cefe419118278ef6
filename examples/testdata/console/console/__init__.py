"""Runs commands over sessions, and replays what was recorded."""
