"""``dyverse examples``."""

import json

from tests.cli.conftest import Invoke


def test_examples_have_names_and_descriptions(invoke: Invoke) -> None:
    answer = json.loads(invoke("examples", "--json").stdout)
    by_name = {example["name"]: example["description"] for example in answer["examples"]}
    assert by_name["balls-2"].startswith("2 balls meet")
    assert all(by_name.values())


def test_examples_are_told_in_a_table(invoke: Invoke) -> None:
    result = invoke("examples")
    assert result.exit_code == 0
    assert "balls-4" in result.stdout
    assert "balls-N for any N" in result.stdout


def test_every_listed_example_passes_the_check(invoke: Invoke) -> None:
    for example in json.loads(invoke("examples", "--json").stdout)["examples"]:
        assert invoke("check", f"example:{example['name']}").exit_code == 0
