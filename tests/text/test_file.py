"""Files of models: what is no text, too long or without end is refused before memory is full."""

import os
import threading
from pathlib import Path

import pytest

from dyverse.errors import ModelError
from dyverse.generation.model import load_model
from dyverse.text.file import MAX_LENGTH, file_bytes, file_text
from dyverse.uppaal.loading.load import load_uppaal


def test_the_mark_of_utf_8_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "model.drbt"
    path.write_bytes("# grün".encode("utf-8-sig"))
    assert file_text(path) == "# grün"


def test_a_text_of_the_greatest_length_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.drbt"
    path.write_text("𝒙" * MAX_LENGTH, encoding="utf-8")
    assert len(file_text(path)) == MAX_LENGTH


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("body ball".encode("utf-16"), r"not a text file in UTF-8 \(byte 1\); save it as UTF-8"),
        (b"abc\xff", r"byte 4"),
        (b" " * (4 * MAX_LENGTH + 1), "has more than 4,000,000 bytes"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "model.drbt"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=f"model.drbt: .*{message}"):
        load_model(path)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "a.xml", "No such file")):
        for load in (load_model, load_uppaal):
            with pytest.raises(ModelError, match=f"cannot be read: {reason}"):
                load(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
def test_a_device_without_end_is_refused_at_the_limit() -> None:
    """Of 4 MB and 10 MB: if more were read, this would not end."""
    with pytest.raises(ModelError, match="/dev/zero: has more than 4,000,000 bytes"):
        load_model("/dev/zero")
    with pytest.raises(ModelError, match="/dev/zero: has more than 10,000,000 bytes"):
        load_uppaal("/dev/zero")


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(b"x" * 100_000))
    writer.start()
    assert file_bytes(path, most=200_000) == b"x" * 100_000
    writer.join()
