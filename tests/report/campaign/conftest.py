"""A store with three backends on twelve boards, one of which nobody solves and one on which they disagree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from cpmines import registry
from cpmines.campaign.store import Store
from cpmines.campaign.task import Instance
from tests.campaign.synthetic import record, unsolved

BACKENDS = {"direct": 0.001, "cpsat": 0.02, "sat:glucose4/totalizer": 0.05}
COUNT = 12


def boards() -> Iterator[Instance]:
    rng = np.random.default_rng(0)
    for k in range(COUNT):
        instance = registry.generators("consistency").FAMILIES["revealed"](rng, rows=3 + k, cols=4)
        text = registry.problem("consistency").render(instance)
        yield Instance("consistency", f"board {k} <b>", "revealed", 4 * (3 + k), text)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    rng = np.random.default_rng(1)
    with Store.open(tmp_path_factory.mktemp("campaign") / "three.db", create=True) as made:
        instances = list(boards())
        made.add_instances(instances)
        environment = made.add_environment({"cpu": "a CPU", "packages": {"numpy": "2"}})
        for k, one in enumerate(instances):
            for backend, cost in BACKENDS.items():
                for number in range(3):
                    about = {"instance_key": one.key, "size": one.size, "environment": environment}
                    cpu = cost * one.size * float(np.exp(rng.normal(0, 0.05)))
                    if k == 0 or (k == 3 and backend == "cpsat"):
                        made.add(unsolved(one.name, backend, number, **about))
                    elif k == 1 and backend == "cpsat":
                        made.add(record(one.name, backend, cpu, number, status="infeasible", **about))
                    else:
                        made.add(record(one.name, backend, cpu, number, counters={"conflicts": k}, **about))
        yield made
