import { describe, expect, it } from "vitest";
import { rounded, spanOf } from "../../src/editor/knobs.ts";

describe("a knob", () => {
  it("goes as far as its limits, or as far again as it is from zero", () => {
    expect(spanOf({ value: 0.8, limits: [0, 1] })).toEqual([0, 1]);
    expect(spanOf({ value: 20, limits: null })).toEqual([0, 40]);
    expect(spanOf({ value: 0, limits: null })).toEqual([-1, 1]);
  });
  it("stands on round numbers", () => {
    expect(rounded(0.123456, 0.0025)).toBe(0.123);
    expect(rounded(17.7777, 0.25)).toBe(17.8);
  });
});
