import { readFileSync } from "node:fs";
import { StringStream } from "@codemirror/language";
import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { diagnostic } from "../../src/editor/code.ts";
import { STATEMENTS, token, WORDS } from "../../src/editor/language.ts";

function styles(line: string): [string, string | null][] {
  const stream = new StringStream(line, 2, 2);
  const found: [string, string | null][] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    const style = token(stream);
    if (stream.current().trim()) found.push([stream.current(), style]);
  }
  return found;
}

describe("the editor's language", () => {
  it("knows statements, entries, numbers, names and comments", () => {
    expect(styles("body ball { sphere radius 0.1 }  # m")).toEqual([
      ["body", "keyword"],
      ["ball", "variableName"],
      ["{", null],
      ["sphere", "propertyName"],
      ["radius", "propertyName"],
      ["0.1", "number"],
      ["}", null],
      ["# m", "comment"],
    ]);
    expect(styles("edge a -> b { do x := 2e-3 }").map(([, style]) => style)).toContain("operator");
  });

  it("takes a unit for a part of its number", () => {
    expect(styles("radius 10 cm").at(-1)).toEqual(["10 cm", "number"]);
    expect(styles("9.81 m/s^2*k").map(([text]) => text)).toEqual(["9.81 m/s^2", "*", "k"]);
    expect(styles("x' = 2 h' = 3").map(([text]) => text)).toContain("2");
  });

  it("has every unit of the grammar", () => {
    const grammar = readFileSync("../src/dyverse/text/grammar.lark", "utf8");
    const units = /^IN_UNIT\.2: \/\(\?:([A-Za-z|]+)\)/m.exec(grammar)![1]!.split("|");
    for (const unit of units) expect(styles(`2 ${unit}`)).toEqual([[`2 ${unit}`, "number"]]);
  });

  it("has every word of the grammar", () => {
    const grammar = readFileSync("../src/dyverse/text/grammar.lark", "utf8");
    const words = [...grammar.matchAll(/^_?[A-Z_]+\.1: \/(\w+)\\b\//gm)].map((match) => match[1]!);
    expect(words.length).toBeGreaterThan(60);
    expect(words.filter((word) => !WORDS.includes(word))).toEqual([]);
  });

  it("knows which words begin a statement", () => {
    const grammar = readFileSync("../src/dyverse/text/grammar.lark", "utf8");
    const reserved = /NAME: \/\(\?!\(\?:([a-z_|]+)\)/.exec(grammar)![1]!.split("|");
    const inside = ["and", "or", "not", "true", "false", "always", "eventually", "before", "until"];
    const others = ["in", "all", "if", "then", "else"];
    const starts = reserved.filter((word) => ![...inside, ...others].includes(word));
    expect(starts.filter((word) => !STATEMENTS.split(" ").includes(word))).toEqual([]);
  });
});

describe("problems", () => {
  const doc = Text.of(["body a", "contact a flor", ""]);
  const problem = { line: 2, column: 11, length: 4, message: "unknown body 'flor'" };

  it("are marked where they are", () => {
    expect(diagnostic(doc, problem)).toMatchObject({ from: 17, to: 21, severity: "error" });
  });
  it("beyond the text are marked at its end", () => {
    const { from, to } = diagnostic(doc, { ...problem, line: 9, column: 40, length: 0 });
    expect(to).toBeLessThanOrEqual(doc.length);
    expect(from).toBeLessThanOrEqual(to);
  });
});
