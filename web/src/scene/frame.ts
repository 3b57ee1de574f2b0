// Which part of space the camera has to show, and from which side.
import { Box3, Quaternion, Vector3 } from "three";
import type { Body, Model, Shape, Vector } from "../protocol/messages.ts";

export type Preset = "front" | "top" | "follow" | "free";
export const PRESETS: readonly Preset[] = ["front", "top", "follow", "free"];

const LONE = 1.8; // times a body's own size: what is shown around it at least

/** The directions of a scene: up against gravity, towards the one who looks at it from the front. */
export interface Axes {
  up: Vector3;
  front: Vector3;
}

const NORMALS: Record<string, Vector> = { xy: [0, 0, 1], xz: [0, -1, 0], yz: [1, 0, 0] };

export function axesOf(model: Pick<Model, "gravity" | "plane">): Axes {
  const up = new Vector3(...(model.gravity ?? [0, 0, 0])).negate();
  if (up.lengthSq() === 0) up.set(0, model.plane === "xz" || model.plane === "yz" ? 0 : 1, 0);
  if (up.lengthSq() === 0) up.set(0, 0, 1);
  up.normalize();
  const seen = model.plane ? NORMALS[model.plane] : undefined;
  const front = new Vector3(...(seen ?? (Math.abs(up.z) > 0.9 ? [0, -1, 0] : [0, 0, 1])));
  front.addScaledVector(up, -front.dot(up)); // looked at from the side, never along gravity
  if (front.lengthSq() < 1e-6) front.set(1, 0, 0).addScaledVector(up, -up.x);
  return { up, front: front.normalize() };
}

export function sizeOf({ shape }: Pick<Body, "shape">): number {
  switch (shape.kind) {
    case "sphere":
      return shape.radius;
    case "plane":
    case "point":
      return 0;
    case "box":
      return Math.hypot(...shape.size) / 2;
    case "capsule":
    case "cylinder":
      return (
        Math.hypot(shape.radius, shape.length / 2) + (shape.kind === "capsule" ? shape.radius : 0)
      );
    case "disc":
      return shape.radius + shape.rounding;
    case "ellipsoid":
      return Math.max(...shape.axes);
    case "mesh":
      return Math.max(...shape.vertices.map((vertex) => Math.hypot(...vertex)));
    case "part":
      return Math.max(0, ...shape.parts.map((part) => Math.hypot(...part.at) + sizeOf(part)));
    default:
      return 0; // a shape of a later version
  }
}

/** The balls around the parts of a body, or around all of it: their middles in the body's axes. */
function ballsOf({ shape }: Body): { at: Vector3; size: number }[] {
  if (shape.kind !== "part") return [{ at: new Vector3(), size: sizeOf({ shape }) }];
  return shape.parts.map((part) => ({ at: new Vector3(...part.at), size: sizeOf(part) }));
}

/** Half of what a shape measures along its own axes. */
function halvesOf(shape: Shape): Vector3 {
  switch (shape.kind) {
    case "box":
      return new Vector3(...shape.size).multiplyScalar(0.5);
    case "capsule":
      return new Vector3(shape.radius, shape.radius, shape.length / 2 + shape.radius);
    case "cylinder":
      return new Vector3(shape.radius, shape.radius, shape.length / 2);
    default:
      return new Vector3().setScalar(sizeOf({ shape }));
  }
}

/** Include a shape that stays as it lies: a rail is long, and not as high as it is long. */
function includeLying(box: Box3, shape: Shape, centre: Vector3, turn: Quaternion): void {
  if (shape.kind === "part") {
    for (const part of shape.parts) {
      const [w, x, y, z] = part.turn ?? [1, 0, 0, 0];
      const at = new Vector3(...part.at).applyQuaternion(turn).add(centre);
      includeLying(box, part.shape, at, turn.clone().multiply(new Quaternion(x, y, z, w)));
    }
    return;
  }
  const half = halvesOf(shape);
  const most = new Vector3();
  for (const axis of ["x", "y", "z"] as const) {
    const along = new Vector3();
    along[axis] = half[axis];
    along.applyQuaternion(turn);
    most.add(new Vector3(Math.abs(along.x), Math.abs(along.y), Math.abs(along.z)));
  }
  box.expandByPoint(centre.clone().add(most));
  box.expandByPoint(centre.clone().sub(most));
}

