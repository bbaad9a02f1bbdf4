"""The errors that a user can cause. The command line prints their message alone and exits with their status."""

import reprlib


class FairdealError(Exception):
    """Base of all errors that fairdeal raises on purpose; `status` is the exit status of the command line."""

    status = 1


class InputError(FairdealError):
    """Something that the user gave is wrong. The message says what, where, and what would be right."""

    status = 2


class DamagedError(InputError):
    """A file of a run is damaged or missing, and resuming the run makes it good."""


class JobError(FairdealError):
    """A job was asked for correctly and failed: a full disk, a damaged run, an illegal move of a bot."""

    status = 1


def shown(value: object) -> str:
    """A value from a file for a message, shortened: it may be of any size and depth."""
    try:
        return reprlib.repr(value)
    except ValueError:  # a whole number of more digits than Python prints
        return "a very long number"


def printable(text: str) -> str:
    """A text without signs that steer a terminal or turn the direction of writing: those are shown by their number."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else _code(sign) for sign in text)


def _code(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
