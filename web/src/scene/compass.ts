// Where the axes of the world point on the screen: three letters in a corner of the scene.
import { type Camera, type Quaternion, Vector3 } from "three";
import { svg } from "../page/dom.ts";

const SIZE = 64; // px
const ARM = 22; // px, of an axis across the line of sight
const LETTER = 28; // px from the middle, likewise
const AXES = ["x", "y", "z"] as const;

export interface Arm {
  axis: (typeof AXES)[number];
  x: number; // to the right, of a whole arm
  y: number; // downwards, as the screen counts
  towards: number; // to the one who looks
}

/** The axes as a camera with this turn sees them, those that point away first. */
export function arms(turn: Quaternion): Arm[] {
  const seen = turn.clone().invert();
  return AXES.map((axis) => {
    const { x, y, z } = new Vector3().setComponent(AXES.indexOf(axis), 1).applyQuaternion(seen);
    return { axis, x, y: -y, towards: z };
  }).sort((a, b) => a.towards - b.towards);
}

export class Compass {
  readonly node = svg("svg", { class: "compass", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
  private shown = "";

  show({ quaternion }: Camera): void {
    const key = quaternion
      .toArray()
      .map((value) => value.toFixed(3))
      .join();
    if (key === this.shown) return;
    this.shown = key;
    const across = arms(quaternion).filter(({ x, y }) => Math.hypot(x, y) > 0.15);
    this.node.replaceChildren(...across.flatMap(drawn));
    this.node.setAttribute("aria-label", `axes in sight: ${across.map(({ axis }) => axis).join()}`);
  }
}

function drawn({ axis, x, y }: Arm): SVGElement[] {
  const middle = SIZE / 2;
  const [right, down] = [middle + LETTER * x, middle + LETTER * y];
  const end = { x2: middle + ARM * x, y2: middle + ARM * y };
  return [
    svg("line", { class: axis, x1: middle, y1: middle, ...end }),
    svg("text", { x: right, y: down }, axis),
  ];
}
