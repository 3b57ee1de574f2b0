import { beforeEach, describe, expect, it } from "vitest";
import type { Frame } from "../../src/protocol/binary.ts";
import { Replay } from "../../src/source/replay.ts";
import { Known, MOST } from "../../src/state/known.ts";
import { BALL, bouncingBall, impacts } from "../recordings.ts";

let known: Known;

function frame(time: number, past = false): Frame {
  return { sequence: 0, time, past, bodies: new Float32Array(7), values: new Float32Array(0) };
}

beforeEach(() => {
  known = new Known();
  new Replay(bouncingBall()).start(known.listener());
});

describe("what the page knows", () => {
  it("is the mode of a contact at any time", () => {
    const { end } = impacts(BALL);
    const lanes = known.lanes.value;
    expect(lanes.valueAt("ball-floor", end - 1e-3)).toBe("open");
    expect(lanes.valueAt("ball-floor", end)).toBe("stick");
    expect(lanes.valueAt("ball-floor", -1)).toBeUndefined();
    expect(lanes.valueAt("nobody", 0)).toBeUndefined();
  });

  it("ends where the run is cut", () => {
    const { end, times } = impacts(BALL);
    const all = known.events.value.length;
    known.listener().said({ say: "cut", at: times[2]!, ghost: true });
    expect(known.events.value.length).toBe(3);
    expect(known.lanes.value.valueAt("ball-floor", end + 1)).toBe("open");
    expect(known.lanes.value.get("ball-floor")!.shaded).toEqual([]);
    expect(known.ghost.value).toBe(true);
    expect(all).toBeGreaterThan(3);
  });

  it("puts what is judged late where it belongs, and tells who has read the rest", () => {
    const said = known.listener().said;
    const end = known.events.value.at(-1)!.time;
    const happened = (kind: string, time: number) => ({ time, kind, who: ["a"] });
    let again = 0;
    known.cutAt.on(() => again++);
    said({ say: "events", events: [happened("violation", end / 2)] });
    const times = known.events.value.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times).toContain(end / 2);
    expect(again).toBe(1);
    said({ say: "events", events: [happened("impact", end)] });
    expect(again).toBe(1);
  });

  it("forgets the oldest events of a run that goes on and on, and tells who has read them", () => {
    const said = known.listener().said;
    let again = 0;
    known.cutAt.on(() => again++);
    const numbers = Array.from({ length: 2 * MOST + 1 }, (_, i) => 100 + i);
    said({ say: "lanes", changes: numbers.map((time) => ({ time, lane: "a", value: "slip" })) });
    said({ say: "events", events: numbers.map((time) => ({ time, kind: "impact", who: ["a"] })) });
    expect(known.events.value.length).toBe(MOST);
    expect(known.lanes.value.get("a")!.times.length).toBe(MOST);
    expect(known.lanes.value.valueAt("a", 100 + 2 * MOST)).toBe("slip");
    expect(known.lanes.value.valueAt("ball-floor", 100 + 2 * MOST)).toBe("stick"); // still holds
    expect(again).toBe(1);
    expect(known.since.value).toBe(known.events.value[0]!.time);
    said({ say: "events", events: [], since: 0 }); // everything again
    expect(known.since.value).toBe(0);
  });

  it("is not there twice when a server says everything again", () => {
    const before = known.events.value.length;
    new Replay(bouncingBall()).start(known.listener());
    expect(known.events.value.length).toBe(before);
    expect([...known.lanes.value.all].map((lane) => lane.times.length)).toEqual([2]);
  });

  it("reaches as far as the newest frame", () => {
    known.listener().frame(frame(9.5));
    expect(known.live).toBe(9.5);
    known.listener().frame(frame(1, true));
    expect(known.live).toBe(BALL.horizon);
  });
});

describe("the instant", () => {
  it("follows the frames, unless a hand holds it", () => {
    known.listener().frame(frame(1));
    expect(known.time.value).toBe(1);
    known.hold(3);
    known.listener().frame(frame(2));
    expect(known.time.value).toBe(3);
    known.release(true);
    expect(known.time.value).toBe(2);
  });

  it("shows no older time while the frame from where a hand has gone is on its way", () => {
    const seen: number[] = [];
    known.listener().frame(frame(1));
    known.time.on((time) => seen.push(time));
    known.hold(3);
    known.release(false);
    known.listener().frame(frame(3.001));
    expect(seen).toEqual([3, 3.001]);
  });
});
