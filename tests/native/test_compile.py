"""Compiling and caching: broken files, no place to write, two processes, no compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dyverse.bodies.scene import scene
from dyverse.native import cache
from dyverse.native.automata.library import RUNTIME as AUTOMATA
from dyverse.native.automata.source import source as automata_source
from dyverse.native.compile import FLAGS, RIGID, SWIFT, Runtime, _sources, compiled, compiler
from dyverse.native.coupled.library import RUNTIME as COUPLED
from dyverse.native.errors import CompileError, NoCompilerError
from dyverse.native.header import headers
from dyverse.native.library import library
from dyverse.native.model import native_model, uncompiled
from dyverse.native.set_up import set_up
from tests import scenes

DROP = """
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from tests import scenes
print(len(simulate_native(generate(scenes.drop()), until=25).events))
"""


def source() -> str:
    return uncompiled(scenes.drop(), scene(scenes.drop()))[0].source


def replace(path: Path, content: bytes) -> None:
    """Another file of the same name: the old one may be in use."""
    path.unlink()
    path.write_bytes(content)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "BUILT", tmp_path / "built")
    library.cache_clear()
    return tmp_path / "cache"


def test_what_is_compiled_is_kept(empty: Path) -> None:
    first = compiled(source())
    stamp = first.stat().st_ino
    assert first.parent == empty
    assert compiled(source()).stat().st_ino == stamp
    assert not list(empty.glob(".building-*"))
    compiled(automata_source(()), runtime=AUTOMATA)
    units = sorted(path.name.split("-")[0] for path in empty.glob("*.o"))
    assert units == ["automata", "course", "flying", "law", "runtime"]  # what both use, once


@pytest.mark.parametrize("runtime", [RIGID, AUTOMATA, COUPLED], ids=lambda r: r.unit)
def test_a_unit_is_known_by_all_that_it_includes(runtime: Runtime) -> None:
    for path, folders in runtime.units.items():
        command = [*compiler().command, "-MM", "-DDV_APART", str(path)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        included = {Path(word) for word in told.split() if word.endswith((".c", ".h"))}
        assert len(included) > 5
        known = set(_sources(folders))
        assert {file.read_text("utf-8") for file in included} <= known, path


def test_what_set_up_has_built_is_not_built_again(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as during:
        during.setenv("DYVERSE_CACHE", "elsewhere")  # and so it is again afterwards
        assert set_up((AUTOMATA,)) == 2
    compiled(automata_source(()), runtime=AUTOMATA)
    assert not list(empty.glob("*.o"))
    assert {path.stem.split("-")[0] for path in cache.BUILT.glob("*.o")} == {"automata", "course"}
    broken = next(cache.BUILT.glob("course-*.o"))
    replace(broken, broken.read_bytes()[:1000])
    compiled(automata_source(()) + "\n", runtime=AUTOMATA)
    (again,) = empty.glob("*.o")
    assert again.stem.split("-")[0] == "course"
    assert (again.name == broken.name) == (compiler().flags == compiler().thorough)


def test_a_broken_file_is_built_again(empty: Path) -> None:
    path = compiled(source())
    replace(path, path.read_bytes()[:1000])
    assert native_model(scenes.drop()).library.dv_version() == headers().integer_const("DV_VERSION")


def test_a_file_that_is_no_engine_is_built_again(empty: Path) -> None:
    path = compiled(source())
    replace(path, b"no library")
    path.with_name(f"{path.name}.sum").write_text(cache._checksum(path))
    assert native_model(scenes.drop()).library.dv_version() == headers().integer_const("DV_VERSION")


def test_a_killed_compile_leaves_no_half_of_a_file(empty: Path) -> None:
    def killed(path: Path) -> None:
        path.write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.kept("model", killed)
    assert not (empty / "model").exists()


@pytest.mark.parametrize("reason", ["read-only", "not a folder"])
def test_without_a_cache_the_engine_lives_in_a_temporary_folder(
    empty: Path, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason == "not a folder":
        empty.write_text("a file")
    else:
        empty.mkdir()

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(cache, "_install", refuse)  # root may write anywhere
    path = compiled(source())
    assert empty not in path.parents
    assert path.exists()


def test_a_full_disk_is_an_error_of_one_line(empty: Path) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(CompileError, match="No space left") as caught:
        cache.kept("model", full)
    assert "\n" not in str(caught.value)


def test_two_processes_at_once_compile_once(empty: Path) -> None:
    environment = {**os.environ, "DYVERSE_CACHE": str(empty)}
    root = Path(__file__).parents[2]
    both = [
        subprocess.Popen(
            [sys.executable, "-c", DROP], env=environment, stdout=subprocess.PIPE, cwd=root
        )
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120)[0] for process in both]
    assert answers[0] == answers[1] != b""
    assert len(list(empty.glob("model-*.so"))) == 1


def test_no_compiler_is_said_in_one_line(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(NoCompilerError, match="no C compiler: 'no-such-compiler' not found"):
        compiled(source())


@pytest.mark.parametrize("command", ['"', "cc '"])
def test_a_quote_without_its_partner_is_no_compiler(
    empty: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(NoCompilerError, match="no C compiler"):
        compiled(source())


def test_a_compiler_that_fails_is_quoted(empty: Path) -> None:
    with pytest.raises(CompileError, match="error"):
        compiled("this is not C;")


def write(path: Path) -> None:
    path.write_text("text")


def test_the_oldest_files_go_first(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 2)
    for age, name in enumerate("abc"):
        cache.kept(name, write)
        os.utime(empty / name, (age, age))
    cache.kept("d", write)
    left = {path.name for path in empty.iterdir() if path.suffix not in (".sum", ".lock")}
    assert left == {"c", "d"}


def test_only_gcc_is_given_its_own_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, says in (("gcc-like", "Free Software Foundation"), ("other", "someone")):
        script = tmp_path / name
        script.write_text(f"#!/bin/sh\necho {says}\n")
        script.chmod(0o755)
        monkeypatch.setenv("CC", str(script))
        chosen = compiler().flags
        assert compiler().thorough == FLAGS
        assert (chosen == FLAGS) == (name == "other")
        assert set(chosen) - set(FLAGS) == (set() if name == "other" else set(SWIFT))
