"""Files that are written: never the model, never one for two, and none on a full disk."""

import json
import os
from pathlib import Path

import pytest

from dyverse.cli.arguments.outputs import check_outputs
from dyverse.errors import ExportError
from tests.cli.conftest import BOUNCE, Invoke
from tests.cli.test_map import LATCH
from tests.full_disk import limited_files

WRITING = {
    "csv": "simulate {0} --until 1 --csv {1}",
    "parquet": "simulate {0} --until 1 --parquet {1}",
    "plot": "simulate {0} --until 1 --plot {1}",
    "display": "build {0} --display {1}",
    "dot": "build {0} --dot {1}",
    "model-json": "build {0} --model-json {1}",
    "report": "falsify {0} --runs 1 --until 1 --report {1}",
    "journal": "falsify {0} --runs 1 --until 1 --journal {1}",
    "abstract-dot": "abstract {0} --dot {1}",
    "abstract-hoa": "abstract {0} --hoa {1}",
    "map-csv": "map {0} --over x=0.1,0.9 --csv {1}",
    "map-plot": "map {0} --over x=0.1,0.9 --plot {1}",
    "map-journal": "map {0} --over x=0.1,0.9 --journal {1}",
    "export": "export {0} --to dot -o {1}",
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model for every command, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "model.drbt"
    path.write_text(f"{LATCH}property p: always x < 9\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("spelling", ["model.drbt", "./a/../model.drbt", "link.png", "hard.png"])
@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
def test_the_model_is_never_overwritten(
    model: Path, invoke: Invoke, command: str, spelling: str
) -> None:
    Path("a").mkdir()
    Path("link.png").symlink_to("model.drbt")
    os.link("model.drbt", "hard.png")
    before = model.read_bytes()
    done = invoke(*command.format("model.drbt", spelling).split())
    assert done.exit_code == 2
    assert f"{spelling} is the model itself; name another file" in done.stderr
    assert model.read_bytes() == before
    assert os.path.samefile("hard.png", model)


@pytest.mark.parametrize("command", [c for n, c in WRITING.items() if "journal" not in n])
def test_another_model_is_not_overwritten_either(model: Path, invoke: Invoke, command: str) -> None:
    Path("other.drbt").write_text(BOUNCE)
    done = invoke(*command.format("model.drbt", "other.drbt").split())
    assert done.exit_code == 2
    assert "other.drbt has the suffix of models" in done.stderr
    assert Path("other.drbt").read_text() == BOUNCE


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("simulate model.drbt --csv a --parquet a", "--csv and --parquet both name a"),
        ("simulate model.drbt --csv ./b.png --plot b.png", "--csv and --plot both name ./b.png"),
        ("build model.drbt --display - --dot -", "--display and --dot both name -"),
        ("build model.drbt --dot old --model-json link", "--dot and --model-json both name old"),
        ("map model.drbt --over x=1,2 --csv a --journal a", "--csv and --journal both name a"),
        ("falsify model.drbt --report new --journal new", "--report and --journal both name new"),
    ],
)
def test_two_outputs_are_two_files(model: Path, invoke: Invoke, command: str, message: str) -> None:
    Path("old").write_text("old")
    Path("link").symlink_to("old")
    done = invoke(*command.split())
    assert done.exit_code == 2
    assert f"{message}; name two files" in done.stderr
    assert sorted(path.name for path in Path().iterdir() if path.suffix != ".drbt") == [
        "link",
        "old",
    ]


@pytest.mark.parametrize("name", [n for n in WRITING if "journal" not in n])
def test_a_dash_is_standard_output_or_refused(model: Path, invoke: Invoke, name: str) -> None:
    """It is never a file of that name."""
    done = invoke(*WRITING[name].format("model.drbt", "-").split())
    if name in ("display", "dot", "model-json", "export"):
        assert done.exit_code == 0
        assert done.stdout
    else:
        assert done.exit_code == 2
        assert "'-' is no file" in done.stderr
    assert not Path("-").exists()


def test_devices_take_anything(model: Path) -> None:
    check_outputs(str(model), {"--csv": os.devnull, "--dot": os.devnull})
    check_outputs(os.devnull, {"--csv": os.devnull})
    with pytest.raises(ExportError, match="both name"):
        check_outputs(str(model), {"--csv": "new", "--dot": "./new"})


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_is_exit_code_2_and_leaves_nothing(
    model: Path, invoke: Invoke, name: str
) -> None:
    """No file may grow beyond a few bytes."""
    suffix = ".pdf" if "plot" in name else ""
    command = WRITING[name].format("model.drbt", f"out{suffix}").split()
    if name == "journal" or name == "map-journal":
        command = [*command[:-1], "kept"]
    assert invoke(*command, "--json").exit_code in (0, 3)  # what is compiled is compiled now
    for left in Path().glob("out*"):
        left.unlink()
    Path("kept").unlink(missing_ok=True)
    with limited_files(20):
        done = invoke(*command, "--json")
    assert done.exit_code == 2
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "File too large" in done.stderr
    assert "File too large" in json.loads(done.stdout)["problems"][0]["message"]
    assert not [path.name for path in Path().iterdir() if "out" in path.name]
