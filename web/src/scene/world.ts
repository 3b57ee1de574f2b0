// One model as things in space: bodies, ground, springs, joints, trails, contacts, drawings, names.
import { Box3, Group, type Object3D, Vector3 } from "three";
import type { Frame } from "../protocol/binary.ts";
import type { Body, ContactPoint, Model } from "../protocol/messages.ts";
import { BodiesDrawn, type Finish } from "./bodies.ts";
import { Contacts } from "./contacts.ts";
import { Drawings, type ValueOf } from "./drawings.ts";
import type { Eye } from "./eye.ts";
import { type Axes, axesOf, include, roomy, sizeOf, startBounds } from "./frame.ts";
import { Ground } from "./ground.ts";
import { Joints } from "./joints.ts";
import { Label } from "./labels.ts";
import { Springs, Trails } from "./lines.ts";
import { Shades } from "./shades.ts";
import { Track } from "./track.ts";

const MOST_NAMES = 8; // bodies; more names would cover the picture
const LETTERS = 15; // px, how high they are
const SMALL = 4; // px: a body smaller than this gets a ring around it
const GROWTH = 1.1; // room to move in before the frame is drawn anew

export class World {
  readonly group = new Group();
  readonly axes: Axes;
  readonly box: Box3;
  readonly bodies: BodiesDrawn;
  readonly ground: Ground;
  readonly track = new Track();
  ghost: Track | null = null;
  private readonly springs: Springs;
  private readonly joints: Joints;
  private readonly trails: Trails;
  private readonly contacts: Contacts;
  private readonly drawings: Drawings;
  private readonly shades: Shades;
  private readonly names: { name: string; label: Label; ring: Label; size: number }[];
  private readonly place = new Vector3();
  private shown = new Box3();

  constructor(
    readonly model: Model,
    readonly flat: boolean,
    finish: Finish,
  ) {
    this.axes = axesOf(model);
    this.box = roomy(startBounds(model), model.bodies);
    const size = this.box.isEmpty() ? 1 : this.box.getSize(new Vector3()).length() / 2;
    this.bodies = new BodiesDrawn(model.bodies, finish);
    this.ground = new Ground(model.bodies.length > 0 ? model.bodies : floorUnder(this.axes, flat));
    this.springs = new Springs(model.springs, size);
    this.joints = new Joints(model.joints ?? [], size, this.axes.up);
    this.trails = new Trails(model.bodies);
    this.contacts = new Contacts(arrowOf(model, size));
    this.drawings = new Drawings(model.scene, flat);
    this.shades = new Shades(this.bodies, model.bodies, this.axes);
    this.names = this.nameBodies();
    this.group.add(this.ground.group, this.bodies.group, this.springs.group, this.trails.group);
    this.group.add(this.joints.group, this.contacts.group, this.drawings.group, this.shades.mesh);
    for (const { label, ring } of this.names) this.group.add(label.sprite, ring.sprite);
  }

  private nameBodies() {
    const moving = this.model.bodies.filter((body) => !body.fixed);
    if (moving.length > MOST_NAMES) return [];
    return moving.map((body) => {
      const [label, ring] = [new Label("above"), new Label()];
      return { name: body.name, label, ring, size: sizeOf(body) };
    });
  }

  /** Is there anything to see? */
  static shows(model: Model): boolean {
    return model.bodies.length > 0 || model.scene.length > 0;
  }

  /** Remember where bodies were, also in frames that come too fast to be drawn. */
  remember(frame: Frame): void {
    this.track.add(frame.time, frame.bodies);
  }

  show(frame: Frame, value: ValueOf, eye: Eye): void {
    this.bodies.show(frame.bodies);
    this.redraw(value, eye);
  }

