"""A web page taken apart by the standard library's parser: elements, tables, what it would load."""

from html.parser import HTMLParser


class ParsedPage(HTMLParser):
    """Checks that elements are closed in order, and keeps what a page shows and would load."""

    ALONE = ("meta", "img")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.images: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.images += [value or "" for name, value in attrs if name == "src"]
        self.links += [value or "" for name, value in attrs if name == "href"]
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in self.ALONE:
            self.open.append(tag)
        match tag:
            case "table":
                self.tables.append([])
            case "tr":
                self.tables[-1].append([])
            case "td" | "th":
                self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data

    @property
    def text(self) -> str:
        """All that can be read."""
        return "".join(self.words)

    @property
    def cells(self) -> set[str]:
        """The cells of all tables."""
        return {cell for table in self.tables for row in table for cell in row}

    def row(self, head: str) -> list[str]:
        """The cells after ``head`` in the first row that begins with it."""
        return next(row[1:] for table in self.tables for row in table if row[0] == head)
