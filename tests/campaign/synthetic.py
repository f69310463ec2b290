"""Records as a campaign might have made them, of any number, without running anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cpmines.campaign.record import Category, Record, StopReason

if TYPE_CHECKING:
    import pandas

TIME_LIMIT = 10.0


def record(instance: str, backend: str, cpu: float, number: int = 0, **changed: Any) -> Record:
    """A run that solved a 10x10 consistency board in so many CPU seconds, with what is `changed`."""
    given = {
        "key": f"{instance}-{backend}-{number}",
        "problem": "consistency",
        "instance": instance,
        "instance_key": f"key of {instance}",
        "family": "synthetic",
        "size": 100,
        "question": "placement",
        "options": "{}",
        "backend": backend,
        "version": "cpmines 0",
        "seed": 0,
        "repeat": number,
        "time_limit": TIME_LIMIT,
        "wall_limit": 2 * TIME_LIMIT,
        "memory_limit": 1 << 30,
        "certificate_limit": 0.0,
        "status": "solved",
        "category": Category.RIGHT,
        "reason": StopReason.FINISHED,
        "cpu_user": cpu,
        "cpu_system": 0.0,
        "wall": cpu,
        "build": cpu / 4,
        "solve": cpu * 3 / 4,
        "check": 0.0,
        "peak_memory": 1 << 20,
        "environment": "here",
        "started": 0.0,
    }
    return Record(**{**given, **changed})


def unsolved(instance: str, backend: str, number: int = 0, **changed: Any) -> Record:
    """A run that met its time limit."""
    given = {"status": "unknown", "category": Category.UNKNOWN, "reason": StopReason.TIME_LIMIT}
    return record(instance, backend, TIME_LIMIT, number, **{**given, **changed})


def table(records: Sequence[Record]) -> pandas.DataFrame:
    """The table that `cpmines.campaign.frame.frame` makes of them."""
    import pandas

    names = [each.name for each in fields(Record)]
    made = pandas.DataFrame([[getattr(one, name) for name in names] for one in records], columns=names)
    for name in ("status", "category", "reason"):
        made[name] = made[name].astype(str)
    return made.assign(cpu=made["cpu_user"] + made["cpu_system"])


def costs(by_backend: Mapping[str, Sequence[float]]) -> pandas.DataFrame:
    """One run of each backend on instances 0, 1, ...: CPU seconds, infinite where it is not solved."""
    return table(
        [
            record(f"{k}", backend, cpu) if np.isfinite(cpu) else unsolved(f"{k}", backend)
            for backend, found in by_backend.items()
            for k, cpu in enumerate(found)
        ]
    )