  /** Everything that follows from where bodies and signals are. */
  redraw(value: ValueOf, eye: Eye): void {
    this.springs.show(this.bodies);
    this.joints.show(this.bodies);
    this.drawings.show(value, eye.pixel);
    for (const { body, offset, size, moving } of this.bodies.placed) {
      if (moving < 0) continue; // it is in the frame from the start
      const at = this.bodies.carry(body.name, this.place.copy(offset));
      if (at && isPlace(at)) include(this.box, at, size);
    }
    this.drawings.bounds(this.box);
  }

  showTrails(time: number, span: number, shown: boolean): void {
    this.trails.group.visible = shown;
    if (shown) this.trails.show(this.track, this.ghost, time, span);
  }

  /** Spots under bodies, where there are no true shadows. */
  showShades(shown: boolean): void {
    this.shades.show(shown && !this.flat);
  }

  showContacts(points: readonly ContactPoint[]): void {
    this.contacts.show(points);
  }

  /** Words of the scene, and names beside bodies, unless they would cover each other; a ring around
   * those that are too small to be seen. */
  showNames(eye: Eye, shown: boolean): void {
    this.drawings.spread((place) => eye.spot(place));
    const taken: Spot[] = [];
    const { up } = eye.camera;
    for (const { name, label, ring, size } of this.names) {
      const at = this.bodies.where(name, this.place);
      ring.sprite.visible = at !== null && eye.pixels(size, at) < SMALL;
      label.sprite.visible = at !== null && shown;
      if (!at) continue;
      label.write(name);
      ring.ring();
      ring.sprite.position.copy(at);
      label.sprite.position.copy(at).addScaledVector(up, this.bodies.height(name, up));
      for (const one of [label, ring]) one.scale(eye.pixel);
      const spot = { ...eye.spot(label.sprite.position), width: label.width };
      if (!shown || taken.some((other) => overlap(spot, other))) label.sprite.visible = false;
      else taken.push(spot);
    }
  }

  /** Did the scene outgrow the frame that was last drawn for it? */
  outgrew(): boolean {
    if (this.box.isEmpty() || this.shown.containsBox(this.box)) return false;
    this.shown = this.box.clone();
    const size = this.shown.getSize(new Vector3()).multiplyScalar((GROWTH - 1) / 2);
    this.shown.expandByVector(size);
    return true;
  }

  cut(at: number, ghost: boolean): void {
    const rest = this.track.cut(at);
    this.ghost = ghost ? rest : null;
  }

  build(): void {
    if (!this.box.isEmpty()) this.ground.build(this.box, this.axes, this.flat);
  }

  dispose(): void {
    this.bodies.dispose();
    this.ground.dispose();
    this.drawings.dispose();
    this.joints.dispose();
    for (const { label, ring } of this.names) for (const one of [label, ring]) one.dispose();
    this.group.traverse((node: Object3D) => {
      const drawn = node as { geometry?: { dispose(): void }; material?: { dispose(): void } };
      drawn.geometry?.dispose();
      drawn.material?.dispose();
    });
  }
}

/** What drawings in space stand on: the plane through zero. */
function floorUnder({ up }: Axes, flat: boolean): Body[] {
  const shape = { kind: "plane" as const, normal: up.toArray() };
  return flat ? [] : [{ name: "ground", shape, fixed: true, position: [0, 0, 0] }];
}

/** How long the arrow of the strongest force is: by the bodies, in a scene of half diagonal `size`. */
export function arrowOf({ bodies }: Pick<Model, "bodies">, size: number): number {
  const sizes = bodies.filter((body) => !body.fixed).map(sizeOf);
  const middle = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? size;
  return Math.min(Math.max(3 * middle, 0.08 * size), 0.6 * size);
}

/** Where a name is on the screen, px. */
interface Spot {
  x: number; // its middle
  y: number;
  width: number;
}

export function overlap(one: Spot, other: Spot): boolean {
  const beside = Math.abs(one.x - other.x) >= (one.width + other.width) / 2;
  return !beside && Math.abs(one.y - other.y) < LETTERS;
}

function isPlace({ x, y, z }: Vector3): boolean {
  return Number.isFinite(x + y + z);
}
