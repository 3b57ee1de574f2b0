// The bodies that have a form: one instanced mesh for each form.
import {
  type BufferGeometry,
  type Camera,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  type Intersection,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Quaternion,
  type Raycaster,
  type Vector2,
  Vector3,
} from "three";
import { seriesColour } from "../page/theme.ts";
import { PER_BODY } from "../protocol/binary.ts";
import type { Body, Quaternion as Turn, Vector } from "../protocol/messages.ts";
import { sizeOf } from "./frame.ts";
import { formKey, formOf, isPainted, type Solid, skin, solidsOf, stretchOf } from "./shapes.ts";

export type Finish = "flat" | "plain" | "fine";

interface Part {
  body: Body;
  shape: Solid;
  at: Vector; // m, in the body's axes
  turn: Turn; // to the body's axes
}

interface Placed {
  body: Body;
  offset: Vector3; // in the body's axes
  turned: Quaternion; // to the body's axes
  stretch: Vector3;
  half: Vector3; // m, of a box around it, along its own axes
  size: number; // m, of a ball around it
  moving: number; // its number among the moving bodies, or -1
  mesh: InstancedMesh;
  instance: number;
  colour: number; // of the series
}

type Numbers = ReadonlyMap<Body, number>;

/** Half the sides of a box around a form. */
function halfOf(form: BufferGeometry): Vector3 {
  if (!form.boundingBox) form.computeBoundingBox();
  return form.boundingBox!.getSize(new Vector3()).divideScalar(2);
}

/** How far it is from the middle of a box to its side, in a direction of length one. */
function wayOut(half: Vector3, towards: Vector3): number {
  const { x, y, z } = towards;
  return Math.min(half.x / Math.abs(x), half.y / Math.abs(y), half.z / Math.abs(z));
}

/** Each with its place among them. */
function numbered(bodies: readonly Body[]): Numbers {
  return new Map(bodies.map((body, i) => [body, i]));
}

export class BodiesDrawn {
  readonly group = new Group();
  readonly placed: Placed[] = [];
  private readonly byName = new Map<string, Placed[]>();
  private readonly poses = new Map<string, { position: Vector3; turn: Quaternion }>();
  private readonly position = new Vector3();
  private readonly turn = new Quaternion();
  private readonly lies = new Quaternion();
  private readonly part = new Vector3();
  private readonly back = new Quaternion();
  private readonly matrix = new Matrix4();
  private readonly texture = skin();

  constructor(bodies: readonly Body[], finish: Finish) {
    const moving = numbered(bodies.filter((body) => !body.fixed));
    const all = numbered(bodies);
    const forms = new Map<string, Part[]>();
    for (const body of bodies) {
      for (const solid of solidsOf(body.shape)) {
        const key = formKey(solid.shape);
        const alike = forms.get(key) ?? [];
        alike.push({ body, ...solid });
        forms.set(key, alike);
      }
    }
    for (const alike of forms.values()) this.add(alike, moving, all);
    this.recolour();
    this.finish(finish);
  }

