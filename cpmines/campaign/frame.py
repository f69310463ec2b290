"""The records of a store as a table of pandas."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from cpmines.campaign.record import Record
from cpmines.campaign.store import Store
from cpmines.campaign.verdict import categories
from cpmines.errors import UsageError

if TYPE_CHECKING:
    import pandas

__all__ = ["frame", "require_tables"]


def require_tables() -> None:
    """Raises `UsageError` if pandas is not installed: better before a campaign than after it."""
    try:
        import pandas  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError("this needs the extra campaign: pip install 'cpmines[campaign]'") from None


def frame(store: Store) -> pandas.DataFrame:
    """One row a run, in the order in which they were recorded.

    The columns are the fields of `Record`, and ``cpu``, the sum of ``cpu_user`` and ``cpu_system``. The
    category depends on the other runs on the same instance, see `cpmines.campaign.verdict.categories`.
    """
    require_tables()
    import pandas

    names = [field.name for field in fields(Record)]
    rows = [[getattr(record, name) for name in names] for record in store.records()]
    made = pandas.DataFrame(rows, columns=names)
    for name in ("status", "category", "reason"):
        made[name] = made[name].astype(str)
    made["category"] = categories(made)
    made["cpu"] = made["cpu_user"] + made["cpu_system"]
    return made
