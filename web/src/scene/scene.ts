// The scene's pane: the picture, its buttons at the bottom left, energy and contacts at the top right.
import "../style/scene.css";
import { Vector3 } from "three";
import { actionButton } from "../page/actions.ts";
import type { App } from "../page/app.ts";
import { element, press, write } from "../page/dom.ts";
import { counted, measured, quantity } from "../page/format.ts";
import { theme } from "../page/theme.ts";
import type { Model, Vector } from "../protocol/messages.ts";
import { Cell, onAny, painter } from "../state/cell.ts";
import { OPEN } from "../state/lanes.ts";
import { Compass } from "./compass.ts";
import { dragBodies } from "./drag.ts";
import { boundSignals } from "./drawings.ts";
import { PRESETS, type Preset } from "./frame.ts";
import { Stage } from "./stage.ts";
import { World } from "./world.ts";

const TRAIL = 0.2; // of the window in sight
const REST = 250; // ms without a new picture: then there is time for a finer one
const ENERGY = "energy";

/** What the picture shows besides the bodies. */
interface Looks {
  preset: Cell<Preset>;
  flat: Cell<boolean>;
  contacts: Cell<boolean>;
  trails: Cell<boolean>;
}

/** The canvas, for photographs and films; it is drawn anew first. */
export interface Picture {
  canvas: HTMLCanvasElement;
  draw(): void;
}

export function fillScene(pane: HTMLElement, app: App): Picture {
  const { known, view, subscriptions, control } = app;
  const stage = new Stage(() => draw());
  const looks = makeLooks();
  const compass = new Compass();
  let world: World | null = null;
  const value = (signal: string) => subscriptions.value(signal);
  const paint = (now: number) => {
    if (!world) return;
    const { from, to } = view.window.value;
    const { time, frame } = known;
    if (frame.value) world.show(frame.value, value, stage.eye);
    if (world.outgrew()) {
      world.build();
      stage.light();
      stage.eye.look(world.box, world.axes, !fresh);
      fresh = false;
    }
    if (looks.preset.value === "follow") followFirst(stage, world);
    const moving = stage.eye.step(now);
    compass.show(stage.eye.camera);
    world.showTrails(
      time.value,
      TRAIL * (to - from),
      looks.trails.value && stage.pace.quality.trails,
    );
    world.showShades(stage.pace.quality.shadows === 0);
    world.showContacts(looks.contacts.value ? known.contacts.value : []);
    world.showNames(stage.eye, true);
    const { playing } = known.status.value;
    const late = app.source.live ? came > 1 : playing; // a replay makes no frame but to draw it
    came = 0;
    if (stage.draw(now, late) || moving) draw();
    clearTimeout(rest);
    if (!playing) rest = setTimeout(() => world && stage.drawFine(), REST) as unknown as number;
  };
  let rest = 0;
  let came = 0; // frames since the last picture
  let fresh = true; // nothing of this world has been seen yet: the camera does not glide to it
  const draw = painter(() => paint(performance.now()));
  const open = () => {
    const model = known.model.value;
    const there = model !== null && World.shows(model);
    fresh = true;
    stage.eye.setFlat(looks.flat.value);
    stage.eye.preset = looks.preset.value;
    world = there
      ? new World(model, looks.flat.value, looks.flat.value ? "flat" : stage.finish)
      : null;
    stage.stand(world);
    draw();
  };
  known.model.on((model) => {
    if (!model) return;
    subscriptions.want("scene", [...boundSignals(model.scene), ...energyOf(model)]);
    looks.flat.set(model.plane !== null);
    looks.preset.set(model.plane !== null ? "front" : "free");
    open();
  });
  onAny([theme, looks.flat], open);
  looks.preset.on((preset) => {
    stage.eye.preset = preset;
    if (world && !world.box.isEmpty()) stage.eye.look(world.box, world.axes);
    draw();
  });
  looks.contacts.on((shown) => void control.send({ do: "show", contacts: shown }));
  known.frame.on((frame) => {
    if (frame) world?.remember(frame);
    came++;
  });
  known.status.on(({ playing }) => playing || draw()); // once more, finely
  known.cutAt.on(({ at }) => world?.cut(at, true));
  onAny([known.frame, known.contacts, looks.contacts, looks.trails, view.window], draw);
  const below = buttons(app, looks, () => world);
  pane.append(stage.canvas, corner(app), compass.node, below);
  const resized = new ResizeObserver(() => {
    stage.resize(pane.clientWidth, pane.clientHeight, pane.clientHeight - below.offsetTop);
    if (world && !fresh) stage.eye.look(world.box, world.axes, true);
    draw();
  });
  for (const node of [pane, below]) resized.observe(node);
  dragBodies(stage, {
    world: () => world,
    allowed: () => app.source.live && !known.status.value.playing,
    moved: () => {
      world?.redraw(value, stage.eye);
      stage.draw(performance.now());
    },
    dropped: (body, { x, y, z }) => control.drag(body, [x, y, z] satisfies Vector),
  });
  return { canvas: stage.canvas, draw: () => paint(performance.now()) };
}