/** What a model fills at its start: its bodies, and the places of planes that lie under them. */
export function startBounds(model: Model): Box3 {
  const box = new Box3();
  const planes = model.bodies.filter((body) => body.shape.kind === "plane");
  for (const body of model.bodies) {
    if (body.shape.kind === "plane") continue;
    const centre = new Vector3(...body.position);
    const [w, x, y, z] = body.orientation ?? [1, 0, 0, 0];
    const turn = new Quaternion(x, y, z, w);
    if (body.fixed) includeLying(box, body.shape, centre, turn);
    else
      for (const { at, size } of ballsOf(body)) {
        include(box, at.applyQuaternion(turn).add(centre), size);
      }
    for (const plane of planes) box.expandByPoint(onto(plane, centre));
  }
  for (const { from, to } of model.springs) {
    for (const end of [from, to])
      if (typeof end !== "string") box.expandByPoint(new Vector3(...end));
  }
  for (const { ends } of model.joints ?? []) {
    for (const { body, at } of ends) if (body === null) box.expandByPoint(new Vector3(...at));
  }
  return box;
}

/** Room around a body that would fill the picture, for there is nothing else to see. */
export function roomy(box: Box3, bodies: readonly Body[]): Box3 {
  const solid = bodies.filter(({ shape }) => shape.kind !== "plane");
  if (solid.length !== 1) return box;
  const least = LONE * 2 * sizeOf(solid[0]!);
  const size = box.getSize(new Vector3());
  const lacks = (now: number) => Math.max(0, least - now) / 2;
  return box.clone().expandByVector(new Vector3(lacks(size.x), lacks(size.y), lacks(size.z)));
}

export function include(box: Box3, centre: Vector3, size: number): void {
  box.expandByPoint(centre.clone().addScalar(size));
  box.expandByPoint(centre.clone().addScalar(-size));
}

function onto(plane: Body, point: Vector3): Vector3 {
  if (plane.shape.kind !== "plane") throw new Error(`${plane.name} is no plane`);
  const normal = new Vector3(...plane.shape.normal).normalize();
  const height = point
    .clone()
    .sub(new Vector3(...plane.position))
    .dot(normal);
  return point.clone().addScaledVector(normal, -height);
}

/** A round distance between the lines of a grid: 1, 2 or 5 times a power of ten. */
export function gridStep(size: number): number {
  const raw = size / 8;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5].find((s) => s * power >= raw) ?? 10);
}

/** The corners of a box, seen from its middle. */
function corners(box: Box3): Vector3[] {
  const half = box.getSize(new Vector3()).multiplyScalar(0.5);
  const signs = [-1, 1];
  return signs.flatMap((x) =>
    signs.flatMap((y) => signs.map((z) => new Vector3(x * half.x, y * half.y, z * half.z))),
  );
}

/** Half the height and width of a box, seen from `towards` with `up` upwards. */
export function extent(
  box: Box3,
  towards: Vector3,
  up: Vector3,
): { width: number; height: number } {
  const right = new Vector3().crossVectors(up, towards).normalize();
  const over = new Vector3().crossVectors(towards, right).normalize();
  const most = (axis: Vector3) => Math.max(...corners(box).map((c) => Math.abs(c.dot(axis))));
  return { width: most(right), height: most(over) };
}

/** How far away an eye must be to see all of a box; `slope` is the tangent of half its angle. */
export function reach(
  box: Box3,
  towards: Vector3,
  up: Vector3,
  slope: number,
  aspect: number,
): number {
  const right = new Vector3().crossVectors(up, towards).normalize();
  const over = new Vector3().crossVectors(towards, right).normalize();
  const needs = corners(box).map((corner) => {
    const wide = Math.abs(corner.dot(right)) / (slope * aspect);
    const high = Math.abs(corner.dot(over)) / slope;
    return Math.max(wide, high) + corner.dot(towards);
  });
  return Math.max(...needs);
}
