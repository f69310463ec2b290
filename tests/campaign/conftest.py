from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from cpmines import registry
from cpmines.campaign.runner import end_servers
from tests.campaign.planted import BACKENDS


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on the path with a distribution that offers the backends of `tests.campaign.planted`."""
    folder = tmp_path_factory.mktemp("planted")
    about = folder / "planted-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    lines = [
        f"maxmines.{name} = tests.campaign.planted:OBJECTS.{name.replace('-', '_')}" for name in BACKENDS
    ]
    (about / "entry_points.txt").write_text("\n".join(["[cpmines.backends]", *lines]) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        forget_plugins()
        yield folder
    forget_plugins()
    end_servers()


def forget_plugins() -> None:
    """Have the registry look again."""
    for found in iter_modules(registry.__path__):
        for each in vars(import_module(f"{registry.__name__}.{found.name}")).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()
