"""``cpmines campaign export``: the records as a table, or an instance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cpmines.cli._inputs import style_option
from cpmines.cli._outputs import output_option
from cpmines.cli._say import document
from cpmines.errors import UsageError
from cpmines.outputs import write

if TYPE_CHECKING:
    import pandas

__all__ = ["command"]

NESTED = ("counters", "value", "faults")


def flat(rows: pandas.DataFrame) -> pandas.DataFrame:
    """The table with JSON text where a cell has several values."""
    return rows.assign(**{name: rows[name].map(json.dumps) for name in NESTED})


def write_parquet(rows: pandas.DataFrame, output: Path | None) -> None:
    if output is None:
        raise UsageError("parquet needs a file to write to: -o FILE")
    try:
        write(output, flat(rows).to_parquet(None, index=False))
    except ImportError:  # as pandas says that it has no engine for it
        raise UsageError("parquet needs the extra campaign: pip install 'cpmines[campaign]'") from None


@click.command(name="export")
@click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
@style_option("csv", "json", "parquet", help="json is one object a line.")
@click.option("--instance", metavar="KEY", help="Instead: the text of the instance whose key begins so.")
@output_option()
def command(path: Path, style: str, instance: str | None, output: Path | None) -> int:
    """Write the records of a store, one row a run, or one of its instances.

    \b
    Example:
      cpmines campaign export encodings.db -o encodings.csv
      cpmines campaign export encodings.db --format json | head -1
      cpmines campaign export encodings.db --instance 3f2a90 | cpmines solve consistency
    """
    from cpmines.campaign.frame import frame
    from cpmines.campaign.store import Store

    with Store.open(path) as store:
        if instance is not None:
            text = store.instance(instance).text
        elif style == "parquet":
            write_parquet(frame(store), output)
            return 0
        elif style == "csv":
            text = flat(frame(store)).to_csv(index=False)
        else:
            text = frame(store).to_json(orient="records", lines=True)
    if output is None:
        document(text, end="")
    else:
        write(output, text)
    return 0
