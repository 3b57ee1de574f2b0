"""The public names: each is there, documented, and none costs anything before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dyverse


@pytest.mark.parametrize("name", dyverse.__all__)
def test_every_public_name_can_be_had_and_is_documented(name: str) -> None:
    assert getattr(dyverse, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = dyverse.simulat


def test_importing_dyverse_loads_nothing_heavy() -> None:
    code = "import dyverse, sys; print({'casadi', 'scipy', 'numpy', 'lark'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
