"""The notebook in `examples` runs from its first cell to its last, and its numbers are those that stand in it."""

import json
import re

import pytest

from tests.notebook import NOTEBOOK, executed, read

ANEW = "what it shows has changed: `python -m tests.notebook` writes it anew"


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def told(cell):
    """What the outputs of a cell say, in words or as tables; a picture says only that it is one."""
    data = [output.get("data", {"text/plain": output.get("text")}) for output in cell.outputs]
    return [of.get("text/html", of["text/plain"]) for of in data]


@pytest.mark.jitted
@pytest.mark.slow
def test_it_runs_and_gives_the_same_tables_again():
    for before, now in zip(code(read()), code(executed()), strict=True):
        assert told(now) == told(before), f"{now.source}\n{ANEW}"


def test_it_is_committed_as_executed_in_order_and_without_errors():
    cells = code(read())
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert {output.output_type for output in outputs} == {"stream", "execute_result", "display_data"}
    assert all(output.get("name", "stdout") == "stdout" for output in outputs)
    assert sum("text/html" in output.get("data", {}) for output in outputs) >= 6
    assert any("image/png" in output.get("data", {}) for output in outputs)


def test_it_is_small_and_names_no_machine_and_no_moment():
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 300_000
    words = re.sub(r'"image/png": "[^"]*"', "", text)
    assert not re.search(r"/tmp|/home|/Users|site-packages|\b20\d\d-\d\d|Warning", words)
    assert set(json.loads(text)["metadata"]) == {"kernelspec", "language_info"}
    assert all(cell.metadata == {} for cell in read().cells)
