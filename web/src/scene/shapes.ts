// How shapes look: one row for each kind, as a form of unit size and its stretch. A shape that moves
// is drawn as one instance of its form, so that hundreds of balls cost one call.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  LatheGeometry,
  SphereGeometry,
  SRGBColorSpace,
  type Texture,
  Vector2,
  Vector3,
} from "three";
import type { Shape, Quaternion as Turn, Vector } from "../protocol/messages.ts";
import { painted } from "./painted.ts";

type Kind = Shape["kind"];
type OfKind<K extends Kind> = Extract<Shape, { kind: K }>;

interface Look<K extends Kind> {
  /** Shapes with the same key share their form. */
  key(shape: OfKind<K>): string;
  /** With so many corners around, where it is round. */
  form(shape: OfKind<K>, round: number): BufferGeometry;
  stretch(shape: OfKind<K>): Vector3;
}

const same = () => "";
const unit = () => new Vector3(1, 1, 1);

/** Corners around a round form, of which `count` are drawn: together they must not cost too much. */
export function roundness(count: number): number {
  return count <= 10 ? 40 : count <= 40 ? 24 : 16;
}

const RIM = 8; // corners across a round rim

/** Half of a section through a disc, from the middle of one side to that of the other. */
function discProfile(radius: number, rounding: number): Vector2[] {
  const rim = Array.from({ length: RIM + 1 }, (_, i) => {
    const turn = Math.PI * (i / RIM - 0.5);
    return new Vector2(radius + rounding * Math.cos(turn), rounding * Math.sin(turn));
  });
  return [new Vector2(0, -rounding), ...rim, new Vector2(0, rounding)];
}

const LOOKS: { [K in Exclude<Kind, "plane" | "part">]: Look<K> } = {
  sphere: {
    key: same,
    form: (_, round) => new SphereGeometry(1, round, round / 2),
    stretch: ({ radius }) => new Vector3(radius, radius, radius),
  },
  point: {
    key: same,
    form: () => new SphereGeometry(1, 6, 3),
    stretch: () => new Vector3(1e-9, 1e-9, 1e-9), // a ring shows where it is
  },
  ellipsoid: {
    key: same,
    form: (_, round) => new SphereGeometry(1, round, round / 2),
    stretch: ({ axes }) => new Vector3(...axes),
  },
  box: {
    key: same,
    form: () => new BoxGeometry(1, 1, 1),
    stretch: ({ size }) => new Vector3(...size),
  },
  cylinder: {
    key: same,
    form: (_, round) => new CylinderGeometry(1, 1, 1, round).rotateX(Math.PI / 2),
    stretch: ({ radius, length }) => new Vector3(radius, radius, length),
  },
  disc: {
    key: ({ radius, rounding }) => `${radius} ${rounding}`, // its rim would not survive a stretch
    form: ({ radius, rounding }, round) =>
      new LatheGeometry(discProfile(radius, rounding), round).rotateX(Math.PI / 2),
    stretch: unit,
  },
  capsule: {
    key: ({ radius, length }) => `${radius} ${length}`, // its caps would not survive a stretch
    form: ({ radius, length }, round) =>
      new CapsuleGeometry(radius, length, round / 4, round).rotateX(Math.PI / 2),
    stretch: unit,
  },
  mesh: {
    key: ({ vertices, faces }) => JSON.stringify([vertices, faces]),
    form: ({ vertices, faces }) => {
      const form = new BufferGeometry();
      form.setAttribute("position", new BufferAttribute(Float32Array.from(vertices.flat()), 3));
      form.setIndex(faces.flat());
      const sharp = form.toNonIndexed();
      sharp.computeVertexNormals();
      return sharp;
    },
    stretch: unit,
  },
};

export type Solid = Exclude<Shape, { kind: "plane" | "part" }>;

/** What is drawn of a shape: itself, or its parts; what is not known here is left out. */
export function solidsOf(shape: Shape): readonly { shape: Solid; at: Vector; turn: Turn }[] {
  if (shape.kind !== "part") {
    return isSolid(shape) ? [{ shape, at: [0, 0, 0], turn: [1, 0, 0, 0] }] : [];
  }
  return shape.parts.flatMap(({ shape: own, at, turn = [1, 0, 0, 0] }) =>
    isSolid(own) ? [{ shape: own, at, turn }] : [],
  );
}

function look(shape: Solid): Look<Kind> {
  return LOOKS[shape.kind] as unknown as Look<Kind>;
}

/** Has it a form that is known here? */
export function isSolid(shape: Shape): shape is Solid {
  return shape.kind in LOOKS;
}

export function formKey(shape: Solid): string {
  return `${shape.kind} ${look(shape).key(shape)}`;
}

export function formOf(shape: Solid, count: number): BufferGeometry {
  return look(shape).form(shape, roundness(count));
}

export function stretchOf(shape: Solid): Vector3 {
  return look(shape).stretch(shape);
}

/** Is its spin to be seen on a painted skin? Edges show it by themselves. */
export function isPainted(shape: Solid): boolean {
  return shape.kind !== "box" && shape.kind !== "mesh";
}

/** Eight fields in two tones, like the mark on a crash-test dummy: spin shows from every side. */
export function skin(): Texture {
  const texture = painted(256, 128, (pen) => {
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 2; row++) {
        pen.fillStyle = (column + row) % 2 ? "#ffffff" : "#b9bfc7";
        pen.fillRect(column * 64, row * 64, 64, 64);
      }
    }
  });
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
