from dyverse.dot import arrow, cluster, digraph, node, quoted


def test_a_drawing_has_its_parts_indented() -> None:
    inside = cluster(0, "inner", [node("b", "box", label="B", rims=2)])
    assert list(digraph("graph", [node("a", "circle"), *inside, arrow("a", "b", "go")])) == [
        "digraph graph {",
        "  rankdir=LR;",
        '  "a" [shape=circle];',
        "  subgraph cluster_0 {",
        '    label="inner";',
        '    "b" [shape=box, label="B", peripheries=2];',
        "  }",
        '  "a" -> "b" [label="go"];',
        "}",
    ]


def test_an_arrow_needs_no_label() -> None:
    assert arrow("a", "b") == '"a" -> "b";'


def test_strings_are_escaped() -> None:
    assert quoted('a "b" \\ c\nd') == '"a \\"b\\" \\\\ c\\nd"'
