// Joints between bodies: a mark where they are held, rods to bodies that do not reach that far, rails,
// and ropes, which hang where they are slack.
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { colour } from "../page/theme.ts";
import type { Joint } from "../protocol/messages.ts";
import type { BodiesDrawn } from "./bodies.ts";

const ROPE = 24; // pieces
const SAG = 0.866; // of an arc, over that of a straight rope bent once
const Y = new Vector3(0, 1, 0);

/** Where a joint holds its two sides now, and its axis. */
export interface Held {
  a: Vector3;
  b: Vector3;
  axis: Vector3;
}

export class Joints {
  readonly group = new Group();
  private readonly rods: InstancedMesh;
  private readonly pins: InstancedMesh;
  private readonly balls: InstancedMesh;
  private readonly ropes: { joint: Joint; line: Line }[];

  /** `size` is half the diagonal of the scene; ropes hang against `up`. */
  constructor(
    private readonly joints: readonly Joint[],
    private readonly size: number,
    private readonly up: Vector3,
  ) {
    const ink = new MeshBasicMaterial({ color: colour("--muted") });
    const mark = new MeshBasicMaterial({ color: colour("--text") });
    const most = 3 * joints.length;
    this.rods = many(new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), ink, most);
    this.pins = many(new CylinderGeometry(1, 1, 1, 16), mark, joints.length);
    this.balls = many(new SphereGeometry(1, 14, 10), mark, joints.length);
    const thread = new LineBasicMaterial({ color: colour("--text") });
    this.ropes = joints
      .filter(({ kind }) => kind === "rope")
      .map((joint) => ({ joint, line: hanging(thread) }));
    this.group.add(this.rods, this.pins, this.balls, ...this.ropes.map(({ line }) => line));
  }

  show(bodies: BodiesDrawn): void {
    for (const mesh of [this.rods, this.pins, this.balls]) mesh.count = 0;
    for (const joint of this.joints) {
      const held = heldBy(joint, bodies);
      if (held) this.draw(joint, held, bodies);
    }
    for (const mesh of [this.rods, this.pins, this.balls]) mesh.instanceMatrix.needsUpdate = true;
  }

  private draw(joint: Joint, { a, b, axis }: Held, bodies: BodiesDrawn): void {
    const thin = 0.008 * this.size;
    switch (joint.kind) {
      case "rope":
        this.hang(joint, a, b);
        return;
      case "distance":
        this.rod(a, b, thin);
        this.ball(a, 1.6 * thin);
        this.ball(b, 1.6 * thin);
        return;
      case "prismatic": {
        const [from, to] = rail(joint, a, b, axis, 0.1 * this.size);
        this.rod(from, to, 0.6 * thin);
        this.pin(b, axis, 1.6 * thin, 6 * thin);
        break;
      }
      case "revolute":
        this.pin(a, axis, 2.4 * thin, 5 * thin);
        break;
      default:
        this.ball(a, joint.kind === "weld" ? 1.4 * thin : 2.4 * thin);
    }
    for (const [{ body }, at] of [
      [joint.ends[0], a],
      [joint.ends[1], b],
    ] as const) {
      const part = body === null ? null : bodies.nearest(body, at);
      if (part && part.away > 0) this.rod(at, part.middle, thin);
    }
  }

  private rod(from: Vector3, to: Vector3, radius: number): void {
    const along = to.clone().sub(from);
    const length = along.length();
    const turn = new Quaternion().setFromUnitVectors(Y, length > 0 ? along.normalize() : Y);
    put(this.rods, from, turn, new Vector3(radius, length, radius));
  }

  private pin(at: Vector3, axis: Vector3, radius: number, length: number): void {
    put(
      this.pins,
      at,
      new Quaternion().setFromUnitVectors(Y, axis),
      new Vector3(radius, length, radius),
    );
  }

  private ball(at: Vector3, radius: number): void {
    if (this.balls.count < this.joints.length)
      put(this.balls, at, new Quaternion(), new Vector3(radius, radius, radius));
  }

  private hang(joint: Joint, a: Vector3, b: Vector3): void {
    const line = this.ropes.find((rope) => rope.joint === joint)!.line;
    const out = line.geometry.getAttribute("position") as BufferAttribute;
    for (const [i, point] of slack(a, b, joint.length, this.up).entries())
      out.setXYZ(i, point.x, point.y, point.z);
    out.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.rods, this.pins, this.balls]) mesh.dispose();
  }
}

/** Where both sides are held now; nothing where a body is not drawn. */
export function heldBy({ ends, axis }: Joint, bodies: BodiesDrawn): Held | null {
  const [a, b] = ends.map(({ body, at }) => {
    const point = new Vector3(...at);
    return body === null ? point : bodies.carry(body, point);
  });
  if (!a || !b) return null;
  const first = ends[0].body;
  const way = new Vector3(...axis);
  if (first !== null) way.applyQuaternion(bodies.turnOf(first) ?? new Quaternion());
  return { a, b, axis: way.lengthSq() > 0 ? way.normalize() : Y.clone() };
}

/** A rope of some length between two points: straight if it is taut, else an arc that hangs. */
export function slack(a: Vector3, b: Vector3, length: number, up: Vector3): Vector3[] {
  const apart = a.distanceTo(b);
  const sag = (SAG / 2) * Math.sqrt(Math.max(0, length ** 2 - apart ** 2));
  return Array.from({ length: ROPE + 1 }, (_, i) => {
    const share = i / ROPE;
    const point = a.clone().lerp(b, share);
    return point.addScaledVector(up, -4 * sag * share * (1 - share));
  });
}

/** What a prismatic joint slides on: from limit to limit, or a little beyond what it holds. */
export function rail(
  { limits, length }: Joint,
  a: Vector3,
  b: Vector3,
  axis: Vector3,
  more: number,
): [Vector3, Vector3] {
  const now = b.clone().sub(a).dot(axis);
  const [low, high] = limits
    ? [limits[0] - length, limits[1] - length] // the coordinate is `length` where both sides meet
    : [Math.min(0, now) - more, Math.max(0, now) + more];
  return [a.clone().addScaledVector(axis, low), a.clone().addScaledVector(axis, high)];
}

function many(form: CylinderGeometry | SphereGeometry, material: Material, most: number) {
  const mesh = new InstancedMesh(form, material, Math.max(1, most));
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

function put(mesh: InstancedMesh, at: Vector3, turn: Quaternion, stretch: Vector3): void {
  mesh.setMatrixAt(mesh.count++, new Matrix4().compose(at, turn, stretch));
}

function hanging(material: LineBasicMaterial): Line {
  const form = new BufferGeometry();
  const place = new BufferAttribute(new Float32Array(3 * (ROPE + 1)), 3);
  form.setAttribute("position", place.setUsage(DynamicDrawUsage));
  const line = new Line(form, material);
  line.frustumCulled = false;
  return line;
}
