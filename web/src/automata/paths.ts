// Edges as smooth curves with arrow heads.
import type { Point } from "./layout.ts";

/** A curve through the middles of a polyline's pieces, from its first point to its last. */
export function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${at(first)}`;
  for (const [i, corner] of rest.entries()) {
    const next = rest[i + 1];
    if (!next) path += `L${at(corner)}`;
    else path += `Q${at(corner)} ${at(i + 2 === rest.length ? next : middle(corner, next))}`;
    if (i + 2 === rest.length && next) break;
  }
  return path;
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

const HEAD = 9; // px

/** A triangle at the end of a polyline. */
export function head(points: readonly Point[]): string {
  const tip = points[points.length - 1];
  const from = points[points.length - 2];
  if (!tip || !from) return "";
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const [ux, uy] = [(tip.x - from.x) / length, (tip.y - from.y) / length];
  const base = { x: tip.x - HEAD * ux, y: tip.y - HEAD * uy };
  const side = (sign: number) => ({ x: base.x - sign * 4 * uy, y: base.y + sign * 4 * ux });
  return `M${at(tip)}L${at(side(1))}L${at(side(-1))}Z`;
}
