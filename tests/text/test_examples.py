"""The shipped examples and the family balls-N."""

from pathlib import Path

import pytest
from PIL import Image

from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.text import examples
from dyverse.text.examples import (
    MODEL,
    MOST_BALLS,
    balls_text,
    example_description,
    example_names,
    example_picture,
    example_scene,
    example_text,
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(examples, "_HOMES", (tmp_path / "missing", tmp_path))
    for name in ("commented", "with-readme", "python-only"):
        (tmp_path / name).mkdir()
    (tmp_path / "commented" / MODEL).write_text("\n# A ball falls.\ngravity (0, -1, 0)\n")
    (tmp_path / "with-readme" / MODEL).write_text("gravity (0, -1, 0)\n")
    (tmp_path / "with-readme" / "README.md").write_text("\n# A stack of balls\n\ntext\n")
    return tmp_path


@pytest.mark.parametrize("name", example_names())
def test_every_example_is_a_model_with_a_description(name: str) -> None:
    model = parse_model(example_text(name), file=name)
    assert model.world.bodies or model.described
    assert example_description(name)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 40])
def test_balls_do_not_overlap_and_all_move(number: int) -> None:
    world = parse_world(balls_text(number))
    assert [body.name for body in world.bodies] == [f"ball{i + 1}" for i in range(number)]


def test_folders_with_a_model_are_examples(folder: Path) -> None:
    assert folder.is_dir()
    balls = ("balls-1", "balls-2", "balls-3", "balls-4")
    assert example_names() == (*balls, "commented", "with-readme")


def test_description_is_the_first_comment_or_the_heading(folder: Path) -> None:
    assert folder.is_dir()
    assert example_description("commented") == "A ball falls."
    assert example_description("with-readme") == "A stack of balls"


def test_unknown_example_suggests_a_name() -> None:
    with pytest.raises(ModelError, match="unknown example 'ball-3'; did you mean 'balls-3'"):
        example_text("ball-3")


@pytest.mark.parametrize("name", ["balls-0", "balls-007", "balls--1", "../secret", ""])
def test_names_that_are_no_examples_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match="unknown example"):
        example_text(name)


@pytest.mark.parametrize("number", [str(MOST_BALLS + 1), "9" * 5000])
def test_too_many_balls_are_refused(number: str) -> None:
    with pytest.raises(ModelError, match="too much"):
        example_text(f"balls-{number}")


@pytest.mark.parametrize("name", example_names())
def test_what_can_be_seen_has_a_picture_for_the_gallery(name: str) -> None:
    drawn, model = example_scene(name), parse_model(example_text(name))
    if not (model.scene or model.world.bodies):
        assert drawn == example_picture(name)
        return
    assert drawn is not None
    assert drawn.name == name.replace("balls", "scene") + ".png" or drawn.name == "scene.png"
    with Image.open(drawn) as picture:
        assert picture.size == (460, 264)
