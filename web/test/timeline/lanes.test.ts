import { expect, it } from "vitest";
import { lastOf } from "../../src/timeline/lanes.ts";

it.each([
  ["ball-floor", 10, "ball-floor"],
  ["ball-floor", 9, "…ll-floor"],
  ["ball-floor", 2, "…r"],
])("of the name %s %d letters are %s", (name, room, shown) => {
  expect(lastOf(name, (text) => text.length <= room)).toBe(shown);
});
