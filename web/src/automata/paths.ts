// Edges as smooth curves with arrow heads.
import type { Point } from "./layout.ts";

/** A curve through all points of a polyline (Catmull and Rom's): what stands beside a point of the
 * line stands beside the curve. */
export function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  if (rest.length < 2) return `M${at(first)}${rest.map((end) => `L${at(end)}`).join("")}`;
  const pieces = rest.map((end, i) => {
    const start = points[i]!;
    const leave = towards(start, points[i - 1] ?? start, end);
    const arrive = towards(end, points[i + 2] ?? end, start);
    return `C${at(leave)} ${at(arrive)} ${at(end)}`;
  });
  return `M${at(first)}${pieces.join("")}`;
}

/** From `here` a sixth of the way that leads from `back` to `on`. */
function towards(here: Point, back: Point, on: Point): Point {
  return { x: here.x + (on.x - back.x) / 6, y: here.y + (on.y - back.y) / 6 };
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
