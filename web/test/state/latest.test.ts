import { expect, it } from "vitest";
import { Latest } from "../../src/state/latest.ts";

it("giving fast sends the first and the last value, one at a time", async () => {
  const sent: number[] = [];
  const answers: (() => void)[] = [];
  const latest = new Latest<number>((value) => {
    sent.push(value);
    return new Promise<void>((resolve) => answers.push(resolve));
  });
  for (const value of [1, 2, 3]) latest.give(value);
  expect(sent).toEqual([1]);
  answers[0]!();
  await Promise.resolve();
  expect(sent).toEqual([1, 3]);
  answers[1]!();
  await Promise.resolve();
  expect(sent).toEqual([1, 3]);
});
