"""Hulls of meshes in model text: what they become, what is refused, and where errors are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dyverse import load_model, parse_model
from dyverse.bodies.build import hull_of, polyhedron, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.cli.arguments.opened import opened
from dyverse.cli.main import app
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.text.file import including_again, model_file_text
from dyverse.text.hulls import MAX_CORNERS, cut, hull_asked, hulls_again
from tests.bodies.test_mesh import binary

WEDGE = Path(__file__).parent / "meshes" / "wedge.obj"
ROCK = 'body rock { hull "wedge.obj"  scale 0.01  centred  mass 3 }'


def written(folder: Path, text: str) -> Path:
    """A model of this text, with the wedge beside it."""
    (folder / "wedge.obj").write_bytes(WEDGE.read_bytes())
    (folder / "model.drbt").write_text(text, encoding="utf-8")
    return folder / "model.drbt"


def problem(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_model(path)
    return str(caught.value).replace(f"{path.parent}{os.sep}", "")


def ball(count: int) -> bytes:
    """A mesh of so many points on a sphere."""
    points = np.random.default_rng(1).normal(size=(count, 3))
    return binary((points / np.linalg.norm(points, axis=1)[:, None]).tolist())


def test_text_and_python_make_the_same_hull(tmp_path: Path) -> None:
    made = load_model(written(tmp_path, ROCK)).world
    vertices = hull_of(WEDGE, scale=0.01, centred=True)
    assert len(vertices) == 6
    assert made == world(polyhedron("rock", vertices=vertices, mass=3))
    assert parse_world(world_text(made)) == made


def test_a_wedge_has_the_inertia_of_the_book(tmp_path: Path) -> None:
    """A right triangle of legs a and b, c thick: m (a² + b²)/18, m (b²/18 + c²/12), …, -m a b/36.

    Its product of inertia is ∫xy = -m a b/36 about the centre, and -∫xy stands in the matrix.
    """
    a, b, c = 0.4, 0.2, 0.3
    made = generate(load_model(written(tmp_path, ROCK)).world).scene.body("rock").inertia
    moments = (b**2 / 18 + c**2 / 12, a**2 / 18 + c**2 / 12, (a**2 + b**2) / 18)
    expected = [3 * x for x in (*moments, a * b / 36, 0, 0)]
    assert np.array(made) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        'hull "wedge.obj" centred scale 1e-2  mass 3',
        'mass 3  hull"wedge.obj"scale .01 most 6 centred',
        'hull "wedge.obj"  scale 0.01  centred  # "hull"\n  mass 3',
        'part one { hull "wedge.obj" scale 0.01 centred }  mass 3',
    ],
)
def test_words_stand_in_any_order(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, f"body rock {{ {text} }}")
    one = generate(load_model(written(tmp_path, ROCK)).world).scene.body("rock")
    path.write_text(f"body rock {{ {text} }}")
    other = generate(load_model(path).world).scene.body("rock")
    assert np.array(other.inertia) == pytest.approx(np.array(one.inertia), abs=1e-15)


def test_a_line_may_have_several(tmp_path: Path) -> None:
    text = ROCK + ROCK.replace("rock", "other").replace("mass 3", "mass 4  position (0, 2, 0)")
    bodies = load_model(written(tmp_path, text)).world.bodies
    assert [body.name for body in bodies] == ["rock", "other"]
    assert bodies[0].shape == bodies[1].shape


def test_a_file_is_named_from_the_text_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    written(tmp_path / "parts", f"\n{ROCK}\nhorizon z")
    path = tmp_path / "all.drbt"
    path.write_text('include "parts/model.drbt"\n')
    assert f"parts{os.sep}model.drbt:3:9: unknown name 'z'" in problem(path)
    (tmp_path / "parts" / "model.drbt").write_text(ROCK)
    assert load_model(path).world == load_model(tmp_path / "parts" / "model.drbt").world


def test_errors_behind_a_hull_are_where_they_stand(tmp_path: Path) -> None:
    text = f"# rocks\n{ROCK.replace('3', 'z')}\n\nhorizon y"
    told = problem(written(tmp_path, text))
    assert f"model.drbt:2:{ROCK.index('3') + 1}: unknown name 'z'" in told
    assert "model.drbt:4:9: unknown name 'y'" in told


def test_a_hull_off_its_centre_is_told_how_to_be_centred(tmp_path: Path) -> None:
    told = problem(written(tmp_path, ROCK.replace("centred", "")))
    assert "model.drbt:1:6: the centre of mass of the vertices of body 'rock' is at (0.2333" in told
    assert "'centred' behind the name of a mesh" in told


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ('"wedg.obj"', "model.drbt:2:18: 'wedg.obj' is no file that is there; did you mean 'wedge"),
        ('"../wedge.obj"', "'../wedge.obj' is not below the folder of the model"),
        ('"/etc/hostname"', "is no file named from here, such as 'parts/leg.obj'"),
        ('""', "is no file named from here"),
        ('"link.obj"', "is not below the folder of the model"),
        ('"pipe.obj"', "is no file that is there"),
        ('"loop.obj"', "is no file that is there"),
        (f'"{5000 * "a"}"', "is no file that is there"),
        ('"zero.obj"', "is not below the folder of the model"),
        ('"model.drbt"', "is no mesh that can be read: those are .obj and .stl files"),
        ('"bad.obj"', "model.drbt:2:18: 'bad.obj' is no mesh: line 2 begins with 'v' and has not"),
        ('"nan.obj"', "'nan.obj' has a vertex that is not finite"),
        ('"flat.obj"', "'flat.obj' has points that lie in a plane, or are fewer than four"),
        ('"cut.stl"', "'cut.stl' is no STL file, or not all of one"),
        ('"ball.stl"', "has a hull of 200 corners, each of which is a contact; write 'most 32'"),
        ('"wedge.obj" scale 0', "model.drbt:2:30: 'scale' has a positive number on the same line"),
        ('"wedge.obj" scale k', "model.drbt:2:30: 'scale' has a positive number on the same line"),
        ('"wedge.obj" scale nan', "'scale' has a positive number"),
        ('"wedge.obj" scale', "'scale' has a positive number"),
        ('"wedge.obj" scale 1e-999', "'scale' has a positive number"),
        ('"wedge.obj" scale 1e308', "has a vertex farther away than 1e+12 m"),
        ('"wedge.obj" most 3', f"'most' has a whole number from 4 to {MAX_CORNERS}"),
        ('"wedge.obj" most 1e9', "'most' has a whole number"),
        ('"wedge.obj" centred scale 2 centred', "model.drbt:2:46: 'centred' is there twice"),
        ('"wedge.obj"\n scale 2', "unexpected 'scale'; it stands on the line of a mesh"),
        ('\n"wedge.obj"', "model.drbt:2:13: 'hull' stands with the name of a mesh on one line"),
        ("wedge", "expected words in quotes, found 'wedge'"),
    ],
)
def test_what_is_no_hull_is_told_where_it_stands(tmp_path: Path, said: str, message: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "wedge.obj").write_bytes(WEDGE.read_bytes())
    (home / "link.obj").symlink_to(tmp_path / "wedge.obj")
    (home / "zero.obj").symlink_to("/dev/zero")
    (home / "loop.obj").symlink_to(home / "loop.obj")
    os.mkfifo(home / "pipe.obj")
    (home / "bad.obj").write_text("v 1 2 3\nv 1 2")
    (home / "nan.obj").write_text("v 1 2 3\nv 1 2 nan")
    (home / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0")
    (home / "ball.stl").write_bytes(ball(200))
    (home / "cut.stl").write_bytes(ball(20)[:-7])
    assert message in problem(written(home, f"# one\nbody rock {{ hull {said}  mass 3 }}"))


def test_most_keeps_so_many_corners(tmp_path: Path) -> None:
    (tmp_path / "ball.stl").write_bytes(ball(200))
    path = written(tmp_path, 'body rock { hull "ball.stl" most 20 centred  mass 3 }')
    (rock,) = load_model(path).world.bodies
    assert len(rock.shape.corners) == 20


def test_a_text_does_not_grow_beyond_what_is_read(tmp_path: Path) -> None:
    """Each hull of one line would add lines that are as long as it."""
    text = f"{400_000 * ' '}{ROCK}{ROCK}{ROCK}"
    assert "makes this more than 1,000,000 characters" in problem(written(tmp_path, text))


def test_text_from_nowhere_names_no_mesh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, ROCK)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"'hull' stands .* text from elsewhere names none"):
        parse_model(ROCK)


def test_what_says_hull_and_is_none_stays_as_it_is(tmp_path: Path) -> None:
    text = 'parameter hull = 2\n# hull "wedge.obj"\nscene { text { say "hull " } }\n'
    assert model_file_text(written(tmp_path, text)) == text.rstrip("\n")


def test_what_is_kept_of_a_model_needs_no_mesh(tmp_path: Path) -> None:
    """Witnesses, certificates, journals and exports are made of this text."""
    path = written(tmp_path, ROCK)
    model, kept = load_model(path), opened(str(path)).source
    (tmp_path / "wedge.obj").unlink()
    assert parse_model(kept) == model
    path.write_text(kept)
    assert load_model(path) == model


def test_a_witness_is_replayed_without_the_mesh(tmp_path: Path) -> None:
    fall = "gravity (0, -9.81, 0)  property up: always rock.y > -1  horizon 1"
    path, witness = written(tmp_path, f"{ROCK}\n{fall}"), tmp_path / "w.json"
    done = CliRunner().invoke(app, ["falsify", str(path), "--witness", str(witness)])
    assert done.exit_code == 1, done.output
    (tmp_path / "wedge.obj").unlink()
    path.unlink()
    again = CliRunner().invoke(app, ["simulate", str(witness), "--json"])
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)


def test_a_model_names_again_what_it_named(tmp_path: Path) -> None:
    text = f"# rocks\n{ROCK}{ROCK.replace('rock', 'b')} # two\nbody c {{\n  {ROCK[12:28]}\n}}\n"
    whole = model_file_text(written(tmp_path, text))
    assert including_again(whole, whole) == text
    for heavy in ("mass 3000", "mass 3  # kg\n", "mass 3"):
        again = including_again(whole.replace("mass 3", heavy), whole) or ""
        assert again.split() == text.replace("mass 3", heavy).split()
    assert including_again(whole.replace("scale 0.01", "scale 0.02"), whole) is None
    assert including_again(whole.replace("vertices (", "vertices (1"), whole) is None
    unmoved = "\n".join(line.strip() for line in whole.splitlines())
    assert (including_again(unmoved, whole) or "").split() == text.split()


@given(before=st.text("ab{ ", max_size=9), behind=st.text("}mass 3#", max_size=9))
def test_a_line_that_was_cut_is_put_together(before: str, behind: str) -> None:
    line = f'{before} hull "a.obj" centred {behind}'.rstrip()
    asked = hull_asked(line)
    assert asked is not None
    whole = "\n".join(cut(line, asked, "polyhedron vertices (1, 2, 3)"))
    assert hulls_again(whole, whole) == f"{line}\n"
