"""The parts of a comparison report, one module a section."""
