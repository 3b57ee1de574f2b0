import { describe, expect, it } from "vitest";
import { gridOf, indexOf, moved, numbered, pointAt, valueOn } from "../../src/falsify/grid.ts";
import { ordered, ranges } from "../../src/falsify/ranges.ts";
import { bouncingBall } from "../recordings.ts";

const OVER = [
  { name: "e", lo: 0, hi: 1, n: 5 },
  { name: "drop", lo: 10, hi: 20, n: 3 },
];

describe("a map", () => {
  it("has a point for each pair of values, both ends included", () => {
    expect(gridOf(OVER)).toEqual({ columns: 5, rows: 3 });
    expect([0, 2, 4].map((i) => valueOn(OVER[0]!, i))).toEqual([0, 0.5, 1]);
    expect(valueOn({ name: "e", lo: 0, hi: 1, n: 1 }, 0)).toBe(0.5);
  });
  it("finds the point under the pointer", () => {
    expect(pointAt(OVER, 0.01, 0.01)).toMatchObject({ index: 0, values: { e: 0, drop: 10 } });
    expect(pointAt(OVER, 0.99, 0.99)).toMatchObject({ index: 14, values: { e: 1, drop: 20 } });
    expect(pointAt(OVER, 0.5, 0.5)).toMatchObject({ values: { e: 0.5, drop: 15 } });
    expect(pointAt(OVER.slice(0, 1), 1.2, 0.5)).toMatchObject({ index: 4, values: { e: 1 } });
  });
  it("is walked by arrows, and not out of", () => {
    const first = moved(OVER, null, [1, 0]);
    expect(first).toMatchObject({ i: 0, j: 0 });
    expect(moved(OVER, first, [1, 0])).toMatchObject({ index: 3, values: { e: 0.25, drop: 10 } });
    expect(moved(OVER, first, [0, -1])).toEqual(first);
  });
  it("has a colour for what breaks a property before anything else is known", () => {
    expect([...numbered([null, "breaks low"])]).toEqual([["breaks low", 1]]);
    const both = numbered(["breaks low", "keeps all properties", null]);
    expect([...both]).toEqual([
      ["keeps all properties", 0],
      ["breaks low", 1],
    ]);
    expect([...numbered(["rests", "circles"])].map(([, k]) => k)).toEqual([0, 1]);
  });
  it("counts its points with the first name slowest", () => {
    expect(indexOf(OVER, 1, 0)).toBe(3);
  });
});

describe("ranges", () => {
  const model = bouncingBall().find((said) => said.say === "model")!;

  it("are at first those of the text", () => {
    const { chosen } = ranges({ ...model, starts: [{ name: "ball.x", value: 0, limits: null }] });
    expect(chosen()).toEqual({ e: [0, 0.99] });
  });
  it("follow their handles, in whichever order", () => {
    const { node, chosen } = ranges(model);
    const [from, to] = node.querySelectorAll<HTMLInputElement>("input[type=range]");
    from!.value = "0.7";
    to!.value = "0.2";
    to!.dispatchEvent(new Event("input"));
    expect(chosen().e).toEqual([0.2, 0.7]);
    expect(ordered(2, 1)).toEqual([1, 2]);
  });
});
