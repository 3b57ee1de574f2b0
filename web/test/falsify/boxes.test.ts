import { describe, expect, it } from "vitest";
import { areaOf, boxAt, numbersAt } from "../../src/falsify/boxes.ts";
import type { ProvedBox } from "../../src/protocol/messages.ts";

const over = [
  { name: "v", lo: 5, hi: 9 },
  { name: "e", lo: 0, hi: 1 },
];
const boxes: ProvedBox[] = [
  { verdict: "safe", ranges: [[5, 6], [0, 1]] },
  { verdict: "unsafe", ranges: [[6, 9], [0.5, 1]] },
]; // biome-ignore format: a box is a line

describe("boxes of a proof", () => {
  it("lie where their ranges are, upwards", () => {
    expect(areaOf(boxes[0]!, over, 400, 200)).toEqual({ x: 0, y: 0, w: 100, h: 200 });
    expect(areaOf(boxes[1]!, over, 400, 200)).toEqual({ x: 100, y: 0, w: 300, h: 100 });
  });
  it("are as high as the field over one name", () => {
    const one: ProvedBox = { verdict: "open", ranges: [[5, 7]] };
    expect(areaOf(one, over.slice(0, 1), 400, 40)).toEqual({ x: 0, y: 0, w: 200, h: 40 });
  });
  it("are found by the numbers at a place", () => {
    expect(numbersAt(over, [0.5, 0.25])).toEqual([7, 0.25]);
    expect(boxAt(boxes, numbersAt(over, [0.5, 0.75]))?.verdict).toBe("unsafe");
    expect(boxAt(boxes, numbersAt(over, [0.5, 0.25]))).toBeNull();
  });
});
