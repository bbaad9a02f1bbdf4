"""From analysis results to pages: one self-contained HTML file, JSON, Markdown."""
