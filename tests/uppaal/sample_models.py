"""The models beside this file, and texts made into documents."""

from pathlib import Path

from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.language.document import Document
from dyverse.uppaal.loading.load import UppaalModel, load_uppaal, model_of

MODELS = Path(__file__).parent / "models"
ALL = sorted(MODELS.glob("*.x*"), key=lambda path: path.name)


def model(name: str) -> UppaalModel:
    return load_uppaal(MODELS / name)


def written(text: str) -> UppaalModel:
    return model_of(document(text))


def document(text: str) -> Document:
    return parse_document(text, file="model.xta")


def process(declarations: str, body: str) -> str:
    """An XTA file with one process."""
    return f"{declarations}\nprocess P() {{ {body} }}\nsystem P;\n"


def step(declarations: str, labels: str) -> str:
    """An XTA file with one edge that is taken at once."""
    return process(declarations, f"state a, b; init a; trans a -> b {{ {labels} }};")


def marked(text: str) -> tuple[str, str]:
    """The text without its mark », and the place where that stood, as line:column."""
    before = text[: text.index("»")]
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    return text.replace("»", ""), place
