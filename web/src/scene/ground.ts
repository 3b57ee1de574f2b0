// Half-spaces: a patch with a grid that receives shadows; cut open, as a hatched region, where the
// scene is drawn flat.
import {
  type Box3,
  BufferGeometry,
  type Camera,
  type CanvasTexture,
  DoubleSide,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  RepeatWrapping,
  Sphere,
  Vector3,
} from "three";
import { colour } from "../page/theme.ts";
import type { Body } from "../protocol/messages.ts";
import { type Axes, extent, gridStep } from "./frame.ts";
import { painted } from "./painted.ts";

const Z = new Vector3(0, 0, 1);
const MOST_LINES = 32; // to each side

interface Patch {
  normal: Vector3;
  point: Vector3;
  group: Group;
}

export class Ground {
  readonly group = new Group();
  private patches: Patch[] = [];
  private readonly inks = new Inks(); // kept: a new material costs a new program
  step = 1; // m between the lines of the grid

  constructor(private readonly bodies: readonly Body[]) {}

  /** Draw for the part of space that is looked at. */
  build(box: Box3, axes: Axes, flat: boolean): void {
    this.clear();
    const ball = box.getBoundingSphere(new Sphere());
    const size = Math.max(ball.radius, 1e-6);
    this.step = gridStep(2 * size);
    for (const { shape, position } of this.bodies) {
      if (shape.kind !== "plane") continue;
      const normal = new Vector3(...shape.normal).normalize();
      const point = new Vector3(...position);
      const group = flat
        ? cutOpen(normal, point, ball.center, size, axes.front, this.inks)
        : normal.dot(axes.up) > 0.7
          ? this.floor(normal, point, box)
          : this.wall(normal, point, box, axes.up);
      this.patches.push({ normal, point, group });
      this.group.add(group);
    }
  }

  /** Walls are seen from inside only. */
  face(camera: Camera): void {
    for (const { normal, point, group } of this.patches) {
      const side = camera.position.clone().sub(point).dot(normal);
      group.visible = group.userData.flat || side > 0;
    }
  }

  /** A floor reaches far, with a grid on it. */
  private floor(n: Vector3, point: Vector3, box: Box3): Group {
    const group = new Group();
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const count = Math.ceil((12 * radius) / this.step);
    const width = 2 * count * this.step;
    const mesh = new Mesh(new PlaneGeometry(width, width), this.inks.floor);
    mesh.receiveShadow = true;
    group.add(mesh, grid(count, this.step, this.inks.grid));
    group.quaternion.setFromUnitVectors(Z, n);
    const local = center.clone().sub(point).applyQuaternion(group.quaternion.clone().invert());
    local.set(round(local.x, this.step), round(local.y, this.step), 0); // so that the grid stands
    group.position.copy(point).add(local.applyQuaternion(group.quaternion));
    return group;
  }

  /** A wall stands around what moves. */
  private wall(n: Vector3, point: Vector3, box: Box3, up: Vector3): Group {
    const group = new Group();
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const across = new Vector3().crossVectors(up, n).normalize();
    const above = new Vector3().crossVectors(n, across).normalize();
    const { width, height } = extent(box, n, above);
    const form = new PlaneGeometry(2 * width, Math.max(2 * height, 0.1 * radius));
    const edges = new LineSegments(new EdgesGeometry(form), this.inks.grid);
    group.add(new Mesh(form, this.inks.wall), edges);
    group.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(across, above, n));
    const shift = center.clone().sub(point);
    group.position.copy(point).add(shift.addScaledVector(n, -shift.dot(n)));
    return group;
  }

  private clear(): void {
    for (const { group } of this.patches) {
      for (const drawn of group.children) (drawn as Mesh).geometry.dispose();
    }
    this.group.clear();
    this.patches = [];
  }

  dispose(): void {
    this.clear();
    this.inks.dispose();
  }
}

class Inks {
  readonly floor = new MeshLambertMaterial({
    color: colour("--sky-low"),
    polygonOffset: true, // lines lie on it, not in it
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 8,
  });
  readonly wall = new MeshLambertMaterial({
    color: colour("--sky-low"),
    transparent: true,
    opacity: 0.25,
    depthWrite: false,
  });
  readonly grid = new LineBasicMaterial({
    color: colour("--strong-line"),
    transparent: true,
    opacity: 0.4,
  });
  readonly hatched = new MeshBasicMaterial({ map: hatch(), transparent: true, side: DoubleSide });
  readonly edge = new MeshBasicMaterial({ color: colour("--strong-line"), side: DoubleSide });

  dispose(): void {
    this.hatched.map?.dispose();
    for (const ink of [this.floor, this.wall, this.grid, this.hatched, this.edge]) ink.dispose();
  }
}

function round(value: number, step: number): number {
  return Math.round(value / step) * step;
}

/** `count` steps to each side of the middle. */
function grid(count: number, step: number, ink: LineBasicMaterial): LineSegments {
  const lines: number[] = [];
  const most = Math.min(MOST_LINES, count);
  for (let i = -most; i <= most; i++) {
    for (let k = -most; k < most; k++) {
      // In pieces: a line that ends behind the camera is lost where drawing is done in software.
      lines.push(i * step, k * step, 0, i * step, (k + 1) * step, 0);
      lines.push(k * step, i * step, 0, (k + 1) * step, i * step, 0);
    }
  }
  const form = new BufferGeometry();
  form.setAttribute("position", new Float32BufferAttribute(lines, 3));
  return new LineSegments(form, ink);
}

/** The half-space behind a plane that is seen from its edge. */
function cutOpen(
  n: Vector3,
  point: Vector3,
  centre: Vector3,
  size: number,
  eye: Vector3,
  inks: Inks,
): Group {
  const group = new Group();
  group.userData.flat = true;
  if (new Vector3().crossVectors(n, eye).lengthSq() < 0.5) return group; // not seen from its edge
  const depth = 0.12 * size;
  const length = 24 * size;
  inks.hatched.map?.repeat.set(length / depth, 1);
  group.add(
    new Mesh(new PlaneGeometry(length, depth).translate(0, -depth / 2, 0), inks.hatched),
    new Mesh(new PlaneGeometry(length, 0.008 * size), inks.edge),
  );
  group.quaternion.setFromRotationMatrix(
    new Matrix4().makeBasis(new Vector3().crossVectors(n, eye), n, eye),
  );
  const shift = centre.clone().sub(point);
  group.position.copy(point).add(shift.addScaledVector(n, -shift.dot(n)));
  return group;
}

function hatch(): CanvasTexture {
  const texture = painted(64, 64, (pen) => {
    pen.fillStyle = colour("--sunken");
    pen.fillRect(0, 0, 64, 64);
    pen.strokeStyle = colour("--strong-line");
    pen.lineWidth = 3;
    for (const shift of [-64, -32, 0, 32, 64]) {
      pen.beginPath();
      pen.moveTo(shift, 64);
      pen.lineTo(shift + 64, 0);
      pen.stroke();
    }
  });
  texture.wrapS = RepeatWrapping;
  return texture;
}
