// Soft spots under bodies, where the quality has no room for true shadows: they tell how high a body
// hangs above the floor. Each part has its own, so that what is long and thin has no shadow of a ball.
import {
  type CanvasTexture,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
} from "three";
import type { Body } from "../protocol/messages.ts";
import type { BodiesDrawn } from "./bodies.ts";
import type { Axes } from "./frame.ts";
import { painted } from "./painted.ts";

const REACH = 8; // times its own size: from higher up nothing is seen
const Z = new Vector3(0, 0, 1);

interface Floor {
  point: Vector3;
  normal: Vector3;
  turn: Quaternion;
}

export class Shades {
  readonly mesh: InstancedMesh;
  private readonly floors: Floor[];
  private readonly place = new Vector3();
  private readonly matrix = new Matrix4();
  private readonly stretch = new Vector3();

  constructor(
    private readonly drawn: BodiesDrawn,
    bodies: readonly Body[],
    { up }: Axes,
  ) {
    this.floors = bodies.flatMap(({ shape, position }) => {
      if (shape.kind !== "plane") return [];
      const normal = new Vector3(...shape.normal).normalize();
      if (normal.dot(up) < 0.7) return [];
      const turn = new Quaternion().setFromUnitVectors(Z, normal);
      return [{ point: new Vector3(...position), normal, turn }];
    });
    const material = new MeshBasicMaterial({ map: spot(), transparent: true, depthWrite: false });
    const count = Math.max(1, this.floors.length * drawn.placed.length);
    this.mesh = new InstancedMesh(new PlaneGeometry(2, 2), material, count);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }

  show(shown: boolean): void {
    let count = 0;
    for (const floor of shown ? this.floors : []) {
      for (const { body, offset, size } of this.drawn.placed) {
        const at = body.fixed ? null : this.drawn.carry(body.name, this.place.copy(offset));
        if (at && size > 0 && this.put(count, at, size, floor)) count++;
      }
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  private put(i: number, at: Vector3, size: number, { point, normal, turn }: Floor): boolean {
    const height = at.clone().sub(point).dot(normal);
    const away = height / size - 1;
    if (away < -1 || away > REACH) return false;
    const radius = size * (1.15 - (0.75 * away) / REACH);
    at.addScaledVector(normal, 1e-3 * size - height);
    this.mesh.setMatrixAt(i, this.matrix.compose(at, turn, this.stretch.set(radius, radius, 1)));
    return true;
  }
}

function spot(): CanvasTexture {
  return painted(64, 64, (pen) => {
    const fade = pen.createRadialGradient(32, 32, 2, 32, 32, 32);
    fade.addColorStop(0, "rgba(0, 0, 0, 0.5)");
    fade.addColorStop(0.6, "rgba(0, 0, 0, 0.28)");
    fade.addColorStop(1, "rgba(0, 0, 0, 0)");
    pen.fillStyle = fade;
    pen.fillRect(0, 0, 64, 64);
  });
}
