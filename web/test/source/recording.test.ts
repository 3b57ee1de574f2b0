import { describe, expect, it } from "vitest";
import type { RecordedFrames, Said } from "../../src/protocol/messages.ts";
import { decodeRecording, frameAt, historyOf, type Recording } from "../../src/source/recording.ts";
import { BALL, base64, bouncingBall, impacts } from "../recordings.ts";

function recorded(messages: readonly Said[], moving: number): Recording {
  return decodeRecording(
    messages.filter((message) => message.say === "frames"),
    moving,
  );
}

const ball = recorded(bouncingBall(), 1);
const y = ball.signals.indexOf("ball.y");
const vy = ball.signals.indexOf("ball.vy");

describe("an instant of a recording", () => {
  it("lies on the formula between two rows", () => {
    const frame = frameAt(ball, 0.3337, [y]);
    expect(frame.bodies[1]).toBeCloseTo(2.25 - (9.81 * 0.3337 ** 2) / 2, 3);
    expect(frame.values[0]).toBeCloseTo(frame.bodies[1]!, 6);
  });
  it("is after the jump where one happens", () => {
    const { times, speeds } = impacts(BALL);
    expect(frameAt(ball, times[0]!, [vy]).values[0]).toBeCloseTo(speeds[0]!, 5);
    expect(frameAt(ball, times[0]! - 1e-9, [vy]).values[0]).toBeLessThan(0);
  });
  it("has a unit quaternion", () => {
    const { bodies } = frameAt(ball, 3.217, []);
    expect(Math.hypot(...bodies.slice(3, 7))).toBeCloseTo(1, 6);
  });
  it("stays within the recording", () => {
    expect(frameAt(ball, -1, [y]).values[0]).toBeCloseTo(2.25, 6);
    expect(frameAt(ball, 99, [y]).values[0]).toBeCloseTo(0.25, 6);
  });
  it("has no number for a signal that was not recorded", () => {
    expect(frameAt(ball, 1, [-1]).values[0]).toBeNaN();
  });
});

describe("the history of a signal", () => {
  it("has every row where there are few", () => {
    const { times, ranges } = historyOf(ball, [y], 0, 0.1, 100);
    expect(times.length).toBeLessThan(20);
    expect(times[0]).toBe(0);
    for (let i = 0; i < times.length; i++) expect(ranges[0]![2 * i]).toBe(ranges[0]![2 * i + 1]);
  });
  it("loses no bounce when seen from afar", () => {
    const { times, ranges } = historyOf(ball, [vy], 0, 8, 20);
    expect(times.length).toBeLessThanOrEqual(21);
    const fastest = Math.max(...ranges[0]!);
    expect(fastest).toBeCloseTo(impacts(BALL).speeds[0]!, 4);
  });
  it("skips numbers that are not defined", () => {
    const rows = 100;
    const gaps: RecordedFrames = {
      times: base64(Float64Array.from({ length: rows }, (_, i) => i)),
      bodies: "",
      signals: ["a"],
      values: base64(Float32Array.from({ length: rows }, (_, i) => (i % 2 ? Number.NaN : i))),
    };
    const { ranges } = historyOf(decodeRecording([gaps], 0), [0], 0, 99, 10);
    expect([...ranges[0]!.slice(0, 2)]).toEqual([0, 8]);
  });
});

it("arrays of the wrong length are refused", () => {
  const parts = bouncingBall().filter((message) => message.say === "frames");
  expect(() => decodeRecording(parts, 2)).toThrow("do not fit");
});
