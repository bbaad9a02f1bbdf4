"""The committed sample is whole: its three forms tell the same, and the picture that README shows is there."""

import json
from pathlib import Path

from reports import page
from tests.reports.reading import read

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "reports" / "examples"
SAMPLE = EXAMPLES / "lost-cities-balance"


def test_the_sample_tells_the_same_in_all_forms():
    made = json.loads((SAMPLE / "report.json").read_text(encoding="utf-8"))
    html = (SAMPLE / "report.html").read_text(encoding="utf-8")
    markdown = (SAMPLE / "report.md").read_text(encoding="utf-8")
    said = read(html).find("section", id="verdict")[0].words()
    assert {"uniform", "heuristic", "expert"} <= {bot["name"] for bot in made["facts"]["bots"]}
    for verdict in made["verdicts"]:
        assert page.minus(verdict["text"]) in said
        assert page.markdown(verdict["text"]) in markdown
    assert len(html.encode()) < 2_000_000


def test_the_picture_of_the_sample_is_in_the_readme_and_small():
    assert "(reports/examples/lost-cities-balance.png)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (EXAMPLES / "lost-cities-balance.png").stat().st_size < 400_000
