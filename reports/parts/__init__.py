"""The parts of a balance report: a module a section, each with `section(balance)`."""
