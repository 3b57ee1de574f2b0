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

/** One point: its column, its row from below, its number, and what the names are there. */
export interface Point {
  i: number;
  j: number;
  index: number;
  values: Record<string, number>;
}

/** The point in a column and a row, or the nearest to it that there is. */
export function pointIn(over: readonly MapAxis[], column: number, row: number): Point {
  const { columns, rows } = gridOf(over);
  const i = Math.min(columns - 1, Math.max(0, column));
  const j = Math.min(rows - 1, Math.max(0, row));
  const values = Object.fromEntries(
    over.map((axis, k) => [axis.name, valueOn(axis, k === 0 ? i : j)]),
  );
  return { i, j, index: indexOf(over, i, j), values };
}

/** The point under a place in the picture, both from 0 to 1, upwards. */
export function pointAt(over: readonly MapAxis[], x: number, y: number): Point {
  const { columns, rows } = gridOf(over);
  return pointIn(over, Math.floor(x * columns), Math.floor(y * rows));
}

/** The point beside another one; the first of all, where there is none. */
export function moved(
  over: readonly MapAxis[],
  from: Point | null,
  [right, up]: readonly [number, number],
): Point {
  return from ? pointIn(over, from.i + right, from.j + up) : pointIn(over, 0, 0);
}

/** The number of each kind of value, by which it is coloured: what breaks a property never has that
 * of what keeps all, also while few points are known. */
export function numbered(values: readonly (string | null)[]): ReadonlyMap<string, number> {
  const kinds = [...new Set(values)].filter((value) => value !== null).sort();
  const bad = kinds.filter((kind) => kind.startsWith("breaks "));
  const good = kinds.filter((kind) => !bad.includes(kind));
  const first = Math.max(1, good.length);
  return new Map([
    ...good.map((kind, k) => [kind, k] as const),
    ...bad.map((kind, k) => [kind, first + k] as const),
  ]);
}
