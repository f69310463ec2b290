"""Explanations for people and programs: sentences, boards in text and SVG, JSON, one HTML page."""
