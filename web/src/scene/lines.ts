// What is drawn with lines: springs between bodies, and the trails behind them.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  Vector3,
} from "three";
import { colour, seriesColour } from "../page/theme.ts";
import type { Body, Spring } from "../protocol/messages.ts";
import type { BodiesDrawn } from "./bodies.ts";
import type { Track } from "./track.ts";

const COILS = 12;
const PER_COIL = 14;
const LEADS = 0.12; // of the length, straight at each end

/** Lines that change from picture to picture, with room for `points`. */
function bendable(points: number, material: LineBasicMaterial, channels = 0): Line {
  const form = new BufferGeometry();
  const place = new BufferAttribute(new Float32Array(3 * points), 3).setUsage(DynamicDrawUsage);
  form.setAttribute("position", place);
  if (channels) {
    const shade = new BufferAttribute(new Float32Array(channels * points), channels);
    form.setAttribute("color", shade.setUsage(DynamicDrawUsage));
  }
  const line = new Line(form, material);
  line.frustumCulled = false;
  return line;
}

function attribute(line: Line, name: string): BufferAttribute {
  return line.geometry.getAttribute(name) as BufferAttribute;
}

export class Springs {
  readonly group = new Group();
  private readonly a = new Vector3();
  private readonly b = new Vector3();

  constructor(
    private readonly springs: readonly Spring[],
    private readonly size: number,
  ) {
    const material = new LineBasicMaterial({ color: colour("--muted") });
    for (const _ of springs) this.group.add(bendable(COILS * PER_COIL + 1, material));
  }

  show(bodies: BodiesDrawn): void {
    for (const [i, { from, to }] of this.springs.entries()) {
      if (!end(from, bodies, this.a) || !end(to, bodies, this.b)) continue;
      const line = this.group.children[i] as Line;
      coil(attribute(line, "position"), this.a, this.b, 0.035 * this.size);
    }
  }
}

function end(of: Spring["from"], bodies: BodiesDrawn, out: Vector3): Vector3 | null {
  return typeof of === "string" ? bodies.where(of, out) : out.set(...of);
}

/** A helix from a to b with straight ends. */
export function coil(out: BufferAttribute, a: Vector3, b: Vector3, radius: number): void {
  const axis = b.clone().sub(a);
  const side = new Vector3(0, 0, 1).cross(axis);
  if (side.lengthSq() < 1e-12) side.set(1, 0, 0);
  side.normalize().multiplyScalar(radius);
  const other = axis.clone().normalize().cross(side);
  const last = out.count - 1;
  for (let i = 0; i <= last; i++) {
    const share = i / last;
    const inner = Math.min(Math.max((share - LEADS) / (1 - 2 * LEADS), 0), 1);
    const wide = inner > 0 && inner < 1 ? 1 : 0;
    const angle = inner * COILS * 2 * Math.PI;
    const [c, s] = [wide * Math.sin(angle), wide * Math.cos(angle)];
    out.setXYZ(
      i,
      a.x + axis.x * share + side.x * c + other.x * s,
      a.y + axis.y * share + side.y * c + other.y * s,
      a.z + axis.z * share + side.z * c + other.z * s,
    );
  }
  out.needsUpdate = true;
}

const TRAIL = 600; // points
/** More moving bodies than this have no trails. */
export const MOST_TRAILS = 30;

export class Trails {
  readonly group = new Group();
  private readonly colours: number[];

  constructor(bodies: readonly Body[]) {
    const moving = bodies.filter((body) => !body.fixed);
    this.colours = moving.map((body) => bodies.indexOf(body));
    if (moving.length > MOST_TRAILS) this.colours = [];
    for (const _ of [...this.colours, ...this.colours]) {
      const look = { vertexColors: true, transparent: true, depthWrite: false };
      this.group.add(bendable(TRAIL, new LineBasicMaterial(look), 4));
    }
  }

  /** The path up to `time`, fading over `span` seconds; and the whole path of the ghost. */
  show(track: Track, ghost: Track | null, time: number, span: number): void {
    const count = this.colours.length;
    for (const [body, index] of this.colours.entries()) {
      const tint = new Color(seriesColour(index));
      const [own, old] = [this.group.children[body], this.group.children[count + body]] as [
        Line,
        Line,
      ];
      draw(own, track, body, time - span, time, (share) => 0.75 * share, tint);
      draw(old, ghost, body, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, () => 0.25, tint);
    }
  }
}

function draw(
  line: Line,
  track: Track | null,
  body: number,
  from: number,
  to: number,
  fade: (share: number) => number,
  tint: Color,
): void {
  const place = attribute(line, "position");
  const count = track?.path(body, from, to, place.array as Float32Array, TRAIL) ?? 0;
  line.visible = count > 1;
  line.geometry.setDrawRange(0, count);
  place.needsUpdate = true;
  const shade = attribute(line, "color");
  for (let i = 0; i < count; i++) shade.setXYZW(i, tint.r, tint.g, tint.b, fade(i / count));
  shade.needsUpdate = true;
}
