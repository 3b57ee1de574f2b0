import { beforeEach, describe, expect, it, vi } from "vitest";
import { Replay } from "../../src/source/replay.ts";
import { Known } from "../../src/state/known.ts";
import { View } from "../../src/state/view.ts";
import { curvesOf, joined, Plotted } from "../../src/timeline/curves.ts";
import { marked, marksIn } from "../../src/timeline/plot.ts";
import { BALL, bouncingBall, impacts } from "../recordings.ts";

function curves(times: number[], pairs: number[]) {
  const ranges = [Float32Array.from(pairs)];
  const known = { id: 0, ghost: false, partial: false };
  return curvesOf(["a"], { ...known, times: Float64Array.from(times), ranges });
}

describe("curves", () => {
  it("go through least and greatest values, the nearer one first", () => {
    const { times, values } = curves([0, 1, 2], [0, 1, 0, 1, Number.NaN, Number.NaN]);
    expect(times).toEqual([0, 0, 1, 1, 2, 2]);
    expect(values.get("a")).toEqual([0, 1, 1, 0, null, null]);
  });

  it("are joined without rows that are already there", () => {
    const whole = joined(curves([0, 1], [0, 0, 1, 1]), curves([1, 2], [1, 1, 2, 2]));
    expect(whole.times).toEqual([0, 0, 1, 1, 2, 2]);
    expect(whole.values.get("a")).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe("the marks of an axis", () => {
  it.each([
    [[0, 0.5, 1], 0.5, ["0", "0.5", "1"]],
    [[12500, 15000], 2500, ["12500", "15000"]],
    [[0.0995, 0.1, 0.1005], 0.0005, ["0.0995", "0.1", "0.1005"]],
    [[-5e6, -4.5e6], 5e5, ["−5·10⁶", "−4.5·10⁶"]],
    [[1000001, 1000002], 1, ["1000001", "1000002"]],
  ])("at %j, every %d, are %j", (splits, step, words) => {
    expect(marked(splits, step)).toEqual(words);
  });
});

describe("the places of marks", () => {
  it.each([
    [0.3, 2.7, 35, [1, 2]],
    [-0.3, 0.8, 35, [0, 0.5]],
    [0, 1, 110, [0, 0.25, 0.5, 0.75, 1]],
    [2.1, 5.6, 30, [2.5, 5]],
    [20.99, 21.22, 30, [21, 21.2]],
    [-0.75, 0.75, 35, [-0.5, 0.5]],
  ])("from %d to %d on %d px are %j", (low, high, height, places) => {
    expect(marksIn(low, high, height).map((mark) => Number(mark.toPrecision(9)))).toEqual(places);
  });
  it("are two at least, wherever the axis lies", () => {
    for (let k = 0; k < 500; k++) {
      const low = 10 * Math.sin(k);
      const found = marksIn(low, low + 10 ** (2 * Math.cos(7 * k)), 30).length;
      expect(found).toBeGreaterThanOrEqual(2);
      expect(found).toBeLessThanOrEqual(3);
    }
  });
});

describe("what is plotted", () => {
  let known: Known;
  let view: View;
  let plotted: Plotted;

  beforeEach(() => {
    const source = new Replay(bouncingBall());
    known = new Known();
    view = new View(known);
    plotted = new Plotted(source, known, view);
    source.start(known.listener());
  });

  it("is fetched for the window in sight", async () => {
    plotted.show(["ball.vy"], 50);
    await vi.waitFor(() => expect(plotted.curves.value.times.length).toBeGreaterThan(0));
    const { times, values } = plotted.curves.value;
    expect(times.at(-1)!).toBeGreaterThan(BALL.horizon * 0.98);
    const speeds = values.get("ball.vy")!.map(Number);
    expect(Math.max(...speeds)).toBeCloseTo(impacts(BALL).speeds[0]!, 4);
    view.zoom(1, 2);
    await vi.waitFor(() => expect(plotted.curves.value.times[0]).toBeGreaterThan(0.9));
    expect(plotted.curves.value.times.at(-1)!).toBeLessThan(2.1);
  });

  it("is extended as the run goes on", async () => {
    known.status.set({ ...known.status.value, live: 1 });
    plotted.show(["ball.y"], 400);
    await vi.waitFor(() => expect(plotted.curves.value.times.length).toBeGreaterThan(0));
    const before = plotted.curves.value.times.at(-1)!;
    expect(before).toBeLessThan(1.1);
    known.status.set({ ...known.status.value, live: 2 });
    await vi.waitFor(() => expect(plotted.curves.value.times.at(-1)).toBeGreaterThan(1.9));
    const { times } = plotted.curves.value;
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });
});
