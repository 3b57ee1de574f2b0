// What of the run is looked at: choices of this page alone, of which the server knows nothing.
import type { Model, Span } from "../protocol/messages.ts";
import { Cell } from "./cell.ts";
import type { Known } from "./known.ts";

const SHORTEST = 1e-6; // s
export const MOST_PLOTS = 4;

export class View {
  /** The stretch of time that lanes and plots show. */
  readonly window = new Cell<Span>({ from: 0, to: 1 });
  /** Where the pointer is on it. */
  readonly hover = new Cell<number | null>(null);
  readonly plots = new Cell<readonly (readonly string[])[]>([]);
  readonly ghost = new Cell(true);
  readonly component = new Cell<string | null>(null);
  private zoomed = false;

  constructor(private readonly known: Known) {
    known.model.on((model) => model && this.open(model));
    known.time.on(() => this.keepUp());
    known.status.on(() => this.keepUp());
  }

  /** Show [from, to]; the pages of time before zero do not exist. */
  zoom(from: number, to: number): void {
    const width = Math.max(to - from, SHORTEST);
    const start = Math.max(0, from);
    this.zoomed = true;
    this.show(start, start + width);
  }

  /** Zoom by `factor` with `time` staying where it is. */
  zoomAround(time: number, factor: number): void {
    const { from, to } = this.window.value;
    this.zoom(time - (time - from) * factor, time + (to - time) * factor);
  }

  /** The whole run again. */
  whole(): void {
    this.zoomed = false;
    this.show(0, this.end());
  }

  private show(from: number, to: number): void {
    const now = this.window.value;
    if (now.from !== from || now.to !== to) this.window.set({ from, to });
  }

  private open(model: Model): void {
    this.zoomed = false;
    this.show(0, this.end());
    this.plots.set(firstPlots(model));
    this.component.set(null);
  }

  private end(): number {
    return seenUntil(this.known.live, this.known.model.value?.horizon ?? null);
  }

  private keepUp(): void {
    const { from, to } = this.window.value;
    const { time, status } = this.known;
    if (!this.zoomed) {
      this.show(0, this.end());
    } else if (status.value.playing && time.value > to) {
      this.show(to, 2 * to - from); // turn the page
    }
  }
}

const SHORT = 30; // s: a run that is seen whole from the start
const ROOM = 10; // s, at first

/** How far to look: to the horizon, if that is near; else there is room for as much again. */
export function seenUntil(live: number, horizon: number | null): number {
  const room = ROOM * 2 ** Math.max(0, Math.ceil(Math.log2((1.05 * live) / ROOM)));
  if (!horizon || live > horizon) return room;
  return horizon <= SHORT ? horizon : Math.min(2 * room, horizon);
}

/** What to plot of a model that does not say: how high its bodies are or its variables, then energy. */
export function firstPlots(model: Model): readonly (readonly string[])[] {
  if (model.plots?.length) return model.plots.slice(0, MOST_PLOTS);
  const names = model.signals.map((signal) => signal.name);
  const moving = model.bodies.filter((body) => !body.fixed).slice(0, 3);
  const heights = moving.map((body) => `${body.name}.${axisOf(model)}`);
  const fixed = new Set(["energy", "t", ...model.parameters.map((parameter) => parameter.name)]);
  const seen = new Set(model.components.flatMap(locationsOf)); // in lanes already
  const kept = names.filter((name) => !fixed.has(name) && !name.includes("[")); // no guards
  const telling = kept.filter((name) => !seen.has(name));
  const own = telling.length > 0 ? telling : kept;
  const first =
    moving.length > 0 ? heights.filter((name) => names.includes(name)) : own.slice(0, 3);
  const second = names.includes("energy") ? ["energy"] : own.slice(first.length, first.length + 3);
  return [first, second].filter((plot) => plot.length > 0);
}

/** Signals that tell whether a component is in a location. */
function locationsOf(component: Model["components"][number]): string[] {
  if (component.kind !== "automaton") return [];
  return component.locations.map((location) => `${component.name}.${location.name}`);
}

const SOON = 0.3; // s: what falls is soon faster than what is thrown slowly

/** The axis along which things go fastest, as they are thrown or as they soon fall. */
function axisOf({ gravity, starts }: Model): string {
  const axes = ["y", "x", "z"];
  const thrown = axes.map((axis) => {
    const speeds = starts.filter(({ name }) => name.endsWith(`.v${axis}`));
    return Math.max(0, ...speeds.map(({ value }) => Math.abs(value)));
  });
  const speeds = axes.map((axis, i) => {
    return thrown[i]! + SOON * Math.abs(gravity?.["xyz".indexOf(axis)] ?? 0);
  });
  return axes[speeds.indexOf(Math.max(...speeds))]!;
}
