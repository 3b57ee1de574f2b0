// The camera: four presets, a flat look for plane scenes, and a hand that may take it anywhere.
import {
  type Box3,
  type Camera,
  MathUtils,
  OrthographicCamera,
  PerspectiveCamera,
  Sphere,
  Vector3,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { calm } from "../page/theme.ts";
import { type Axes, extent, type Preset, reach } from "./frame.ts";

const ANGLE = 35; // degrees, from the lowest to the highest thing in sight
const AIR = 1.25; // room around what is shown
const MOST_COVERED = 0.4; // of the height: on a very low screen the buttons cover something
const GLIDE = 140; // ms, in which most of the way is gone when the frame grows

export class Eye {
  private readonly deep = new PerspectiveCamera(ANGLE, 1, 0.01, 1000);
  private readonly even = new OrthographicCamera();
  private controls: OrbitControls;
  private aspect = 1;
  private height = 1; // px
  private covered = 0; // of the height, at the bottom: buttons
  private half = 1; // m, half the height that the flat camera shows
  private touched = false;
  private stepped = 0; // when the camera last went on, ms
  private goal: { position: Vector3; target: Vector3 } | null = null;
  preset: Preset = "free";
  flat = false;

  constructor(
    private readonly canvas: HTMLElement,
    private readonly moved: () => void,
  ) {
    this.controls = this.grasp();
  }

  get camera(): Camera {
    return this.flat ? this.even : this.deep;
  }

  get target(): Vector3 {
    return this.controls.target;
  }

  /** What a pixel of the screen measures: at distance one, or anywhere in the flat look. */
  get pixel(): number {
    if (this.flat) return (2 * this.half) / this.even.zoom / this.height;
    return (2 * Math.tan(MathUtils.degToRad(ANGLE / 2))) / this.height;
  }

  /** Pixels that a length at a place takes on the screen. */
  pixels(length: number, at: Vector3): number {
    const away = this.flat ? 1 : Math.max(this.deep.position.distanceTo(at), 1e-9);
    return length / (this.pixel * away);
  }

  /** Where a place is on the screen, px from its middle. */
  spot(place: Vector3): { x: number; y: number } {
    const { x, y } = place.clone().project(this.camera);
    return { x: (x * this.height * this.aspect) / 2, y: (y * this.height) / 2 };
  }

  /** So many pixels, of which `foot` at the bottom are covered: what is shown stands above them. */
  resize(width: number, height: number, foot = 0): void {
    this.aspect = width / Math.max(height, 1);
    this.height = Math.max(height, 1);
    this.covered = Math.min(foot / this.height, MOST_COVERED);
    this.lens();
  }

  /** Look at `box` as the preset says; `glide` there when it only grew. */
  look(box: Box3, axes: Axes, glide = false): void {
    if (glide && this.touched) return;
    this.touched = false;
    const target = box.getCenter(new Vector3());
    const { position, up } = this.place(box, axes, target);
    for (const camera of [this.deep, this.even]) camera.up.copy(up);
    this.lens();
    if (!this.goal) this.stepped = performance.now(); // else it is on its way already
    this.goal = { position, target };
    if (!glide || calm()) this.arrive();
    this.moved();
  }

  private place(box: Box3, axes: Axes, target: Vector3) {
    const radius = Math.max(box.getBoundingSphere(new Sphere()).radius, 1e-6);
    const direction = this.direction(axes);
    const up = this.preset === "top" ? axes.front.clone().negate() : axes.up;
    const { width, height } = extent(box, direction, up);
    const free = 1 - this.covered;
    this.half = AIR * Math.max(height / free, width / this.aspect, 0.3 * radius);
    const slope = Math.tan(MathUtils.degToRad(ANGLE / 2));
    const needed = reach(box, direction, up, (slope * free) / AIR, this.aspect / free);
    const away = Math.max(needed, 1.2 * radius);
    this.deep.near = away / 200;
    this.deep.far = away * 40;
    this.even.near = -20 * radius;
    this.even.far = 60 * radius;
    return { position: target.clone().addScaledVector(direction, away), up };
  }

  private direction({ up, front }: Axes): Vector3 {
    if (this.preset === "top") return up.clone().addScaledVector(front, 1e-4).normalize();
    if (this.flat) return front.clone();
    const tilt = this.preset === "front" ? 0.1 : 0.38;
    const right = new Vector3().crossVectors(up, front);
    const aside = this.preset === "front" ? 0 : 0.5;
    return front.clone().addScaledVector(up, tilt).addScaledVector(right, aside).normalize();
  }

  /** What the cameras take in; its middle is that of what is not covered. */
  private lens(): void {
    const { half, aspect, even } = this;
    Object.assign(even, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    const [width, height] = [this.height * aspect, this.height];
    for (const camera of [this.deep, even]) {
      camera.setViewOffset(width, height, 0, (this.covered * height) / 2, width, height);
    }
  }

  /** Further on the way, at `now` (ms); true while it goes on. */
  step(now: number): boolean {
    if (!this.goal) return false;
    const { position, target } = this.goal;
    const share = 1 - Math.exp(-Math.min(now - this.stepped, 3 * GLIDE) / GLIDE);
    this.stepped = now;
    this.camera.position.lerp(position, share);
    this.target.lerp(target, share);
    if (this.camera.position.distanceTo(position) < 1e-3 * position.distanceTo(target))
      this.arrive();
    this.controls.update();
    return this.goal !== null;
  }

  private arrive(): void {
    if (!this.goal) return;
    this.camera.position.copy(this.goal.position);
    this.target.copy(this.goal.target);
    this.goal = null;
    this.controls.update();
  }

  /** Go along with a body. */
  follow(place: Vector3): void {
    const shift = place.clone().sub(this.target);
    this.target.add(shift);
    this.camera.position.add(shift);
    this.controls.update();
  }

  setFlat(flat: boolean): void {
    if (flat === this.flat) return;
    this.flat = flat;
    this.controls.dispose();
    this.controls = this.grasp();
  }

  /** While a body is dragged, the hand does not turn the camera. */
  set held(held: boolean) {
    this.controls.enabled = !held;
  }

  private grasp(): OrbitControls {
    const controls = new OrbitControls(this.camera as PerspectiveCamera, this.canvas);
    controls.enableRotate = !this.flat;
    controls.addEventListener("change", this.moved);
    controls.addEventListener("start", () => {
      this.touched = true;
      this.goal = null;
    });
    return controls;
  }
}
