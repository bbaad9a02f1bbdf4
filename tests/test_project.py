"""The project's own files agree with each other: declared and imported packages, locks, wheel, README."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ["simcore", "strategies", "analysis", "reports", "cli"]
RUNTIME = ROOT / "requirements" / "runtime.txt"
DEV = ROOT / "requirements" / "dev.txt"


def project_name(requirement: str) -> str:
    """`numba` of `numba>=0.68` and of `numba==0.68.1 ; python_version < "3.12"`."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def declared() -> set[str]:
    return {project_name(requirement) for requirement in PYPROJECT["project"]["dependencies"]}


def optional(*extras: str) -> set[str]:
    """What these extras ask for."""
    asked = PYPROJECT["project"]["optional-dependencies"]
    return {project_name(requirement) for extra in extras for requirement in asked[extra]}


def sources() -> list[Path]:
    return [ROOT / "fairdeal.py", *(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))]


def imported_packages(path: Path) -> set[str]:
    """Top-level names that a source file imports absolutely, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def locked(path: Path) -> set[str]:
    return {line.partition(" ;")[0].split()[0] for line in path.read_text().splitlines() if re.match(r"[a-z]", line)}


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    imported = set().union(*map(imported_packages, sources()))
    third_party = imported - set(sys.stdlib_module_names) - set(PACKAGES) - {"fairdeal"}
    # What a notebook needs is for its reader: nothing here imports it. polars makes pandas frames.
    assert {project_name(name) for name in third_party} == declared() | optional("cloud", "cluster", "env")


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_imports_the_public_face_or_the_tests(package: str) -> None:
    for path in (ROOT / package).rglob("*.py"):
        assert not imported_packages(path) & {"fairdeal", "tests", "benchmarks"}, path


def test_locks_hold_every_dependency_with_hashes_and_no_address() -> None:
    assert declared() <= {project_name(line) for line in locked(RUNTIME)}
    groups = {project_name(line) for line in PYPROJECT["dependency-groups"]["dev"]}
    wanted = groups | optional("cloud", "cluster", "env", "notebook") | {"hatchling", "editables"}
    assert wanted <= {project_name(line) for line in locked(DEV)}
    for path in (RUNTIME, DEV):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text
        for block in re.split(r"\n(?=[a-z])", text)[1:]:
            assert "--hash=sha256:" in block, block


def test_the_development_lock_is_the_runtime_lock_and_more() -> None:
    assert locked(RUNTIME) < locked(DEV)


def test_the_wheel_holds_the_packages_with_their_data_and_nothing_else(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--", "fairdeal.py", *PACKAGES], cwd=ROOT, capture_output=True, check=False, text=True
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    tracked = {name for name in listing.stdout.split("\0") if name and not name.startswith("reports/examples/")}
    assert tracked <= inside
    assert {name.partition("/")[0] for name in inside} == {"fairdeal.py", *PACKAGES}


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme


def test_the_page_on_statistics_names_tests_and_studies_that_there_are() -> None:
    page = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 100
    assert page.count(".py::") == sum(bool(test) for _, test in named)
    for path, test in named:
        assert (ROOT / path).is_file(), path
        if test:
            assert f"\ndef {test}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{test}"
    for target in re.findall(r"\]\(([^)#]+)", page):
        assert (ROOT / "docs" / target).is_file(), target


def test_every_study_is_listed() -> None:
    listed = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    for study in (ROOT / "benchmarks" / "studies").glob("*.py"):
        assert f"`python benchmarks/studies/{study.name}`" in listed, study.name
