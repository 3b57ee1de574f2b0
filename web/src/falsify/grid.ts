// A map of behaviours as a grid: which point is where.
import type { MapAxis } from "../protocol/messages.ts";

export interface Cellular {
  columns: number;
  rows: number;
}

export function gridOf(over: readonly MapAxis[]): Cellular {
  return { columns: over[0]?.n ?? 0, rows: over[1]?.n ?? 1 };
}

/** The value of an axis at its i-th point. */
export function valueOn({ lo, hi, n }: MapAxis, i: number): number {
  return n > 1 ? lo + ((hi - lo) * i) / (n - 1) : (lo + hi) / 2;
}

/** The number of a point: values go row by row, the first name slowest. */
export function indexOf(over: readonly MapAxis[], i: number, j: number): number {
  return i * (over[1]?.n ?? 1) + j;
}

/** The point under a place in the picture, both from 0 to 1, upwards. */
export function pointAt(over: readonly MapAxis[], x: number, y: number) {
  const { columns, rows } = gridOf(over);
  const i = Math.min(columns - 1, Math.max(0, Math.floor(x * columns)));
  const j = Math.min(rows - 1, Math.max(0, Math.floor(y * rows)));
  const values = Object.fromEntries(
    over.map((axis, k) => [axis.name, valueOn(axis, k === 0 ? i : j)]),
  );
  return { i, j, index: indexOf(over, i, j), values };
}
