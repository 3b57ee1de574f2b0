// Contact points on demand: a dot, an arrow for the force, and the cone within which friction holds.
import {
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { colour } from "../page/theme.ts";
import type { ContactPoint } from "../protocol/messages.ts";

const MOST = 400;
const Y = new Vector3(0, 1, 0);

/** Each part is one unit long, stands on the origin and points along y. */
function part(form: SphereGeometry | CylinderGeometry | ConeGeometry, material: Material) {
  const mesh = new InstancedMesh(form, material, MOST);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

export class Contacts {
  readonly group = new Group();
  private readonly dots: InstancedMesh;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly cones: InstancedMesh;
  private strongest = 0; // N, of all seen so far: arrows are measured by it

  /** `longest` is the arrow of the strongest force. */
  constructor(private readonly longest: number) {
    const ink = new MeshBasicMaterial({ color: colour("--bad"), depthTest: false });
    const veil = new MeshBasicMaterial({
      color: colour("--series-4"),
      transparent: true,
      opacity: 0.3,
      depthTest: false, // a cone stands inside the body that it belongs to
    });
    this.dots = part(new SphereGeometry(1, 12, 8), ink);
    this.shafts = part(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), ink);
    this.heads = part(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), ink);
    this.cones = part(
      new ConeGeometry(1, 1, 28, 1, true).rotateX(Math.PI).translate(0, 0.5, 0),
      veil,
    );
    this.group.add(this.cones, this.dots, this.shafts, this.heads);
    for (const mesh of [this.dots, this.shafts, this.heads]) mesh.renderOrder = 2;
  }

  show(points: readonly ContactPoint[]): void {
    const some = points.slice(0, MOST);
    for (const { force } of some) this.strongest = Math.max(this.strongest, Math.hypot(...force));
    for (const [i, point] of some.entries()) this.put(i, point);
    for (const mesh of [this.dots, this.shafts, this.heads, this.cones]) {
      mesh.count = some.length;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  private put(i: number, point: ContactPoint): void {
    const at = new Vector3(...point.at);
    const force = new Vector3(...point.force);
    const length = this.strongest > 0 ? (this.longest * force.length()) / this.strongest : 0;
    const to = new Quaternion().setFromUnitVectors(Y, length > 0 ? force.normalize() : Y);
    const thin = 0.023 * this.longest;
    const head = Math.min(0.2 * this.longest, 0.5 * length);
    stand(this.dots, i, at, to, thin * 1.6, thin * 1.6);
    stand(this.shafts, i, at, to, length > 0 ? thin : 0, Math.max(length - head, 0));
    const tip = at.clone().addScaledVector(force, Math.max(length - head, 0));
    stand(this.heads, i, tip, to, 0.35 * head, head);
    const normal = new Vector3(...point.normal).normalize().negate(); // towards the body that it holds
    const height = point.friction > 0 ? 0.5 * this.longest : 0;
    const up = new Quaternion().setFromUnitVectors(Y, normal);
    stand(this.cones, i, at, up, height * point.friction, height);
  }
}

function stand(
  mesh: InstancedMesh,
  i: number,
  at: Vector3,
  turn: Quaternion,
  radius: number,
  height: number,
): void {
  const stretch = new Vector3(radius, height, radius);
  mesh.setMatrixAt(i, new Matrix4().compose(at, turn, stretch));
}