function makeLooks(): Looks {
  return {
    preset: new Cell<Preset>("free"),
    flat: new Cell(false),
    contacts: new Cell(false),
    trails: new Cell(true),
  };
}

function energyOf(model: Model): string[] {
  return model.signals.some(({ name }) => name === ENERGY) ? [ENERGY] : [];
}

function followFirst(stage: Stage, { bodies, model }: World): void {
  const moving = model.bodies.find((body) => !body.fixed);
  const place = moving && bodies.where(moving.name, new Vector3());
  if (place) stage.eye.follow(place);
}

function contactsOf(model: Model | null): string[] {
  const components = model?.components ?? [];
  return components
    .flatMap((one) => (one.kind === "bodies" ? one.contacts : []))
    .map((c) => c.name);
}

/** Energy and closed contacts, at the shown instant. */
function corner({ known, subscriptions }: App): HTMLElement {
  const energy = element("span");
  const closed = element("span");
  const node = element("div", { class: "corner" }, energy, closed);
  const draw = painter(() => {
    const model = known.model.value;
    const value = subscriptions.value(ENERGY);
    write(energy, Number.isNaN(value) ? "" : `energy ${measured(value, "J")}`);
    const touching = model?.components.some((component) => component.kind === "bodies");
    write(closed, touching ? `${counted(closedAt(known.time.value), "contact")} closed` : "");
  });
  const closedAt = (time: number) =>
    contactsOf(known.model.value).filter((name) => {
      const mode = known.lanes.value.valueAt(name, time);
      return mode !== undefined && mode !== OPEN;
    }).length;
  onAny([known.frame, known.time, known.lanes, known.model], draw);
  return node;
}

function buttons(app: App, looks: Looks, world: () => World | null): HTMLElement {
  const { actions, known } = app;
  const group = "look" as const;
  const cameras = PRESETS.map((preset, i) => {
    const run = () => looks.preset.set(preset);
    const action = actions.add({ label: `camera: ${preset}`, key: String(i + 1), group, run });
    const node = actionButton(action, { text: preset });
    looks.preset.see((now) => press(node, now === preset));
    return node;
  });
  const toggle = (label: string, key: string, text: string, cell: Cell<boolean>) => {
    const action = actions.add({ label, key, group, run: () => cell.set(!cell.value) });
    const node = actionButton(action, { text });
    cell.see((on) => press(node, on));
    return node;
  };
  const flat = toggle("flat look", "d", "2-D", looks.flat);
  const forces = toggle("forces and friction cones", "c", "forces", looks.contacts);
  const trails = toggle("trails", "p", "trails", looks.trails);
  const grid = element("span", { class: "muted grid" });
  known.model.on((model) => {
    forces.hidden = !model?.components.some((component) => component.kind === "bodies");
    trails.hidden = !model?.bodies.length;
  });
  const tell = painter(() => {
    const there = world();
    const step = there && !there.flat ? there.ground.step : 0;
    write(grid, step ? `grid ${quantity(step, "m")}` : "");
  });
  onAny([known.frame, looks.flat], tell);
  return element("div", { class: "scene-buttons" }, ...cameras, flat, forces, trails, grid);
}
