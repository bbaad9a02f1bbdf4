"""From run folders to tables with intervals: what happened, how sure we are, what it means."""

from analysis.log import load

__all__ = ["load"]
