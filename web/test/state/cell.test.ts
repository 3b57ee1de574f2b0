import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { spaced } from "../../src/state/cell.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("what is spaced happens at once, then seldom, and never misses the last call", () => {
  const draw = vi.fn();
  const calmly = spaced(draw, 100);
  calmly();
  expect(draw).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 60; i++) {
    calmly();
    vi.advanceTimersByTime(16);
  }
  expect(draw.mock.calls.length).toBeLessThanOrEqual(11);
  const before = draw.mock.calls.length;
  calmly();
  vi.advanceTimersByTime(1000);
  expect(draw.mock.calls.length).toBe(before + 1);
});
