// The stage: renderer, light and camera, and the world that stands on it. Draws only when asked.
import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  PCFShadowMap,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from "three";
import { colour } from "../page/theme.ts";
import type { Finish } from "./bodies.ts";
import { Eye } from "./eye.ts";
import { drawsInSoftware, Pace, pixels, SOFTWARE } from "./quality.ts";
import type { World } from "./world.ts";

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly eye: Eye;
  readonly pace: Pace;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sun = new DirectionalLight(0xffffff, 2.1);
  private world: World | null = null;
  private fine = false;
  private size = { width: 1, height: 1 };

  constructor(moved: () => void) {
    const software = drawsInSoftware(rendererName());
    const { canvas } = this;
    this.renderer = new WebGLRenderer({ canvas, antialias: !software });
    this.pace = new Pace(software ? SOFTWARE : 0);
    this.renderer.debug.checkShaderErrors = false; // asking would wait for the compiler
    this.renderer.shadowMap.type = PCFShadowMap;
    this.eye = new Eye(canvas, moved);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.7), this.sun, this.sun.target);
    this.applyQuality();
  }

  /** Pixels of the picture for each pixel of the page. */
  private get ratio(): number {
    return pixels(this.pace.quality, devicePixelRatio || 1);
  }

  get finish(): Finish {
    return this.pace.level < SOFTWARE ? "fine" : "plain";
  }

  stand(world: World | null): void {
    if (this.world) {
      this.scene.remove(this.world.group);
      this.world.dispose();
    }
    this.world = world;
    if (world) this.scene.add(world.group);
    this.dress();
  }

  /** Colours of the theme. */
  dress(): void {
    this.scene.background = new Color(colour("--sky-low"));
    this.scene.fog = null;
  }

  /** Light from above and the side, shadows over what is in sight. */
  light(): void {
    const { world } = this;
    if (!world || world.box.isEmpty()) return;
    const { center, radius } = world.box.getBoundingSphere(new Sphere());
    const { up, front } = world.axes;
    const right = new Vector3().crossVectors(up, front);
    const from = up
      .clone()
      .multiplyScalar(2.2)
      .addScaledVector(front, 1)
      .addScaledVector(right, 0.8);
    this.sun.position.copy(center).addScaledVector(from.normalize(), 4 * radius);
    this.sun.target.position.copy(center);
    const { camera } = this.sun.shadow;
    const reach = 1.6 * radius;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(camera, { near: 0.5 * radius, far: 8 * radius });
    camera.updateProjectionMatrix();
    if (!this.eye.flat) this.scene.fog = new Fog(colour("--sky-low"), 9 * radius, 26 * radius);
  }

  /** As large as the pane; `foot` pixels at its bottom are covered. */
  resize(width: number, height: number, foot: number): void {
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.renderer.setSize(this.size.width, this.size.height);
    this.eye.resize(this.size.width, this.size.height, foot);
  }

  /** The picture once more, finer: for when nothing moves and there is time. */
  drawFine(): void {
    this.fine = true;
    this.renderer.setPixelRatio(Math.max(2, devicePixelRatio || 1));
    this.renderer.render(this.scene, this.eye.camera);
  }

  /** One picture, perhaps later than it was due; true if the quality changed, and another one is
   * due. */
  draw(now: number, late = false): boolean {
    this.world?.ground.face(this.eye.camera);
    if (this.fine) this.renderer.setPixelRatio(this.ratio);
    this.fine = false;
    this.renderer.render(this.scene, this.eye.camera);
    if (!this.pace.drawn(now, late)) return false;
    this.applyQuality();
    return true;
  }

  private applyQuality(): void {
    const { shadows } = this.pace.quality;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(this.size.width, this.size.height);
    const cast = shadows > 0;
    if (this.renderer.shadowMap.enabled !== cast) this.renderer.shadowMap.enabled = cast;
    this.sun.castShadow = cast;
    this.sun.shadow.mapSize.set(shadows || 1, shadows || 1);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.02;
    this.world?.bodies.finish(this.eye.flat ? "flat" : this.finish);
  }
}

/** What draws, in the browser's own words. */
function rendererName(): string {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) throw new Error("this browser cannot draw in three dimensions (no WebGL 2)");
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const name = String(probe.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : probe.RENDERER));
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}
