import { describe, expect, it } from "vitest";
import { firstPlots, seenUntil } from "../../src/state/view.ts";
import { bouncingBall } from "../recordings.ts";

it.each([
  [0, 4, 4],
  [3, 25, 25],
  [3, 400, 20],
  [15, 400, 40],
  [390, 400, 400],
  [400, 400, 400],
  [12, 4, 20],
  [0, null, 10],
  [9.9, null, 20],
])("of a run that has come to %d s of %s s, %d s are seen", (live, horizon, seen) => {
  expect(seenUntil(live, horizon)).toBe(seen);
});

describe("what is plotted first", () => {
  const model = bouncingBall().find((said) => said.say === "model")!;
  const speed = (axis: string, value: number) => ({ name: `ball.v${axis}`, value, limits: null });
  const signals = ["x", "y", "z"].map((axis) => ({ name: `ball.${axis}` }));

  it.each([
    ["x", 7, "ball.x"], // rolls
    ["x", 1, "ball.y"], // falls, and drifts
    ["z", 0.2, "ball.y"],
  ])("where a ball is thrown along %s at %d m/s is %s", (axis, value, shown) => {
    const thrown = { ...model, signals, plots: [], starts: [speed(axis, value)] };
    expect(firstPlots(thrown)[0]).toEqual([shown]);
  });

  it("is no location, which the lanes show", () => {
    const lamp = { name: "lamp", kind: "automaton" as const, initial: "off", edges: [] };
    const places = ["off", "on"].map((name) => ({ name }));
    const named = ["x", "lamp.off", "lamp.on"].map((name) => ({ name }));
    const components = [{ ...lamp, locations: places }];
    const alone = { ...model, bodies: [], parameters: [], signals: named, plots: [], components };
    expect(firstPlots(alone)).toEqual([["x"]]);
  });
});
