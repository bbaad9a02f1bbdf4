"""Every rule of every rules page is shown by a test or waived with a reason, and all rules that are cited exist."""

import re
from collections import Counter

import pytest

from tests.rules.pages import PAGES, ROOT, Page, cited, rules_shown

WAIVABLE = {"components", "no effect", "not specified", "statistics of real play", "published bots"}

every_page = pytest.mark.parametrize("page", PAGES, ids=[page.game for page in PAGES])


@every_page
def test_the_page_is_read_whole(page: Page) -> None:
    """How many rules each section has, counted by hand."""
    assert len(page.defined) == len(set(page.defined)), "a rule stands twice on the page"
    numbers = [rule.removeprefix(f"{page.prefix}-") for rule in page.defined]
    assert Counter(re.split(r"[.\d]", number)[0] or number.split(".")[0] for number in numbers) == page.sections


@every_page
def test_every_rule_is_shown_by_a_test_or_waived(page: Page) -> None:
    missing = set(page.defined) - rules_shown() - set(page.waivers)
    assert not missing, f"no test cites {sorted(missing)}"


@every_page
def test_waivers_are_needed_and_have_reasons(page: Page) -> None:
    assert set(page.waivers) <= set(page.defined)
    assert not set(page.waivers) & rules_shown()
    for rule, waiver in page.waivers.items():
        assert set(waiver) == {"kind", "reason"}, rule
        assert waiver["kind"] in WAIVABLE, rule
        assert waiver["reason"].endswith("."), rule


@every_page
def test_no_rule_that_constrains_play_is_waived(page: Page) -> None:
    numbered = {rule for rule in page.waivers if re.match(r"[A-Z]{1,2}-\d", rule)}
    assert numbered == page.waived
    assert not [rule for rule in page.waivers if rule.startswith(page.binding)]


@pytest.mark.parametrize("folder", ["simcore", "strategies", "tests", "benchmarks"])
def test_cited_rules_exist(folder: str) -> None:
    known = {rule for page in PAGES for rule in page.defined}
    prefixes = tuple(f"{prefix}-" for page in PAGES for prefix in (page.prefix, *page.unnumbered))
    for path in [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.toml")]:
        unknown = {rule for rule in cited(path.read_text(encoding="utf-8")) if rule.startswith(prefixes)} - known
        assert not unknown, f"{path} cites {sorted(unknown)}"


@every_page
def test_kernels_and_reference_cite_what_they_do(page: Page) -> None:
    """Each rule that is carried out stands where the kernels do it, and where the reference does."""
    module, reference = ROOT / "simcore" / "games" / page.module, ROOT / "tests" / "reference"
    kernels = [*module.glob("rules.py"), *module.glob("rules/*.py"), module / "parameters.py"]
    for paths in (kernels, [reference / f"{page.module}.py", *reference.glob(f"{page.module}_state.py")]):
        text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
        assert page.carried_out <= cited(text), f"{paths[0]}: {sorted(page.carried_out - cited(text))}"
