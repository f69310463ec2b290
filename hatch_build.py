"""Build hook: compiles the kernels by Cython and a C compiler, side by side.

A kernel is a module in a folder `kernels` of the package, with a header ``.pxd`` where others share something
with it. What all of them need for arrays is compiled once, as a module of its own, so that each of them takes
about a second. All keep to the limited API: one wheel serves every Python from 3.11 on.

With ``CPMINES_CHECKED=1`` in the environment every index is checked, and the address and undefined-behaviour
sanitizers are compiled in.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "cpmines"
SHARED = "cpmines.kernels.shared"
"""The module of what all kernels need for arrays."""
RECORD = "cpmines/kernels/compiled.txt"
"""Digests of the sources that were compiled: `cpmines.kernels` compares them with those beside it."""
LEAST_PYTHON = "0x030B0000"
DIRECTIVES = {
    "language_level": 3,
    "infer_types": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles into the source tree for an editable installation, into the wheel for any other."""

    def dependencies(self) -> list[str]:
        """A C compiler is asked for only where there is none."""
        return [] if has_compiler() else ["ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        work = root / "build" / f"kernels-{sysconfig.get_platform()}{'-checked' * is_checked()}"
        target = root if version == "editable" else work / "lib"
        compile_kernels(root, work, target)
        build_data["pure_python"] = False
        platform = self.build_config.builder.get_best_matching_tag().split("-")[2]
        build_data["tag"] = f"cp311-abi3-{platform}"
        if version != "editable":
            for path in built(target):
                build_data["force_include"][str(path)] = path.relative_to(target).as_posix()


def has_compiler() -> bool:
    """Is there a C compiler? On Windows setuptools looks for the one of Visual Studio itself."""
    return sys.platform == "win32" or shutil.which(compiler()[0]) is not None


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def is_checked() -> bool:
    return os.environ.get("CPMINES_CHECKED", "0") not in ("", "0")


def sources(root: Path) -> list[Path]:
    """The kernels and their headers, in a fixed order."""
    package = root / PACKAGE
    found = [*package.rglob("kernels/*.py"), *package.rglob("*.pxd")]
    return sorted(path for path in found if path.name != "__init__.py")


def built(target: Path) -> list[Path]:
    suffixes = (".so", ".pyd")
    return [*(p for p in (target / PACKAGE).rglob("*.*") if p.suffix in suffixes), target / RECORD]


def record(root: Path) -> str:
    """A line for each source: its digest, and its path in the package."""
    package = root / PACKAGE
    lines = (
        f"{sha256(path.read_bytes()).hexdigest()} {path.relative_to(package).as_posix()}\n"
        for path in sources(root)
    )
    return "".join(lines)


def compile_kernels(root: Path, work: Path, target: Path) -> None:
    """Compile all kernels of `root` into `target`; what has not changed since the last time stays."""
    os.chdir(root)
    compiled = record(root)  # before it is compiled: what is changed meanwhile is not up to date
    kernels = [path for path in sources(Path()) if path.suffix == ".py"]
    modules = {".".join(path.with_suffix("").parts): path for path in kernels}
    compile_modules(modules | {SHARED: shared_source(work)}, work, target)
    (target / RECORD).write_text(compiled, encoding="utf-8")


def compile_modules(modules: dict[str, Path], work: Path, target: Path) -> None:
    """Compile modules, by name, into `target`; C files and objects go to `work`."""
    from Cython.Build import cythonize
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    if sys.platform != "win32" and not has_compiler():
        os.environ["CC"] = f"{shlex.quote(sys.executable)} -m ziglang cc"
        os.environ["LDSHARED"] = f"{os.environ['CC']} -shared"
    count = os.cpu_count() or 1
    extensions = cythonize(
        [extension(name, path) for name, path in modules.items()],
        nthreads=count,
        build_dir=str(work),
        quiet=True,
        compiler_directives=DIRECTIVES | {"boundscheck": is_checked()},
        shared_utility_qualified_name=SHARED,
    )
    command = build_ext(Distribution({"name": PACKAGE, "ext_modules": extensions}))
    command.build_lib, command.build_temp, command.parallel = str(target), str(work), count
    command.ensure_finalized()
    command.run()


def extension(name: str, source: Path) -> Any:
    from setuptools import Extension

    flags = [] if sys.platform == "win32" else ["-O1", "-g", *SANITIZERS] if is_checked() else ["-O3"]
    return Extension(
        name,
        [str(source)],
        py_limited_api=True,
        define_macros=[("Py_LIMITED_API", LEAST_PYTHON)],
        extra_compile_args=flags,
        extra_link_args=SANITIZERS if is_checked() else [],
    )


def shared_source(work: Path) -> Path:
    work.mkdir(parents=True, exist_ok=True)
    source = work / "shared.c"
    if not source.exists():
        subprocess.run([sys.executable, "-m", "cython", "--generate-shared", str(source)], check=True)
    return source
