import { describe, expect, it } from "vitest";
import { decode } from "../../src/protocol/binary.ts";

function frame(bodies: number[], values: number[], flags = 0): ArrayBuffer {
  const buffer = new ArrayBuffer(16 + 4 * (bodies.length + values.length));
  const view = new DataView(buffer);
  view.setUint8(0, 1);
  view.setUint8(1, flags);
  view.setUint16(2, values.length, true);
  view.setUint32(4, 42, true);
  view.setFloat64(8, 1.25, true);
  for (const [i, x] of [...bodies, ...values].entries()) view.setFloat32(16 + 4 * i, x, true);
  return buffer;
}

function history(times: number[], ranges: number[][]): ArrayBuffer {
  const buffer = new ArrayBuffer(12 + times.length * (8 + 8 * ranges.length));
  const view = new DataView(buffer);
  view.setUint8(0, 2);
  view.setUint8(1, 1);
  view.setUint16(2, ranges.length, true);
  view.setUint32(4, 7, true);
  view.setUint32(8, times.length, true);
  for (const [i, t] of times.entries()) view.setFloat64(12 + 8 * i, t, true);
  const rest = 12 + 8 * times.length;
  for (const [i, x] of ranges.flat().entries()) view.setFloat32(rest + 4 * i, x, true);
  return buffer;
}

describe("frames", () => {
  it("have bodies first and then the subscribed signals", () => {
    const decoded = decode(frame([1, 2, 3, 1, 0, 0, 0], [9, 10], 1));
    if (decoded.kind !== "frame") throw new Error(decoded.kind);
    expect(decoded.frame).toMatchObject({ sequence: 42, time: 1.25, past: true });
    expect([...decoded.frame.bodies]).toEqual([1, 2, 3, 1, 0, 0, 0]);
    expect([...decoded.frame.values]).toEqual([9, 10]);
  });
  it("with half a body are refused", () => {
    expect(() => decode(frame([1, 2, 3], []))).toThrow("whole bodies");
  });
});

describe("histories", () => {
  it("have a pair for each row of each signal", () => {
    const decoded = decode(
      history(
        [0, 0.5],
        [
          [1, 2, 3, 4],
          [5, 6, 7, 8],
        ],
      ),
    );
    if (decoded.kind !== "history") throw new Error(decoded.kind);
    expect(decoded.history).toMatchObject({ id: 7, ghost: true, partial: false });
    expect([...decoded.history.times]).toEqual([0, 0.5]);
    expect(decoded.history.ranges.map((pairs) => [...pairs])).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
  });
  it("that are cut off are refused", () => {
    expect(() => decode(history([0, 1], [[1, 1, 1, 1]]).slice(0, 30))).toThrow("cut off");
  });
});

it("messages of another kind are refused", () => {
  expect(() => decode(new ArrayBuffer(3))).toThrow("unknown kind 0");
});
