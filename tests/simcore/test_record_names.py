"""Names that fields of records cannot have."""

import pytest

from simcore import records


class Hidden:
    round: int


def test_a_name_that_every_record_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Hidden\.round"):
        records.dtype(Hidden)
