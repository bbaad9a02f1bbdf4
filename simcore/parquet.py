"""Whether the file of a table is sound, told before polars reads it: a file from a stranger may be damaged on purpose.

Arrow's reader says of every damaged page what is wrong with it. With that of polars, some end the whole process.
"""

import io
from pathlib import Path

import polars as pl


def refuse_unsound(source: Path | io.BytesIO, schema: pl.Schema, rows: int) -> None:
    """Raise ValueError where a file has not these columns and so many rows, or where a page of it cannot be decoded.

    No more than these rows are decoded, a row group at a time.
    """
    import pyarrow as pa  # a tenth of a second, which commands that read no table should not take
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(source if isinstance(source, Path) else pa.BufferReader(source.getbuffer())) as file:
            if file.schema_arrow.names != schema.names():
                raise ValueError("its columns are not those of the table")
            groups = range(file.num_row_groups)
            there = sum(file.metadata.row_group(group).num_rows for group in groups)
            if file.metadata.num_rows != rows or there != rows:
                raise ValueError(f"it has {file.metadata.num_rows:,} rows, not {rows:,}")
            if sum(file.read_row_group(group, use_threads=False).num_rows for group in groups) != rows:
                raise ValueError("its pages do not hold the rows of the table")
    except (pa.ArrowException, KeyError, MemoryError) as error:
        raise ValueError(str(error)) from error
    if pl.read_parquet_schema(source) != schema:
        raise ValueError("its columns are not those of the table")
