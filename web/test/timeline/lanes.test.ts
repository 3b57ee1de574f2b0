import { expect, it } from "vitest";
import { lastOf } from "../../src/page/names.ts";
import { firstOf } from "../../src/timeline/patterns.ts";

it.each([
  ["ball-floor", 10, "ball-floor"],
  ["ball-floor", 9, "…ll-floor"],
  ["ball-floor", 2, "…r"],
])("of the name %s %d letters are %s", (name, room, shown) => {
  expect(lastOf(name, (text) => text.length <= room)).toBe(shown);
});

it.each([
  ["lowering", 8, "lowering"],
  ["lowering", 7, "loweri…"],
  ["lowering", 3, ""],
])("in a bar, of the name %s %d letters are %j", (name, room, shown) => {
  expect(firstOf(name, (text) => text.length <= room)).toBe(shown);
});
