import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Theme = Record<string, string>;

/** The variables of a rule, by name. */
function variables(css: string, selector: string): Theme {
  const rule = css.split(`${selector} {`)[1]!.split("}")[0]!;
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+):\s*(#\w{6});/g)].map((m) => [m[1]!, m[2]!]),
  );
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const part = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const page = readFileSync("src/style/page.css", "utf8");
const editor = readFileSync("src/style/editor.css", "utf8");
const themes: [string, Theme][] = [":root", ':root[data-theme="dark"]'].map((selector) => [
  selector === ":root" ? "light" : "dark",
  { ...variables(page, selector), ...variables(editor, selector) },
]);

const TEXTS: [string, string[]][] = [
  ["text", ["pane", "sunken", "ground", "sky-low", "accent-ground", "bad-ground"]],
  ["muted", ["pane", "sunken", "ground", "sky-low", "accent-ground"]],
  ["accent", ["pane", "accent-ground"]],
  ["on-accent", ["accent"]],
  ["good", ["pane", "good-ground"]],
  ["warn", ["pane", "warn-ground", "sunken"]],
  ["bad", ["pane", "bad-ground"]],
  ["odd", ["odd-ground"]],
  ["pane", ["cursor"]],
  ["code-keyword", ["pane"]],
  ["code-entry", ["pane"]],
  ["code-type", ["pane"]],
  ["code-number", ["pane"]],
];

describe.each(themes)("in the %s theme", (_, colours) => {
  it.each(TEXTS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground])))(
    "%s can be read on %s",
    (text, ground) => {
      expect(contrast(colours[text!]!, colours[ground!]!)).toBeGreaterThanOrEqual(4.5);
    },
  );
  it.each([0, 1, 2, 3, 5, 6])("the line of series %i is seen on a pane", (n) => {
    expect(contrast(colours[`series-${n}`]!, colours.pane!)).toBeGreaterThanOrEqual(2.2);
  });
});

it("no text is smaller than 12 px", () => {
  const sizes = [
    "page",
    "bar",
    "over",
    "timeline",
    "log",
    "scene",
    "automata",
    "editor",
    "gallery",
    "falsify",
  ]
    .map((name) => readFileSync(`src/style/${name}.css`, "utf8"))
    .flatMap((css) => [...css.matchAll(/font(?:-size)?:\s*([\d.]+)px/g)].map((m) => Number(m[1])));
  expect(sizes.length).toBeGreaterThan(5);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
});