  private add(alike: readonly Part[], moving: Numbers, all: Numbers): void {
    const form = formOf(alike[0]!.shape, alike.length);
    const mesh = new InstancedMesh(form, new MeshBasicMaterial(), alike.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false; // its instances are anywhere
    mesh.userData.painted = isPainted(alike[0]!.shape);
    for (const [instance, { body, shape, at, turn }] of alike.entries()) {
      const turned = new Quaternion(turn[1], turn[2], turn[3], turn[0]);
      const [offset, stretch] = [new Vector3(...at), stretchOf(shape)];
      const [number, colour] = [moving.get(body) ?? -1, all.get(body) ?? 0];
      const drawn = { mesh, instance, colour, moving: number };
      const half = halfOf(form).multiply(stretch);
      const placed = { body, offset, turned, stretch, half, size: sizeOf({ shape }), ...drawn };
      this.placed.push(placed);
      this.byName.set(body.name, [...(this.byName.get(body.name) ?? []), placed]);
      const [w, x, y, z] = body.orientation ?? [1, 0, 0, 0];
      this.put(placed, this.position.set(...body.position), this.turn.set(x, y, z, w));
    }
    this.group.add(mesh);
  }

  /** Flat for the 2-D look, plain where drawing is slow, else fine. */
  finish(finish: Finish): void {
    for (const mesh of this.group.children as InstancedMesh[]) {
      (mesh.material as Material).dispose();
      mesh.material = materialOf(finish, mesh.userData.painted ? this.texture : null);
    }
  }

  recolour(): void {
    for (const { mesh, instance, colour } of this.placed) {
      mesh.setColorAt(instance, new Color(seriesColour(colour)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  /** Put the moving bodies where a frame has them. */
  show(numbers: Float32Array): void {
    for (const placed of this.placed) {
      const o = placed.moving * PER_BODY;
      if (placed.moving < 0 || o + PER_BODY > numbers.length) continue;
      this.position.set(numbers[o]!, numbers[o + 1]!, numbers[o + 2]!);
      this.turn.set(numbers[o + 4]!, numbers[o + 5]!, numbers[o + 6]!, numbers[o + 3]!);
      this.put(placed, this.position, this.turn);
    }
  }

  /** Put one body elsewhere, until the next frame. */
  move(name: string, position: Vector3): void {
    const turn = this.poses.get(name)?.turn ?? new Quaternion();
    for (const placed of this.byName.get(name) ?? []) this.put(placed, position, turn);
  }

  where(name: string, out: Vector3): Vector3 | null {
    const pose = this.poses.get(name);
    return pose ? out.copy(pose.position) : null;
  }

  /** How it lies. */
  turnOf(name: string): Quaternion | null {
    return this.poses.get(name)?.turn ?? null;
  }

  /** A point of a body, given in its axes, where it is now: `point` itself is moved. */
  carry(name: string, point: Vector3): Vector3 | null {
    const pose = this.poses.get(name);
    return pose ? point.applyQuaternion(pose.turn).add(pose.position) : null;
  }

  /** The middle of the part of a body that is nearest to a place, and how far `away` it begins. */
  nearest(name: string, place: Vector3): { middle: Vector3; away: number } | null {
    const found = (this.byName.get(name) ?? []).flatMap(({ offset, size }) => {
      const middle = this.carry(name, offset.clone());
      return middle ? [{ middle, away: middle.distanceTo(place) - size }] : [];
    });
    return found.sort((a, b) => a.away - b.away)[0] ?? null;
  }

  /** How far one is out of a body from its centre along `up`: its highest part, over its middle. */
  height(name: string, up: Vector3): number {
    const turn = this.turnOf(name);
    const tops = (this.byName.get(name) ?? []).map(({ offset, turned, half, size }) => {
      if (!turn) return size;
      const middle = this.part.copy(offset).applyQuaternion(turn).dot(up);
      const own = this.back.copy(turn).multiply(turned).invert();
      return middle + Math.min(size, wayOut(half, this.part.copy(up).applyQuaternion(own)));
    });
    return Math.max(0, ...tops);
  }

  /** The nearest moving body that a ray hits. */
  hit(ray: Raycaster): Body | null {
    for (const mesh of this.group.children as InstancedMesh[]) mesh.computeBoundingSphere();
    const hits: Intersection[] = ray.intersectObjects(this.group.children, false);
    for (const { object, instanceId } of hits) {
      const found = this.placed.find(
        ({ mesh, instance, moving }) => mesh === object && instance === instanceId && moving >= 0,
      );
      if (found) return found.body;
    }
    return null;
  }

  /** The moving body whose centre is nearest to a place in the picture, if it is within `reach`:
   * small bodies and points are hard to hit. All in half widths and half heights of the picture. */
  near(place: Vector2, camera: Camera, reach: Vector2): Body | null {
    let found: { body: Body; away: number } | null = null;
    for (const { body, moving } of this.placed) {
      const pose = moving >= 0 ? this.poses.get(body.name) : undefined;
      if (!pose) continue;
      const { x, y } = this.part.copy(pose.position).project(camera);
      const away = Math.hypot((x - place.x) / reach.x, (y - place.y) / reach.y);
      if (away <= 1 && away < (found?.away ?? 2)) found = { body, away };
    }
    return found?.body ?? null;
  }

  private put(placed: Placed, position: Vector3, turn: Quaternion): void {
    this.keep(placed.body.name, position, turn);
    const at = this.part.copy(placed.offset).applyQuaternion(turn).add(position);
    this.matrix.compose(at, this.lies.multiplyQuaternions(turn, placed.turned), placed.stretch);
    placed.mesh.setMatrixAt(placed.instance, this.matrix);
    placed.mesh.instanceMatrix.needsUpdate = true;
  }

  private keep(name: string, position: Vector3, turn: Quaternion): void {
    const pose = this.poses.get(name);
    if (!pose) this.poses.set(name, { position: position.clone(), turn: turn.clone() });
    else {
      pose.position.copy(position);
      pose.turn.copy(turn);
    }
  }

  dispose(): void {
    for (const mesh of this.group.children as InstancedMesh[]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
    this.texture.dispose();
  }
}

function materialOf(finish: Finish, map: ReturnType<typeof skin> | null): Material {
  if (finish === "flat") return new MeshBasicMaterial({ map });
  if (finish === "plain") return new MeshLambertMaterial({ map });
  return new MeshStandardMaterial({ map, roughness: 0.55, metalness: 0 });
}
