"""What may be loaded: only what nobody else can have written."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from dyverse.cache import trust
from dyverse.cache.folder import CacheWarning, cache_folder, own_folder, warn_once
from dyverse.cache.trust import distrusted, is_ours
from dyverse.native import cache
from dyverse.native.cache import kept
from dyverse.native.errors import CompileError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")
needs_root = pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root can")
SOMEONE = 12345


@pytest.fixture(autouse=True)
def _no_own_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the user shared all groups with others; the tests that are about it say so."""
    monkeypatch.setattr(trust, "_is_own_group", lambda number: False)
    warn_once.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of this test, with a library that someone else planted."""
    made = tmp_path / "above" / "cache"
    made.mkdir(parents=True, mode=0o700)
    made.parent.chmod(0o755)
    (made / "engine").write_bytes(b"planted")
    (made / "engine.sum").write_text(cache._checksum(made / "engine"))
    for file in made.iterdir():
        file.chmod(0o600)
    monkeypatch.setenv("DYVERSE_CACHE", str(made))
    return made


def build(path: Path) -> None:
    path.write_bytes(b"built")


def engine() -> bytes:
    return kept("engine", build).read_bytes()


def test_what_is_ours_is_loaded(folder: Path) -> None:
    assert distrusted(folder) == ""
    assert engine() == b"planted"  # by ourselves, as far as anyone can tell


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o707, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    with pytest.warns(CacheWarning, match=f"others can write to {folder}: the cache is not used"):
        assert engine() == b"built"
    assert (folder / "engine").read_bytes() == b"planted"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it has been said
        path = kept("engine", build)
    assert folder not in path.parents
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_exchange_is_not_used(folder: Path) -> None:
    folder.parent.chmod(0o777)
    assert distrusted(folder) == f"others can write to {folder.parent}"
    folder.parent.chmod(0o1777)  # as /tmp: others can write, and exchange nothing of ours
    assert distrusted(folder) == ""


def test_a_link_is_as_good_as_where_it_leads(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert distrusted(link) == ""
    folder.chmod(0o777)
    assert distrusted(link) == f"others can write to {link}"


@needs_root
def test_what_belongs_to_someone_else_is_not_used(folder: Path) -> None:
    os.chown(folder, SOMEONE, SOMEONE)
    with pytest.warns(CacheWarning, match=f"{folder} belongs to user {SOMEONE}"):
        assert engine() == b"built"
    os.chown(folder, 0, 0)
    os.chown(folder.parent, SOMEONE, SOMEONE)
    assert distrusted(folder) == f"{folder.parent} belongs to user {SOMEONE}"


@needs_root
@pytest.mark.parametrize("name", ["engine", "engine.sum"])
def test_a_file_of_someone_else_is_built_again(folder: Path, name: str) -> None:
    os.chown(folder / name, SOMEONE, SOMEONE)
    assert engine() == b"built"
    assert is_ours(folder / "engine")


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_is_built_again(folder: Path, mode: int) -> None:
    (folder / "engine").chmod(mode)
    assert engine() == b"built"


def test_a_link_to_a_library_is_built_again(folder: Path, tmp_path: Path) -> None:
    (folder / "engine").rename(tmp_path / "elsewhere")
    (folder / "engine").symlink_to(tmp_path / "elsewhere")
    assert engine() == b"built"
    assert (tmp_path / "elsewhere").read_bytes() == b"planted"


def test_a_sum_that_is_no_text_is_none(folder: Path) -> None:
    (folder / "engine.sum").write_bytes(b"\xff\xfe")
    assert engine() == b"built"


def test_what_is_built_is_for_nobody_else_whatever_the_mask(folder: Path) -> None:
    shutil.rmtree(folder)
    before = os.umask(0)
    try:
        path = kept("engine", build)
    finally:
        os.umask(before)
    modes = {found.stat().st_mode & 0o777 for found in (folder, path, Path(f"{path}.sum"))}
    assert modes == {0o700}


def test_the_group_of_one_is_no_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian and Fedora give each user a group, and let it write."""
    monkeypatch.setattr(trust, "_is_own_group", lambda number: number == os.getegid())
    folder.chmod(0o770)
    assert distrusted(folder) == ""
    folder.chmod(0o777)
    assert distrusted(folder) == f"others can write to {folder}"


def test_without_any_folder_of_our_own_nothing_is_compiled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.chmod(0o777)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with (
        pytest.warns(CacheWarning, match="not used"),
        pytest.raises(CompileError, match="set TMPDIR to a folder of your own"),
    ):
        kept("engine", build)
    assert {path.name for path in folder.iterdir() if path.is_file()} == {"engine", "engine.sum"}


@pytest.mark.parametrize("home", [None, "", "relative"])
def test_a_user_without_a_home_has_no_cache(
    monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    """As in a container whose user is only a number."""

    def unknown(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("DYVERSE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    assert cache_folder() is None
    assert own_folder() is None
    assert engine() == b"built"


@pytest.mark.skipif(sys.platform != "linux", reason="needs user namespaces")
def test_the_command_runs_for_a_number_without_a_home(tmp_path: Path) -> None:
    gone = ["DYVERSE_CACHE", "XDG_CACHE_HOME", "HOME"]
    environment = {name: text for name, text in os.environ.items() if name not in gone}
    command = ["unshare", "-U", sys.executable, "-m", "dyverse", "simulate", "example:balls-2"]
    probe = subprocess.run(["unshare", "-U", "true"], check=False, capture_output=True)
    if probe.returncode != 0:
        pytest.skip("no user namespaces here")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_relative_cache_is_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loader looks for a name without a slash among the libraries of the system."""
    monkeypatch.setenv("DYVERSE_CACHE", ".")
    assert cache_folder() == Path.cwd()
