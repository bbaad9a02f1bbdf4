"""Reading within bounds, and writing that no link leads elsewhere."""

import os
from pathlib import Path

import pytest

from simcore import files
from simcore.errors import InputError


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file that no job may change."""
    path = tmp_path / "mine.txt"
    path.write_bytes(b"mine")
    return path


def test_a_file_is_read_up_to_its_bound(mine: Path) -> None:
    assert files.read_bytes(mine, 4) == b"mine"
    with pytest.raises(InputError, match=r"mine\.txt is larger than 3 bytes"):
        files.read_bytes(mine, 3)
    with pytest.raises(FileNotFoundError):
        files.read_bytes(mine.with_name("none"), 4)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
def test_a_pipe_a_device_and_a_folder_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises((InputError, IsADirectoryError), match=r"is no file|directory"):
            files.read_bytes(path, 4)


def test_a_link_is_followed_only_where_that_is_asked_for(mine: Path) -> None:
    link = mine.with_name("link")
    link.symlink_to(mine)
    assert files.read_bytes(link, 4, links=True) == b"mine"
    with pytest.raises(InputError, match="link is a link"):
        files.read_bytes(link, 4)


def test_what_is_written_does_not_go_through_a_link(mine: Path) -> None:
    target = mine.with_name("report.html")
    target.with_name(target.name + files.TEMPORARY).symlink_to(mine)
    target.symlink_to(mine)
    files.write_file(target, b"page")
    assert target.read_bytes() == b"page"
    assert not target.is_symlink()
    assert mine.read_bytes() == b"mine"


def test_neither_a_line_nor_a_lock_goes_through_a_link(mine: Path) -> None:
    for name in ("shards.jsonl", files.LOCK):
        mine.with_name(name).symlink_to(mine)
    with pytest.raises(InputError, match=r"shards\.jsonl is a link"):
        files.append_line(mine.with_name("shards.jsonl"), b"line\n")
    with pytest.raises(InputError, match="lock is a link"), files.folder_lock(mine.parent):
        pass
    assert mine.read_bytes() == b"mine"
