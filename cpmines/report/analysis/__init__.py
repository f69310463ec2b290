"""An analysis as a page: text for a terminal, JSON, SVG, and HTML that needs nothing else."""
