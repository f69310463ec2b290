"""Results for people and programs: text, tables, JSON lines."""
