// Drawings of models without bodies: lines, circles, boxes, texts and gauges, bound to signals.
import {
  type Box3,
  BoxGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { number, withUnit } from "../page/format.ts";
import { colour } from "../page/theme.ts";
import type { Bound, BoundVector, Drawing } from "../protocol/messages.ts";
import { Label } from "./labels.ts";

export type ValueOf = (signal: string) => number;

const INKS: Record<string, `--${string}`> = {
  blue: "--series-0",
  red: "--series-1",
  green: "--series-2",
  purple: "--series-3",
  orange: "--series-4",
  yellow: "--series-4",
  sky: "--series-5",
  grey: "--strong-line",
  black: "--text",
};

/** The signals that drawings read. */
export function boundSignals(drawings: readonly Drawing[]): string[] {
  const names = new Set<string>();
  for (const drawing of drawings) {
    for (const [field, value] of Object.entries(drawing)) {
      if (["kind", "text", "label", "unit", "colour"].includes(field)) continue;
      for (const part of [value].flat()) if (typeof part === "string") names.add(part);
    }
  }
  return [...names];
}

interface Drawn {
  drawing: Drawing;
  node: Object3D;
  label: Label | null;
  ink: Color;
}

const Y = new Vector3(0, 1, 0);

export class Drawings {
  readonly group = new Group();
  private readonly drawn: Drawn[];

  constructor(
    drawings: readonly Drawing[],
    private readonly flat: boolean,
  ) {
    this.drawn = drawings.map((drawing) => this.make(drawing));
    for (const [i, { node, label }] of this.drawn.entries()) {
      if (!label) node.renderOrder = i; // what is written later lies above, where all is flat
      this.group.add(node);
    }
  }

  private make(drawing: Drawing): Drawn {
    const plain = drawing.kind === "text" ? "black" : "blue";
    const ink = new Color(colour(INKS[drawing.colour ?? plain] ?? "--series-0"));
    const label = drawing.kind === "text" || drawing.kind === "gauge" ? new Label() : null;
    return { drawing, node: label?.sprite ?? this.solid(drawing, ink), label, ink };
  }

  private solid(drawing: Drawing, ink: Color): Object3D {
    const Material = this.flat ? MeshBasicMaterial : MeshLambertMaterial;
    const mesh = new Mesh(formOf(drawing), new Material({ color: ink, depthTest: !this.flat }));
    mesh.castShadow = true;
    return mesh;
  }

  /** Put everything where the signals say; `pixel` is what a pixel measures. */
  show(value: ValueOf, pixel: number): void {
    const at = (bound: Bound | undefined, otherwise = 0) => numberOf(bound, value, otherwise);
    for (const { drawing, node, label, ink } of this.drawn) {
      node.visible = at(drawing.show, 1) > 0;
      if (drawing.kind === "text") label?.write(textOf(drawing, value), `#${ink.getHexString()}`);
      if (drawing.kind === "gauge") showGauge(drawing, label, value);
      label?.scale(pixel);
      put(drawing, node, (vector) => vectorOf(vector, value), at);
      node.updateMatrix();
      if (!isPlaced(node)) node.visible = false;
      if (drawing.glow !== undefined && node instanceof Mesh) glow(node, ink, at(drawing.glow));
    }
  }

  /** Words that would cover each other stand one above the other; `spot` is where a place is, px. */
  spread(spot: (place: Vector3) => { x: number; y: number }): void {
    const labels = this.drawn.flatMap(({ node, label }) => (label && node.visible ? [label] : []));
    const at = labels.map(({ sprite, width, height }) => {
      return { ...spot(sprite.position), width, height };
    });
    const raised = apart(at);
    for (const [i, label] of labels.entries()) label.raise(raised[i]!);
  }

  /** Make room for everything drawn. */
  bounds(box: Box3): void {
    this.group.updateMatrixWorld(true);
    for (const { node, drawing } of this.drawn) {
      if (!isPlaced(node)) continue;
      if (node instanceof Mesh) box.expandByObject(node);
      else if (drawing.kind === "text" || drawing.kind === "gauge")
        box.expandByPoint(node.position);
    }
  }

  dispose(): void {
    for (const { node, label } of this.drawn) {
      label?.dispose();
      if (node instanceof Mesh) {
        node.geometry.dispose();
        node.material.dispose();
      }
    }
  }
}

interface Spot {
  x: number; // its middle, px
  y: number; // upwards
  width: number;
  height: number;
}

/** By how much each must be raised so that none covers another: the lowest stay where they are. */
export function apart(spots: readonly Spot[]): number[] {
  const placed: Spot[] = [];
  const raised = spots.map(() => 0);
  const upwards = spots.map((_, i) => i).sort((a, b) => spots[a]!.y - spots[b]!.y);
  for (const i of upwards) {
    const spot = { ...spots[i]! };
    for (const other of placed) {
      const beside = Math.abs(other.x - spot.x) >= (other.width + spot.width) / 2;
      const above = other.y + (other.height + spot.height) / 2;
      if (!beside && spot.y < above) spot.y = above;
    }
    raised[i] = spot.y - spots[i]!.y;
    placed.push(spot);
    placed.sort((a, b) => a.y - b.y);
  }
  return raised;
}

/** Are all the signals known that say where it is, and how large? */
function isPlaced(node: Object3D): boolean {
  return node.matrix.elements.every(Number.isFinite);
}

function formOf({ kind }: Drawing) {
  if (kind === "line") return new CylinderGeometry(0.5, 0.5, 1, 16).translate(0, 0.5, 0);
  if (kind === "circle") return new SphereGeometry(1, 40, 20);
  return new BoxGeometry(1, 1, 1);
}

function numberOf(bound: Bound | undefined, value: ValueOf, otherwise = 0): number {
  if (bound === undefined) return otherwise;
  return typeof bound === "number" ? bound : value(bound);
}

function vectorOf(vector: BoundVector, value: ValueOf): Vector3 {
  const [x, y, z] = vector.map((part) => numberOf(part, value));
  return new Vector3(x, y, z);
}

function put(
  drawing: Drawing,
  node: Object3D,
  vector: (bound: BoundVector) => Vector3,
  at: (bound: Bound | undefined, otherwise?: number) => number,
): void {
  if (drawing.kind === "line") {
    const [from, to] = [vector(drawing.from), vector(drawing.to)];
    const along = to.clone().sub(from);
    const length = along.length();
    node.position.copy(from);
    node.quaternion.copy(
      new Quaternion().setFromUnitVectors(Y, length > 0 ? along.normalize() : Y),
    );
    node.scale.set(at(drawing.width), Math.max(length, 1e-9), at(drawing.width));
    return;
  }
  node.position.copy(vector(drawing.at));
  if (drawing.kind === "circle") node.scale.setScalar(Math.max(at(drawing.radius), 1e-9));
  if (drawing.kind !== "box") return;
  const size = vector(drawing.size);
  node.scale.set(
    ...(size.toArray().map((side) => Math.max(side, 1e-9)) as [number, number, number]),
  );
  node.rotation.z = at(drawing.turn);
}

/** `text` with its value and unit behind it, as many digits as the drawing says. */
export function textOf(drawing: Extract<Drawing, { kind: "text" }>, value: ValueOf): string {
  if (drawing.value === undefined) return drawing.text;
  const known = numberOf(drawing.value, value);
  const digits = drawing.digits;
  const text = digits === undefined ? number(known) : known.toFixed(digits).replace("-", "−");
  return `${drawing.text} ${withUnit(text, drawing.unit)}`.trim();
}

function showGauge(
  drawing: Extract<Drawing, { kind: "gauge" }>,
  label: Label | null,
  value: ValueOf,
): void {
  const known = numberOf(drawing.value, value);
  const [low, high] = drawing.limits;
  label?.gauge(
    drawing.label,
    (known - low) / (high - low),
    withUnit(number(known, 3), drawing.unit),
  );
}

/** A lamp: dark at 0, full at 1. */
function glow(mesh: Mesh, ink: Color, share: number): void {
  const dark = new Color(colour("--line"));
  const material = mesh.material as MeshLambertMaterial | MeshBasicMaterial;
  const bright = Math.min(Math.max(share, 0), 1);
  material.color.copy(dark).lerp(ink, bright);
  if (material instanceof MeshLambertMaterial) {
    material.emissive.copy(ink).multiplyScalar(0.6 * bright);
  }
}
