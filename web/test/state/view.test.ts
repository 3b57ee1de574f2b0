import { expect, it } from "vitest";
import { seenUntil } from "../../src/state/view.ts";

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
