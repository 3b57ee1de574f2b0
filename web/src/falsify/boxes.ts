// The ranges of a proof, divided into boxes: where each is drawn, and which one a place is in.
import type { ProvedBox, Reach } from "../protocol/messages.ts";

export interface Area {
  x: number;
  y: number; // from above
  w: number;
  h: number;
}

/** Where a box is on a field of such a size; over one name it goes from top to bottom. */
export function areaOf({ ranges }: ProvedBox, over: readonly Reach[], w: number, h: number): Area {
  const share = (k: number, end: 0 | 1, none: number) => {
    const [reach, range] = [over[k], ranges[k]];
    return reach && range ? (range[end] - reach.lo) / (reach.hi - reach.lo || 1) : none;
  };
  const [left, right] = [share(0, 0, 0), share(0, 1, 1)];
  const [low, high] = [share(1, 0, 0), share(1, 1, 1)];
  return { x: left * w, y: (1 - high) * h, w: (right - left) * w, h: (high - low) * h };
}

/** The numbers at a place, both from 0 to 1, upwards. */
export function numbersAt(over: readonly Reach[], place: readonly number[]): number[] {
  return over.map(({ lo, hi }, k) => lo + (hi - lo) * Math.min(1, Math.max(0, place[k] ?? 0.5)));
}

/** The box that some numbers are in, if it has been decided. */
export function boxAt(boxes: readonly ProvedBox[], numbers: readonly number[]): ProvedBox | null {
  const inside = ({ ranges }: ProvedBox) =>
    ranges.every(([low, high], k) => low <= numbers[k]! && numbers[k]! <= high);
  return boxes.find(inside) ?? null;
}
