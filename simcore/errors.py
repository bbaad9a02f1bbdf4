"""The errors that a user can cause. The command line prints their message alone and exits with their status."""


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
