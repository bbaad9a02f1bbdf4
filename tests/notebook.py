"""The notebook in `examples`, executed: `python -m tests.notebook` runs it and writes it anew with its outputs."""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "notebooks" / "balance.ipynb"
SECONDS = 900
"""How long a cell may take: the first one compiles the game, where no cache has it."""


def read() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def executed() -> Any:
    """The notebook, run from its first cell to its last in a new kernel; an error in a cell is raised."""
    notebook = read()
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", record_timing=False).execute()
    # Nothing of the machine, and of the moment, stays in the file.
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


if __name__ == "__main__":
    nbformat.write(executed(), NOTEBOOK)
