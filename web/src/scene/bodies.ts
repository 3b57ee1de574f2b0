// The bodies that have a form: one instanced mesh for each form.
import {
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
  Vector3,
} from "three";
import { seriesColour } from "../page/theme.ts";
import { PER_BODY } from "../protocol/binary.ts";
import type { Body } from "../protocol/messages.ts";
import { formKey, formOf, isPainted, isSolid, type Solid, skin, stretchOf } from "./shapes.ts";

export type Finish = "flat" | "plain" | "fine";

interface Placed {
  body: Body;
  stretch: Vector3;
  moving: number; // its number among the moving bodies, or -1
  mesh: InstancedMesh;
  instance: number;
  colour: number; // of the series
}

type Numbers = ReadonlyMap<Body, number>;

/** Each with its place among them. */
function numbered(bodies: readonly Body[]): Numbers {
  return new Map(bodies.map((body, i) => [body, i]));
}

export class BodiesDrawn {
  readonly group = new Group();
  readonly placed: Placed[] = [];
  private readonly byName = new Map<string, Placed>();
  private readonly position = new Vector3();
  private readonly turn = new Quaternion();
  private readonly matrix = new Matrix4();
  private readonly texture = skin();

  constructor(bodies: readonly Body[], finish: Finish) {
    const moving = numbered(bodies.filter((body) => !body.fixed));
    const all = numbered(bodies);
    const forms = new Map<string, Body[]>();
    for (const body of bodies) {
      if (!isSolid(body.shape)) continue;
      const key = formKey(body.shape);
      const alike = forms.get(key);
      if (alike) alike.push(body);
      else forms.set(key, [body]);
    }
    for (const alike of forms.values()) this.add(alike, moving, all);
    this.recolour();
    this.finish(finish);
  }

  private add(alike: readonly Body[], moving: Numbers, all: Numbers): void {
    const form = formOf(alike[0]!.shape as Solid, alike.length);
    const mesh = new InstancedMesh(form, new MeshBasicMaterial(), alike.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false; // its instances are anywhere
    mesh.userData.painted = isPainted(alike[0]!.shape as Solid);
    for (const [instance, body] of alike.entries()) {
      const stretch = stretchOf(body.shape as Solid);
      const colour = all.get(body) ?? 0;
      const placed = { body, stretch, moving: moving.get(body) ?? -1, mesh, instance, colour };
      this.placed.push(placed);
      this.byName.set(body.name, placed);
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
    const placed = this.byName.get(name);
    if (!placed) return;
    placed.mesh.getMatrixAt(placed.instance, this.matrix);
    this.matrix.setPosition(position);
    placed.mesh.setMatrixAt(placed.instance, this.matrix);
    placed.mesh.instanceMatrix.needsUpdate = true;
  }

  where(name: string, out: Vector3): Vector3 | null {
    const placed = this.byName.get(name);
    if (!placed) return null;
    placed.mesh.getMatrixAt(placed.instance, this.matrix);
    return out.setFromMatrixPosition(this.matrix);
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

  private put(placed: Placed, position: Vector3, turn: Quaternion): void {
    this.matrix.compose(position, turn, placed.stretch);
    placed.mesh.setMatrixAt(placed.instance, this.matrix);
    placed.mesh.instanceMatrix.needsUpdate = true;
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
